/**
 * Random interleavings of typing, streaming, accepting, rejecting, cancelling, undoing and redoing, checked
 * after every step against a plain reference: a list of lines that carry an identity from birth to deletion.
 */

import fc from "fast-check";
import { expect, test } from "vitest";

import { LineEdit, splitLines, withEdit } from "../src/model/lines";
import { Hunk, Item, Review } from "../src/model/review";
import { FakeBuffer } from "./fake";

interface Line {
  readonly id: number; // below the base's length: that line of the base; else born later
  readonly text: string;
}

type Step =
  | { kind: "insert" | "retype" | "delete" | "split" | "accept" | "reject"; at: number; count: number }
  | { kind: "stream" | "acceptAll" | "rejectAll" | "takeBack" | "cancel" | "undo" | "redo" };

const at = fc.nat(50);
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("insert", "retype", "delete", "split"),
      at,
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ kind: "stream" }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom("accept", "reject"), at, count: fc.constant(1) }),
  },
  { weight: 5, arbitrary: fc.constantFrom({ kind: "undo" }, { kind: "redo" }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { kind: "acceptAll" },
      { kind: "rejectAll" },
      { kind: "takeBack" },
      { kind: "cancel" },
    ),
  },
) as fc.Arbitrary<Step>;

/** Disjoint hunks with at least a line between two, as the server streams them. */
const HUNKS = fc.array(fc.record({ gap: fc.integer({ min: 1, max: 3 }), old: fc.nat(2), lines: fc.nat(2) }), {
  maxLength: 5,
});

class World {
  readonly review: Review;
  readonly buffer: FakeBuffer;
  lines: Line[];
  private readonly size: number;
  private waiting: Hunk[];
  private born: number;
  private past: Line[][] = [];
  private future: Line[][] = [];
  private broken = new Set<number>();
  private decided = new Set<number>();
  private cancelled = false;

  constructor(base: string[], hunks: Hunk[]) {
    this.review = new Review(base.join("\n"));
    this.buffer = new FakeBuffer(base.join("\n"));
    this.buffer.onChange = (changes) => this.review.change(changes);
    this.lines = base.map((text, id) => ({ id, text }));
    this.size = this.born = base.length;
    this.waiting = hunks;
  }

  take(step: Step): void {
    switch (step.kind) {
      case "stream": {
        const hunk = this.waiting.shift();
        if (hunk && !this.cancelled) this.review.add(hunk);
        break;
      }
      case "insert":
        return this.type(step.at % (this.lines.length + 1), 0, this.fresh(step.count));
      case "retype":
        return this.type(step.at % this.lines.length, 1, this.fresh(1));
      case "split":
        return this.type(step.at % this.lines.length, 1, this.fresh(2));
      case "delete": {
        const start = step.at % this.lines.length;
        return this.type(start, Math.min(step.count, this.lines.length - start), []);
      }
      case "accept": {
        const item = this.review.items[step.at % Math.max(this.review.items.length, 1)];
        const edit = item && this.review.accept(item.id);
        if (item && edit) this.decide([item], [edit]);
        break;
      }
      case "acceptAll":
        return this.decide(this.review.in("pending"), this.review.acceptAll());
      case "takeBack":
        return this.decide(this.review.in("accepted"), this.review.takeBack());
      case "reject":
        if (this.review.items.length) this.review.reject(step.at % this.review.items.length);
        break;
      case "rejectAll":
        return this.review.rejectAll();
      case "cancel":
        this.cancelled = true;
        return this.review.cancel();
      case "undo":
        return this.travel(this.buffer.undo(), this.past, this.future);
      case "redo":
        return this.travel(this.buffer.redo(), this.future, this.past);
    }
  }

  check(): void {
    expect(this.buffer.lines).toEqual(this.lines.length ? this.lines.map((line) => line.text) : [""]);
    expect(this.review.lines).toEqual(this.buffer.lines);
    let end = 0;
    for (const item of this.review.items) {
      const state = this.review.state(item.id);
      if (this.separated(item)) this.broken.add(item.id);
      if (state === "pending" || state === "accepted") {
        expect(item.start).toBeGreaterThanOrEqual(end);
        end = item.stop;
        const text = this.review.lines.slice(item.start, item.stop);
        expect(text).toEqual(state === "pending" ? item.old : item.hunk.lines);
        this.inOrder(item);
      }
      if (!this.broken.has(item.id) && !this.decided.has(item.id))
        expect(["pending", "rejected"]).toContain(state);
    }
    const pending = this.review.acceptAll().reverse();
    expect(this.review.proposal().lines).toEqual(pending.reduce(withEdit, [...this.review.lines]));
  }

