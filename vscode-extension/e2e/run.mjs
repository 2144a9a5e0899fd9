// The extension in a real VS Code: an update from the clipboard by the real engine, then a scripted edit that
// whose hunks come when they are told to, to be watched, undone and cancelled. Screenshots go to e2e/out.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { Editor } from "./editor.mjs";

const OUT = join(import.meta.dirname, "out");
const PYTHON = process.env.FASTEDIT_PYTHON ?? resolve(import.meta.dirname, "../../.venv/bin/python");

const SOURCE = `"""Reads settings from a file."""

import json


def load(path):
    with open(path) as handle:
        return json.load(handle)


def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    return merged


def settings(path, overrides):
    base = load(path)
    return merge(base, overrides)
`;
const SKETCH = `# ... existing code ...
def load(path):
    with open(path, encoding="utf-8") as handle:
        return json.load(handle)


def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    merged.pop("version", None)
    return merged


# ... existing code ...
`;
const SEVERAL = `*** Begin Patch
*** Update File: a.py
@@
-a = 1
+a = 2
*** Add File: made/new.py
+x = 1
*** Delete File: old.py
*** Update File: b.py
*** Move to: c.py
@@
-b = 1
+b = 2
*** End Patch
`;
const ENCODED = SOURCE.replace("open(path)", 'open(path, encoding="utf-8")');

const BINARY = Buffer.from([0, 1, 2, 3, 0, 255]);
const HUGE = Buffer.alloc(51 * 1024 * 1024, "a line of a log\n"); // VS Code shows extensions no file of 50 MiB

const bin = mkdtempSync(join(tmpdir(), "fastedit-bin-"));
const program = join(bin, "fastedit");
const script = join(import.meta.dirname, "scripted.py");
const version = "import fastedit; print('fastedit', fastedit.__version__)";
const cases = `case "$*" in *--version*) exec "${PYTHON}" -c "${version}";; *) FASTEDIT_STEPS="${bin}" exec "${PYTHON}" "${script}";; esac`;
writeFileSync(program, `#!/bin/sh\n${cases}\n`, { mode: 0o755 });
const editor = await Editor.open(
  {
    "settings.py": SOURCE,
    "old.py": "gone = True\n",
    "a.py": "a = 1\n",
    "b.py": "b = 1\n",
    "logo.bin": BINARY,
    "log.txt": HUGE,
  },
  { "fastedit.command": [program] },
);
const shot = async (name) => editor.page.screenshot({ path: join(OUT, `${name}.png`) });
const onDisk = (name) => readFileSync(join(editor.workspace, name), "utf8");
const told = (text) => editor.page.locator(".notification-list-item", { hasText: text });
const nextHunk = () => writeFileSync(join(bin, "next"), "");

/** Types an instruction of which the first hunk comes at once. */
async function instruct(instruction) {
  await editor.command("FastEdit: Apply Edit");
  await editor.page.waitForSelector('.quick-input-widget input[placeholder^="What should change"]');
  await editor.page.keyboard.type(instruction);
  await editor.page.keyboard.press("Enter");
}

/** Answers the question with this title. */
async function answer(title, text) {
  await editor.page.locator(".quick-input-title", { hasText: title }).waitFor();
  await editor.page.keyboard.press("Control+A");
  if (text) await editor.page.keyboard.type(text);
  await editor.page.keyboard.press("Enter");
}

/** Ticks the first box of a preview that is not, and says whether all are: each tick draws the rows anew. */
async function ticked(preview) {
  const boxes = await preview.locator(".monaco-list-row input[type=checkbox]").all();
  for (const box of boxes)
    if (!(await box.isChecked())) {
      await box.click();
      return false;
    }
  return boxes.length > 0;
}

async function refused(name) {
  await editor.openFile(name);
  await editor.command("FastEdit: Apply Edit");
  await told("open a text file first").waitFor();
  await editor.page.locator(".monaco-button", { hasText: "Open File" }).waitFor();
  await editor.command("Notifications: Clear All Notifications");
}

