/** One edit of one document under review, tied to what VS Code says about that document. */

import * as vscode from "vscode";

import { LineEdit, toTextEdits } from "../model/lines";
import { Outcome, Partial, Progress, Wish } from "../model/protocol";
import { Reading, readingsOf } from "../model/readings";
import { Review } from "../model/review";
import { Button, Problem } from "./problem";

const TRIES = 5;
const SOON_MS = 50;
const TAKE_BACK: Button = { title: "Take Them Back", command: "fastedit.undoAccepted" };
export const PROPOSAL = "fastedit-proposal";

export class Session {
  /** The reading under review. */
  review: Review;
  /** All that may be meant, where there is a choice. */
  readings: readonly Reading[] = [];
  outcome: Outcome | undefined;
  progress: Progress | undefined;
  /** Where the edit may land, in lines of the base; the first place of them. */
  region: { readonly start: number } | undefined;
  /** Whether its diff has been asked for. */
  opened = false;
  /** Settles when its diff is open. */
  shown: Thenable<unknown> = Promise.resolve();
  /** Whether the person has been taken to its first hunk. */
  revealed = false;
  private version: number;

  constructor(
    readonly document: vscode.TextDocument,
    readonly wish: Wish,
  ) {
    this.review = new Review(document.getText());
    this.version = document.version;
  }

  get key(): string {
    return this.document.uri.toString();
  }

  get name(): string {
    return vscode.workspace.asRelativePath(this.document.uri);
  }

  get title(): string {
    return this.wish.instruction ?? this.wish.operations?.map(({ op }) => op).join(", ") ?? "update";
  }

  /** The virtual document that shows the proposal, with the file's own name for its language's sake. */
  get proposal(): vscode.Uri {
    return vscode.Uri.from({
      scheme: PROPOSAL,
      path: `/${this.document.uri.path.split("/").pop()}`,
      query: this.key,
    });
  }

  get eol(): string {
    return this.document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  }

  receive(value: Partial): void {
    if (value.kind === "hunk") this.review.add(value.hunk);
    if (value.kind === "located") [this.region] = value.regions;
    if (value.kind === "progress") this.progress = value;
  }

  /** The whole answer; hunks that did not stream are added. */
  finish(outcome: Outcome): void {
    for (const hunk of outcome.hunks.slice(this.review.items.length)) this.review.add(hunk);
    this.readings = readingsOf(outcome, this.review, this.wish.choice);
    this.review.finish();
    this.outcome = outcome;
  }

  get reading(): Reading | undefined {
    return this.readings.find(({ review }) => review === this.review);
  }

  /** Reviews another reading; undecided again. Throws Problem where hunks of this one are in the file. */
  take(reading: Reading): void {
    if (reading.review === this.review) return;
    if (this.review.in("accepted").length)
      throw new Problem(`hunks of ${this.reading?.title} are accepted; take them back first`, TAKE_BACK);
    this.review = reading.review;
  }

  follow(event: vscode.TextDocumentChangeEvent): void {
    const reviews = this.readings.length ? this.readings.map(({ review }) => review) : [this.review];
    const changes = event.contentChanges.map(({ range, text }) => ({
      start: range.start,
      end: range.end,
      text,
    }));
    for (const review of reviews) review.change(changes);
    this.version = event.document.version;
  }

  /** Puts edits into the document as one undo step. They are asked for again where the document moved on. */
  async apply(edits: () => readonly LineEdit[]): Promise<void> {
    for (let tried = 0; tried < TRIES; tried++) {
      const wanted = edits();
      if (!wanted.length) return;
      // Between a change and the event that tells of it there is nothing to go by.
      if (this.document.version !== this.version) {
        await new Promise((done) => setTimeout(done, SOON_MS));
        continue;
      }
      const edit = new vscode.WorkspaceEdit();
      for (const { start, end, text } of toTextEdits(this.review.lines, wanted, this.eol)) {
        edit.replace(
          this.document.uri,
          new vscode.Range(start.line, start.character, end.line, end.character),
          text,
        );
      }
      if (await vscode.workspace.applyEdit(edit)) return;
    }
    throw new Problem(`${this.name} does not take the edit; is it read-only? Nothing was changed`);
  }
}
