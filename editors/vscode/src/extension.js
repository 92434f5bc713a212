// Starts the language server, `referee lsp`, and restarts it when a setting changes.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

/** The files about which the server is asked. */
const DOCUMENTS = [
  { language: "referee-scenario" },
  { language: "referee-game" },
  { language: "rhai" },
  { language: "markdown" },
];

/** @type {LanguageClient | undefined} */
let client;

/** Starts and stops are done one after another. */
let queue = Promise.resolve();

/** Starts the server if the settings want it. */
async function start() {
  const settings = vscode.workspace.getConfiguration("referee");
  if (!settings.get("server")) return;
  const command = settings.get("path") || "referee";
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("referee", "referee", server, { documentSelector: DOCUMENTS });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const message = `\`${command} lsp\` cannot be started: ${error instanceof Error ? error.message : error}`;
    const open = "Open the setting";
    // Not awaited: a restart must not wait for an answer.
    vscode.window.showErrorMessage(message, open).then((chosen) => {
      if (chosen === open) vscode.commands.executeCommand("workbench.action.openSettings", "referee.path");
    });
  }
}

/** Stops the server if it runs. */
async function stop() {
  const running = client;
  client = undefined;
  try {
    await running?.stop();
  } catch {
    // It has ended already.
  }
}

/** Stops the server and starts it again, after what is under way. */
function restart() {
  queue = queue.then(stop).then(start);
  return queue;
}

/** Called by the editor when a file of ours is opened. */
function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("referee.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("referee")) restart();
    }),
  );
  return restart();
}

/** Called by the editor when it ends. */
function deactivate() {
  queue = queue.then(stop);
  return queue;
}

module.exports = { activate, deactivate };
