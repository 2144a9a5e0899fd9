/** The language server: found, started when first needed, asked, restarted. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  ProgressType,
  ResponseError,
  State,
} from "vscode-languageclient/node";

import { Listed } from "../model/operations";
import { CHANGE, Changed, EDIT, Message, OPERATIONS, Outcome, Partial, WARM, Wish } from "../model/protocol";
import { Answer, candidates, problemWith } from "../model/server";
import { Settings, parseSettings } from "../model/settings";
import { INSTALL, OUTPUT, Problem, RESTART, SETTINGS } from "./problem";

export const KEY = "fastedit.key";
const PROBE_MS = 60_000;
const CONTENT_MODIFIED = -32801;
const CANCELLED = -32800;
/** Everything that holds text of the person's; not our own proposals, and not what other views make up. */
const DOCUMENTS = ["file", "untitled", "vscode-vfs", "vscode-remote", "vscode-userdata"].map((scheme) => ({
  scheme,
}));

export class Server implements vscode.Disposable {
  private client: Promise<LanguageClient> | undefined;
  private tokens = 0;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly output: vscode.LogOutputChannel,
  ) {}

  /** Runs one edit; `partial` is called with what streams. Throws Problem, or CancellationError. */
  async edit(
    document: vscode.TextDocument,
    wish: Wish,
    partial: (value: Partial) => void,
    token: vscode.CancellationToken,
  ): Promise<Outcome> {
    const client = await this.started();
    const partialResultToken = `fastedit-${++this.tokens}`;
    const stream = client.onProgress(new ProgressType<Partial>(), partialResultToken, partial);
    const textDocument = {
      uri: client.code2ProtocolConverter.asUri(document.uri),
      version: document.version,
    };
    try {
      return await client.sendRequest<Outcome>(EDIT, { ...wish, textDocument, partialResultToken }, token);
    } catch (error) {
      throw this.explained(error, client, token);
    } finally {
      stream.dispose();
    }
  }

  /**
   * Applies what an agent wrote, in any format; `front` is the document that an edit means which names none. An edit of
   * several files ends here, confirmed in the editor's own preview; of one file only its address comes back, to be
   * reviewed. Throws Problem, or CancellationError.
   */
  async change(text: string, front: vscode.TextDocument | undefined): Promise<vscode.Uri | undefined> {
    const client = await this.started();
    const uri = front && { uri: client.code2ProtocolConverter.asUri(front.uri) };
    const message: Message = { message: text, review: true, ...uri };
    try {
      const params = { command: CHANGE, arguments: [message] };
      const { review } = await client.sendRequest<Changed>("workspace/executeCommand", params);
      return review === null ? undefined : client.protocol2CodeConverter.asUri(review);
    } catch (error) {
      throw this.explained(error, client);
    }
  }

  /** The operations of a document's language, with what their fields may name at a place. Throws Problem. */
  async operations(document: vscode.TextDocument, position: vscode.Position): Promise<Listed> {
    const client = await this.started();
    const uri = client.code2ProtocolConverter.asUri(document.uri);
    const place = { textDocument: { uri }, position: { line: position.line, character: position.character } };
    const params = { command: OPERATIONS, arguments: [place] };
    try {
      return await client.sendRequest<Listed>("workspace/executeCommand", params);
    } catch (error) {
      throw this.explained(error, client);
    }
  }

  /** Starts the server and lets it load its model; for the time in which an instruction is typed. */
  async warm(): Promise<void> {
    await (await this.started()).sendNotification(WARM);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.started();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await (await client?.catch(() => undefined))?.dispose();
  }

  dispose(): void {
    void this.stop();
  }

  private started(): Promise<LanguageClient> {
    this.client ??= this.start().catch((error: unknown) => {
      this.client = undefined;
      throw error;
    });
    return this.client;
  }

  private async start(): Promise<LanguageClient> {
    const config = vscode.workspace.getConfiguration("fastedit");
    const settings = parseSettings((name) => config.get(name));
    if (typeof settings === "string") throw new Problem(settings, SETTINGS);
    const [program, ...args] = await this.find(settings);
    this.output.info(`starting ${[program, ...args, "lsp"].join(" ")}`);
    const { model, serverUrl, policy } = settings;
    const asks = true; // by the command fastedit.operation
    const apiKey = (await this.context.secrets.get(KEY)) ?? "";
    const client = new LanguageClient(
      "fastedit",
      "FastEdit",
      { command: program as string, args: [...args, "lsp"] },
      {
        documentSelector: DOCUMENTS,
        outputChannel: this.output,
        initializationOptions: { model, serverUrl, policy, apiKey, asks },
        middleware: {
          // Nothing at all, so that the next one who can rename is asked.
          prepareRename: (document, at, token, ask) => (renames() ? ask(document, at, token) : undefined),
          provideRenameEdits: (document, at, name, token, ask) =>
            renames() ? ask(document, at, name, token) : undefined,
        },
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue }),
          closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
        },
      },
    );
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped) this.client = undefined;
    });
    await client.start();
    return client;
  }

  /** The command that starts a server we know. Throws Problem. */
  private async find(settings: Settings): Promise<string[]> {
    const places = { ...settings, bundled: bundledPython(this.context), interpreter: await interpreter() };
    const tried: string[] = [];
    for (const command of candidates(places)) {
      const problem = await this.problemWith(command as [string, ...string[]]);
      if (problem === undefined) return command;
      this.output.warn(problem);
      tried.push(problem);
    }
    throw new Problem(`no server found: ${tried.join("; ")}`, INSTALL, SETTINGS, OUTPUT);
  }

  private async problemWith([program, ...args]: [string, ...string[]]): Promise<string | undefined> {
    const answer = await promisify(execFile)(program, [...args, "--version"], { timeout: PROBE_MS }).catch(
      (error: Answer) => error,
    );
    return problemWith(program, answer, PROBE_MS);
  }

  private explained(error: unknown, client: LanguageClient, token?: vscode.CancellationToken): Error {
    if (token?.isCancellationRequested) return new vscode.CancellationError();
    if (error instanceof ResponseError && error.code === CANCELLED) return new vscode.CancellationError();
    if (error instanceof ResponseError && error.code === CONTENT_MODIFIED)
      return new Problem(`${error.message}`);
    if (client.state !== State.Running)
      return new Problem("the server stopped; your text is as it was", RESTART, OUTPUT);
    const code =
      error instanceof ResponseError ? (error.data as { code?: string } | undefined)?.code : undefined;
    return new Problem(
      error instanceof Error ? error.message : String(error),
      ...(code === "model_unavailable" ? [SETTINGS, OUTPUT] : [OUTPUT]),
    );
  }
}

/** Whether the editor's own *Rename Symbol* may be ours, which knows one file only. */
function renames(): boolean {
  return vscode.workspace.getConfiguration("fastedit").get("rename") === true;
}

/** Where `FastEdit: Install Server` puts an environment of this extension's own. */
export function bundledFolder(context: vscode.ExtensionContext): string {
  return join(context.globalStorageUri.fsPath, "environment");
}

export function bundledPython(context: vscode.ExtensionContext): string | undefined {
  const inside = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  const path = join(bundledFolder(context), ...inside);
  return existsSync(path) ? path : undefined;
}

/** What the Python extension uses in this workspace, if it is installed. */
async function interpreter(): Promise<string | undefined> {
  const python = vscode.extensions.getExtension<{
    environments?: { getActiveEnvironmentPath?(resource?: vscode.Uri): { path: string } | undefined };
  }>("ms-python.python");
  if (!python || !vscode.workspace.isTrusted) return undefined;
  const api = python.isActive ? python.exports : await python.activate();
  return api?.environments?.getActiveEnvironmentPath?.(vscode.window.activeTextEditor?.document.uri)?.path;
}
