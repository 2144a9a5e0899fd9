// Small charts over time as SVG: stacked bars, or lines with a gap where there is no value.
import { html, svg } from "./dom";

export interface Series {
  name: string;
  /** One of the classes that the style sheet colours. */
  colour: string;
  values: (number | null)[];
}

export interface Chart {
  title: string;
  kind: "bars" | "lines";
  /** The times at which the bins begin, Unix seconds. */
  starts: number[];
  series: Series[];
  /** The top of the axis, where the values do not say it. */
  top?: number;
  shown: (value: number) => string;
  /** Said in place of the chart when no series has a value. */
  empty: string;
}

const [HEIGHT, LEFT, BOTTOM, TOP] = [180, 52, 22, 8];
const PLOT = HEIGHT - BOTTOM - TOP;

/** The least of 1, 2, 5, 10, ... that is not below the value. */
function round(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value)!;
}

const clock = (seconds: number): string =>
  new Date(1000 * seconds).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

function highest({ kind, series, starts }: Chart): number {
  const at = (index: number): number[] => series.map(({ values }) => values[index] ?? 0);
  const total = (values: number[]): number =>
    kind === "bars" ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  return Math.max(...starts.map((_, index) => total(at(index))));
}

/** Draws the chart into a figure that is on the page, as wide as that is, with its title and legend. */
export function draw(figure: HTMLElement, chart: Chart): void {
  const { title, series } = chart;
  figure.replaceChildren(html("figcaption", {}, title));
  if (!series.some(({ values }) => values.some((value) => value))) {
    figure.append(html("p", { class: "none" }, chart.empty));
    return;
  }
  const legend = series.map(({ name, colour }) =>
    html("li", {}, html("span", { class: `swatch ${colour}` }), name),
  );
  const { paddingLeft, paddingRight } = getComputedStyle(figure);
  const width = Math.floor(figure.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
  figure.append(picture(chart, width), html("ul", { class: "legend" }, ...legend));
}

/** `width` is in pixels; the newest values are its name, for those who do not see it. */
function picture(chart: Chart, width: number): SVGElement {
  const { title, starts, shown } = chart;
  const most = chart.top ?? round(highest(chart));
  const step = (width - LEFT) / starts.length;
  const y = (value: number): number => TOP + PLOT * (1 - value / most);
  const grid = [0, 0.5, 1].flatMap((part) => {
    const height = y(part * most);
    return [
      svg("line", { class: "grid", x1: `${LEFT}`, x2: `${width}`, y1: `${height}`, y2: `${height}` }),
      svg("text", { x: `${LEFT - 6}`, y: `${height + 4}`, "text-anchor": "end" }, shown(part * most)),
    ];
  });
  return svg(
    "svg",
    { width: `${width}`, height: `${HEIGHT}`, role: "img", "aria-label": `${title}: ${spoken(chart)}` },
    ...grid,
    ...times(starts, step),
    ...(chart.kind === "bars" ? bars(chart, step, y) : lines(chart, step, y)),
    ...hints(chart, step),
  );
}

function times(starts: number[], step: number): SVGElement[] {
  const last = starts.length - 1;
  return [0, Math.floor(last / 2), last].map((index, place) =>
    svg(
      "text",
      {
        x: `${LEFT + (index + (place === 2 ? 1 : 0)) * step}`,
        y: `${HEIGHT - 5}`,
        "text-anchor": ["start", "middle", "end"][place]!,
      },
      clock(starts[index]!),
    ),
  );
}

function bars({ starts, series }: Chart, step: number, y: (value: number) => number): SVGElement[] {
  return starts.flatMap((_, index) => {
    let below = 0;
    return series.flatMap(({ colour, values }) => {
      const value = values[index];
      if (!value) return [];
      const [x, top, bottom] = [LEFT + index * step, y(below + value), y(below)];
      below += value;
      const box = {
        x: `${x + step * 0.12}`,
        y: `${top}`,
        width: `${step * 0.76}`,
        height: `${bottom - top}`,
      };
      return [svg("rect", { class: colour, ...box })];
    });
  });
}

function lines({ series }: Chart, step: number, y: (value: number) => number): SVGElement[] {
  return series.flatMap(({ colour, values }) => {
    const points = values.map((value, index) =>
      value === null ? null : ([LEFT + (index + 0.5) * step, y(value)] as const),
    );
    let path = "";
    points.forEach((point, index) => {
      if (point) path += `${points[index - 1] ? "L" : "M"}${point[0]},${point[1]}`;
    });
    const dots = points
      .filter((point) => point !== null)
      .map(([cx, cy]) => svg("circle", { class: colour, cx: `${cx}`, cy: `${cy}`, r: "2.5" }));
    return [svg("path", { class: `line ${colour}`, d: path }), ...dots];
  });
}

/** An invisible column for each bin, whose title the browser shows under the pointer. */
function hints(chart: Chart, step: number): SVGElement[] {
  return chart.starts.map((start, index) => {
    const values = said(chart, index) || "nothing";
    const box = { x: `${LEFT + index * step}`, y: `${TOP}`, width: `${step}`, height: `${PLOT}` };
    return svg("rect", { class: "hint", ...box }, svg("title", {}, `${clock(start)}: ${values}`));
  });
}

function said({ series, shown }: Chart, index: number): string {
  return series
    .filter(({ values }) => values[index])
    .map(({ name, values }) => `${name} ${shown(values[index]!)}`)
    .join(", ");
}

function spoken(chart: Chart): string {
  const last = chart.starts.findLastIndex((_, index) => said(chart, index));
  return `${said(chart, last)} at ${clock(chart.starts[last]!)}, the newest`;
}
