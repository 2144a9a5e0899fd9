/**
 * A proposed edit under review: its hunks stream in while the person types, accepts, rejects and undoes.
 *
 * Each hunk has a window, the buffer's lines where it belongs. Changes elsewhere move windows, changes that
 * meet one widen it. What a hunk is, is read off the buffer: its window holds the old lines (pending), the new
 * ones (accepted) or something else (conflict). So undo and redo need no record, and a stale hunk is never
 * applied: only a window that holds exactly the old lines is ever replaced.
 */

import { LineEdit, TextEdit, sameLines, splitLines, toLineEdit, withEdit } from "./lines";

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

interface Entry extends Item {
  start: number;
  stop: number;
  rejected: boolean;
  /** A change met the window and left neither old nor new lines: what touches it next may belong to it. */
  loose: boolean;
  /** A change went beyond the window, so that where in it the hunk belongs is not known. */
  vague: boolean;
}

/** A pending hunk's place in the proposal, the buffer with all pending hunks applied. */
export interface Place {
  readonly id: number;
  readonly start: number;
  readonly stop: number;
}

export class Review {
  readonly base: readonly string[];
  private buffer: string[];
  private entries: Entry[] = [];
  private log: LineEdit[] = [];
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
    let lines = this.base;
    for (const change of this.log) {
      lines = withEdit(lines, change);
      this.follow([entry], change, lines);
    }
    this.entries.push(entry);
    return entry;
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
    this.buffer = withEdit(this.buffer, edit);
    if (this.streaming) this.log.push(edit);
    this.follow(this.entries, edit, this.buffer);
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
    let lines: string[] = [];
    const places: Place[] = [];
    let at = 0;
    for (const item of this.in("pending")) {
      lines = lines.concat(this.buffer.slice(at, item.start), item.hunk.lines);
      places.push({ id: item.id, start: lines.length - item.hunk.lines.length, stop: lines.length });
      at = item.stop;
    }
    lines = lines.concat(this.buffer.slice(at));
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

  /** Moves windows as a change asks for. `lines` are the buffer's after it. */
  private follow(entries: readonly Entry[], change: LineEdit, lines: readonly string[]): void {
    const shift = change.lines.length - (change.stop - change.start);
    const taker = entries.find((entry) => filling(entry, change));
    const met: Entry[] = [];
    for (const entry of entries) {
      if (entry === taker) {
        const { at, length } = filling(entry, change) as { at: number; length: number };
        put(entry, entry.start + at, length);
      } else if (taker && isGap(entry, change)) {
        if (entry.id > taker.id) move(entry, shift);
      } else if (meets(entry, change)) {
        entry.vague ||= change.start < entry.start || change.stop > entry.stop;
        entry.loose = true;
        entry.start = Math.min(entry.start, change.start);
        entry.stop = Math.max(entry.stop, change.stop) + shift;
        met.push(entry);
      } else if (isGap(entry, change)) {
        move(entry, this.side(entry, change, lines));
      } else if (change.stop <= entry.start) {
        move(entry, shift);
      }
    }
    for (const group of grouped(entries, met)) this.heal(group, lines);
  }

  /**
   * How far a gap goes along lines put right into it: behind those that the base has only before it, before those
   * that the base has only behind it, between the base's own neighbours where they are, else behind all.
   */
  private side(entry: Entry, change: LineEdit, lines: readonly string[]): number {
    const [before, after] = [this.base.slice(0, entry.hunk.start), this.base.slice(entry.hunk.stop)];
    const belongs = (line: string): number => Number(after.includes(line)) - Number(before.includes(line));
    const behind = change.lines.findIndex((line) => belongs(line) > 0);
    const last = behind < 0 ? change.lines.length : behind;
    const first = change.lines.slice(0, last).findLastIndex((line) => belongs(line) < 0) + 1;
    const neighbours = (at: number): number =>
      Number(lines[entry.start + at - 1] === before.at(-1)) + Number(lines[entry.start + at] === after[0]);
    let best = last;
    for (let at = last - 1; at >= first; at--) if (neighbours(at) > neighbours(best)) best = at;
    return best;
  }

