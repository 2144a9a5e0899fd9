import { expect, test } from "vitest";

import { Hunk, Review } from "../src/model/review";
import { FakeBuffer } from "./fake";

const BASE = "import a\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n";
const IMPORT: Hunk = { start: 1, stop: 1, lines: ["import b"] };
const ONE: Hunk = { start: 3, stop: 4, lines: ["    x = 1", "    return x"] };
const TWO: Hunk = { start: 5, stop: 7, lines: [] };

function reviewed(hunks: Hunk[] = [IMPORT, ONE, TWO], text = BASE): { review: Review; buffer: FakeBuffer } {
  const review = new Review(text);
  const buffer = new FakeBuffer(text);
  buffer.onChange = (changes) => review.change(changes);
  for (const hunk of hunks) review.add(hunk);
  return { review, buffer };
}

const states = (review: Review): string[] => review.items.map((item) => review.state(item.id));

test("accepting a hunk changes its lines and nothing else", () => {
  const { review, buffer } = reviewed();
  buffer.editLines([review.accept(1)!]);
  expect(buffer.text).toBe(BASE.replace("    return 1", "    x = 1\n    return x"));
  expect(states(review)).toEqual(["pending", "accepted", "pending"]);
});

test("the proposal is the buffer with all pending hunks applied", () => {
  const { review } = reviewed();
  const { lines, places } = review.proposal();
  expect(lines.join("\n")).toBe("import a\nimport b\n\ndef f():\n    x = 1\n    return x\n\n");
  expect(places).toEqual([
    { id: 0, start: 1, stop: 2 },
    { id: 1, start: 4, stop: 6 },
    { id: 2, start: 7, stop: 7 },
  ]);
});

test("accepting all is undone and redone in one step", () => {
  const { review, buffer } = reviewed();
  buffer.editLines(review.acceptAll());
  const accepted = buffer.text;
  expect(states(review)).toEqual(["accepted", "accepted", "accepted"]);
  buffer.undo();
  expect(buffer.text).toBe(BASE);
  expect(states(review)).toEqual(["pending", "pending", "pending"]);
  buffer.redo();
  expect(buffer.text).toBe(accepted);
  expect(states(review)).toEqual(["accepted", "accepted", "accepted"]);
});

test("accepted hunks are taken back together, around what was typed since", () => {
  const { review, buffer } = reviewed();
  buffer.editLines(review.acceptAll());
  buffer.editLines([{ start: 0, stop: 0, lines: ["# typed"] }]);
  buffer.editLines(review.takeBack());
  expect(buffer.text).toBe("# typed\n" + BASE);
});

test("a hunk that comes after typing lands where its lines have moved to", () => {
  const { review, buffer } = reviewed([]);
  buffer.editLines([{ start: 0, stop: 1, lines: ["# typed", "import a  # too"] }]);
  review.add(IMPORT);
  review.add(ONE);
  buffer.editLines(review.acceptAll());
  expect(buffer.text).toBe(
    BASE.replace("import a\n", "# typed\nimport a  # too\nimport b\n").replace(
      "    return 1",
      "    x = 1\n    return x",
    ),
  );
});

test("typing on a hunk's line is a conflict until it is undone", () => {
  const { review, buffer } = reviewed();
  buffer.edit([{ start: { line: 3, character: 11 }, end: { line: 3, character: 12 }, text: "7" }]);
  expect(states(review)).toEqual(["pending", "conflict", "pending"]);
  expect(review.accept(1)).toBeUndefined();
  buffer.undo();
  expect(states(review)).toEqual(["pending", "pending", "pending"]);
});

test("a change across several hunks that is undone leaves them all pending", () => {
  const { review, buffer } = reviewed();
  buffer.edit([{ start: { line: 0, character: 2 }, end: { line: 6, character: 3 }, text: "" }]);
  expect(states(review)).toEqual(["conflict", "conflict", "conflict"]);
  buffer.undo();
  expect(states(review)).toEqual(["pending", "pending", "pending"]);
});

test("a person who types the very change has accepted it", () => {
  const { review, buffer } = reviewed();
  buffer.edit([
    { start: { line: 3, character: 0 }, end: { line: 3, character: 12 }, text: "    x = 1\n    return x" },
  ]);
  expect(states(review)[1]).toBe("accepted");
});

