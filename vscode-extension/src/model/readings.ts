/** The texts that an edit may mean, one of them under review. */

import { Alternative, Outcome } from "./protocol";
import { Review } from "./review";

export interface Reading {
  /** Such as "reading 2 (31 %)". */
  readonly title: string;
  /** Where it parts from the result; empty for the result itself. */
  readonly place: string;
  readonly review: Review;
}

/** The result first, then its alternatives; empty where there is nothing to choose from. Before `review` is finished. */
export function readingsOf(outcome: Outcome, review: Review, choice = 1): Reading[] {
  const { alternatives, receipt } = outcome;
  if (!alternatives.length) return [];
  const numbered = alternatives.some(({ number }) => number !== null);
  const own = numbered ? titled(choice, receipt.confidence) : "the result";
  const others = alternatives.map((one: Alternative) => ({
    title: titled(one.number, one.posterior),
    place: `parts at line ${one.line}`,
    review: review.instead(one.hunks),
  }));
  return [{ title: own, place: "", review }, ...others];
}

function titled(number: number | null, posterior: number | null): string {
  if (number === null) return "the other opinion";
  return `reading ${number}${posterior === null ? "" : ` (${Math.round(100 * posterior)} %)`}`;
}
