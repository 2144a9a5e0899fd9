/** What a review looks like: the proposal's text, CodeLenses, gutter icons, the status bar. */

import * as vscode from "vscode";

import { finishedText, plural, runningText } from "../model/receipt";
import { PROPOSAL, Session } from "./session";
import { Sessions } from "./sessions";

const SOON_MS = 30;

/** Fires at once, then at most every SOON_MS: nobody reads faster, and the editor has better things to do. */
function coalesced(act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const run = (): void => {
    again = false;
    act();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) run();
    }, SOON_MS);
  };
  return () => {
    again = true;
    if (!timer) run();
  };
}

class Proposals implements vscode.TextDocumentContentProvider {
  readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.emitter.event;

  constructor(private readonly sessions: Sessions) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    const session = this.sessions.all.find((one) => one.proposal.toString() === uri.toString());
    if (session) return session.review.proposal().lines.join(session.eol);
    // A diff that is left open, or restored with its window, proposes nothing.
    return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.query)?.getText() ?? "";
  }
}

class Lenses implements vscode.CodeLensProvider {
  readonly emitter = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.emitter.event;

  constructor(private readonly sessions: Sessions) {}

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const session = this.sessions.of(document);
    if (!session) return [];
    const places =
      document.uri.scheme === PROPOSAL ? session.review.proposal().places : session.review.in("pending");
    const lenses = places.flatMap(({ id, start }) => [
      lens(document, start, "$(check) Accept", "fastedit.acceptHunk", session, id),
      lens(document, start, "$(x) Reject", "fastedit.rejectHunk", session, id),
    ]);
    if (session.reading) {
      const title = `$(arrow-swap) ${session.reading.title}`;
      lenses.push(lens(document, 0, title, "fastedit.chooseReading", session));
      lenses.push(lens(document, 0, "Next reading", "fastedit.nextReading", session));
    }
    if (places.length > 1) {
      lenses.push(
        lens(document, 0, `$(check-all) Accept all ${places.length}`, "fastedit.acceptAll", session),
      );
      lenses.push(lens(document, 0, "$(close-all) Reject all", "fastedit.rejectAll", session));
    }
    return lenses;
  }
}

function lens(
  document: vscode.TextDocument,
  line: number,
  title: string,
  command: string,
  session: Session,
  id?: number,
): vscode.CodeLens {
  const at = Math.min(line, document.lineCount - 1);
  return new vscode.CodeLens(new vscode.Range(at, 0, at, 0), {
    title,
    command,
    arguments: [{ key: session.key, id }],
  });
}

/** Keeps all views of the sessions up to date. */
export function createViews(context: vscode.ExtensionContext, sessions: Sessions): void {
  const [proposals, lenses] = [new Proposals(sessions), new Lenses(sessions)];
  const icon = (name: string): vscode.TextEditorDecorationType =>
    vscode.window.createTextEditorDecorationType({
      gutterIconPath: context.asAbsolutePath(`media/${name}.svg`),
      overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.modifiedForeground"),
    });
  const [pending, conflict] = [icon("pending"), icon("conflict")];
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left, 10);

  const gutter = (): void => {
    for (const editor of vscode.window.visibleTextEditors) {
      const review = sessions.of(editor.document)?.review;
      const own = review && editor.document.uri.scheme !== PROPOSAL ? review : undefined;
      const ranges = (state: "pending" | "conflict"): vscode.Range[] =>
        (own?.in(state) ?? []).map(({ start }) => new vscode.Range(start, 0, start, 0));
      editor.setDecorations(pending, ranges("pending"));
      editor.setDecorations(conflict, ranges("conflict"));
    }
  };
  const refresh = coalesced(() => {
    for (const session of sessions.all) proposals.emitter.fire(session.proposal);
    lenses.emitter.fire();
    gutter();
    showStatus(status, sessions);
    const shown = sessions.of(vscode.window.activeTextEditor?.document);
    void vscode.commands.executeCommand("setContext", "fastedit.reviewing", shown !== undefined);
    void vscode.commands.executeCommand("setContext", "fastedit.readings", shown?.reading !== undefined);
    void vscode.commands.executeCommand(
      "setContext",
      "fastedit.running",
      sessions.queue.running !== undefined,
    );
  });
  context.subscriptions.push(
    pending,
    conflict,
    status,
    vscode.workspace.registerTextDocumentContentProvider(PROPOSAL, proposals),
    vscode.languages.registerCodeLensProvider({ scheme: "*" }, lenses),
    sessions.changed.event(refresh),
    vscode.window.onDidChangeVisibleTextEditors(refresh),
    vscode.window.onDidChangeActiveTextEditor(refresh),
  );
}

function showStatus(item: vscode.StatusBarItem, sessions: Sessions): void {
  const session = sessions.current ?? sessions.last;
  if (!session) return item.hide();
  const { review, outcome, progress } = session;
  const waiting = sessions.queue.names.length;
  if (outcome) {
    item.text = `$(edit) ${finishedText(outcome, session.reading?.title, review.in("pending").length, review.in("conflict").length)}`;
    item.command = "fastedit.explainReceipt";
    item.tooltip = "Explain the last receipt";
  } else {
    item.text = `$(sync~spin) ${runningText(review.items.length, progress)}${waiting ? ` · ${plural(waiting, "file")} waiting` : ""}`;
    item.command = "fastedit.cancel";
    item.tooltip = `${session.name}: ${session.title} (click to cancel)`;
  }
  item.show();
}
