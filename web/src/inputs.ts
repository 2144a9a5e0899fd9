// The left half of the playground: the files, the edit, and how it is asked for.
import { EditorView } from "@codemirror/view";
import type { EditorState } from "@codemirror/state";
import type { File, Wish } from "./ask";
import { byId, html } from "./dom";
import { typed } from "./editor";
import type { Example } from "./examples";

const HINT = `Paste an edit in any format:
a sketch with "... existing code ..." markers,
a diff, SEARCH/REPLACE blocks, an apply_patch envelope,
a tool call, operations as JSON, or a whole file.

Leave it empty to give an instruction alone.`;

export class Inputs {
  private readonly states: { path: string; state: EditorState }[] = [];
  private active = 0;
  private readonly content: EditorView;
  private readonly message: EditorView;

  /** `changed` is called whenever a file's text may have changed. */
  constructor(private readonly changed: () => void) {
    const state = typed("", "", "Edit", HINT, () => {});
    this.content = new EditorView({ state, parent: byId("content") });
    this.message = new EditorView({ state, parent: byId("message") });
    byId("add").addEventListener("click", () => this.add({ path: this.freeName(), text: "" }));
    byId("path").addEventListener("change", () => this.rename(byId<HTMLInputElement>("path").value.trim()));
  }

  get wish(): Wish {
    this.keep();
    const value = (id: string): string => byId<HTMLInputElement>(id).value;
    return {
      files: this.states.map(({ path, state }) => ({ path, text: state.doc.toString() })),
      path: this.states[this.active]!.path,
      message: this.message.state.doc.toString(),
      instruction: value("instruction"),
      format: value("format"),
      policy: value("policy"),
    };
  }

  show({ files, message, instruction }: Example): void {
    this.setFiles(files);
    this.message.setState(typed(message, "", "Edit", HINT, () => {}));
    byId<HTMLInputElement>("instruction").value = instruction ?? "";
    byId<HTMLSelectElement>("format").value = "";
  }

  /** Goes to the edit. */
  focus(): void {
    this.message.focus();
  }

  setFiles(files: File[]): void {
    this.states.splice(0, this.states.length, ...files.map((file) => this.opened(file)));
    this.active = 0;
    this.draw();
  }

  private opened({ path, text }: File): { path: string; state: EditorState } {
    return { path, state: typed(text, path, `Content of ${path}`, "Paste a file", this.changed) };
  }

  private add(file: File): void {
    this.keep();
    this.active = this.states.push(this.opened(file)) - 1;
    this.draw();
    byId("path").focus();
    this.changed();
  }

  private remove(index: number): void {
    this.keep();
    this.states.splice(index, 1);
    this.active = Math.min(this.active, this.states.length - 1);
    this.draw();
    this.changed();
  }

  private open(index: number): void {
    this.keep();
    this.active = index;
    this.draw();
  }

  private rename(path: string): void {
    if (!path) return;
    this.keep();
    const { state } = this.states[this.active]!;
    this.states[this.active] = this.opened({ path, text: state.doc.toString() });
    this.draw();
    this.changed();
  }

  private freeName(): string {
    const taken = new Set(this.states.map(({ path }) => path));
    for (let number = 1; ; number++) if (!taken.has(`file${number}.py`)) return `file${number}.py`;
  }

  /** Takes the text back from the editor, which shows one file at a time. */
  private keep(): void {
    const open = this.states[this.active];
    if (open) open.state = this.content.state;
  }

  private draw(): void {
    const { path, state } = this.states[this.active]!;
    this.content.setState(state);
    byId<HTMLInputElement>("path").value = path;
    const tabs = this.states.map((file, index) => {
      const pressed = { "aria-pressed": `${index === this.active}` };
      const tab = html("button", { type: "button", ...pressed, click: () => this.open(index) }, file.path);
      if (this.states.length === 1) return tab;
      const close = { type: "button", class: "close", "aria-label": `Remove ${file.path}` };
      return html(
        "span",
        { class: "tab" },
        tab,
        html("button", { ...close, click: () => this.remove(index) }, "×"),
      );
    });
    byId("files").replaceChildren(...tabs);
  }
}
