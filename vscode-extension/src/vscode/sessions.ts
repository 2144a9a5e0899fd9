/** All edits under review: run one after another, shown one after another, decided hunk by hunk. */

import * as vscode from "vscode";

import { Wish } from "../model/protocol";
import { Cancelled, Queue } from "../model/queue";
import { Reading } from "../model/readings";
import { Button, Problem, report } from "./problem";
import { Server } from "./server";
import { PROPOSAL, Session } from "./session";

/** How long a first hunk is waited for: with it the diff opens at its place, is drawn once, and has not taken time from it. */
const SOON_MS = 150;
const EXPLAIN: Button = { title: "Explain", command: "fastedit.explainReceipt" };
const NEXT: Button = { title: "Next Reading", command: "fastedit.nextReading" };
const SHOW: Button = { title: "Show It", command: "fastedit.showReview" };
const CANCEL: Button = { title: "Cancel It", command: "fastedit.cancel" };

export class Sessions implements vscode.Disposable {
  /** The newest finished edit, for its receipt and for taking it back. */
  last: Session | undefined;
  readonly queue = new Queue(() => this.changed.fire());
  readonly changed = new vscode.EventEmitter<void>();
  private readonly sessions = new Map<string, Session>();
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly server: Server) {
    this.disposables = [
      this.changed,
      vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)),
      vscode.workspace.onDidCloseTextDocument((document) => this.closed(document)),
      vscode.window.onDidChangeVisibleTextEditors(() => this.all.forEach((session) => this.reveal(session))),
    ];
  }

  dispose(): void {
    this.queue.cancel();
    vscode.Disposable.from(...this.disposables).dispose();
  }

  get all(): Session[] {
    return [...this.sessions.values()];
  }

  /** The session of a document, or of the proposal for it. */
  of(document: vscode.TextDocument | undefined): Session | undefined {
    if (!document) return undefined;
    return this.sessions.get(document.uri.scheme === PROPOSAL ? document.uri.query : document.uri.toString());
  }

  /** The session that the person looks at, else any. */
  get current(): Session | undefined {
    return this.of(vscode.window.activeTextEditor?.document) ?? this.all[0];
  }

  /** Runs an edit and shows it. Throws Problem; resolves when it runs no more, not when all is decided. */
  async start(document: vscode.TextDocument, wish: Wish): Promise<void> {
    const key = document.uri.toString();
    const before = this.sessions.get(key);
    if ((before && !before.review.settled) || this.queue.names.includes(key)) {
      const name = vscode.workspace.asRelativePath(document.uri);
      throw new Problem(`an edit of ${name} is still under review`, SHOW, CANCEL);
    }
    // All that is left of it no longer fits.
    if (before) await this.leave(before);
    const waiting = {
      name: key,
      run: (signal: AbortSignal) => this.run(document, wish, signal),
    };
    try {
      await this.queue.add(waiting);
    } catch (error) {
      if (!(error instanceof Cancelled || error instanceof vscode.CancellationError)) throw error;
    }
  }

  async accept(session: Session, id: number): Promise<void> {
    await this.decide(session, () =>
      session.apply(() => [session.review.accept(id)].filter((edit) => edit !== undefined)),
    );
  }

  async reject(session: Session, id: number): Promise<void> {
    await this.decide(session, async () => session.review.reject(id));
  }

  async acceptAll(session: Session): Promise<void> {
    await this.decide(session, () => session.apply(() => session.review.acceptAll()));
  }

  async rejectAll(session: Session): Promise<void> {
    this.queue.cancel(session.key);
    await this.decide(session, async () => session.review.cancel());
  }

  /** Shows another reading of the update for review; by default the next one. Throws Problem where there is none. */
  async read(session: Session, wanted?: Reading): Promise<void> {
    const { readings, reading } = session;
    const next = wanted ?? readings[(readings.findIndex((one) => one === reading) + 1) % readings.length];
    if (!next) throw new Problem("this edit has one reading only");
    session.take(next);
    session.revealed = false;
    this.changed.fire();
    this.reveal(session);
  }

  /** Takes back what was accepted of an edit, in one step. */
  async takeBack(session: Session): Promise<void> {
    await session.apply(() => session.review.takeBack());
  }

  async show(session: Session): Promise<void> {
    const title = `${session.name} ↔ ${session.title}`;
    const both = [session.document.uri, session.proposal];
    // Where something changes, or where the person is looking now.
    const [first] = session.review.proposal().places;
    const line = first?.start ?? session.region?.start;
    const selection =
      line === undefined ? editorOf(session.document)?.selection : new vscode.Range(line, 0, line, 0);
    const options: vscode.TextDocumentShowOptions = { preview: true, ...(selection && { selection }) };
    session.opened = true;
    session.revealed ||= first !== undefined;
    session.shown = vscode.commands.executeCommand("vscode.diff", ...both, title, options);
    await session.shown;
  }

  /** Shows a session as soon as there is something to show and its turn has come. */
  private open(session: Session): void {
    if (!session.opened && this.all[0] === session) void this.show(session);
  }

  /** Brings the first hunk into sight, once: in a long file it may be anywhere. */
  private reveal(session: Session): void {
    if (session.revealed) return;
    const proposal = session.proposal.toString();
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === proposal,
    );
    const first = editor && session.review.proposal().places[0];
    if (!first) return;
    session.revealed = true;
    const at = new vscode.Position(Math.min(first.start, editor.document.lineCount - 1), 0);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  private async run(document: vscode.TextDocument, wish: Wish, signal: AbortSignal): Promise<void> {
    const session = new Session(document, wish);
    this.sessions.set(session.key, session);
    const source = new vscode.CancellationTokenSource();
    signal.addEventListener("abort", () => source.cancel());
    this.changed.fire();
    try {
      const partial = (value: Parameters<Session["receive"]>[0]): void => {
        session.receive(value);
        this.changed.fire();
        if (value.kind === "hunk") this.open(session);
        if (value.kind === "located") setTimeout(() => this.open(session), SOON_MS);
        this.reveal(session);
      };
      session.finish(await this.server.edit(document, wish, partial, source.token));
      if (!session.review.settled) this.open(session);
      this.reveal(session);
      this.last = session;
      this.tell(session);
      await this.decide(session, async () => {});
    } catch (error) {
      session.review.cancel();
      await this.leave(session);
      throw error;
    } finally {
      source.dispose();
    }
  }

  private tell(session: Session): void {
    const { outcome, name } = session;
    const reasons = outcome?.reasons.join("; ") ?? "";
    if (outcome?.status === "suspect") {
      const buttons = session.readings.length ? [NEXT, EXPLAIN] : [EXPLAIN];
      void report(
        new Problem(`${name} is suspect: ${reasons}`, ...buttons),
        vscode.window.showWarningMessage,
      );
    } else if (outcome && !outcome.hunks.length) {
      void report(
        new Problem(`${name}: nothing had to change`, EXPLAIN),
        vscode.window.showInformationMessage,
      );
    }
    const notes = outcome?.notes.join("; ");
    if (notes) void report(new Problem(`${name}: ${notes}`, EXPLAIN), vscode.window.showInformationMessage);
  }

  private async decide(session: Session, decision: () => Promise<void>): Promise<void> {
    await decision();
    this.changed.fire();
    if (session.review.settled) await this.leave(session);
  }

  /** Ends a review: its diff is closed, the file shown if it was looked at, and the next review's turn comes. */
  private async leave(session: Session): Promise<void> {
    if (this.sessions.get(session.key) !== session) return;
    this.sessions.delete(session.key);
    this.changed.fire();
    // An edit may end before its diff is there to be closed.
    await session.shown;
    if (diffsOf(session).some((tab) => tab.isActive)) await vscode.window.showTextDocument(session.document);
    // Asked for again: showing the file has made new tabs of all of them.
    await vscode.window.tabGroups.close(diffsOf(session));
    const [next] = this.all;
    if (next) await this.show(next);
  }

  /** The newest finished edit follows its document on too, so that it can still be taken back. */
  private follow(event: vscode.TextDocumentChangeEvent): void {
    const last = this.last?.document === event.document ? this.last : undefined;
    const following = new Set([this.sessions.get(event.document.uri.toString()), last]);
    following.delete(undefined);
    if (!following.size || !event.contentChanges.length) return;
    for (const session of following) session?.follow(event);
    this.changed.fire();
  }

  private closed(document: vscode.TextDocument): void {
    const session = this.sessions.get(document.uri.toString());
    if (this.last?.document === document) this.last = undefined;
    if (!session) return;
    this.queue.cancel(session.key);
    session.review.cancel();
    void this.leave(session);
    const text = `${session.name} was closed, renamed or deleted; what was proposed for it is dropped`;
    const { range: _, ...wish } = session.wish;
    const again: Button = { title: "Apply Again", command: "fastedit.applyEdit", arguments: [wish] };
    void report(new Problem(text, again), vscode.window.showWarningMessage);
  }
}

function editorOf(document: vscode.TextDocument): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return [activeTextEditor, ...visibleTextEditors].find((editor) => editor?.document === document);
}

function diffsOf(session: Session): vscode.Tab[] {
  const proposal = session.proposal.toString();
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === proposal,
    );
}