  /** Whether a hunk's lines, or for an insertion the lines around it, do not stand together any more. */
  private separated(item: Item): boolean {
    const { start, stop } = item.hunk;
    const at = (id: number): number => this.lines.findIndex((line) => line.id === id);
    if (start === stop) {
      return (start > 0 && at(start - 1) < 0) || (stop < this.size && at(stop) < 0);
    }
    const first = at(start);
    return first < 0 || item.old.some((_, i) => this.lines[first + i]?.id !== start + i);
  }

  /** Surviving lines of the base before a window come before its hunk in the base, those behind it after. */
  private inOrder(item: Item): void {
    const base = (lines: Line[]): number[] => lines.map((line) => line.id).filter((id) => id < this.size);
    expect(base(this.lines.slice(0, item.start)).every((id) => id < item.hunk.start)).toBe(true);
    expect(base(this.lines.slice(item.stop)).every((id) => id >= item.hunk.stop)).toBe(true);
  }

  private fresh(count: number): Line[] {
    return Array.from({ length: count }, () => ({ id: this.born, text: `typed ${this.born++}` }));
  }

  private type(start: number, count: number, lines: Line[]): void {
    this.decide([], [{ start, stop: start + count, lines: lines.map((line) => line.text) }], [lines]);
  }

  /** Edits in the buffer's order, as one undo step. */
  private decide(items: Item[], edits: LineEdit[], born?: Line[][]): void {
    if (!edits.length) return;
    this.past.push(this.lines);
    this.future = [];
    for (const item of items) this.decided.add(item.id);
    const lines = [...this.lines];
    [...edits.entries()].reverse().forEach(([i, edit]) => {
      const fresh = born?.[i] ?? edit.lines.map((text) => ({ id: this.born++, text }));
      lines.splice(edit.start, edit.stop - edit.start, ...fresh);
    });
    this.buffer.editLines(edits);
    // An editor's buffer has at least one line, which nobody typed.
    this.lines = lines.length ? lines : [{ id: this.born++, text: "" }];
  }

  private travel(moved: boolean, from: Line[][], to: Line[][]): void {
    if (!moved) return;
    to.push(this.lines);
    this.lines = from.pop() as Line[];
  }
}

function hunksFor(base: string[], wanted: { gap: number; old: number; lines: number }[]): Hunk[] {
  const hunks: Hunk[] = [];
  let start = 0;
  for (const { gap, old, lines } of wanted) {
    start += gap;
    if (start + old >= base.length || (!old && !lines)) break;
    hunks.push({
      start,
      stop: start + old,
      lines: Array.from({ length: lines }, (_, i) => `new ${start}.${i}`),
    });
    start += old;
  }
  return hunks;
}

test("random interleavings keep buffer, review and reference in agreement", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 14 }),
      HUNKS,
      fc.array(STEP, { minLength: 10, maxLength: 40 }),
      (size, wanted, steps) => {
        const base = Array.from({ length: size }, (_, i) => `line ${i}`);
        const world = new World(base, hunksFor(base, wanted));
        for (const step of steps) {
          world.take(step);
          world.check();
        }
      },
    ),
  );
});

test("lines that look alike are never replaced unless they are exactly what a hunk was made for", () => {
  const line = fc.constantFrom("a", "b", "");
  const change = fc.record({
    start: fc.nat(),
    end: fc.nat(),
    text: fc.constantFrom("", "a", "\n", "b\na\n", "a\n\nb"),
  });
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 3, maxLength: 9 }),
      HUNKS,
      fc.array(change, { maxLength: 9 }),
      (base, wanted, changes) => {
        const review = new Review(base.join("\n"));
        const buffer = new FakeBuffer(base.join("\n"));
        buffer.onChange = (typed) => review.change(typed);
        const hunks = hunksFor(base, wanted);
        for (const { start, end, text } of changes) {
          const hunk = hunks.shift();
          if (hunk) review.add(hunk);
          const size = buffer.text.length + 1;
          const [a, b] = [start % size, end % size].sort((x, y) => x - y) as [number, number];
          buffer.edit([{ start: buffer.position(a), end: buffer.position(b), text }]);
          expect(review.lines).toEqual(buffer.lines);
          const before = buffer.text;
          const [first] = review.in("pending");
          if (!first) continue;
          const edit = review.accept(first.id) as LineEdit;
          expect(buffer.lines.slice(edit.start, edit.stop)).toEqual(first.old);
          buffer.editLines([edit]);
          expect(buffer.lines).toEqual(withEdit(splitLines(before), edit));
          buffer.undo();
          expect(buffer.text).toBe(before);
        }
      },
    ),
  );
});
