// The status page: asks every two seconds for what is new and draws the last minutes.
import type { Interval, Run, Status } from "./answers";
import { type Chart, draw as drawChart } from "./chart";
import { byId, html } from "./dom";
import { fillHeader } from "./header";
import { type Bin, binned, quantile, STEP_S } from "./intervals";
import { Refused, request } from "./server";

const EVERY_MS = 2000;
const KEPT_S = 3600;
/** Seconds of a bin, by the seconds that a chart covers. */
const BINS: Record<string, number> = { "300": 10, "900": 30, "3600": 120 };
const OUTCOMES = ["ok", "unchanged", "chat", "suspect", "refused", "cancelled", "failed"];

const known = new Map<number, Interval>();
let newest: Status | null = null;

const number = (value: number, digits = 0): string =>
  value.toLocaleString("en", { maximumFractionDigits: digits });
const share = (part: number, whole: number): string => (whole ? `${number((100 * part) / whole)} %` : "–");

function time(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1000 ? `${number(ms, ms < 10 ? 1 : 0)} ms` : `${number(ms / 1000, 1)} s`;
}

function span(seconds: number): string {
  const [days, hours, minutes] = [seconds / 86400, (seconds / 3600) % 24, (seconds / 60) % 60].map(
    Math.floor,
  );
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours} h ${minutes} min` : minutes ? `${minutes} min` : `${number(seconds)} s`;
}

function tile(name: string, value: string, more = "", kind = ""): HTMLElement {
  return html(
    "div",
    { class: `tile ${kind}` },
    html("dt", {}, name),
    html("dd", {}, value, html("small", {}, more)),
  );
}

function tiles(status: Status): HTMLElement[] {
  const running = status.live - status.waiting;
  const total = Object.values(status.edits).reduce((sum, count) => sum + count, 0);
  const drafters = status.drafters.join(", ") || "its server's own";
  return [
    tile("State", status.state, `up ${span(status.uptime_s)}`, status.state),
    tile("Model", status.model, `drafter: ${drafters}`),
    tile(
      "In flight",
      `${running} of ${status.workers}`,
      status.waiting ? `${status.waiting} waiting` : "none waiting",
    ),
    tile("Requests since start", number(total), outcomes(status.edits)),
    tile("Passes of the model", number(status.passes), status.passes ? "" : "no edit needed the model"),
  ];
}

function outcomes(edits: Record<string, number>): string {
  return OUTCOMES.filter((name) => edits[name])
    .map((name) => `${number(edits[name]!)} ${name}`)
    .join(", ");
}

function charts(bins: Bin[], minutes: number): Chart[] {
  const starts = bins.map((bin) => bin.start);
  const used = OUTCOMES.filter((outcome) => bins.some((bin) => bin.edits[outcome]));
  const ago = `in the last ${minutes} minutes`;
  const asked = (value: (bin: Bin) => number): (number | null)[] =>
    bins.map((bin) => (bin.passes ? value(bin) : null));
  return [
    {
      title: "Requests per minute, by outcome",
      kind: "bars",
      starts,
      series: used.map((name) => ({
        name,
        colour: name,
        values: bins.map((bin) => ((bin.edits[name] ?? 0) * 60) / bin.seconds),
      })),
      shown: (value) => number(value, 1),
      empty: `No requests ${ago}.`,
    },
    {
      title: "Duration",
      kind: "lines",
      starts,
      series: [
        { name: "median", colour: "first", values: bins.map((bin) => quantile(bin.durations, 0.5)) },
        {
          name: "95th percentile",
          colour: "second",
          values: bins.map((bin) => quantile(bin.durations, 0.95)),
        },
      ],
      shown: time,
      empty: `No requests ${ago}.`,
    },
    {
      title: "Drafted tokens that the model accepted",
      kind: "lines",
      starts,
      series: [
        {
          name: "accepted",
          colour: "first",
          values: bins.map((bin) => (bin.drafted ? bin.accepted / bin.drafted : null)),
        },
      ],
      top: 1,
      shown: (value) => share(value, 1),
      empty: `The model was not asked ${ago}.`,
    },
    {
      title: "Output tokens per second of the server",
      kind: "lines",
      starts,
      series: [{ name: "tokens/s", colour: "first", values: asked((bin) => bin.outputTokens / bin.seconds) }],
      shown: (value) => number(value, 1),
      empty: `The model was not asked ${ago}.`,
    },
    {
      title: "Most requests in flight",
      kind: "bars",
      starts,
      series: [{ name: "in flight", colour: "first", values: bins.map((bin) => bin.peak) }],
      shown: (value) => number(value, 1),
      empty: `No requests ${ago}.`,
    },
  ];
}

function row(...cells: (string | Node)[]): HTMLElement {
  return html("tr", {}, ...cells.map((cell) => html("td", {}, cell)));
}

function recent(run: Run): HTMLElement {
  const asked = run.passes > 0;
  return row(
    new Date(1000 * run.ended).toLocaleTimeString(),
    run.kind,
    html("span", { class: `badge ${run.status}` }, run.status),
    run.kind === "chat" ? "–" : number(run.hunks),
    time(run.first_hunk_ms),
    time(run.total_ms),
    asked ? number(run.output_tokens) : "–",
    asked ? number(run.passes) : "no model",
    asked ? number(run.output_tokens / run.passes, 1) : "–",
  );
}

function figure(place: number): HTMLElement {
  const made = byId("charts").children[place] as HTMLElement | undefined;
  return made ?? byId("charts").appendChild(html("figure", { class: "chart" }));
}

function draw(): void {
  if (!newest) return;
  const range = byId<HTMLSelectElement>("range").value;
  const bins = binned(known.values(), Date.now() / 1000, Number(range), BINS[range]!);
  byId("tiles").replaceChildren(...tiles(newest));
  charts(bins, Number(range) / 60).forEach((chart, place) => drawChart(figure(place), chart));
  const drafts = Object.entries(newest.drafts).map(([name, { drafted, accepted }]) =>
    row(name, number(drafted), number(accepted), share(accepted, drafted)),
  );
  byId("drafts").replaceChildren(...drafts);
  byId("drafted").hidden = drafts.length === 0;
  byId("undrafted").hidden = drafts.length > 0;
  byId("recent").replaceChildren(...newest.recent.map(recent));
  byId("idle").hidden = newest.recent.length > 0;
}

async function ask(): Promise<void> {
  const since = Math.max(0, ...known.keys());
  try {
    const response = await request(`/v1/status?since=${since}`);
    newest = (await response.json()) as Status;
    for (const interval of newest.history) known.set(interval.start, interval);
    const old = Date.now() / 1000 - KEPT_S - STEP_S;
    for (const start of known.keys()) if (start < old) known.delete(start);
    byId("said").textContent = "";
    draw();
  } catch (error) {
    byId("said").textContent =
      error instanceof Refused ? `${error.status}: ${error.message}` : "the server does not answer";
  }
  setTimeout(ask, EVERY_MS);
}

fillHeader();
byId("range").addEventListener("change", draw);
window.addEventListener("resize", draw);
void ask();
