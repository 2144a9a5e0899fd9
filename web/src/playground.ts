// The playground: sends an edit and shows its hunks while they come, to be decided on one by one.
import { asked, type Told } from "./ask";
import { byId, html } from "./dom";
import { EXAMPLES } from "./examples";
import { fillHeader } from "./header";
import { Inputs } from "./inputs";
import { Result } from "./result";
import { Refused, request } from "./server";

const KEYS: [keys: string, what: string][] = [
  ["Ctrl Enter", "Run the edit (⌘ Enter on a Mac) and go to its result"],
  ["E", "Back to the edit"],
  ["Escape", "Cancel it"],
  ["N / P", "Next hunk, previous hunk"],
  ["A", "Accept the hunk and go to the next"],
  ["R", "Reject it and go to the next"],
  ["U", "Take the decision back"],
  ["1 2 3", "Choose a reading of the edit"],
  ["?", "This help"],
];

let running: AbortController | null = null;
const inputs = new Inputs(() => result.clear());
const result = new Result((files) => {
  const { touched } = result;
  const others = inputs.wish.files.filter(({ path }) => !touched.has(path));
  const kept = [...files, ...others];
  inputs.setFiles(kept.length ? kept : [{ path: "file1.py", text: "" }]);
  result.clear();
  result.say("The accepted hunks are in the files now.");
});

async function run(): Promise<void> {
  running?.abort();
  const mine = (running = new AbortController());
  byId<HTMLButtonElement>("cancel").disabled = false;
  result.clear();
  byId("progress").textContent = "asking …";
  let newest: Told | null = null;
  const draw = (): void => {
    if (newest && running === mine) {
      byId("progress").textContent = newest.progress ?? "";
      result.show(newest);
    }
    newest = null;
  };
  try {
    for await (const told of asked(inputs.wish, mine.signal)) {
      if (!newest) requestAnimationFrame(draw);
      newest = told;
    }
    draw();
    byId("output").focus(); // where single letters decide
  } catch (error) {
    newest = null;
    if (running !== mine) return;
    result.clear();
    result.say(...explained(error));
  }
  if (running !== mine) return;
  running = null;
  byId("progress").textContent = "";
  byId<HTMLButtonElement>("cancel").disabled = true;
}

function explained(error: unknown): [text: string, kind: string] {
  if (error instanceof Refused) return [`${error.status}: ${error.message}`, "problem"];
  if (error instanceof DOMException && error.name === "AbortError") return ["cancelled", ""];
  return error instanceof TypeError ? ["the server does not answer", "problem"] : [String(error), "problem"];
}

const ACTIONS: Record<string, () => void> = {
  e: () => inputs.focus(),
  n: () => result.move(1),
  p: () => result.move(-1),
  a: () => result.decide("accepted"),
  r: () => result.decide("rejected"),
  u: () => result.decide("pending"),
  "1": () => result.choose(1),
  "2": () => result.choose(2),
  "3": () => result.choose(3),
  "?": () => byId<HTMLDialogElement>("help").showModal(),
};

function types(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    !!target.closest('input, select, textarea, [contenteditable="true"], dialog')
  );
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    void run();
  } else if (event.key === "Escape") running?.abort();
  else if (!types(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const action = ACTIONS[event.key.toLowerCase()];
    if (action) event.preventDefault();
    action?.();
  }
});

function fillHelp(): HTMLElement {
  const rows = KEYS.map(([keys, what]) =>
    html("tr", {}, html("th", { scope: "row" }, html("kbd", {}, keys)), html("td", {}, what)),
  );
  const dialog = byId<HTMLDialogElement>("help");
  dialog.append(
    html("h2", { id: "help-title" }, "Keyboard"),
    html("table", {}, html("tbody", {}, ...rows)),
    html("p", {}, "Single letters work outside of text fields; Escape, then Tab leaves an editor."),
    html("form", { method: "dialog" }, html("button", { class: "primary" }, "Close")),
  );
  const open = { type: "button", class: "quiet", click: () => dialog.showModal() };
  return html("button", open, "Keys ", html("kbd", {}, "?"));
}

async function fillFormats(): Promise<void> {
  const select = byId<HTMLSelectElement>("format");
  select.append(html("option", { value: "" }, "detect"));
  const api = await (await request("/openapi.json")).json();
  const { anyOf } = api.components.schemas.ChangeIn.properties.format;
  const names: string[] = anyOf.find((one: { enum?: string[] }) => one.enum).enum;
  select.append(...names.map((name) => html("option", {}, name)));
}

function fillExamples(): void {
  const select = byId<HTMLSelectElement>("examples");
  select.append(...EXAMPLES.map(({ name }, index) => html("option", { value: `${index}` }, name)));
  select.addEventListener("change", () => {
    running?.abort();
    result.clear();
    inputs.show(EXAMPLES[Number(select.value)]!);
  });
}

fillHeader(fillHelp());
fillExamples();
inputs.show(EXAMPLES[0]!);
byId("run").addEventListener("click", () => void run());
byId("cancel").addEventListener("click", () => running?.abort());
void fillFormats().catch((error: unknown) => result.say(...explained(error)));
