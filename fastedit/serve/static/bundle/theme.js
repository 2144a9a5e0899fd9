var e=localStorage.getItem("fastedit-theme");e&&(document.documentElement.dataset.theme=e);
