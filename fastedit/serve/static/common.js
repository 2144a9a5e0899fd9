// What both pages share: the key, kept for this tab only, and requests that carry it.
const field = document.getElementById("key");
field.value = sessionStorage.getItem("fastedit-key") ?? "";
field.addEventListener("change", () => sessionStorage.setItem("fastedit-key", field.value));

export function request(path, options = {}) {
  const headers = { ...options.headers };
  if (field.value) headers.Authorization = `Bearer ${field.value}`;
  return fetch(path, { ...options, headers });
}

export async function problem(response) {
  const { error } = await response.json();
  return `${response.status}: ${error.message}`;
}
