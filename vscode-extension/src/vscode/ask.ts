/** What the person wants: the instruction, the document, the clipboard. */

import * as vscode from "vscode";

import { History } from "../model/history";
import { Wish } from "../model/protocol";
import { Button, Problem } from "./problem";
import { PROPOSAL } from "./session";

const OPEN: Button = { title: "Open File", command: "workbench.action.files.openFile" };
const LARGEST = 5_000_000; // characters; the server's own limit

/** The document of the active editor, if it can be edited. Throws Problem. */
export function activeDocument(): vscode.TextDocument {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) {
    throw new Problem(
      "open a text file first; binary files and files of 50 MB and more cannot be edited",
      OPEN,
    );
  }
  return editable(document);
}

/** Throws Problem where the document must not or cannot be edited. */
export function editable(document: vscode.TextDocument): vscode.TextDocument {
  const { scheme } = document.uri;
  const name = vscode.workspace.asRelativePath(document.uri);
  if (scheme === PROPOSAL) throw new Problem("this is a proposal; decide its hunks or edit the file itself");
  if (scheme !== "untitled" && vscode.workspace.fs.isWritableFileSystem(scheme) === false) {
    throw new Problem(`${name} is read-only; save a copy and edit that`, {
      title: "Save As…",
      command: "workbench.action.files.saveAs",
    });
  }
  if (document.getText().length > LARGEST) {
    throw new Problem(
      `${name} has more than ${LARGEST.toLocaleString("en")} characters; move what is to be changed into a smaller file`,
      OPEN,
    );
  }
  return document;
}

/** The selection as a range of a wish; nothing where nothing is selected. */
export function selected(): Pick<Wish, "range"> {
  const selection = vscode.window.activeTextEditor?.selection;
  if (!selection || selection.isEmpty) return {};
  const { start, end } = selection;
  return {
    range: {
      start: { line: start.line, character: start.character },
      end: { line: end.line, character: end.character },
    },
  };
}

/** Asks for an instruction: what is typed comes first, earlier ones that match below. Undefined where the person leaves. */
export function askInstruction(history: History, where: string): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick();
  const earlier = history.all;
  pick.title = `FastEdit: edit ${where}`;
  pick.placeholder = "What should change? For example: rename load to read";
  const offer = (): void => {
    const typed = pick.value.trim();
    const others = earlier
      .filter((label) => label !== typed)
      .map((label) => ({ label, iconPath: new vscode.ThemeIcon("history") }));
    pick.items = typed ? [{ label: typed, alwaysShow: true }, ...others] : others;
  };
  offer();
  return new Promise((resolve) => {
    pick.onDidChangeValue(offer);
    pick.onDidAccept(() => {
      // Who types fast is ahead of the list: only an earlier instruction of the list of now was chosen.
      const [active] = pick.activeItems;
      const chosen = active?.iconPath && pick.items.includes(active) ? active.label : pick.value.trim();
      resolve(chosen || undefined);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** The clipboard's text. Throws Problem where it holds none. */
export async function clipboardText(): Promise<string> {
  const text = await vscode.env.clipboard.readText();
  if (!text.trim()) throw new Problem("the clipboard holds no text; copy the edit first");
  return text;
}
