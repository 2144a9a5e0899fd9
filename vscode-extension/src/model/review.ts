/**
 * A proposed edit under review: its hunks stream in while the person types, accepts, rejects and undoes.
 *
 * Each hunk has a window, the buffer's lines where it belongs. Changes elsewhere move windows, changes that
 * meet one widen it. What a hunk is, is read off the buffer: its window holds the old lines (pending), the new
 * ones (accepted) or something else (conflict). So undo and redo need no record, and a stale hunk is never
 * applied: only a window that holds exactly the old lines is ever replaced.
 */

import { LineEdit, TextEdit, edited, sameLines, splitLines, toLineEdit, withEdit } from "./lines";
import { Window, follow } from "./windows";

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

interface Entry extends Window {
  rejected: boolean;
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
  /** What changed since the base, each with the lines after it; only while hunks may come. */
  private log: { edit: LineEdit; lines: readonly string[] }[] = [];
  private streaming = true;

  constructor(text: string) {
    this.base = splitLines(text);
    this.buffer = [...this.base];
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
    const entry: Entry = {
      id: this.entries.length,
      hunk,
      old: this.base.slice(hunk.start, hunk.stop),
      start: hunk.start,
      stop: hunk.stop,
      rejected: false,
      loose: false,
      vague: false,
    };
    // As if it had been there from the start.
    for (const { edit, lines } of this.log) follow([entry], edit, lines, this.base);
    this.entries.push(entry);
    return entry;
  }

  /** Other hunks of the same base in place of these, for the same buffer; only while hunks may come. */
  instead(hunks: readonly Hunk[]): Review {
    const other = new Review("");
    other.base = this.base;
    other.buffer = [...this.buffer];
    other.log = this.log;
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

  /** Follows a change of the buffer, whoever made it. */
  change(change: TextEdit): void {
    const edit = toLineEdit(this.buffer, change);
    if (this.streaming) {
      this.buffer = withEdit(this.buffer, edit);
      this.log.push({ edit, lines: this.buffer });
    } else {
      // Accepting all is a change a hunk: copies of a long file would be most of the work.
      this.buffer = edited(this.buffer, edit);
    }
    follow(this.entries, edit, this.buffer, this.base);
  }

  state(id: number): State {
    const entry = this.entry(id);
    if (entry.rejected) return "rejected";
    if (entry.vague) return "conflict";
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