test("typing right before an insertion leaves it pending behind what was typed", () => {
  const { review, buffer } = reviewed([IMPORT]);
  buffer.edit([{ start: { line: 0, character: 8 }, end: { line: 0, character: 8 }, text: "\nimport z" }]);
  buffer.editLines(review.acceptAll());
  expect(buffer.text).toBe(BASE.replace("import a\n", "import a\nimport z\nimport b\n"));
});

test("rejecting leaves the buffer alone, cancelling rejects what is pending and keeps what was accepted", () => {
  const { review, buffer } = reviewed();
  buffer.editLines([review.accept(0)!]);
  review.reject(1);
  expect(states(review)).toEqual(["accepted", "rejected", "pending"]);
  review.cancel();
  expect(states(review)).toEqual(["accepted", "rejected", "rejected"]);
  expect(review.settled).toBe(true);
  expect(buffer.text).toBe(BASE.replace("import a\n", "import a\nimport b\n"));
});

test("hunks out of order are refused", () => {
  const { review } = reviewed([ONE]);
  expect(() => review.add(IMPORT)).toThrow(RangeError);
  expect(() => review.add({ start: 99, stop: 100, lines: [] })).toThrow(/beyond the end/);
});

test("an empty file and one without a last line end keep their way", () => {
  const empty = reviewed([{ start: 0, stop: 0, lines: ["x"] }], "");
  empty.buffer.editLines(empty.review.acceptAll());
  expect(empty.buffer.text).toBe("x\n");
  const open = reviewed([{ start: 1, stop: 1, lines: ["y"] }], "x");
  open.buffer.editLines(open.review.acceptAll());
  expect(open.buffer.text).toBe("x\ny");
  const gone = reviewed([{ start: 1, stop: 2, lines: [] }], "x\ny");
  gone.buffer.editLines(gone.review.acceptAll());
  expect(gone.buffer.text).toBe("x");
});

test("the nearest pending hunk is found from any line", () => {
  const { review } = reviewed();
  expect([0, 2, 3, 99].map((line) => review.nearest(line)?.id)).toEqual([0, 0, 1, 2]);
  review.rejectAll();
  expect(review.nearest(0)).toBeUndefined();
});

test("an insertion that comes after typing and undoing stands between its own lines", () => {
  const { review, buffer } = reviewed([], "a\nb\nc\nd\ne");
  const typed = [
    { start: 4, stop: 5, lines: ["typed", "twice"] },
    { start: 2, stop: 4, lines: [] },
    { start: 2, stop: 4, lines: [] },
  ];
  for (const edit of typed) buffer.editLines([edit]);
  while (buffer.undo());
  review.add({ start: 4, stop: 4, lines: ["new"] });
  expect(review.proposal().lines).toEqual(["a", "b", "c", "d", "new", "e"]);
});

test("a deletion is where it was when undo brings back the text around it", () => {
  const { review, buffer } = reviewed([{ start: 2, stop: 3, lines: [] }], "a\nb\nc\nd");
  buffer.editLines([{ start: 2, stop: 2, lines: ["typed", "twice"] }]);
  buffer.editLines(review.acceptAll());
  buffer.editLines([{ start: 4, stop: 5, lines: ["other"] }]);
  buffer.editLines([{ start: 0, stop: 4, lines: [] }]);
  for (let i = 0; i < 3; i++) buffer.undo();
  expect(states(review)).toEqual(["pending"]);
  expect(review.items[0]).toMatchObject({ start: 4, stop: 5 });
});

test("a hunk that comes after undoing stands where it would have stood", () => {
  const { review, buffer } = reviewed([], "a\nb\nc\nd");
  buffer.editLines([{ start: 0, stop: 3, lines: [] }]);
  buffer.editLines([{ start: 1, stop: 1, lines: ["typed"] }]);
  buffer.editLines([{ start: 0, stop: 1, lines: [] }]);
  while (buffer.undo());
  review.add({ start: 2, stop: 2, lines: ["new"] });
  review.add({ start: 3, stop: 3, lines: ["too"] });
  expect(review.proposal().lines).toEqual(["a", "b", "new", "c", "too", "d"]);
});
