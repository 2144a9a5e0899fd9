// One request: an edit goes to /v1/changes, an instruction alone to /v1/edits; both come back as changed files.
import type { ChangeOut, FileOut, Hunk, HunkPlaced, Outcome, Receipt, Report } from "./answers";
import { Changed, previewed } from "./change";
import { events } from "./server";

export interface File {
  path: string;
  text: string;
}

export interface Wish {
  files: File[];
  /** The file that is meant where the edit names none. */
  path: string;
  message: string;
  instruction: string;
  format: string;
  policy: string;
}

export interface Told {
  /** Worked out when it is asked for: of many hunks that come at once not every one is drawn. */
  files: () => Changed[];
  /** What is said while the answer is on its way. */
  progress?: string;
  verdict?: { status: string; formats: string[]; reasons: string[]; receipt: Receipt | null };
}

/** Yields all that is known, each time that more is. Throws Refused. */
export async function* asked(wish: Wish, signal: AbortSignal): AsyncGenerator<Told> {
  if (wish.message.trim()) yield* changed(wish, signal);
  else yield* instructed(wish, signal);
}

async function* changed(wish: Wish, signal: AbortSignal): AsyncGenerator<Told> {
  const { message, instruction, format, policy, path, files } = wish;
  const body = {
    message,
    path,
    policy,
    partial: true,
    files: files.map(({ path, text }) => ({ path, content: text })),
    ...(format ? { format } : {}),
    ...(instruction.trim() ? { instruction } : {}),
  };
  const text = (name: string | null): string => files.find(({ path }) => path === name)?.text ?? "";
  const coming = new Map<string, { hunk: Hunk; report?: Report }[]>();
  const done = new Map<string, Changed>();
  const known = (): Changed[] => [
    ...done.values(),
    ...[...coming]
      .filter(([path]) => !done.has(path))
      .map(([path, placed]) => previewed(path, text(path), placed, "")),
  ];
  for await (const [name, data] of events("/v1/changes", body, signal)) {
    if (name === "hunk") {
      const { path, report, hunks } = data as HunkPlaced;
      const placed = coming.get(path) ?? [];
      placed.push(...hunks.map((hunk) => ({ hunk, report })));
      coming.set(path, placed);
      yield { files: known, progress: `placing: ${path}, hunk ${report.number}` };
    } else if (name === "file") {
      const file = data as FileOut;
      done.set(file.path ?? file.to ?? "", Changed.of(file, text(file.path), ""));
      yield { files: known, progress: `finished: ${file.to ?? file.path}` };
    } else if (name === "result") {
      const { files: out, ...verdict } = data as ChangeOut;
      const by = verdict.formats.join(", ");
      const final = out.map((file) => Changed.of(file, text(file.path), by));
      yield { files: () => final, verdict: { ...verdict, receipt: null } };
    }
  }
}

async function* instructed(wish: Wish, signal: AbortSignal): AsyncGenerator<Told> {
  const { path, policy, instruction, files } = wish;
  const { text } = files.find((file) => file.path === path)!;
  const body = { content: text, path, policy, instruction };
  const hunks: Hunk[] = [];
  let progress = "";
  const known = (): Changed[] => [
    previewed(
      path,
      text,
      hunks.map((hunk) => ({ hunk })),
      "",
    ),
  ];
  for await (const [name, data] of events("/v1/edits", body, signal)) {
    if (name === "located") {
      progress = `looking at: ${(data as { reasons: string[] }).reasons.join(", ")}`;
      yield { files: known, progress };
    } else if (name === "hunk") {
      hunks.push(data as Hunk);
      yield { files: known, progress };
    } else if (name === "progress") {
      const { fraction, tokens_per_second } = data as { fraction: number; tokens_per_second: number };
      progress = `${Math.round(100 * fraction)} %, ${Math.round(tokens_per_second)} tokens/s`;
      yield { files: known, progress };
    } else if (name === "result") {
      const { status, reasons, receipt, alternatives, notes, left } = data as Outcome;
      const by = receipt.passes ? "model" : "instruction";
      // The receipt's confidence is of the whole answer, and stands in the line about it.
      const none = { reports: [], problem: "", confidence: null };
      const out = { status, reasons, hunks, alternatives, notes, left, ...none };
      const final = new Changed(path, path, text, out, null, by);
      yield {
        files: () => [final],
        verdict: { status, formats: [by], reasons, receipt },
      };
    }
  }
}
