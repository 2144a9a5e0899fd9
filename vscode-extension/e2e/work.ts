/**
 * How much work of ours one event makes in the extension host: a file of 5,000 lines, an edit of 200 hunks. In
 * processor time, garbage collection and compilation by other threads included, so that a busy machine counts less.
 * No test: it prints a table.
 */

import { Review } from "../src/model/review";
import { LineEdit, TextEdit, toTextEdits } from "../src/model/lines";

const LINES = 5000;
const HUNKS = 200;
const ROUNDS = 20;
const TEXT = Array.from({ length: LINES }, (_, i) => `    value_${i} = compute(${i})\n`).join("");

/** All that the views ask of a review after an event. */
function look(review: Review): number {
  const { lines, places } = review.proposal();
  const counts = [review.in("pending"), review.in("conflict"), review.in("pending"), review.in("conflict")];
  return lines.join("\n").length + places.length + counts.length + Number(review.settled);
}

function after(review: Review, edits: readonly LineEdit[]): TextEdit[] {
  // As an editor tells of them: from the last to the first.
  return toTextEdits(review.lines, edits, "\n").reverse();
}

const spent = new Map<string, number[]>();

function time(name: string, act: () => unknown): void {
  const start = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(start);
  spent.set(name, [...(spent.get(name) ?? []), (user + system) / 1000]);
}

for (let round = 0; round <= ROUNDS; round++) {
  if (round === 1) spent.clear(); // the first one compiles
  let review = new Review(TEXT);
  time("an edit is asked for", () => (review = new Review(TEXT)));
  for (let i = 0; i < HUNKS; i++) {
    const start = (i * LINES) / HUNKS + 3;
    time("a hunk comes", () => {
      review.add({ start, stop: start + 1, lines: ["    changed", "    added"] });
      look(review);
    });
    const at = { line: 1, character: 4 };
    time("a key is pressed", () => {
      review.change([{ start: at, end: at, text: "x" }]);
      look(review);
    });
  }
  review.finish();
  const accepted = [...review.lines];
  time("all hunks are accepted", () => {
    review.change(after(review, review.acceptAll()));
    look(review);
  });
  time("they are taken back", () => {
    review.change(after(review, review.takeBack()));
    look(review);
  });
  if (review.lines.join() !== accepted.join()) throw new Error("they were not");
}

console.log("| while | median, ms | 99 %, ms | most, ms | of |\n|---|--:|--:|--:|--:|");
for (const [name, times] of spent) {
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(Math.floor(share * times.length), times.length - 1)]?.toFixed(1);
  console.log(`| ${name} | ${at(0.5)} | ${at(0.99)} | ${at(1)} | ${times.length} |`);
}
