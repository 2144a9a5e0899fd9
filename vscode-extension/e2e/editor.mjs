// A real VS Code in a headless browser, and what a person does with it.
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const HERE = import.meta.dirname;
const SERVER = resolve(HERE, "../.editor/node_modules/code-server/out/node/entry.js");
export const PATIENCE = 1000 * Number(process.env.PATIENCE_S ?? 180); // more on a busy machine; nothing is measured by it
const BROWSER = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const QUIET = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "editor.minimap.enabled": false,
  "files.autoSave": "off",
  "workbench.editor.languageDetection": false, // it would close and open an untitled text again
  "window.commandCenter": false,
};

export class Editor {
  static async open(files, settings) {
    const editor = new Editor();
    try {
      await editor.start(files, settings);
    } catch (error) {
      await editor.close();
      throw error;
    }
    return editor;
  }

  async start(files, settings) {
    this.folder = mkdtempSync(join(tmpdir(), "fastedit-editor-"));
    this.workspace = join(this.folder, "workspace");
    mkdirSync(join(this.folder, "data/User"), { recursive: true });
    mkdirSync(this.workspace);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.workspace, name), text);
    this.configure(settings);
    writeFileSync(join(this.folder, "config.yaml"), "");
    const folders = [
      "--extensions-dir",
      join(this.folder, "extensions"),
      "--user-data-dir",
      join(this.folder, "data"),
    ];
    const vsix = resolve(HERE, "../fastedit.vsix");
    const installed = spawnSync(process.execPath, [SERVER, ...folders, "--install-extension", vsix], {
      encoding: "utf8",
    });
    if (installed.status !== 0) throw new Error(installed.stderr);
    this.port = await freePort();
    const log = join(this.folder, "server.log");
    const config = [
      "--config",
      join(this.folder, "config.yaml"),
      "--auth",
      "none",
      "--bind-addr",
      `127.0.0.1:${this.port}`,
    ];
    this.process = spawn(
      process.execPath,
      [SERVER, ...folders, ...config, "--disable-telemetry", "--disable-update-check"],
      { stdio: ["ignore", "ignore", openSync(log, "w")] },
    );
    await answering(`http://127.0.0.1:${this.port}/healthz`, () => {
      if (this.process.exitCode !== null) throw new Error(`code-server ended: ${readFileSync(log, "utf8")}`);
    });
    this.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: BROWSER,
    });
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 720 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    this.page = await context.newPage();
    this.page.setDefaultTimeout(PATIENCE);
    await this.window(`folder=${this.workspace}`);
  }

  /** The person's settings, all of them. */
  configure(settings) {
    writeFileSync(join(this.folder, "data/User/settings.json"), JSON.stringify({ ...QUIET, ...settings }));
  }

  /** A window without a workspace, in the place of the one that there is. */
  async withoutWorkspace() {
    await this.window("ew=true");
  }

  async window(what) {
    const before = this.extensionHosts();
    const started = async () => this.extensionHosts() > before;
    await this.until(async () => {
      await this.page.goto(`http://127.0.0.1:${this.port}/?${what}`);
      await this.page.waitForSelector(".monaco-workbench .part.statusbar");
      // An editor that has waited for its extensions for a minute, on a busy machine, gives up for good.
      return this.until(started, "", 100_000).then(
        () => true,
        () => false,
      );
    }, "the extension host");
  }

  /** How many windows have had their extensions started. */
  extensionHosts() {
    const logs = join(this.folder, "data/logs");
    return (existsSync(logs) ? readdirSync(logs, { recursive: true }) : [])
      .filter((name) => /remoteexthost[^/]*\.log$/.test(name))
      .filter((name) => readFileSync(join(logs, name), "utf8").includes("Eager extensions activated")).length;
  }

  /** Runs a command of the palette by its title; at first it may not know the extension's yet. */
  async command(title) {
    const row = this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title}"]`).first();
    await this.until(async () => {
      await this.page.keyboard.press("F1");
      await this.page.waitForSelector(".quick-input-widget input");
      await this.page.keyboard.type(title);
      const found = await row.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
      if (!found) await this.page.keyboard.press("Escape");
      return found;
    }, title);
    await row.click(); // another may stand above it
  }

  /** From the explorer: quick open needs a search program that is not installed here. */
  async openFile(name) {
    await this.page.locator(`.explorer-viewlet .monaco-list-row[aria-label^="${name}"]`).dblclick();
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`);
  }

  async copy(text) {
    await this.page.evaluate((value) => navigator.clipboard.writeText(value), text);
  }

  lenses(title) {
    return this.page.locator(".codelens-decoration a").filter({ hasText: title });
  }

  async waitForLenses(title, count) {
    await this.until(async () => (await this.lenses(title).count()) === count, `${count} × "${title}"`);
  }

  /** The diff's tab is gone, not merely hidden. */
  async waitForNoDiff() {
    await this.until(
      async () => (await this.page.locator(".tab", { hasText: "↔" }).count()) === 0,
      "diff closed",
    );
  }

  async until(holds, what, patience = PATIENCE) {
    const end = Date.now() + patience;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(`never came: ${what}`);
      await this.page.waitForTimeout(100);
    }
  }

  /** Saves the file and gives back what is on disk. */
  async saved(name) {
    await this.openFile(name);
    await this.page.keyboard.press("Control+S");
    await this.until(async () => (await this.page.locator(".tab.dirty").count()) === 0, "saved");
    return readFileSync(join(this.workspace, name), "utf8");
  }

  async close() {
    await this.browser?.close();
    this.process?.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** `check` throws where waiting is of no use. */
async function answering(url, check) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; check()) {
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`${url} never answered`);
}
