/** What goes over the wire between this extension and `fastedit lsp`. */

import { Hunk } from "./review";

export const EDIT = "fastedit/edit";
export const WARM = "fastedit/warm";

export interface Wish {
  readonly instruction?: string;
  readonly update?: string;
  /** Narrows where the edit may land. */
  readonly range?: { start: { line: number; character: number }; end: { line: number; character: number } };
  readonly policy?: Policy;
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
  /** How often answers with such a margin were right; null where that is not known. */
  readonly confidence: number | null;
  /** Drafters that failed and were asked no more, by name. */
  readonly switched_off: Readonly<Record<string, number>>;
  readonly tokens_per_pass: number;
  readonly chars_per_second: number;
}

/** The answer. `edit` is one that other editors apply; here each hunk is put in when it is accepted. */
export interface Outcome {
  readonly status: "ok" | "suspect" | "unchanged";
  readonly reasons: readonly string[];
  readonly base: Base;
  readonly hunks: readonly Hunk[];
  readonly alternative: readonly Hunk[] | null;
  readonly conflicts: readonly Hunk[];
  readonly version: number | null;
  readonly edit: object | null;
  readonly receipt: Receipt;
}
