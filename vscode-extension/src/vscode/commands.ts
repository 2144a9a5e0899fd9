/** The commands, each a few lines over the sessions. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

import { History } from "../model/history";
import { Operation } from "../model/operations";
import { Wish } from "../model/protocol";
import { explain } from "../model/receipt";
import { activeDocument, askInstruction, clipboardText, editable, selected } from "./ask";
import { askOperation } from "./operation";
import { INSTALL, Problem, report } from "./problem";
import { KEY, Server, bundledFolder } from "./server";
import { PROPOSAL, Session } from "./session";
import { Sessions } from "./sessions";

export const RECEIPT = "fastedit-receipt";
const NO_REVIEW = "no edit is under review";

/** What a CodeLens says about itself; keys and menus say nothing. */
interface Which {
  readonly key?: string;
  readonly id?: number;
}

export function createCommands(context: vscode.ExtensionContext, server: Server, sessions: Sessions): void {
  const history = new History(context.globalState, "history");
  const commands: Record<string, (...args: never[]) => unknown> = {
    applyEdit: (given?: Wish) => applyEdit(server, sessions, history, given),
    applyClipboard: () => applyClipboard(server, sessions),
    operation: (given?: Operation) => operate(server, sessions, given),
    applyToFiles: (_: vscode.Uri, files?: vscode.Uri[]) =>
      applyToFiles(server, sessions, history, files ?? [_]),
    acceptHunk: (which?: Which) => onHunk(sessions, which, (session, id) => sessions.accept(session, id)),
    rejectHunk: (which?: Which) => onHunk(sessions, which, (session, id) => sessions.reject(session, id)),
    acceptAll: (which?: Which) => sessions.acceptAll(reviewed(sessions, which)),
    rejectAll: (which?: Which) => sessions.rejectAll(reviewed(sessions, which)),
    nextHunk: () => nextHunk(reviewed(sessions)),
    nextReading: (which?: Which) => sessions.read(reviewed(sessions, which)),
    chooseReading: (which?: Which) => chooseReading(sessions, reviewed(sessions, which)),
    showReview: () => sessions.show(reviewed(sessions)),
    cancel: () => Promise.all(sessions.all.map((session) => sessions.rejectAll(session))),
    undoAccepted: () => undoAccepted(sessions),
    explainReceipt: () => vscode.commands.executeCommand("markdown.showPreview", receiptOf(sessions)),
    setKey: () => setKey(context, server),
    restart: () => server.restart(),
    installServer: () => installServer(context),
  };
  for (const [name, run] of Object.entries(commands)) {
    const guarded = async (...args: unknown[]): Promise<void> => {
      try {
        await run(...(args as never[]));
      } catch (error) {
        void report(error);
      }
    };
    context.subscriptions.push(vscode.commands.registerCommand(`fastedit.${name}`, guarded));
  }
  const receipts: vscode.TextDocumentContentProvider = {
    provideTextDocumentContent: () => receiptText(sessions),
  };
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider(RECEIPT, receipts));
}

/** `given` is a key binding's or a button's wish; a menu gives the file's address, which holds none. */
async function applyEdit(server: Server, sessions: Sessions, history: History, given?: Wish): Promise<void> {
  const document = activeDocument();
  const range = selected();
  if (given?.instruction || given?.update) return sessions.start(document, { ...given, ...range });
  const where = `${range.range ? "the selection in " : ""}${vscode.workspace.asRelativePath(document.uri)}`;
  const instruction = await asked(server, history, where);
  if (instruction) await sessions.start(document, { instruction, ...range });
}

/** Whatever the clipboard holds: an edit of one file is reviewed hunk by hunk, one of several in the editor's preview. */
async function applyClipboard(server: Server, sessions: Sessions): Promise<void> {
  const text = await clipboardText();
  const active = vscode.window.activeTextEditor?.document;
  // In front of a proposal is the file that it is for.
  const uri = await server.change(text, sessions.of(active)?.document ?? active);
  if (!uri) return;
  const document = editable(await vscode.workspace.openTextDocument(uri));
  await sessions.start(document, { update: text, ...(document === active ? selected() : {}) });
}

/** `given` is what a code action knows already; a menu gives the file's address, which names no operation. */
async function operate(server: Server, sessions: Sessions, given?: Operation): Promise<void> {
  const document = activeDocument();
  const position = vscode.window.activeTextEditor?.selection.active ?? new vscode.Position(0, 0);
  const listed = await server.operations(document, position);
  if (!listed.operations.length)
    throw new Problem("there are no operations for this language; see Apply Edit");
  const { textDocument: _, ...known } = given?.op ? given : { op: "" };
  const operation = await askOperation(listed, known);
  if (operation) await sessions.start(document, { operations: [operation] });
}

