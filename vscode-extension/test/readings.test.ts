import { expect, test } from "vitest";

import { Alternative, Outcome, Receipt } from "../src/model/protocol";
import { Reading, readingsOf } from "../src/model/readings";
import { Hunk, Review } from "../src/model/review";
import { FakeBuffer } from "./fake";

const BASE = "class A:\n    x = 1\n\nclass B:\n    x = 1\n";
const FIRST: Hunk = { start: 1, stop: 2, lines: ["    x = 2"] };
const SECOND: Hunk = { start: 4, stop: 5, lines: ["    x = 2"] };
const OTHER: Alternative = { number: 2, posterior: 0.314, line: 2, hunks: [SECOND] };

function outcome(alternatives: Alternative[]): Outcome {
  const receipt = { confidence: 0.6 } as Receipt;
  return { status: "suspect", hunks: [FIRST], alternatives, receipt } as unknown as Outcome;
}

/** The readings of an update, for which the person has typed a line above while it ran. */
function read(alternatives: Alternative[], choice?: number): { readings: Reading[]; buffer: FakeBuffer } {
  const buffer = new FakeBuffer(BASE);
  const review = new Review(BASE);
  let readings: Reading[] = [];
  buffer.onChange = (changes) => {
    for (const one of readings.length ? readings.map((reading) => reading.review) : [review])
      one.change(changes);
  };
  buffer.editLines([{ start: 0, stop: 0, lines: ["# typed"] }]);
  review.add(FIRST);
  readings = readingsOf(outcome(alternatives), review, choice);
  review.finish();
  return { readings, buffer };
}

test("each reading has its number, its share and where it parts from the result", () => {
  const { readings } = read([OTHER]);
  expect(readings.map(({ title, place }) => [title, place])).toEqual([
    ["reading 1 (60 %)", ""],
    ["reading 2 (31 %)", "parts at line 2"],
  ]);
});

test("a reading that was chosen keeps its number beside the others", () => {
  const { readings } = read([{ ...OTHER, number: 1 }], 2);
  expect(readings.map(({ title }) => title)).toEqual(["reading 2 (60 %)", "reading 1 (31 %)"]);
});

test("another opinion has no number, and without one there is nothing to choose", () => {
  const { readings } = read([{ ...OTHER, number: null, posterior: null }]);
  expect(readings.map(({ title }) => title)).toEqual(["the result", "the other opinion"]);
  expect(read([]).readings).toEqual([]);
});

test("every reading follows what is typed, and only the one that is taken changes the file", () => {
  const { readings, buffer } = read([OTHER]);
  const [first, second] = readings as [Reading, Reading];
  expect([first, second].map(({ review }) => review.proposal().places[0]?.start)).toEqual([2, 5]);
  buffer.editLines([{ start: 3, stop: 3, lines: ["# typed too"] }]);
  buffer.editLines(second.review.acceptAll());
  expect(buffer.text).toBe("# typed\nclass A:\n    x = 1\n# typed too\n\nclass B:\n    x = 2\n");
  expect(second.review.settled).toBe(true);
  expect(first.review.state(0)).toBe("pending");
});
