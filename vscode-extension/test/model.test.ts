import { expect, test } from "vitest";

import { History } from "../src/model/history";
import { Outcome } from "../src/model/protocol";
import { Cancelled, Queue } from "../src/model/queue";
import { explain, finishedText, runningText } from "../src/model/receipt";
import { candidates, isTooOld, problemWith, versionIn } from "../src/model/server";
import { parseSettings } from "../src/model/settings";

const OUTCOME: Outcome = {
  status: "suspect",
  reasons: ["`load` still stands on line 7"],
  base: { version: 1, sha256: "0".repeat(64) },
  hunks: [{ start: 1, stop: 2, lines: ["x"] }],
  dropsFinalNewline: false,
  alternatives: [],
  notes: [],
  left: [],
  conflicts: [],
  version: 1,
  edit: null,
  receipt: {
    model: "embedded",
    policy: "auto",
    exactness: "default",
    weights: "default",
    prompt_tokens: 200,
    output_tokens: 100,
    generated_tokens: 10,
    drafted: { original: 120, ngram: 4 },
    accepted: { original: 90 },
    passes: 4,
    rows: 310,
    undrafted_passes: 1,
    offered_at: [3, 2],
    accepted_at: [3, 1],
    first_hunk_ms: 35.2,
    draft_ms: 1,
    total_ms: 1250,
    rewritten_chars: 400,
    margin: 0.5,
    confidence: 0.874,
    switched_off: { eagle: 1 },
    plan: null,
    plan_tokens: null,
    other_plan: null,
    other_plan_tokens: null,
    tokens_per_pass: 25,
    chars_per_second: 320,
  },
};

test("a receipt is explained with its reasons, its cost and who proposed what", () => {
  const text = explain(OUTCOME, "a.py", "rename load\nto read");
  expect(text).toContain("> rename load\n> to read");
  expect(text).toContain("- `load` still stands on line 7");
  expect(text).toContain("| tokens a pass | 25.0 |");
  expect(text).toContain("| ngram | 4 | 0 |");
  expect(text).toContain("| eagle (failed, asked no more) | 0 | 0 |");
  expect(text).toContain("| total | 1.25 s |");
  expect(text).toContain("| of them without a draft | 1 |");
  expect(text).toContain("| confidence | 87 % |");
});

test("a receipt says what is not known, and how the model ran where that is not the default", () => {
  const receipt = {
    ...OUTCOME.receipt,
    confidence: null,
    margin: null,
    exactness: "bitwise",
    weights: "int4",
  };
  const text = explain({ ...OUTCOME, receipt }, "a.py", "");
  expect(text).toContain("| confidence | not known |");
  expect(text).toContain("| least margin where nothing is copied | none |");
  expect(text).toContain("| exactness | bitwise |");
  expect(text).toContain("| weights | int4 |");
  expect(explain(OUTCOME, "a.py", "")).not.toContain("exactness");
});

test("an edit that no model was asked for says so", () => {
  const receipt = { ...OUTCOME.receipt, passes: 0, drafted: {}, accepted: {} };
  expect(explain({ ...OUTCOME, status: "ok", reasons: [], receipt }, "a.py", "")).toContain(
    "so no model was asked",
  );
  const merged = explain({ ...OUTCOME, receipt: { ...receipt, confidence: 0.494 } }, "a.py", "");
  expect(merged).toContain("No model was asked");
  expect(merged).toContain("| confidence | 49 % |");
});

test("what a server's model was asked for is told with its price and the next one's", () => {
  const plan = { plan: "sketch", plan_tokens: 180, other_plan: "rewrite", other_plan_tokens: 900 };
  const receipt = { ...OUTCOME.receipt, ...plan, passes: 0, output_tokens: 170 };
  const text = explain({ ...OUTCOME, receipt }, "a.py", "");
  expect(text).toContain("| asked for | sketch |");
  expect(text).toContain("| as rewrite | 900 |");
  expect(text).toContain("| tokens written | 170 |");
  expect(text).not.toContain("No model was asked");
});

test("the status bar tells progress, speed and what is left to decide", () => {
  const progress = { fraction: 0.42, outputTokens: 50, passes: 2, tokensPerSecond: 812.4 };
  expect(runningText(1, progress)).toBe("1 hunk · 42 % · 812 tokens/s");
  expect(runningText(0, undefined)).toBe("0 hunks…");
  expect(finishedText(OUTCOME, undefined, 1, 2)).toBe(
    "suspect: 1 hunk · 1 to decide · 2 no longer fit · 90 % drafted",
  );
  expect(finishedText(OUTCOME, "reading 2 (31 %)", 1, 0)).toContain(
    "1 hunk · reading 2 (31 %) · 1 to decide",
  );
});

