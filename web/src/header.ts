// What every page begins with: the way to the others, the theme, and the key where one is needed.
import { byId, html } from "./dom";
import { key } from "./server";

const PAGES = { "/playground": "Playground", "/": "Status", "/docs": "API" };
const THEMES = ["system", "light", "dark"] as const;

function themes(): HTMLElement {
  const select = html("select", { "aria-label": "Theme", class: "quiet" });
  for (const theme of THEMES) select.append(html("option", { value: theme }, theme));
  select.value = document.documentElement.dataset["theme"] ?? "system";
  select.addEventListener("change", () => {
    if (select.value === "system") {
      localStorage.removeItem("fastedit-theme");
      delete document.documentElement.dataset["theme"];
    } else {
      localStorage.setItem("fastedit-theme", select.value);
      document.documentElement.dataset["theme"] = select.value;
    }
  });
  return html("label", { class: "field" }, "Theme ", select);
}

function keyField(): HTMLElement {
  const input = html("input", { id: "key", type: "password", autocomplete: "off", placeholder: "if needed" });
  input.value = key.get();
  input.addEventListener("input", () => key.set(input.value));
  return html("label", { class: "field" }, "Key ", input);
}

/** Fills the page's header; `extras` stand before the theme. */
export function fillHeader(...extras: HTMLElement[]): void {
  const here = location.pathname;
  const links = Object.entries(PAGES).map(([path, name]) =>
    html("a", { href: path, ...(path === here ? { "aria-current": "page" } : {}) }, name),
  );
  byId("header").append(
    html("a", { href: "/", class: "brand" }, "fastedit"),
    html("nav", { "aria-label": "Pages" }, ...links),
    html("div", { class: "tools" }, ...extras, themes(), keyField()),
  );
}
