/** Puts the parts together. */

import * as vscode from "vscode";

import { createCommands } from "./vscode/commands";
import { Server } from "./vscode/server";
import { Sessions } from "./vscode/sessions";
import { createViews } from "./vscode/views";

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("FastEdit", { log: true });
  const server = new Server(context, output);
  const sessions = new Sessions(server);
  createViews(context, sessions);
  createCommands(context, server, sessions);
  context.subscriptions.push(
    output,
    server,
    sessions,
    vscode.commands.registerCommand("fastedit.showOutput", () => output.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("fastedit")) void server.stop();
    }),
  );
}
