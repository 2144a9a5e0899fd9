/**
 * Where hunks belong in a buffer that changes. Changes elsewhere move a hunk's window, changes that meet it widen
 * it, and only a window that holds exactly the old or the new lines is narrow again.
 */

import { LineEdit, sameLines } from "./lines";

/** A window, in lines of the buffer. */
export interface Span {
  readonly start: number;
  readonly stop: number;
  /** A change met the window and left neither old nor new lines: what touches it next may belong to it. */
  readonly loose: boolean;
  /** A change went beyond the window, so that where in it the hunk belongs is not known. */
  readonly vague: boolean;
}

export interface Window {
  readonly id: number;
  /** Its place in the base, and the new lines. */
  readonly hunk: LineEdit;
  /** The base's lines that it replaces. */
  readonly old: readonly string[];
  span: Span;
}

/** Moves windows as a change asks for. `lines` are the buffer's after it. */
export function follow(windows: readonly Window[], change: LineEdit, lines: readonly string[]): void {
  const taker = windows.find((window) => fills(window, change));
  for (const window of windows) {
    const { span } = window;
    if (window === taker) {
      window.span = { ...span, stop: span.start + change.lines.length };
    } else if (isGap(span, change)) {
      if (!taker || window.id > taker.id) window.span = moved(span, change);
    } else if (meets(span, change)) {
      window.span = settled(window, widened(span, change), lines);
    } else if (change.stop <= span.start) {
      window.span = moved(span, change);
    }
  }
}

/** Whether a change puts into an empty window what belongs there: an insertion, or a deletion taken back. */
function fills({ span, hunk, old }: Window, change: LineEdit): boolean {
  return isGap(span, change) && (sameLines(change.lines, hunk.lines) || sameLines(change.lines, old));
}

/** Whether lines are put right where an empty window is. */
function isGap({ start, stop, loose }: Span, change: LineEdit): boolean {
  return (
    !loose && start === stop && change.start === start && change.stop === start && change.lines.length > 0
  );
}

/** A loose window is met already where it is touched. */
function meets({ start, stop, loose }: Span, change: LineEdit): boolean {
  if (loose) return change.start <= stop && start <= change.stop;
  return change.start < stop && start < change.stop;
}

function moved(span: Span, change: LineEdit): Span {
  const shift = shiftOf(change);
  return shift ? { ...span, start: span.start + shift, stop: span.stop + shift } : span;
}

function widened(span: Span, change: LineEdit): Span {
  return {
    start: Math.min(span.start, change.start),
    stop: Math.max(span.stop, change.stop) + shiftOf(change),
    loose: true,
    vague: span.vague || change.start < span.start || change.stop > span.stop,
  };
}

/** The span for sure where it is right beyond doubt; an empty one that a change went beyond could be anywhere near. */
function settled({ hunk, old }: Window, span: Span, lines: readonly string[]): Span {
  if (span.vague && span.start === span.stop) return span;
  const found = lines.slice(span.start, span.stop);
  if (!sameLines(found, old) && !sameLines(found, hunk.lines)) return span;
  return { ...span, loose: false, vague: false };
}

function shiftOf(change: LineEdit): number {
  return change.lines.length - (change.stop - change.start);
}
