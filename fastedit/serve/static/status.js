// The status page: asks once a second; throughput is what was added between two answers.
import { problem, request } from "./common.js";

const byId = (id) => document.getElementById(id);
const shown = (value, digits = 0) =>
  value === null ? "" : value.toLocaleString("en", { maximumFractionDigits: digits });
let before = null;

function row(cells) {
  const line = document.createElement("tr");
  for (const cell of cells) {
    const box = line.insertCell();
    if (cell instanceof Node) box.append(cell);
    else box.textContent = cell;
  }
  return line;
}

function tile(name, value) {
  const box = document.createElement("div");
  box.className = "tile";
  box.append(Object.assign(document.createElement("b"), { textContent: value }));
  box.append(Object.assign(document.createElement("span"), { textContent: name }));
  return box;
}

function share(accepted, drafted) {
  const bar = document.createElement("meter");
  bar.value = drafted ? accepted / drafted : 0;
  return bar;
}

function draw(status) {
  const seconds = before ? status.uptime_s - before.uptime_s : 0;
  const speed = seconds > 0 ? (status.rewritten_chars - before.rewritten_chars) / seconds : 0;
  const passes = status.passes || 1;
  byId("tiles").replaceChildren(
    tile("state", status.state),
    tile("model", status.model),
    tile("running", `${status.live - status.waiting} of ${status.workers}`),
    tile("waiting", shown(status.waiting)),
    tile("characters/s now", shown(speed)),
    tile("tokens a pass", shown(status.tokens.output / passes, 1)),
    ...Object.entries(status.edits).map(([name, count]) => tile(name, shown(count))),
  );
  byId("sources").replaceChildren(
    ...Object.entries(status.drafts).map(([name, { drafted, accepted }]) =>
      row([name, shown(drafted), shown(accepted), share(accepted, drafted)]),
    ),
  );
  byId("recent").replaceChildren(
    ...status.recent.map((edit) =>
      row([
        edit.status, edit.hunks, shown(edit.output_tokens), shown(edit.passes), shown(edit.tokens_per_pass, 1),
        shown(edit.first_hunk_ms, 1), shown(edit.total_ms, 1), shown(edit.chars_per_second),
      ]),
    ),
  );
  before = status;
}

async function ask() {
  try {
    const response = await request("/v1/status");
    byId("said").textContent = response.ok ? "" : await problem(response);
    if (response.ok) draw(await response.json());
  } catch {
    byId("said").textContent = "the server does not answer";
  }
  setTimeout(ask, 1000);
}

ask();
