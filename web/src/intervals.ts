// The server's ten-second intervals, gathered into the bins of a chart.
import type { Interval } from "./answers";

export const STEP_S = 10;

export interface Bin {
  start: number;
  seconds: number;
  edits: Record<string, number>;
  durations: [bound: number, count: number][];
  peak: number;
  passes: number;
  outputTokens: number;
  drafted: number;
  accepted: number;
}

function empty(start: number, seconds: number): Bin {
  const sums = { peak: 0, passes: 0, outputTokens: 0, drafted: 0, accepted: 0 };
  return { start, seconds, edits: {}, durations: [], ...sums };
}

/** Bins of `seconds` each that cover the `range` seconds before `now` (Unix time), oldest first. */
export function binned(intervals: Iterable<Interval>, now: number, range: number, seconds: number): Bin[] {
  const end = (Math.floor(now / seconds) + 1) * seconds;
  const bins = Array.from({ length: range / seconds }, (_, at) => empty(end - range + at * seconds, seconds));
  for (const interval of intervals) {
    const bin = bins[Math.floor((interval.start - (end - range)) / seconds)];
    if (bin) gather(bin, interval);
  }
  return bins;
}

function gather(bin: Bin, interval: Interval): void {
  for (const [outcome, count] of Object.entries(interval.edits))
    bin.edits[outcome] = (bin.edits[outcome] ?? 0) + count;
  for (const [bound, count] of Object.entries(interval.durations)) bin.durations.push([Number(bound), count]);
  bin.peak = Math.max(bin.peak, interval.peak);
  bin.passes += interval.passes;
  bin.outputTokens += interval.output_tokens;
  bin.drafted += interval.drafted;
  bin.accepted += interval.accepted;
}

/** The bound below which the share `q` of the durations lies, in milliseconds; null where there is none. */
export function quantile(durations: [bound: number, count: number][], q: number): number | null {
  const sorted = durations.toSorted(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [bound, count] of sorted) {
    seen += count;
    if (seen >= q * total) return bound;
  }
  return null;
}
