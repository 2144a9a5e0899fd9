// The extension in a real VS Code: an update from the clipboard by the real engine, then a scripted edit that
// streams slowly enough to be watched, undone and cancelled. Screenshots go to e2e/out.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
const ENCODED = SOURCE.replace("open(path)", 'open(path, encoding="utf-8")');

const bin = mkdtempSync(join(tmpdir(), "fastedit-bin-"));
const program = join(bin, "fastedit");
const script = join(import.meta.dirname, "scripted.py");
const version = "import fastedit; print('fastedit', fastedit.__version__)";
const cases = `case "$*" in *--version*) exec "${PYTHON}" -c "${version}";; *) exec "${PYTHON}" "${script}";; esac`;
writeFileSync(program, `#!/bin/sh\n${cases}\n`, { mode: 0o755 });
const editor = await Editor.open({ "settings.py": SOURCE }, { "fastedit.command": [program] });
const shot = async (name) => editor.page.screenshot({ path: join(OUT, `${name}.png`) });
const tests = {
  async "an update from the clipboard is proposed beside the file, which stays as it is"() {
    await editor.openFile("settings.py");
    await shot("1-opened");
    await editor.copy(SKETCH);
    await editor.command("FastEdit: Apply Update from Clipboard");
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
  async "an instruction is typed, and hunks stream in one after another"() {
    await editor.command("FastEdit: Apply Edit");
    await editor.page.waitForSelector('.quick-input-widget input[placeholder^="What should change"]');
    await editor.page.keyboard.type("rename load to read");
    await editor.page.keyboard.press("Enter");
    const seen = new Set();
    await editor.until(async () => {
      seen.add(await editor.lenses("Accept").count());
      return (await editor.lenses("Accept all 3").count()) === 2;
    }, "three hunks");
    seen.add(await editor.lenses("Accept").count());
    seen.delete(0);
    await shot("streamed");
    assert.ok(seen.size > 1, `hunks came one by one: ${[...seen]}`);
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
    await editor.command("FastEdit: Apply Edit");
    await editor.page.waitForSelector('.quick-input-widget input[placeholder^="What should change"]');
    await editor.page.keyboard.type("rename base to ground");
    await editor.page.keyboard.press("Enter");
    await editor.until(async () => (await editor.lenses("Accept").count()) > 0, "a hunk");
    await editor.command("FastEdit: Cancel");
    await editor.waitForNoDiff();
    assert.equal(await editor.saved("settings.py"), SOURCE);
  },
  async "a server that dies mid-edit is told, loses nothing, and the next edit starts another"() {
    await editor.command("FastEdit: Apply Edit");
    await editor.page.waitForSelector('.quick-input-widget input[placeholder^="What should change"]');
    await editor.page.keyboard.type("rename merged to crash");
    await editor.page.keyboard.press("Enter");
    await editor.page.locator(".notification-list-item", { hasText: "the server stopped" }).waitFor();
    await editor.waitForNoDiff();
    assert.equal(await editor.saved("settings.py"), SOURCE);
    await editor.copy(SKETCH);
    await editor.command("FastEdit: Apply Update from Clipboard");
    await editor.waitForLenses("Accept all 2", 2);
    await editor.command("FastEdit: Reject All Hunks");
    await editor.waitForNoDiff();
  },
  async "a server that is missing is told with a button that helps"() {
    rmSync(program);
    await editor.command("FastEdit: Restart Server");
    await editor.page.locator(".notification-list-item", { hasText: "no server found" }).waitFor();
    await editor.page.locator(".monaco-button", { hasText: "Install Server" }).waitFor();
    await shot("missing-server");
    assert.equal(await editor.saved("settings.py"), SOURCE);
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
