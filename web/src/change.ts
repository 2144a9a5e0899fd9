// A change of one file as a person decides on it: its readings, and of the one on show each hunk with its decision.
import type { Alternative, FileOut, FileStatus, Hunk, Place, Report, Span } from "./answers";

export type Decision = "pending" | "accepted" | "rejected";

/** A hunk on show. Those that concern the file itself replace all of its lines, or none. */
export interface Held {
  hunk: Hunk;
  decision: Decision;
  /** What placed it: a step of the server's report, or how it was found otherwise. */
  step: string;
  about: "lines" | "create" | "delete" | "rename";
}

export interface Reading {
  title: string;
  posterior: number | null;
  /** The first line, from 1, on which it differs from the first reading; null for that one. */
  line: number | null;
  hunks: Hunk[];
}

/** What a file was, and what an answer makes of it. Lines have no line ends; a final one leaves an empty line. */
export class Changed {
  readonly before: readonly string[];
  readonly readings: Reading[];
  held: Held[] = [];
  chosen = 0;

  constructor(
    readonly path: string | null,
    readonly to: string | null,
    text: string,
    readonly out: Omit<FileOut, "path" | "to" | "content">,
    /** The new text, where it is known whole. */
    private readonly content: string | null,
    /** What placed hunks that no report tells of. */
    private readonly placedBy: string,
    readonly provisional = false,
  ) {
    this.before = text.split("\n");
    this.readings = readingsOf(out.hunks, out.alternatives, out.confidence);
    this.choose(0);
  }

  static of(file: FileOut, text: string, placedBy: string): Changed {
    return new Changed(file.path, file.to, text, file, file.content, placedBy);
  }

  get name(): string {
    return this.to ?? this.path ?? "the file";
  }

  get status(): FileStatus {
    return this.out.status;
  }

  get pending(): number {
    return this.held.filter(({ decision }) => decision === "pending").length;
  }

  /** Shows another reading; what was decided on the last one is forgotten. */
  choose(reading: number): void {
    this.chosen = reading;
    const hold = (hunk: Hunk, about: Held["about"], step: string): Held => ({
      hunk,
      about,
      step,
      decision: "pending",
    });
    if (this.status === "refused") this.held = [];
    else if (this.path === null)
      this.held = [hold({ old: { start: 0, stop: 1 }, lines: lines(this.content) }, "create", "")];
    else if (this.to === null)
      this.held = [hold({ old: { start: 0, stop: this.before.length }, lines: [""] }, "delete", "")];
    else {
      this.held = this.readings[reading]!.hunks.map((hunk) => hold(hunk, "lines", this.step(hunk)));
      if (this.to !== this.path)
        this.held.unshift(hold({ old: { start: 0, stop: 0 }, lines: [] }, "rename", ""));
    }
  }

  private step(hunk: Hunk): string {
    const { start, stop } = hunk.old;
    const holds = (lines: Span): boolean => lines.start <= start && stop <= lines.stop;
    const meets = (lines: Span): boolean => lines.start < stop && start < lines.stop;
    const { reports } = this.out;
    const report =
      reports.find(({ lines }) => lines.some(holds)) ?? reports.find(({ lines }) => lines.some(meets));
    return report?.step ?? this.placedBy;
  }

  /** The file with the hunks whose decision is among these. */
  text(...decisions: Decision[]): string[] {
    const text: string[] = [];
    let at = 0;
    for (const { hunk, decision } of this.held) {
      if (!decisions.includes(decision)) continue;
      text.push(...this.before.slice(at, hunk.old.start), ...hunk.lines);
      at = hunk.old.stop;
    }
    return text.concat(this.before.slice(at));
  }

  /** The pending hunks as lines of `text("accepted")` and of `text("accepted", "pending")`. */
  places(): { held: Held; old: Span; new: Span }[] {
    let [shiftOld, shiftNew] = [0, 0];
    const places: { held: Held; old: Span; new: Span }[] = [];
    for (const held of this.held) {
      const { start, stop } = held.hunk.old;
      const grown = held.hunk.lines.length - (stop - start);
      if (held.decision === "pending") {
        const from = start + shiftNew;
        places.push({
          held,
          old: { start: start + shiftOld, stop: stop + shiftOld },
          new: { start: from, stop: from + held.hunk.lines.length },
        });
        shiftNew += grown;
      } else if (held.decision === "accepted") {
        shiftOld += grown;
        shiftNew += grown;
      }
    }
    return places;
  }

  /** The file's name and text with the accepted hunks; null where it is deleted or was never there. */
  result(): { path: string; text: string } | null {
    const accepted = (about: Held["about"]): boolean =>
      this.held.some((held) => held.about === about && held.decision === "accepted");
    if (this.path === null && !accepted("create")) return null;
    if (this.to === null && accepted("delete")) return null;
    const whole = this.chosen === 0 && this.held.every(({ decision }) => decision === "accepted");
    const text = whole && this.content !== null ? this.content : this.text("accepted").join("\n");
    const renamed = this.path === null || accepted("rename");
    return { path: (renamed ? this.to : this.path)!, text };
  }
}

/** The lines of a new file. */
const lines = (content: string | null): string[] => (content ?? "").split("\n");

function readingsOf(hunks: Hunk[], alternatives: Alternative[], confidence: number | null): Reading[] {
  const first: Reading = { title: "Reading 1", posterior: confidence, line: null, hunks };
  const others = alternatives.map(({ number, posterior, line, hunks }) => ({
    title: number === null ? "Other opinion" : `Reading ${number}`,
    posterior,
    line,
    hunks,
  }));
  return [first, ...others];
}

/** The file as far as it is known while hunks still come. */
export function previewed(
  path: string,
  text: string,
  placed: { hunk: Hunk; report?: Report }[],
  placedBy: string,
): Changed {
  const inOrder = placed.toSorted((one, other) => one.hunk.old.start - other.hunk.old.start);
  const out = {
    status: "ok" as const,
    hunks: inOrder.map(({ hunk }) => hunk),
    reports: inOrder.flatMap(({ report }) => report ?? []),
    reasons: [],
    notes: [],
    left: [] as Place[],
    problem: "",
    alternatives: [],
    confidence: null,
  };
  return new Changed(path, path, text, out, null, placedBy, true);
}
