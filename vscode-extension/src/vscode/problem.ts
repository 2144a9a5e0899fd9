/** Errors as a message with a button that helps. */

import * as vscode from "vscode";

export interface Button {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

export const SETTINGS: Button = {
  title: "Open Settings",
  command: "workbench.action.openSettings",
  arguments: ["fastedit"],
};
export const OUTPUT: Button = { title: "Show Output", command: "fastedit.showOutput" };
export const RESTART: Button = { title: "Restart Server", command: "fastedit.restart" };
export const INSTALL: Button = { title: "Install Server", command: "fastedit.installServer" };

/** Something that a person can do something about. */
export class Problem extends Error {
  readonly buttons: readonly Button[];

  constructor(message: string, ...buttons: Button[]) {
    super(message);
    this.buttons = buttons;
  }
}

/** Shows any error; what is cancelled needs no message. */
export async function report(error: unknown, show = vscode.window.showErrorMessage): Promise<void> {
  if (error instanceof vscode.CancellationError) return;
  const buttons = error instanceof Problem ? error.buttons : [OUTPUT];
  const text = error instanceof Error ? error.message : String(error);
  const chosen = await show(`FastEdit: ${text}`, ...buttons.map((button) => button.title));
  const button = buttons.find((one) => one.title === chosen);
  if (button) await vscode.commands.executeCommand(button.command, ...(button.arguments ?? []));
}
