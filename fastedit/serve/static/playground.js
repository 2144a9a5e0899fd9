// The playground: sends an edit and paints its hunks into the file while they come.
import { problem, request } from "./common.js";

const byId = (id) => document.getElementById(id);
let running = null;

function paint(lines, hunks) {
  const boxes = [];
  const add = (text, kind) =>
    boxes.push(Object.assign(document.createElement("div"), { textContent: text, className: kind }));
  let at = 0;
  for (const { old, lines: added } of hunks) {
    for (; at < old.start; at++) add(lines[at], "");
    for (; at < old.stop; at++) add(lines[at], "del");
    for (const text of added) add(text, "add");
  }
  for (; at < lines.length; at++) add(lines[at], "");
  byId("diff").replaceChildren(...boxes);
}

async function* events(body) {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const [, name, data] = block.match(/^event: (\w+)\ndata: (.*)$/s) ?? [];
      if (name) yield [name, JSON.parse(data)];
    }
  }
}

function told(result) {
  const { receipt } = result;
  byId("said").textContent = [result.status, ...result.reasons].join("; ");
  byId("receipt").textContent = receipt.passes
    ? `${receipt.output_tokens} tokens in ${receipt.passes} passes, ${receipt.total_ms.toFixed(1)} ms`
    : `no pass of the model, ${receipt.total_ms.toFixed(1)} ms`;
}

function titled(one) {
  if (one.number === null) return `the other opinion, from line ${one.line}`;
  return `reading ${one.number} (${Math.round(100 * one.posterior)} %), from line ${one.line}`;
}

// A button for the result and one for each alternative: a click paints that one.
function offered(lines, hunks, alternatives) {
  const texts = alternatives.map((one) => [titled(one), one.hunks]);
  if (texts.length) texts.unshift(["the result", hunks]);
  const buttons = texts.map(([textContent, chosen]) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent });
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", other === button);
      paint(lines, chosen);
    });
    return button;
  });
  buttons[0]?.setAttribute("aria-pressed", true);
  byId("readings").replaceChildren(...buttons);
}

async function apply(signal) {
  const content = byId("content").value;
  const lines = content.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const wish = { content, policy: byId("policy").value };
  for (const name of ["update", "instruction", "path"])
    if (byId(name).value.trim()) wish[name] = byId(name).value;
  const hunks = [];
  paint(lines, hunks);
  const response = await request("/v1/edits", {
    method: "POST",
    signal,
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(wish),
  });
  if (!response.ok) throw new Error(await problem(response));
  for await (const [name, data] of events(response.body)) {
    if (name === "located") byId("said").textContent = `working on: ${data.reasons.join(", ")}`;
    if (name === "hunk") {
      hunks.push(data);
      paint(lines, hunks);
    }
    if (name === "result") {
      told(data);
      offered(lines, hunks, data.alternatives);
    }
    if (name === "error") throw new Error(data.error.message);
  }
}

byId("wish").addEventListener("submit", async (event) => {
  event.preventDefault();
  running?.abort();
  const mine = (running = new AbortController());
  byId("cancel").disabled = false;
  byId("receipt").textContent = "";
  byId("said").textContent = "";
  byId("readings").replaceChildren();
  try {
    await apply(mine.signal);
  } catch (error) {
    byId("said").textContent = error.name === "AbortError" ? "cancelled" : error.message;
  }
  if (running === mine) byId("cancel").disabled = true;
});
byId("cancel").addEventListener("click", () => running?.abort());