test("history keeps the newest first, each once, and bears damaged storage", async () => {
  const kept = new Map<string, unknown>();
  const storage = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const history = new History(storage, "history");
  for (const text of ["a", "b", "a"]) await history.add(text);
  expect(history.all).toEqual(["a", "b"]);
  kept.set("history", { broken: true });
  expect(history.all).toEqual([]);
  for (let i = 0; i < 60; i++) await history.add(`${i}`);
  expect(history.all).toHaveLength(50);
});

test("a queue runs one job at a time and goes on after one that fails", async () => {
  const queue = new Queue();
  const log: string[] = [];
  const job = (name: string, fails = false) => ({
    name,
    run: async () => {
      log.push(`${name} starts`);
      await Promise.resolve();
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    },
  });
  const results = await Promise.allSettled([
    queue.add(job("a")),
    queue.add(job("b", true)),
    queue.add(job("c")),
  ]);
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(log).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
  await Promise.resolve();
  expect(queue.running).toBeUndefined();
});

test("cancelling stops the running job and those that wait", async () => {
  const queue = new Queue();
  const forever = (name: string) => ({
    name,
    run: (signal: AbortSignal) =>
      new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
  });
  const jobs = [queue.add(forever("a")), queue.add(forever("b")), queue.add(forever("c"))];
  expect([queue.running, queue.names]).toEqual(["a", ["b", "c"]]);
  queue.cancel("b");
  await expect(jobs[1]).rejects.toThrow(Cancelled);
  queue.cancel();
  await expect(jobs[0]).rejects.toThrow(Cancelled);
  await expect(jobs[2]).rejects.toThrow(Cancelled);
});

test("what is set is used and nothing else, otherwise the environments there are", () => {
  const none = { command: [], pythonPath: "", bundled: undefined, interpreter: undefined };
  expect(candidates(none)).toEqual([["fastedit"]]);
  expect(candidates({ ...none, command: ["x", "--y"], pythonPath: "/py" })).toEqual([["x", "--y"]]);
  expect(candidates({ ...none, pythonPath: "/py", bundled: "/b" }).map(([program]) => program)).toEqual([
    "/py",
  ]);
  const found = candidates({ ...none, bundled: "/b", interpreter: "/i" });
  expect(found.map(([program]) => program)).toEqual(["/b", "/i", "fastedit"]);
});

test("only fastedit's own version counts, and an old one is told", () => {
  expect(versionIn("fastedit 0.1.0\n")).toBe("0.1.0");
  expect(versionIn("Python 3.11.7\n")).toBeUndefined();
  expect([isTooOld("0.0.9"), isTooOld("0.1.0"), isTooOld("1.0.0rc1"), isTooOld("0.10.0")]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("a program that is no server is named, with what is wrong about it", () => {
  const problem = (answer: Parameters<typeof problemWith>[1]) => problemWith("/py", answer, 60_000);
  expect(problem({ stdout: "fastedit 0.1.0\n" })).toBeUndefined();
  expect(problem({ stdout: "fastedit 0.0.9\n" })).toBe("/py is fastedit 0.0.9, older than 0.1.0");
  expect(problem({ stdout: "Python 3.11.7\n" })).toBe("/py is not fastedit");
  expect(problem({ code: "ENOENT" })).toBe("/py does not exist");
  expect(problem({ killed: true, code: null })).toBe("/py did not answer within 60 s");
  const stderr = "Traceback\nModuleNotFoundError: No module named 'fastedit'\n";
  expect(problem({ code: 1, stderr })).toBe(
    "/py has no fastedit (ModuleNotFoundError: No module named 'fastedit')",
  );
  expect(problem({ code: 1, stderr: "" })).toBe("/py has no fastedit (it failed: 1)");
});

test("settings that make no sense are named with the way out", () => {
  const parsed = (values: Record<string, unknown>) => parseSettings((name) => values[name]);
  expect(parsed({})).toEqual({
    serverUrl: "",
    model: "embedded",
    policy: "auto",
    pythonPath: "",
    command: [],
  });
  expect(parsed({ serverUrl: "localhost" })).toContain("fastedit.serverUrl");
  expect(parsed({ policy: "best" })).toContain("choose one of auto, model, merge");
  expect(parsed({ command: "fastedit" })).toContain("must be a list");
  expect(parsed({ model: 7 })).toContain("fastedit.model must be a text");
});
