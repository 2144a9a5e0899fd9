/**
 * A proposed edit under review: its hunks stream in while the person types, accepts, rejects and undoes.
 *
 * Each hunk has a window, the buffer's lines where it belongs. Changes elsewhere move windows, changes that
 * meet one widen it. What a hunk is, is read off the buffer: its window holds the old lines (pending), the new
 * ones (accepted) or something else (conflict). So a stale hunk is never applied: only a window that holds exactly
 * the old lines is ever replaced. Where a text comes back, as undo and redo bring it, so do the windows in it.
 */

import { createHash } from "node:crypto";

import { LineEdit, TextEdit, edited, sameLines, splitLines, toLineEdit, withEdit } from "./lines";
import { Span, Window, follow } from "./windows";

/** A hunk as it comes from the server: lines of the base, the text that the edit was asked for. */
export type Hunk = LineEdit;

export type State = "pending" | "accepted" | "rejected" | "conflict";

export interface Item {
  readonly id: number;
  readonly hunk: Hunk;
  readonly old: readonly string[];
  /** The window, in lines of the buffer. */
  readonly start: number;
  readonly stop: number;
}

class Entry implements Item, Window {
  rejected = false;
  span: Span;
  /** The window in every text that the buffer has had, the base first. */
  private readonly trail: Span[];

  constructor(
    readonly id: number,
    readonly hunk: Hunk,
    readonly old: readonly string[],
  ) {
    this.span = { start: hunk.start, stop: hunk.stop, loose: false, vague: false };
    this.trail = [this.span];
  }

  get start(): number {
    return this.span.start;
  }

  get stop(): number {
    return this.span.stop;
  }

  /** Ends a step: the window is where it was if the buffer's text is the one that it had after step `same`. */
  note(same: number | undefined): void {
    this.span = this.trail[same ?? -1] ?? this.span;
    this.trail.push(this.span);
  }
}

/** What happened to the buffer in one go: its changes, each with the lines after it, and where its text was before. */
interface Step {
  readonly changes: { edit: LineEdit; lines: readonly string[] }[];
  readonly same: number | undefined;
}

/** A pending hunk's place in the proposal, the buffer with all pending hunks applied. */
export interface Place {
  readonly id: number;
  readonly start: number;
  readonly stop: number;
}

export class Review {
  private base: readonly string[];
  private buffer: string[];
  private entries: Entry[] = [];
  /** What changed since the base; only while hunks may come. */
  private log: Step[] = [];
  /** The step after which the buffer first had a text, by the text's digest; 0 is the base. */
  private seen: Map<string, number>;
  private steps = 1;
  private streaming = true;

  constructor(text: string) {
    this.base = splitLines(text);
    this.buffer = [...this.base];
    this.seen = new Map([[digest(this.buffer), 0]]);
  }

  get lines(): readonly string[] {
    return this.buffer;
  }

  get items(): readonly Item[] {
    return this.entries;
  }

  /** Adds a hunk of the base; the buffer may have changed since. Throws RangeError unless it comes in order. */
  add(hunk: Hunk): Item {
    const last = this.entries.at(-1)?.hunk.stop ?? 0;
    if (!(last <= hunk.start && hunk.start <= hunk.stop && hunk.stop <= this.base.length)) {
      throw new RangeError(`hunk ${hunk.start}:${hunk.stop} overlaps, is out of order or beyond the end`);
    }
    const entry = new Entry(this.entries.length, hunk, this.base.slice(hunk.start, hunk.stop));
    // As if it had been there from the start.
    for (const { changes, same } of this.log) {
      for (const { edit, lines } of changes) follow([entry], edit, lines);
      entry.note(same);
    }
    this.entries.push(entry);
    return entry;
  }

  /** Other hunks of the same base in place of these, for the same buffer; only while hunks may come. */
  instead(hunks: readonly Hunk[]): Review {
    const other = new Review("");
    other.base = this.base;
    other.buffer = [...this.buffer];
    other.log = this.log;
    other.seen = new Map(this.seen);
    other.steps = this.steps;
    for (const hunk of hunks) other.add(hunk);
    other.finish();
    return other;
  }

