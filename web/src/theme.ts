// Runs before the page is painted, so that a theme that was chosen does not flash in.
const theme = localStorage.getItem("fastedit-theme");
if (theme) document.documentElement.dataset["theme"] = theme;
export {};
