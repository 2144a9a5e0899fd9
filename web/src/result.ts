// The right half of the playground: what came of the edit, file by file, and the decisions on its hunks.
import type { Receipt, Report } from "./answers";
import type { File, Told } from "./ask";
import type { Changed, Decision, Held } from "./change";
import { Diff, type Kind } from "./diff";
import { byId, html } from "./dom";

const percent = (share: number): string => `${Math.round(100 * share)} %`;

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function spent({ passes, output_tokens, confidence, total_ms }: Receipt): string {
  const model = passes ? `${counted(output_tokens, "token")}, passes: ${passes}` : "no model";
  const sure = confidence === null ? "" : `, confidence ${percent(confidence)}`;
  return `${model}${sure}, ${total_ms.toFixed(1)} ms`;
}

function span({ hunk: { old } }: Held): string {
  if (old.stop <= old.start) return `after line ${old.start}`;
  return old.stop === old.start + 1 ? `line ${old.stop}` : `lines ${old.start + 1}–${old.stop}`;
}

function title(file: Changed, { about, hunk, ...held }: Held): string {
  if (about === "create") return `new file, ${counted(hunk.lines.length - 1, "line")}`;
  if (about === "delete") return "file is deleted";
  if (about === "rename") return `renamed from ${file.path}`;
  return span({ about, hunk, ...held });
}

export class Result {
  private files: Changed[] = [];
  private open = 0;
  private current: Held | null = null;
  private readonly diff: Diff;

  /** `take` gets the files as they were decided on. */
  constructor(private readonly take: (files: File[]) => void) {
    this.diff = new Diff(byId("diff"), (held, decision) => this.decide(decision, held));
    byId("view").addEventListener("change", () => this.draw());
    byId("accept-all").addEventListener("click", () => this.decideAll("accepted"));
    byId("reject-all").addEventListener("click", () => this.decideAll("rejected"));
    byId("copy").addEventListener("click", () => void this.copy());
    byId("take").addEventListener("click", () => this.takeOver());
  }

  clear(): void {
    this.files = [];
    this.diff.clear();
    byId("result").hidden = true;
    this.say("");
  }

  /** A line above the result, or in its place. */
  say(text: string, kind = ""): void {
    byId("said").textContent = text;
    byId("said").className = kind;
  }

  show(told: Told): void {
    const name = this.files[this.open]?.name;
    const files = (this.files = told.files());
    const { verdict } = told;
    this.open = Math.max(
      0,
      files.findIndex((file) => file.name === name),
    );
    this.current = this.file?.held[0] ?? null;
    if (verdict) {
      const { status, formats, receipt } = verdict;
      const cost = receipt ? spent(receipt) : "";
      this.say([status, formats.join(", "), cost].filter(Boolean).join(" · "), `badge ${status}`);
    }
    byId("result").hidden = files.length === 0;
    this.draw();
  }

  private get file(): Changed | undefined {
    return this.files[this.open];
  }

  /** Shows the reading with this number, from 1. */
  choose(number: number): void {
    const { file } = this;
    if (!file || file.provisional || number > file.readings.length) return;
    file.choose(number - 1);
    this.current = file.held[0] ?? null;
    this.draw();
  }

  /** The next hunk of the file, or the one before it. */
  move(step: 1 | -1): void {
    const held = this.file?.held ?? [];
    if (!held.length) return;
    const at = this.current ? held.indexOf(this.current) : -1;
    this.select(held[(at + step + held.length) % held.length]!);
  }

  /** Decides on a hunk, by default the current one, and goes to the next that is pending. */
  decide(decision: Decision, held = this.current): void {
    const { file } = this;
    if (!file || !held || file.provisional) return;
    held.decision = decision;
    const at = file.held.indexOf(held);
    const after = [...file.held.slice(at + 1), ...file.held.slice(0, at)];
    this.current =
      (decision === "pending" ? held : after.find(({ decision }) => decision === "pending")) ?? held;
    this.draw();
    this.reveal();
  }

  private decideAll(decision: Decision): void {
    for (const held of this.file?.held ?? []) held.decision = decision;
    this.draw();
  }

  private select(held: Held): void {
    this.current = held;
    this.drawHunks();
    this.reveal();
  }

