import fc from "fast-check";
import { expect, test } from "vitest";

import { LineEdit, edited, splitLines, toLineEdit, toTextEdits, withEdit } from "../src/model/lines";
import { FakeBuffer } from "./fake";

const LINE = fc.constantFrom("a", "b", "", "é😋", "\f", "x\u2028y");
const LINES = fc.array(LINE, { minLength: 1, maxLength: 6 });
const CASE = fc
  .record({ lines: LINES, new: fc.array(LINE, { maxLength: 4 }), a: fc.nat(), b: fc.nat() })
  .map((c) => {
    const [start, stop] = [c.a % (c.lines.length + 1), c.b % (c.lines.length + 1)].sort((x, y) => x - y);
    const edit: LineEdit = { start: start as number, stop: stop as number, lines: c.new };
    return { lines: c.lines, edit };
  });

test("an edit of lines says the same as an edit of characters", () => {
  fc.assert(
    fc.property(CASE, ({ lines, edit }) => {
      const buffer = new FakeBuffer(lines.join("\n"));
      buffer.editLines([edit]);
      // A buffer without lines and one with an empty line are the same text.
      expect(buffer.text).toBe(withEdit(lines, edit).join("\n"));
    }),
  );
});

test("edits that touch say the same together as one after another, and none overlaps the next", () => {
  const sizes = fc.array(fc.record({ old: fc.nat(2), lines: fc.array(LINE, { maxLength: 2 }) }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(LINES, fc.integer({ min: 1, max: 6 }), sizes, (lines, first, wanted) => {
      const edits: LineEdit[] = [];
      for (const { old, lines: put } of wanted) {
        const start = edits.at(-1)?.stop ?? Math.min(first, lines.length);
        edits.push({ start, stop: Math.min(start + old, lines.length), lines: put });
      }
      const buffer = new FakeBuffer(lines.join("\n"));
      buffer.editLines(edits);
      expect(buffer.text).toBe([...edits].reverse().reduce(withEdit, lines).join("\n"));
      const texts = toTextEdits(lines, edits, "\n");
      const offsets = texts
        .flatMap(({ start, end }) => [start, end])
        .map((at) => at.line * 1000 + at.character);
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    }),
  );
});

test("lines edited in place are those of an edited copy, however many come", () => {
  fc.assert(
    fc.property(CASE, ({ lines, edit }) => {
      expect(edited([...lines], edit)).toEqual(withEdit(lines, edit));
    }),
  );
  const many = { start: 1, stop: 2, lines: Array.from({ length: 300_000 }, (_, i) => `${i}`) };
  expect(edited(["a", "b"], many)).toEqual(["a", ...many.lines]);
});

test("a change of characters is followed line by line", () => {
  fc.assert(
    fc.property(CASE, fc.nat(), fc.nat(), fc.string(), ({ lines }, a, b, text) => {
      const buffer = new FakeBuffer(lines.join("\n"));
      const size = buffer.text.length + 1;
      const [start, end] = [a % size, b % size].sort((x, y) => x - y) as [number, number];
      const change = { start: buffer.position(start), end: buffer.position(end), text };
      buffer.edit([change]);
      expect(withEdit(lines, toLineEdit(lines, change))).toEqual(buffer.lines);
    }),
  );
});

test("what an edit leaves as it is does not count as changed", () => {
  const lines = ["one", "two", "three"];
  const enter = { start: { line: 0, character: 3 }, end: { line: 0, character: 3 }, text: "\n" };
  expect(toLineEdit(lines, enter)).toEqual({ start: 1, stop: 1, lines: [""] });
  const whole = { start: { line: 0, character: 0 }, end: { line: 2, character: 5 }, text: "one\n2\nthree" };
  expect(toLineEdit(lines, whole)).toEqual({ start: 1, stop: 2, lines: ["2"] });
});

test("line ends are written as the buffer has them", () => {
  const edit = { start: 1, stop: 1, lines: ["x", "y"] };
  expect(toTextEdits(["a", "b"], [edit], "\r\n")[0]!.text).toBe("x\r\ny\r\n");
  expect(toTextEdits(["a"], [edit], "\r\n")[0]!.text).toBe("\r\nx\r\ny");
});

test("form feed and line separator end no line, as in the editor and the server", () => {
  expect(splitLines("a\fb\u2028c\r\nd\re\n")).toEqual(["a\fb\u2028c", "d", "e", ""]);
});