const tests = {
  async "an update from the clipboard is proposed beside the file, which stays as it is"() {
    await editor.openFile("settings.py");
    await shot("1-opened");
    await editor.copy(SKETCH);
    await editor.command("FastEdit: Apply Clipboard");
    await editor.waitForLenses("Accept all 2", 2);
    await shot("2-proposed");
    assert.equal(await editor.page.locator(".tab.dirty").count(), 0);
  },
  async "one hunk is accepted by key, the other rejected by CodeLens, and the review ends"() {
    await editor.page.keyboard.press("Alt+Y");
    await editor.until(async () => (await editor.lenses("Accept all").count()) === 0, "one hunk left");
    await shot("3-accepted-one");
    await editor.lenses("Reject").last().click();
    await editor.waitForNoDiff();
    await shot("4-decided");
    assert.equal(await editor.saved("settings.py"), ENCODED);
  },
  async "what was accepted is taken back in one step"() {
    await editor.command("FastEdit: Take Back Accepted Hunks");
    assert.equal(await editor.saved("settings.py"), SOURCE);
    await shot("5-taken-back");
  },
  async "an operation is picked, says what it takes, and is reviewed like any edit"() {
    await editor.command("FastEdit: Operation");
    await answer("FastEdit: operation", "rename");
    await answer("FastEdit: rename, target", "load");
    await answer("FastEdit: rename, new", "read");
    await editor.page.locator(".quick-input-list", { hasText: "attributes" }).waitFor();
    await shot("operation");
    await answer("FastEdit: rename");
    await editor.waitForLenses("Accept all 2", 2);
    await editor.command("FastEdit: Accept All Hunks");
    await editor.waitForNoDiff();
    const read = SOURCE.replace("def load", "def read").replace("= load(", "= read(");
    assert.equal(await editor.saved("settings.py"), read);
    await editor.command("FastEdit: Take Back Accepted Hunks");
    assert.equal(await editor.saved("settings.py"), SOURCE);
  },
  async "an instruction is typed, and hunks stream in one after another"() {
    await instruct("rename load to read");
    await editor.waitForLenses("Accept", 2); // on either side
    for (const hunks of [2, 3]) {
      nextHunk();
      await editor.waitForLenses(`Accept all ${hunks}`, 2);
    }
    await shot("streamed");
  },
  async "accepting all and undoing leaves the file as it was"() {
    await editor.command("FastEdit: Accept All Hunks");
    await editor.waitForNoDiff();
    assert.equal(await editor.saved("settings.py"), SOURCE.replaceAll(/\bload\b/g, "read"));
    await editor.page.locator(".editor-instance .view-lines").click();
    await editor.page.keyboard.press("Control+Z");
    assert.equal(await editor.saved("settings.py"), SOURCE);
  },
  async "an edit cancelled while it streams changes nothing"() {
    await instruct("rename base to ground");
    await editor.until(async () => (await editor.lenses("Accept").count()) > 0, "a hunk");
    await editor.command("FastEdit: Cancel");
    await editor.waitForNoDiff();
    assert.equal(await editor.saved("settings.py"), SOURCE);
  },
  async "a server that dies mid-edit is told, loses nothing, and the next edit starts another"() {
    await instruct("rename merged to crash");
    await told("the server stopped").waitFor();
    await editor.waitForNoDiff();
    assert.equal(await editor.saved("settings.py"), SOURCE);
    await editor.copy(SKETCH);
    await editor.command("FastEdit: Apply Clipboard");
    await editor.waitForLenses("Accept all 2", 2);
    await editor.command("FastEdit: Reject All Hunks");
    await editor.waitForNoDiff();
  },
  async "a file renamed while its edit streams is told, and its text is as it was"() {
    await instruct("rename base to ground");
    await editor.until(async () => (await editor.lenses("Accept").count()) > 0, "a hunk");
    await editor.page.locator('.explorer-viewlet .monaco-list-row[aria-label^="settings.py"]').click();
    await editor.page.keyboard.press("F2");
    await editor.page.locator(".explorer-viewlet .monaco-inputbox input").fill("options.py");
    await editor.page.keyboard.press("Enter");
    await told("closed, renamed or deleted").waitFor();
    await editor.waitForNoDiff();
    assert.equal(onDisk("options.py"), SOURCE);
    await editor.page.locator(".monaco-button", { hasText: "Apply Again" }).click();
    await editor.until(async () => (await editor.lenses("Accept").count()) > 0, "a hunk");
    await editor.command("FastEdit: Reject All Hunks");
    await editor.waitForNoDiff();
  },
  async "an edit of a file that is not in front is reviewed there"() {
    await editor.copy("a.py\n<<<<<<< SEARCH\na = 1\n=======\na = 3\n>>>>>>> REPLACE\n");
    await editor.command("FastEdit: Apply Clipboard");
    await editor.waitForLenses("Accept", 2);
    await editor.command("FastEdit: Reject All Hunks");
    await editor.waitForNoDiff();
  },
  async "a change of several files is previewed, and made when the person applies it"() {
    await editor.copy(SEVERAL);
    const preview = editor.page.locator(".bulk-edit-panel");
    for (const answer of ["Discard", "Apply"]) {
      await editor.command("FastEdit: Apply Clipboard");
      await preview.locator(".monaco-list-row", { hasText: "old.py" }).waitFor();
      await shot(`preview-${answer.toLowerCase()}`);
      assert.equal(onDisk("old.py"), "gone = True\n");
      if (answer === "Apply") await editor.until(() => ticked(preview), "every box ticked");
      await preview.locator(".monaco-button", { hasText: answer }).click();
      if (answer === "Discard") await told("the change was not applied").waitFor();
    }
    await editor.until(async () => !existsSync(join(editor.workspace, "b.py")), "the change");
    await editor.until(async () => {
      await editor.command("File: Save All Files"); // the texts come after the files, one by one
      return onDisk("a.py") === "a = 2\n" && onDisk("c.py") === "b = 2\n";
    }, "texts");
    assert.equal(existsSync(join(editor.workspace, "old.py")), false);
    assert.equal(onDisk("made/new.py"), "x = 1\n");
  },
  async "a hunk without a place is told by its number and changes nothing"() {
    await editor.copy("a.py\n<<<<<<< SEARCH\na = 7\n=======\na = 3\n>>>>>>> REPLACE\n");
    await editor.command("FastEdit: Apply Clipboard");
    await told("hunk 1: its old text").waitFor();
    assert.equal(onDisk("a.py"), "a = 2\n");
    await editor.command("Notifications: Clear All Notifications");
  },
  async "a binary file is refused with a button that opens another"() {
    await refused("logo.bin");
    assert.deepEqual(readFileSync(join(editor.workspace, "logo.bin")), BINARY);
  },
  async "so is one of 50 MB"() {
    await refused("log.txt");
    await shot("huge");
  },
  async "without a workspace an untitled text is edited all the same"() {
    await editor.withoutWorkspace();
    await editor.command("File: New Untitled Text File");
    await editor.copy(SOURCE);
    await editor.page.locator(".editor-instance .view-lines").click();
    await editor.page.keyboard.press("Control+V");
    await editor.copy(SKETCH);
    await editor.command("FastEdit: Apply Clipboard");
    await editor.waitForLenses("Accept all 2", 2);
    await shot("untitled");
    await editor.command("FastEdit: Accept All Hunks");
    await editor.waitForNoDiff();
    await editor.page.locator(".view-line", { hasText: 'encoding="utf-8"' }).waitFor();
  },
  async "a server that is missing is told with a button that helps"() {
    rmSync(program);
    await editor.command("FastEdit: Restart Server");
    await told("no server found").waitFor();
    await editor.page.locator(".monaco-button", { hasText: "Install Server" }).waitFor();
    await shot("missing-server");
    assert.equal(onDisk("options.py"), SOURCE);
  },
};

mkdirSync(OUT, { recursive: true });
let passed = 0;
let failed = 0;
try {
  for (const [name, run] of Object.entries(tests)) {
    try {
      await run();
      passed++;
      console.log(`ok: ${name}`);
    } catch (error) {
      failed++;
      console.log(`failed: ${name}\n${error.stack}`);
      await shot(`failed-${failed}`);
      break; // what follows builds on it
    }
  }
} finally {
  await editor.close();
  rmSync(bin, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