  private reveal(): void {
    if (this.current) this.diff.reveal(this.current);
    byId("hunks").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  private draw(): void {
    const { file } = this;
    if (!file) return;
    const tabs = this.files.map((each, index) =>
      html(
        "button",
        { type: "button", "aria-pressed": `${each === file}`, click: () => this.turnTo(index) },
        each.name,
        html("span", { class: `badge ${each.status}` }, each.provisional ? "…" : each.status),
      ),
    );
    byId("changed").replaceChildren(...tabs);
    this.drawVerdict(file);
    this.drawReadings(file);
    this.drawHunks();
    const kind = byId<HTMLSelectElement>("view").value as Kind;
    byId("diff").hidden = file.status === "refused";
    byId("decide").hidden = file.status === "refused";
    if (file.status !== "refused") this.diff.show(file, kind);
  }

  private turnTo(index: number): void {
    this.open = index;
    this.current = this.file?.held[0] ?? null;
    this.draw();
  }

  private drawVerdict(file: Changed): void {
    const { reasons, notes, problem, left } = file.out;
    const failed = file.out.reports.filter((report) => report.problem);
    // Where hunks have no place, the problem is the first of theirs.
    const lines = [...(problem && !failed.length ? [problem] : []), ...reasons];
    byId("verdict").replaceChildren(
      ...lines.map((line) => html("p", { class: `badge ${file.status}` }, line)),
      ...notes.map((note) => html("p", {}, note)),
      ...left.map(({ line, text, why }) =>
        html("p", {}, `left alone, line ${line}: `, html("code", {}, text.trim()), ` (${why})`),
      ),
      ...failed.map(unplaced),
    );
  }

  private drawReadings(file: Changed): void {
    const buttons = file.readings.map(({ title, posterior, line }, index) => {
      const pressed = { "aria-pressed": `${index === file.chosen}` };
      const where = line === null ? "" : `, differs at line ${line}`;
      const key = index < 3 ? [" ", html("kbd", {}, `${index + 1}`)] : [];
      return html(
        "button",
        { type: "button", ...pressed, click: () => this.choose(index + 1) },
        `${title}${posterior === null ? "" : ` (${percent(posterior)})`}${where}`,
        ...key,
      );
    });
    const alone = file.readings[0]?.posterior ?? null;
    const sure =
      alone === null ? [] : [html("span", { class: "none" }, `one reading, posterior ${percent(alone)}`)];
    byId("readings").replaceChildren(...(buttons.length > 1 ? buttons : sure));
  }

  private drawHunks(): void {
    const { file } = this;
    if (!file) return;
    byId("hunks").replaceChildren(...file.held.map((held) => this.row(file, held)));
    const done = file.held.length - file.pending;
    const taken = file.held.filter(({ decision }) => decision === "accepted").length;
    byId("tally").textContent = file.held.length
      ? `${counted(file.held.length, "hunk")}: ${done} decided, ${taken} accepted`
      : file.status === "unchanged"
        ? "nothing changes"
        : "";
    for (const id of ["accept-all", "reject-all"])
      byId<HTMLButtonElement>(id).disabled = file.provisional || !file.held.length;
    byId<HTMLButtonElement>("copy").disabled = file.provisional || !file.result();
    byId<HTMLButtonElement>("take").disabled = !this.files.some(({ held }) =>
      held.some(({ decision }) => decision === "accepted"),
    );
  }

  private row(file: Changed, held: Held): HTMLElement {
    const { hunk, decision, step, about } = held;
    const counts =
      about === "lines"
        ? html("span", { class: "counts" }, `+${hunk.lines.length} −${hunk.old.stop - hunk.old.start}`)
        : "";
    const name = title(file, held);
    const button = (to: Decision, sign: string, label: string): HTMLElement =>
      html(
        "button",
        {
          type: "button",
          class: to,
          "aria-pressed": `${decision === to}`,
          "aria-label": `${label} ${name}`,
          title: label,
          disabled: file.provisional,
          click: () => this.decide(decision === to ? "pending" : to, held),
        },
        sign,
      );
    return html(
      "li",
      { class: decision, ...(held === this.current ? { "aria-current": "true" } : {}) },
      html("button", { type: "button", class: "where", click: () => this.select(held) }, name, counts),
      html("span", { class: "step" }, step),
      button("accepted", "✓", "Accept"),
      button("rejected", "✗", "Reject"),
    );
  }

  private async copy(): Promise<void> {
    const result = this.file?.result();
    if (!result) return;
    await navigator.clipboard.writeText(result.text);
    byId("tally").textContent = `copied ${result.path}`;
  }

  private takeOver(): void {
    this.take(this.files.flatMap((file) => file.result() ?? []));
  }

  /** The files of the answer by their name before; those that the edit does not mention stay as they are. */
  get touched(): Set<string> {
    return new Set(this.files.flatMap(({ path }) => path ?? []));
  }
}

/** A hunk that has no place, with the lines of the file that are nearest to it. */
function unplaced({ number, problem, nearest }: Report): HTMLElement {
  const said = html(
    "div",
    { class: "report" },
    html("p", { class: "badge refused" }, `hunk ${number}: ${problem}`),
  );
  if (nearest.length) said.append(html("pre", {}, nearest.join("\n")));
  return said;
}
