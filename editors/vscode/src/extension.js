// Starts the language server, `referee lsp`, where there are files for it, and again when a setting changes. Connects it
// with the test explorer and the board beside the text.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const { addExplorer } = require("./explorer");
const { addPreview } = require("./preview");

/** Files of these languages are for `referee` alone; rules and Markdown may be something else. */
const OWN = ["referee-scenario", "referee-game"];

/** The files about which the server is asked. */
const DOCUMENTS = [...OWN, "rhai", "markdown", "yaml"].map((language) => ({ language }));

/** The files that the server reads itself, and has to hear about when they change. */
const READ = "**/*.{game,scenario,rhai,md,yaml,yml}";

/** A client that leaves it to us to say that the server does not start. */
class Client extends LanguageClient {
  error(message, data, show) {
    super.error(message, data, this.starts ? false : show);
  }
  async start() {
    this.starts = true;
    await super.start();
    this.starts = false;
  }
}

/** @type {Client | undefined} */
let client;

/** @type {vscode.FileSystemWatcher | undefined} */
let watcher;

/** Shows the steps of a test beside the text. */
let step = () => {};

/** Whether the server was to be started, with success or without. */
let tried = false;

/** Starts and stops are done one after another. */
let queue = Promise.resolve();

/** Returns whether there is a file for the server alone, open or in a folder of the editor. */
async function wanted() {
  if (vscode.workspace.textDocuments.some((document) => OWN.includes(document.languageId))) return true;
  const found = await vscode.workspace.findFiles("**/*.{game,scenario}", "**/node_modules/**", 1);
  return found.length > 0;
}

/** Asks the server, once it has started. */
async function request(method, parameters) {
  await queue;
  if (!client) throw new Error("the language server does not run");
  return client.sendRequest(method, parameters);
}

/** Carries out a command of a lens, and shows its result. */
async function carryOut(command, given, next) {
  const result = await next(command, given);
  if (command === "referee.run") shown(result, given[0]);
  if (command === "referee.show") {
    if (result) step({ title: result.title, steps: [result] }, vscode.Uri.parse(given[0]));
    else vscode.window.showInformationMessage("There is no position here.");
  }
  return result;
}

/** Shows how many tests passed; the steps of the first that did not are a click away. */
async function shown({ errors, tests }, uri) {
  if (errors.length > 0) {
    vscode.window.showErrorMessage("The tests are not run, because the file has errors.");
    return;
  }
  const failed = tests.filter((test) => test.status !== "passed");
  const summary = `${tests.length - failed.length} passed, ${failed.length} failed`;
  if (failed.length === 0) {
    vscode.window.showInformationMessage(summary);
    return;
  }
  const look = "Step through";
  const chosen = await vscode.window.showWarningMessage(summary, look);
  if (chosen === look) step(failed[0], vscode.Uri.parse(uri));
}

/** Starts the server if the settings want it and there are files for it. */
async function start() {
  const settings = vscode.workspace.getConfiguration("referee");
  if (!settings.get("server") || !(await wanted())) return;
  tried = true;
  const command = settings.get("path") || "referee";
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  const about = {
    documentSelector: DOCUMENTS,
    synchronize: { fileEvents: watcher },
    // Results of commands are shown here, and not as messages of the server.
    initializationOptions: { quiet: true },
    middleware: { executeCommand: carryOut },
  };
  client = new Client("referee", "referee", server, about);
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
  tried = false;
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

/** Starts the server for the first file that is for it alone. */
function opened(document) {
  if (!OWN.includes(document.languageId)) return;
  queue = queue.then(() => (tried ? undefined : start()));
}

/** Called by the editor when a file of ours is opened, or a folder that has one. */
function activate(context) {
  watcher = vscode.workspace.createFileSystemWatcher(READ);
  step = addPreview(context, request).step;
  addExplorer(context, request, (test, uri) => step(test, uri));
  context.subscriptions.push(
    watcher,
    vscode.commands.registerCommand("referee.restart", restart),
    vscode.workspace.onDidOpenTextDocument(opened),
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
