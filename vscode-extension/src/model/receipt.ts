/** What an edit cost, in words. */

import { Outcome, Progress, Receipt } from "./protocol";

const STATUS = {
  ok: "The checks passed.",
  suspect: "The checks hold this result back; look before you accept.",
  unchanged: "Nothing had to change.",
};

/** A running edit in the status bar. */
export function runningText(hunks: number, progress: Progress | undefined): string {
  if (!progress) return `${plural(hunks, "hunk")}…`;
  const percent = Math.round(100 * progress.fraction);
  return `${plural(hunks, "hunk")} · ${percent} % · ${Math.round(progress.tokensPerSecond)} tokens/s`;
}

/** A finished edit in the status bar. */
export function finishedText(
  outcome: Outcome,
  reading: string | undefined,
  pending: number,
  conflicts: number,
): string {
  const parts = [`${outcome.status}: ${plural(outcome.hunks.length, "hunk")}`];
  if (reading) parts.push(reading);
  if (pending) parts.push(`${pending} to decide`);
  if (conflicts) parts.push(`${conflicts} no longer fit${conflicts === 1 ? "s" : ""}`);
  if (outcome.receipt.passes) parts.push(`${percentCopied(outcome.receipt)} % drafted`);
  return parts.join(" · ");
}

/** The whole receipt as Markdown. */
export function explain(outcome: Outcome, file: string, wish: string): string {
  const { receipt, status, reasons } = outcome;
  const lines = [
    `# ${file}`,
    "",
    `> ${wish.split("\n").join("\n> ")}`,
    "",
    `**${status}.** ${STATUS[status]}`,
    "",
  ];
  lines.push(...reasons.map((reason) => `- ${reason}`), ...(reasons.length ? [""] : []));
  lines.push("| | |", "|---|--:|", ...rows(receipt).map(([name, value]) => `| ${name} | ${value} |`), "");
  const sources = [...new Set([...Object.keys(receipt.drafted), ...Object.keys(receipt.switched_off)])];
  if (sources.length) {
    lines.push("| who proposed | drafted | accepted |", "|---|--:|--:|");
    lines.push(
      ...sources.map((name) => {
        const failed = receipt.switched_off[name] ? " (failed, asked no more)" : "";
        return `| ${name}${failed} | ${receipt.drafted[name] ?? 0} | ${receipt.accepted[name] ?? 0} |`;
      }),
      "",
    );
  }
  if (!receipt.passes && !receipt.plan)
    lines.push(
      status === "suspect" ? "No model was asked." : "The edit is plain, so no model was asked.",
      "",
    );
  return lines.join("\n");
}

function rows(receipt: Receipt): [string, string][] {
  const found: [string, string][] = [
    ["model", receipt.model],
    ["policy", receipt.policy],
    ["total", milliseconds(receipt.total_ms)],
    ["first hunk", receipt.first_hunk_ms === null ? "none" : milliseconds(receipt.first_hunk_ms)],
    ["characters rewritten", `${receipt.rewritten_chars}`],
    ["characters a second", `${Math.round(receipt.chars_per_second)}`],
  ];
  if (receipt.plan) found.push(...planned(receipt));
  if (!receipt.passes)
    return receipt.confidence === null ? found : [...found, ["confidence", confidence(receipt)]];
  if (receipt.exactness !== "default") found.push(["exactness", receipt.exactness]);
  if (receipt.weights !== "default") found.push(["weights", receipt.weights]);
  return found.concat([
    ["passes of the model", `${receipt.passes}`],
    ["of them without a draft", `${receipt.undrafted_passes}`],
    ["rows of the passes, the prompt's too", `${receipt.rows}`],
    ["tokens written", `${receipt.output_tokens}`],
    ["of them by the model alone", `${receipt.generated_tokens}`],
    ["tokens a pass", receipt.tokens_per_pass.toFixed(1)],
    ["time for drafting", milliseconds(receipt.draft_ms)],
    ["prompt tokens", `${receipt.prompt_tokens}`],
    ["least margin where nothing is copied", receipt.margin === null ? "none" : receipt.margin.toFixed(2)],
    ["confidence", confidence(receipt)],
  ]);
}

/** How a strong model was asked, and what it took. */
function planned(receipt: Receipt): [string, string][] {
  const found: [string, string][] = [["asked for", receipt.plan ?? ""]];
  if (receipt.plan_tokens !== null) found.push(["tokens expected", `${receipt.plan_tokens}`]);
  if (receipt.other_plan) found.push([`as ${receipt.other_plan}`, `${receipt.other_plan_tokens}`]);
  if (!receipt.passes && receipt.output_tokens) found.push(["tokens written", `${receipt.output_tokens}`]);
  return found;
}

function percentCopied(receipt: Receipt): number {
  const accepted = Object.values(receipt.accepted).reduce((sum, count) => sum + count, 0);
  return receipt.output_tokens ? Math.round((100 * accepted) / receipt.output_tokens) : 0;
}

/** The posterior of a merge, or the share of right answers among those with such a margin. */
function confidence(receipt: Receipt): string {
  return receipt.confidence === null ? "not known" : `${Math.round(100 * receipt.confidence)} %`;
}

function milliseconds(value: number): string {
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(2)} s`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
