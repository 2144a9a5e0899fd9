// The parts of the server's answers that the pages read. Lines count from 0 and a span leaves out its `stop`.
export interface Span {
  start: number;
  stop: number;
}

export interface Hunk {
  old: Span;
  lines: string[];
}

export interface Report {
  number: number;
  step: string;
  lines: Span[];
  problem: string;
  nearest: string[];
}

export interface Alternative {
  number: number | null;
  posterior: number | null;
  line: number;
  hunks: Hunk[];
}

export interface Place {
  line: number;
  text: string;
  why: string;
}

export type FileStatus = "ok" | "suspect" | "unchanged" | "refused";

export interface FileOut {
  path: string | null;
  to: string | null;
  status: FileStatus;
  content: string | null;
  hunks: Hunk[];
  reports: Report[];
  reasons: string[];
  notes: string[];
  left: Place[];
  problem: string;
  alternatives: Alternative[];
  confidence: number | null;
}

export interface HunkPlaced {
  path: string;
  report: Report;
  hunks: Hunk[];
}

export interface ChangeOut {
  status: "ok" | "suspect" | "unchanged";
  formats: string[];
  reasons: string[];
  files: FileOut[];
}

export interface Receipt {
  model: string;
  output_tokens: number;
  passes: number;
  tokens_per_pass: number;
  total_ms: number;
  confidence: number | null;
}

export interface Outcome {
  status: "ok" | "suspect" | "unchanged";
  reasons: string[];
  receipt: Receipt;
  alternatives: Alternative[];
  notes: string[];
  left: Place[];
}

export interface Interval {
  start: number;
  edits: Record<string, number>;
  durations: Record<string, number>;
  peak: number;
  passes: number;
  output_tokens: number;
  drafted: number;
  accepted: number;
  rewritten_chars: number;
}

export interface Run {
  kind: "edit" | "change" | "chat";
  status: string;
  hunks: number;
  output_tokens: number;
  passes: number;
  first_hunk_ms: number | null;
  total_ms: number;
  ended: number;
}

export interface Status {
  state: string;
  version: string;
  model: string;
  drafters: string[];
  uptime_s: number;
  workers: number;
  live: number;
  waiting: number;
  edits: Record<string, number>;
  drafts: Record<string, { drafted: number; accepted: number }>;
  passes: number;
  recent: Run[];
  history: Interval[];
}
