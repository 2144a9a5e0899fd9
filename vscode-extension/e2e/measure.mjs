// What a person waits for in a real VS Code: from the key that asks for an edit to the first frame that shows a hunk of
// it, server and model being warm. No test: it prints a table, and means something on a quiet machine only. Needs what
// `npm run e2e` needs; ROUNDS=20 npm run measure takes more rounds.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";

import { Editor, PATIENCE } from "./editor.mjs";

const OUT = join(import.meta.dirname, "out");
const PYTHON = process.env.FASTEDIT_PYTHON ?? resolve(import.meta.dirname, "../../.venv/bin/python");
const SETTLED_MS = 3000;
const ROUNDS = Number(process.env.ROUNDS ?? 10);

/** Of the standard library, about 350 lines. */
const FILE = readFileSync(python("import shlex; print(shlex.__file__)"), "utf8");
const SKETCH = `# ... existing code ...
def join(split_command):
    """Return a shell-escaped string from *split_command*."""
    split_command = list(split_command)
    return ' '.join(quote(arg) for arg in split_command)


# ... existing code ...
`;

const INSTRUCTION = {
  prepare: async (editor) => {
    await editor.command("FastEdit: Apply Edit");
    await editor.page.waitForSelector('.quick-input-widget input[placeholder^="What should change"]');
    await editor.page.keyboard.type("add parameter strict=False to join");
  },
  press: (editor) => editor.page.keyboard.press("Enter"),
  shows: "join(split_command, strict",
};
/** Each with what comes before the key, the first time and later (keys of ours may not be known yet), and what it shows. */
const WAYS = {
  "an update from the clipboard": {
    prepare: (editor) => editor.copy(SKETCH),
    first: (editor) => editor.command("FastEdit: Apply Clipboard"),
    press: (editor) => editor.page.keyboard.press("Control+Alt+U"),
    shows: "list(split_command)",
  },
  "an instruction": INSTRUCTION,
  "the same, decided by the embedded model": { ...INSTRUCTION, policy: "model" },
};

function python(code) {
  return spawnSync(PYTHON, ["-c", code], { encoding: "utf8" }).stdout.trim();
}

/** Milliseconds from the last key that `press` presses to the first frame in which the proposal shows `text`. */
async function untilShown(editor, press, text) {
  // The proposal before this one may still be fading.
  const shows = editor.page.locator(".editor.modified .view-line:visible", { hasText: text });
  await editor.until(async () => (await shows.count()) === 0, "an editor without the proposal");
  // In two steps: a key sent together with what waits for it may be there first.
  await editor.page.evaluate(
    ([wanted, patience]) => {
      globalThis.shown = new Promise((done, fail) => {
        setTimeout(() => fail(new Error(`never shown: ${wanted}`)), patience);
        let pressed;
        const key = (event) => (pressed = event.timeStamp);
        addEventListener("keydown", key, { capture: true });
        const look = () => {
          const lines = document.querySelectorAll(".editor.modified .view-line");
          const found = [...lines].some((line) =>
            line.textContent.replaceAll("\u00a0", " ").includes(wanted),
          );
          if (!found || pressed === undefined) return requestAnimationFrame(look);
          removeEventListener("keydown", key, { capture: true });
          done(performance.now() - pressed);
        };
        look();
      });
    },
    [text, PATIENCE],
  );
  await press(editor);
  return editor.page.evaluate(() => globalThis.shown);
}

async function discard(editor) {
  await editor.until(async () => (await editor.lenses("Reject").count()) > 0, "the review");
  await editor.page.keyboard.press("Alt+Shift+N");
  await editor.waitForNoDiff();
}

async function times(editor, { prepare, first, press, shows, policy = "auto" }) {
  const found = [];
  editor.configure({ ...SETTINGS, "fastedit.policy": policy });
  await editor.page.waitForTimeout(SETTLED_MS); // until the editor has read them
  await editor.command("FastEdit: Restart Server");
  for (let round = 0; round <= ROUNDS; round++) {
    await prepare(editor);
    const time = await untilShown(editor, (round ? undefined : first) ?? press, shows);
    if (round) found.push(time); // the first one loads the server and the model
    await discard(editor);
  }
  return found.sort((a, b) => a - b);
}

const load = loadavg()[0].toFixed(1);
console.log(`${cpus().length} cores (${cpus()[0].model}), load ${load} at the start`);
const SETTINGS = { "fastedit.command": [PYTHON, "-c", "from fastedit.cli import main; main()"] };
const editor = await Editor.open({ "shlex.py": FILE }, SETTINGS);
try {
  await editor.openFile("shlex.py");
  console.log(
    `\n| from keypress to first hunk on screen, ms | median | 90 % | most | of |\n|---|--:|--:|--:|--:|`,
  );
  for (const [name, way] of Object.entries(WAYS)) {
    const found = await times(editor, way);
    const at = (share) => found[Math.min(Math.floor(share * found.length), found.length - 1)].toFixed(0);
    console.log(`| ${name} | ${at(0.5)} | ${at(0.9)} | ${at(1)} | ${found.length} |`);
  }
} catch (error) {
  mkdirSync(OUT, { recursive: true });
  await editor.page.screenshot({ path: join(OUT, "failed-measure.png") });
  throw error;
} finally {
  await editor.close();
}
