/** What goes over the wire between this extension and `fastedit lsp`. */

import { Operation } from "./operations";
import { Hunk } from "./review";

export const EDIT = "fastedit/edit";
export const WARM = "fastedit/warm";
/** A command of the server, for an edit in any format over the files of the workspace. */
export const CHANGE = "fastedit.applyChange";
/** A command of the server that lists the operations of a document's language. */
export const OPERATIONS = "fastedit.operations";

export interface Wish {
  readonly instruction?: string;
  readonly update?: string;
  /** Instead of instruction and update. */
  readonly operations?: readonly Operation[];
  /** Narrows where the edit may land. */
  readonly range?: { start: { line: number; character: number }; end: { line: number; character: number } };
  readonly policy?: Policy;
  /** A reading of the update, counted from 1. */
  readonly choice?: number;
  /** In seconds: what a model may take to settle which of two readings is meant. */
  readonly timeLimit?: number;
}

export type Policy = "auto" | "model" | "merge";

export interface Progress {
  readonly fraction: number;
  readonly outputTokens: number;
  readonly passes: number;
  readonly tokensPerSecond: number;
}

/** A partial result, on the caller's token. */
export type Partial =
  | { kind: "located"; base: Base; regions: { start: number; stop: number; reason: string }[] }
  | { kind: "hunk"; hunk: Hunk }
  | ({ kind: "progress" } & Progress);

/** The text that hunks count in, by its version and the hash of its UTF-8 bytes. */
export interface Base {
  readonly version: number | null;
  readonly sha256: string;
}

/** What an edit cost; every field that the server sends (tests/lsp/test_extension_protocol.py). */
export interface Receipt {
  readonly model: string;
  readonly policy: string;
  readonly exactness: string;
  readonly weights: string;
  readonly prompt_tokens: number;
  readonly output_tokens: number;
  readonly generated_tokens: number;
  readonly drafted: Readonly<Record<string, number>>;
  readonly accepted: Readonly<Record<string, number>>;
  readonly passes: number;
  readonly rows: number;
  readonly undrafted_passes: number;
  readonly offered_at: readonly number[];
  readonly accepted_at: readonly number[];
  readonly first_hunk_ms: number | null;
  readonly draft_ms: number;
  readonly total_ms: number;
  readonly rewritten_chars: number;
  readonly margin: number | null;
  /** A merge's posterior, or how often answers with such a margin were right; null where that is not known. */
  readonly confidence: number | null;
  /** Drafters that failed and were asked no more, by name. */
  readonly switched_off: Readonly<Record<string, number>>;
  /** How a strong model was asked and the tokens that this was expected to take, and the way that was next. */
  readonly plan: string | null;
  readonly plan_tokens: number | null;
  readonly other_plan: string | null;
  readonly other_plan_tokens: number | null;
  readonly tokens_per_pass: number;
  readonly chars_per_second: number;
}

/** Another text that may be meant: a reading of the update, or another opinion, which has no number. */
export interface Alternative {
  readonly number: number | null;
  readonly posterior: number | null;
  /** The first line of the new text, from 1, that differs from the result's. */
  readonly line: number;
  readonly hunks: readonly Hunk[];
}

/** A place that operations leave as it is, by its line from 1. */
export interface Place {
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

/** The argument of `CHANGE`. `uri` is the file in front, which an edit means that names none. */
export interface Message {
  readonly message: string;
  readonly uri?: string;
  /** Leaves an edit of one file to the review. */
  readonly review: boolean;
}

/** What came of a message. `review` is the one file that it edits, of which nothing is changed yet. */
export interface Changed {
  readonly status: "ok" | "suspect" | "unchanged" | null;
  readonly applied: boolean;
  readonly review: string | null;
}

/** The answer. `edit` is one that other editors apply; here each hunk is put in when it is accepted. */
export interface Outcome {
  readonly status: "ok" | "suspect" | "unchanged";
  readonly reasons: readonly string[];
  readonly base: Base;
  readonly hunks: readonly Hunk[];
  readonly dropsFinalNewline: boolean;
  readonly alternatives: readonly Alternative[];
  readonly notes: readonly string[];
  readonly left: readonly Place[];
  readonly conflicts: readonly Hunk[];
  readonly version: number | null;
  readonly edit: object | null;
  readonly receipt: Receipt;
}
