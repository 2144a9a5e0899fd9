// A changed file as a merge view. What counts as a change are the server's hunks; within one, what differs is marked.
import { Change, MergeView, presentableDiff, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Span } from "./answers";
import type { Changed, Held } from "./change";
import { html } from "./dom";
import { readOnly } from "./editor";

export type Kind = "unified" | "split";
export type Decide = (held: Held, decision: "accepted" | "rejected") => void;

const COLLAPSE = { margin: 4, minSize: 8 };

/** A text's lines with the offset at which each begins. */
class Lines {
  readonly text: string;
  private readonly offsets: number[] = [];

  constructor(private readonly lines: string[]) {
    this.text = lines.join("\n");
    let at = 0;
    for (const line of lines) {
      this.offsets.push(at);
      at += line.length + 1;
    }
  }

  get count(): number {
    return this.lines.length;
  }

  /** The characters of whole lines, each with the line end behind it; the last lines take the one before them. */
  range({ start, stop }: Span, last: boolean): [from: number, to: number] {
    const end = this.text.length;
    const [from, to] = [this.offsets[start] ?? end, this.offsets[stop] ?? end];
    return last ? [Math.min(end, this.offsets[start] === undefined ? end : from - 1), end] : [from, to];
  }
}

function changes(old: Lines, now: Lines, places: { old: Span; new: Span }[]): Change[] {
  return places.flatMap((place) => {
    const last = place.old.stop === old.count && place.old.start > 0 && place.new.start > 0;
    const [fromA, toA] = old.range(place.old, last);
    const [fromB, toB] = now.range(place.new, last);
    return presentableDiff(old.text.slice(fromA, toA), now.text.slice(fromB, toB)).map(
      (part) => new Change(fromA + part.fromA, fromA + part.toA, fromB + part.fromB, fromB + part.toB),
    );
  });
}

/** Shows one file at a time in `parent`. */
export class Diff {
  private unified: EditorView | null = null;
  private split: MergeView | null = null;
  private places: { held: Held; old: Span; new: Span }[] = [];

  constructor(
    private readonly parent: HTMLElement,
    private readonly decide: Decide,
  ) {}

  show(file: Changed, kind: Kind): void {
    this.places = file.places();
    const old = new Lines(file.text("accepted"));
    const now = new Lines(file.text("accepted", "pending"));
    const found = changes(old, now, this.places);
    const diffConfig = { override: () => found };
    if (kind === "unified") this.showUnified(file, old.text, now.text, diffConfig);
    else this.showSplit(file, old.text, now.text, diffConfig);
  }

  clear(): void {
    this.unified?.destroy();
    this.split?.destroy();
    this.unified = this.split = null;
  }

  private showUnified(file: Changed, original: string, doc: string, diffConfig: object): void {
    const merged = unifiedMergeView({
      original,
      diffConfig,
      collapseUnchanged: COLLAPSE,
      mergeControls: file.provisional ? false : (type) => this.control(type),
    });
    const extensions = [readOnly(file.name, `${file.name} with its changes`), merged];
    const state = EditorState.create({ doc, extensions });
    this.split?.destroy();
    this.split = null;
    if (this.unified) this.unified.setState(state);
    else this.unified = new EditorView({ state, parent: this.parent });
  }

  private showSplit(file: Changed, original: string, doc: string, diffConfig: object): void {
    const top = this.split?.dom.scrollTop ?? 0;
    this.clear();
    this.split = new MergeView({
      a: { doc: original, extensions: readOnly(file.name, `${file.name} before`) },
      b: { doc, extensions: readOnly(file.name, `${file.name} after`) },
      parent: this.parent,
      diffConfig,
      collapseUnchanged: COLLAPSE,
    });
    this.split.dom.scrollTop = top;
  }

  private control(type: "accept" | "reject"): HTMLElement {
    const decision = type === "accept" ? "accepted" : "rejected";
    const button = html("button", { type: "button", class: type, tabindex: "-1" }, type);
    button.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const view = this.unified!;
      const line = view.state.doc.lineAt(view.posAtDOM(button.closest(".cm-deletedChunk")!)).number - 1;
      const distance = ({ new: { start, stop } }: { new: Span }): number =>
        line < start ? start - line : Math.max(0, line - stop + 1);
      const [nearest] = this.places.toSorted((one, other) => distance(one) - distance(other));
      if (nearest) this.decide(nearest.held, decision);
    });
    return button;
  }

  /** Brings a pending hunk into view. */
  reveal(held: Held): void {
    const place = this.places.find((place) => place.held === held);
    const view = this.unified ?? this.split?.b;
    if (!place || !view) return;
    const line = view.state.doc.line(Math.min(place.new.start + 1, view.state.doc.lines));
    view.dispatch({ effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
  }
}