async function applyToFiles(
  server: Server,
  sessions: Sessions,
  history: History,
  files: vscode.Uri[],
): Promise<void> {
  const uris = files.filter((file) => file instanceof vscode.Uri);
  if (!uris.length) throw new Problem("select files in the explorer first");
  const instruction = await asked(server, history, uris.length === 1 ? "1 file" : `${uris.length} files`);
  if (!instruction) return;
  const edits = uris.map(async (uri) => {
    const document = await vscode.workspace.openTextDocument(uri).then(editable, () => {
      throw new Problem(`${vscode.workspace.asRelativePath(uri)} is no text file; it is left out`);
    });
    await sessions.start(document, { instruction });
  });
  for (const edit of edits) edit.catch((error: unknown) => report(error));
  await Promise.allSettled(edits);
}

/** While the person types, the server gets ready; what keeps it from that is told when the edit is asked for. */
async function asked(server: Server, history: History, where: string): Promise<string | undefined> {
  void server.warm().catch(() => undefined);
  const instruction = await askInstruction(history, where);
  // Not waited for: the person waits for the edit.
  if (instruction) void history.add(instruction).catch((error: unknown) => report(error));
  return instruction;
}

function reviewed(sessions: Sessions, which?: Which): Session {
  const session = sessions.all.find((one) => one.key === which?.key) ?? sessions.current;
  if (!session) throw new Problem(NO_REVIEW);
  return session;
}

async function onHunk(
  sessions: Sessions,
  which: Which | undefined,
  act: (session: Session, id: number) => Promise<void>,
): Promise<void> {
  const session = reviewed(sessions, which);
  const id = which?.id ?? hunkAtCursor(session);
  if (id === undefined) throw new Problem("no hunk is left to decide here");
  await act(session, id);
}

/** The pending hunk at or nearest to the cursor, in the file or in the proposal. */
function hunkAtCursor(session: Session): number | undefined {
  const editor = vscode.window.activeTextEditor;
  const line = editor?.selection.active.line ?? 0;
  if (editor?.document.uri.scheme !== PROPOSAL) return session.review.nearest(line)?.id;
  const { places } = session.review.proposal();
  return (places.find((place) => line < place.stop || line <= place.start) ?? places.at(-1))?.id;
}

async function nextHunk(session: Session): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const inProposal = editor.document.uri.scheme === PROPOSAL;
  const places = inProposal ? session.review.proposal().places : session.review.in("pending");
  const line = editor.selection.active.line;
  const next = places.find((place) => place.start > line) ?? places[0];
  if (!next) return;
  const at = new vscode.Position(Math.min(next.start, editor.document.lineCount - 1), 0);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function chooseReading(sessions: Sessions, session: Session): Promise<void> {
  const picks = session.readings.map((reading) => ({
    label: reading.title,
    description: reading === session.reading ? "under review" : reading.place,
    reading,
  }));
  if (!picks.length) return sessions.read(session);
  const picked = await vscode.window.showQuickPick(picks, { title: `FastEdit: readings of ${session.name}` });
  if (picked) await sessions.read(session, picked.reading);
}

async function undoAccepted(sessions: Sessions): Promise<void> {
  const here = sessions.of(vscode.window.activeTextEditor?.document);
  const session = [here, sessions.last, ...sessions.all].find((one) => one?.review.in("accepted").length);
  if (!session) throw new Problem("nothing that was accepted is left to take back");
  await sessions.takeBack(session);
}

function receiptOf(sessions: Sessions): vscode.Uri {
  if (!sessions.last?.outcome) throw new Problem("no edit has finished yet");
  // A name of its own each time, since an opened preview is not asked for again.
  return vscode.Uri.from({ scheme: RECEIPT, path: "/Receipt.md", query: `${Date.now()}` });
}

function receiptText(sessions: Sessions): string {
  const session = sessions.last;
  return session?.outcome ? explain(session.outcome, session.name, session.title) : "";
}

async function setKey(context: vscode.ExtensionContext, server: Server): Promise<void> {
  const key = await vscode.window.showInputBox({
    title: "FastEdit: the server's key",
    prompt: "Kept in the editor's secret storage; empty removes it",
    password: true,
  });
  if (key === undefined) return;
  await (key ? context.secrets.store(KEY, key) : context.secrets.delete(KEY));
  await server.stop();
}

/** Makes an environment of this extension's own, in a terminal where the person sees what happens. The package is in no
 * index yet, so it is installed from its source, where the person has that. */
async function installServer(context: vscode.ExtensionContext): Promise<void> {
  const [source] =
    (await vscode.window.showOpenDialog({
      title: "FastEdit's folder, which the server is installed from",
      openLabel: "Install",
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (!source) return;
  if (!existsSync(join(source.fsPath, "fastedit", "model"))) {
    throw new Problem(
      `${source.fsPath} is not FastEdit's folder; choose the one with its pyproject.toml`,
      INSTALL,
    );
  }
  const folder = bundledFolder(context);
  const windows = process.platform === "win32";
  const python = windows ? `${folder}\\Scripts\\python.exe` : `${folder}/bin/python`;
  const terminal = vscode.window.createTerminal({ name: "FastEdit" });
  terminal.show();
  terminal.sendText(`${windows ? "py -3" : "python3"} -m venv "${folder}"`);
  terminal.sendText(`${windows ? "& " : ""}"${python}" -m pip install --upgrade "${source.fsPath}[lsp]"`);
}