  /**
   * Narrows widened windows where that leaves no doubt, such as after an undo: hunks whose windows overlap are
   * looked for together, as the one block of base lines that they span.
   */
  private heal(group: readonly Entry[], lines: readonly string[]): void {
    const [first, last] = [group[0] as Entry, group.at(-1) as Entry];
    if (group.length === 1 && evident(first, lines)) {
      first.loose = first.vague = false;
      return;
    }
    const at = this.placeOf(group, this.base.slice(first.hunk.start, last.hunk.stop), lines);
    if (at !== undefined) {
      for (const entry of group) put(entry, at + entry.hunk.start - first.hunk.start, entry.old.length);
    } else if (group.length === 1) {
      const done = this.placeOf(group, first.hunk.lines, lines);
      if (done !== undefined) put(first, done, first.hunk.lines.length);
    }
  }

  /** Where a block stands within a group's window, if that is one place; an empty one is told by its neighbours. */
  private placeOf(
    group: readonly Entry[],
    block: readonly string[],
    lines: readonly string[],
  ): number | undefined {
    const [first, last] = [(group[0] as Entry).hunk.start, (group.at(-1) as Entry).hunk.stop];
    const from = Math.min(...group.map((entry) => entry.start));
    const to = Math.max(...group.map((entry) => entry.stop));
    if (block.length) return only(lines, block, from, to);
    const around = this.base.slice(Math.max(first - 1, 0), first).concat(this.base.slice(last, last + 1));
    const at = around.length === 2 ? only(lines, around, Math.max(from - 1, 0), to + 1) : undefined;
    return at === undefined ? undefined : at + 1;
  }
}

/** Where a block stands between two lines, if that is one place. */
function only(
  lines: readonly string[],
  block: readonly string[],
  from: number,
  to: number,
): number | undefined {
  const places: number[] = [];
  for (let at = from; at + block.length <= Math.min(to, lines.length) && places.length < 2; at++) {
    if (block.every((line, i) => lines[at + i] === line)) places.push(at);
  }
  return places.length === 1 ? places[0] : undefined;
}

/** Whether a window is right beyond doubt; an empty one that a change went beyond could be anywhere near. */
function evident(entry: Entry, lines: readonly string[]): boolean {
  if (entry.vague && entry.start === entry.stop) return false;
  const found = lines.slice(entry.start, entry.stop);
  return sameLines(found, entry.old) || sameLines(found, entry.hunk.lines);
}

function move(entry: Entry, shift: number): void {
  entry.start += shift;
  entry.stop += shift;
}

function put(entry: Entry, start: number, length: number): void {
  entry.start = start;
  entry.stop = start + length;
  entry.loose = entry.vague = false;
}

/** A loose window is met already where it is touched, an emptied one by a part of what it held. */
function meets(entry: Entry, change: LineEdit): boolean {
  if (isGap(entry, change)) return entry.old.some((line) => line.trim() && change.lines.includes(line));
  if (entry.loose) return change.start <= entry.stop && entry.start <= change.stop;
  return change.start < entry.stop && entry.start < change.stop;
}

/** The lines of a change that fill an empty window with what belongs there: a redone insertion, an undone deletion. */
function filling(entry: Entry, change: LineEdit): { at: number; length: number } | undefined {
  if (!isGap(entry, change)) return undefined;
  for (const block of [entry.hunk.lines, entry.old]) {
    const at = block.length ? only(change.lines, block, 0, change.lines.length) : undefined;
    if (at !== undefined) return { at, length: block.length };
  }
  return undefined;
}

function isGap(entry: Entry, change: LineEdit): boolean {
  return (
    !entry.loose &&
    entry.start === entry.stop &&
    change.start === change.stop &&
    change.start === entry.start &&
    change.lines.length > 0
  );
}

/** The touched entries, each together with all whose windows overlap its own. */
function grouped(entries: readonly Entry[], touched: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  const seen = new Set<Entry>();
  for (const entry of touched) {
    if (seen.has(entry)) continue;
    const group = entries.filter(
      (other) =>
        other === entry ||
        (other.start < entry.stop && entry.start < other.stop) ||
        (other.start === entry.start && other.stop === entry.stop),
    );
    for (const member of group) seen.add(member);
    groups.push(group);
  }
  return groups;
}