  /** No hunk follows. */
  finish(): void {
    this.streaming = false;
    this.log = [];
  }

  /** No hunk follows, and what is pending is not wanted. */
  cancel(): void {
    this.finish();
    this.rejectAll();
  }

  /** Follows changes of the buffer that came in one go, whoever made them; each refers to the text after those before it. */
  change(changes: readonly TextEdit[]): void {
    const done = changes.map((change) => {
      const edit = toLineEdit(this.buffer, change);
      // Accepting all is a change a hunk: copies of a long file would be most of the work.
      this.buffer = this.streaming ? withEdit(this.buffer, edit) : edited(this.buffer, edit);
      follow(this.entries, edit, this.buffer);
      return { edit, lines: this.buffer };
    });
    const text = digest(this.buffer);
    const same = this.seen.get(text);
    if (same === undefined) this.seen.set(text, this.steps);
    this.steps++;
    if (this.streaming) this.log.push({ changes: done, same });
    for (const entry of this.entries) entry.note(same);
  }

  state(id: number): State {
    const entry = this.entry(id);
    if (entry.rejected) return "rejected";
    if (entry.span.vague) return "conflict";
    const found = this.buffer.slice(entry.start, entry.stop);
    if (sameLines(found, entry.hunk.lines)) return "accepted";
    return sameLines(found, entry.old) ? "pending" : "conflict";
  }

  /** The hunks in one state, in the order of the buffer. */
  in(state: State): Item[] {
    return this.entries.filter((entry) => this.state(entry.id) === state);
  }

  /** What accepting a hunk changes in the buffer; undefined unless it is pending. */
  accept(id: number): LineEdit | undefined {
    const { start, stop, hunk } = this.entry(id);
    return this.state(id) === "pending" ? { start, stop, lines: hunk.lines } : undefined;
  }

  /** What accepting all pending hunks changes, in the order of the buffer. */
  acceptAll(): LineEdit[] {
    return this.in("pending").map(({ start, stop, hunk }) => ({ start, stop, lines: hunk.lines }));
  }

  /** Leaves a pending or conflicting hunk out of the proposal; one that was accepted stays. */
  reject(id: number): void {
    if (this.state(id) !== "accepted") this.entry(id).rejected = true;
  }

  rejectAll(): void {
    for (const entry of this.entries) this.reject(entry.id);
  }

  /** What takes all accepted hunks back, in the order of the buffer. */
  takeBack(): LineEdit[] {
    return this.in("accepted").map(({ start, stop, old }) => ({ start, stop, lines: old }));
  }

  /** Whether nothing is left to decide. */
  get settled(): boolean {
    return !this.streaming && !this.entries.some((entry) => this.state(entry.id) === "pending");
  }

  /** The buffer with all pending hunks applied, and where they stand in it. */
  proposal(): { lines: string[]; places: Place[] } {
    const lines: string[] = [];
    const places: Place[] = [];
    let at = 0;
    for (const { id, start, stop, hunk } of this.in("pending")) {
      while (at < start) lines.push(this.buffer[at++] as string);
      for (const line of hunk.lines) lines.push(line);
      places.push({ id, start: lines.length - hunk.lines.length, stop: lines.length });
      at = stop;
    }
    while (at < this.buffer.length) lines.push(this.buffer[at++] as string);
    return { lines: lines.length ? lines : [""], places };
  }

  /** The pending hunk at a line of the buffer, or the nearest one. */
  nearest(line: number): Item | undefined {
    const distance = (item: Item): number =>
      Math.max(item.start - line, line - Math.max(item.stop - 1, item.start), 0);
    return this.in("pending").reduce<Item | undefined>(
      (best, item) => (best === undefined || distance(item) < distance(best) ? item : best),
      undefined,
    );
  }

  private entry(id: number): Entry {
    const entry = this.entries[id];
    if (!entry) throw new RangeError(`no hunk ${id}`);
    return entry;
  }
}

function digest(lines: readonly string[]): string {
  return createHash("sha1").update(lines.join("\n")).digest("base64");
}
