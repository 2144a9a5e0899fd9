/**
 * Where hunks belong in a buffer that changes. Changes elsewhere move a hunk's window, changes that meet it widen
 * it, and what a widened window holds decides whether it can be narrowed again.
 */

import { LineEdit, sameLines } from "./lines";

export interface Window {
  readonly id: number;
  /** Its place in the base, and the new lines. */
  readonly hunk: LineEdit;
  /** The base's lines that it replaces. */
  readonly old: readonly string[];
  /** The window, in lines of the buffer. */
  start: number;
  stop: number;
  /** A change met the window and left neither old nor new lines: what touches it next may belong to it. */
  loose: boolean;
  /** A change went beyond the window, so that where in it the hunk belongs is not known. */
  vague: boolean;
}

/** Moves windows as a change asks for. `lines` are the buffer's after it. */
export function follow(
  entries: readonly Window[],
  change: LineEdit,
  lines: readonly string[],
  base: readonly string[],
): void {
  const shift = change.lines.length - (change.stop - change.start);
  const taker = entries.find((entry) => filling(entry, change));
  const met: Window[] = [];
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
      move(entry, side(entry, change, lines, base));
    } else if (change.stop <= entry.start) {
      move(entry, shift);
    }
  }
  for (const group of grouped(entries, met)) heal(group, lines, base);
  for (const entry of entries) if (isInsertion(entry)) settle(entry, change, lines, base);
}

/** An insertion that waits for its place: nothing of the base stands in its window. */
function isInsertion(entry: Window): boolean {
  return !entry.loose && entry.start === entry.stop && entry.old.length === 0;
}

/** Puts an insertion next to a change between its neighbours of the base, where the change has brought these back. */
function settle(entry: Window, change: LineEdit, lines: readonly string[], base: readonly string[]): void {
  const end = change.start + change.lines.length;
  if (entry.start < change.start || entry.start > end) return;
  const around = base.slice(Math.max(entry.hunk.start - 1, 0), entry.hunk.start + 1);
  if (around.length < 2) return;
  const at = only(lines, around, Math.max(change.start - 1, 0), end + 1);
  if (at !== undefined) put(entry, at + 1, 0);
}

/**
 * How far a gap goes along lines put right into it: behind those that the base has only before it, before those
 * that the base has only behind it, between the base's own neighbours where they are, else behind all.
 */
function side(entry: Window, change: LineEdit, lines: readonly string[], base: readonly string[]): number {
  const [before, after] = [base.slice(0, entry.hunk.start), base.slice(entry.hunk.stop)];
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
function heal(group: readonly Window[], lines: readonly string[], base: readonly string[]): void {
  const [first, last] = [group[0] as Window, group.at(-1) as Window];
  if (group.length === 1 && evident(first, lines)) {
    first.loose = first.vague = false;
    return;
  }
  const at = placeOf(group, base.slice(first.hunk.start, last.hunk.stop), lines, base);
  if (at !== undefined) {
    for (const entry of group) put(entry, at + entry.hunk.start - first.hunk.start, entry.old.length);
  } else if (group.length === 1) {
    const done = placeOf(group, first.hunk.lines, lines, base);
    if (done !== undefined) put(first, done, first.hunk.lines.length);
  }
}

/** Where a block stands within a group's window, if that is one place; an empty one is told by its neighbours. */
function placeOf(
  group: readonly Window[],
  block: readonly string[],
  lines: readonly string[],
  base: readonly string[],
): number | undefined {
  const [first, last] = [(group[0] as Window).hunk.start, (group.at(-1) as Window).hunk.stop];
  const from = Math.min(...group.map((entry) => entry.start));
  const to = Math.max(...group.map((entry) => entry.stop));
  if (block.length) return only(lines, block, from, to);
  const around = base.slice(Math.max(first - 1, 0), first).concat(base.slice(last, last + 1));
  const at = around.length === 2 ? only(lines, around, Math.max(from - 1, 0), to + 1) : undefined;
  return at === undefined ? undefined : at + 1;
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
function evident(entry: Window, lines: readonly string[]): boolean {
  if (entry.vague && entry.start === entry.stop) return false;
  const found = lines.slice(entry.start, entry.stop);
  return sameLines(found, entry.old) || sameLines(found, entry.hunk.lines);
}

function move(entry: Window, shift: number): void {
  entry.start += shift;
  entry.stop += shift;
}

function put(entry: Window, start: number, length: number): void {
  entry.start = start;
  entry.stop = start + length;
  entry.loose = entry.vague = false;
}

/** A loose window is met already where it is touched, an emptied one by a part of what it held. */
function meets(entry: Window, change: LineEdit): boolean {
  if (isGap(entry, change)) return entry.old.some((line) => line.trim() && change.lines.includes(line));
  if (entry.loose) return change.start <= entry.stop && entry.start <= change.stop;
  return change.start < entry.stop && entry.start < change.stop;
}

/** The lines of a change that fill an empty window with what belongs there: a redone insertion, an undone deletion. */
function filling(entry: Window, change: LineEdit): { at: number; length: number } | undefined {
  if (!isGap(entry, change)) return undefined;
  for (const block of [entry.hunk.lines, entry.old]) {
    const at = block.length ? only(change.lines, block, 0, change.lines.length) : undefined;
    if (at !== undefined) return { at, length: block.length };
  }
  return undefined;
}

function isGap(entry: Window, change: LineEdit): boolean {
  return (
    !entry.loose &&
    entry.start === entry.stop &&
    change.start === change.stop &&
    change.start === entry.start &&
    change.lines.length > 0
  );
}

/** The touched entries, each together with all whose windows overlap its own. */
function grouped(entries: readonly Window[], touched: readonly Window[]): Window[][] {
  const groups: Window[][] = [];
  const seen = new Set<Window>();
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
