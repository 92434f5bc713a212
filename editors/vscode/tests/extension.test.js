// How the extension starts and stops the language server; the editor and the client are replaced by small ones.
"use strict";

const assert = require("node:assert/strict");
const Module = require("node:module");
const { beforeEach, test } = require("node:test");

/** What the extension did, in order. */
let log;
let settings;
let commands;
let changed;
let fails;
let opened;
/** The files of the folder, and the languages of the open ones. */
let folder;
let open;

class LanguageClient {
  constructor(id, name, server, options) {
    this.server = server;
    assert.equal(server.transport, "stdio");
    assert.deepEqual(
      options.documentSelector.map((one) => one.language),
      ["referee-scenario", "referee-game", "rhai", "markdown"],
    );
    assert.equal(options.synchronize.fileEvents.pattern, "**/*.{game,scenario,rhai,md,yaml,yml}");
  }
  async start() {
    log.push(`start ${this.server.command} ${this.server.args.join(" ")}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (fails) throw new Error("spawn ENOENT");
    log.push("started");
  }
  async stop() {
    log.push("stop");
  }
}

const vscode = {
  workspace: {
    get textDocuments() {
      return open.map((languageId) => ({ languageId }));
    },
    findFiles: async (pattern, without, most) => {
      assert.deepEqual([pattern, without, most], ["**/*.{game,scenario}", "**/node_modules/**", 1]);
      return folder;
    },
    onDidOpenTextDocument: (listener) => {
      opened = listener;
      return { dispose() {} };
    },
    createFileSystemWatcher: (pattern) => ({ pattern, dispose() {} }),
    getConfiguration: (section) => ({ get: (name) => settings[`${section}.${name}`] }),
    onDidChangeConfiguration: (listener) => {
      changed = listener;
      return { dispose() {} };
    },
  },
  commands: {
    registerCommand: (name, run) => {
      commands[name] = run;
      return { dispose() {} };
    },
    executeCommand: (...words) => log.push(words.join(" ")),
  },
  window: {
    showErrorMessage: async (message, button) => {
      log.push(message);
      return button;
    },
  },
};

const load = Module._load;
Module._load = function (name, ...rest) {
  if (name === "vscode") return vscode;
  if (name === "vscode-languageclient/node") return { LanguageClient, TransportKind: { stdio: "stdio" } };
  return load.call(this, name, ...rest);
};

let extension;

beforeEach(() => {
  log = [];
  settings = { "referee.path": "referee", "referee.server": true };
  commands = {};
  fails = false;
  folder = ["games/pig/pig.game"];
  open = [];
  delete require.cache[require.resolve("../src/extension.js")];
  extension = require("../src/extension.js");
});

const activate = () => extension.activate({ subscriptions: [] });

test("the server is started by the program's name, and stopped at the end", async () => {
  await activate();
  await extension.deactivate();
  assert.deepEqual(log, ["start referee lsp", "started", "stop"]);
});

test("a setting names another program; a change restarts the server once it runs", async () => {
  const first = activate();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(log, ["start referee lsp"]);
  settings["referee.path"] = "/opt/referee";
  changed({ affectsConfiguration: (section) => section === "referee" });
  changed({ affectsConfiguration: () => false });
  await first;
  await commands["referee.restart"]();
  assert.deepEqual(log, [
    "start referee lsp",
    "started",
    "stop",
    "start /opt/referee lsp",
    "started",
    "stop",
    "start /opt/referee lsp",
    "started",
  ]);
});

test("no server is started if the settings say so", async () => {
  settings["referee.server"] = false;
  await activate();
  await extension.deactivate();
  assert.deepEqual(log, []);
});

test("no server is started for other rules and other Markdown", async () => {
  folder = [];
  open = ["rhai", "markdown"];
  await activate();
  opened({ languageId: "rhai" });
  await extension.deactivate();
  assert.deepEqual(log, []);
});

test("the first file that is opened starts the server, and the next ones do not", async () => {
  folder = [];
  await activate();
  assert.deepEqual(log, []);
  open = ["referee-scenario"];
  opened({ languageId: "referee-scenario" });
  opened({ languageId: "referee-game" });
  await extension.deactivate();
  assert.deepEqual(log, ["start referee lsp", "started", "stop"]);
});

test("a program that is not there is named, with its setting; later starts go on", async () => {
  fails = true;
  await activate();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(log, [
    "start referee lsp",
    "`referee lsp` cannot be started: spawn ENOENT",
    "workbench.action.openSettings referee.path",
  ]);
  log = [];
  opened({ languageId: "referee-scenario" });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(log, [], "it is not named again for each file");
  fails = false;
  await commands["referee.restart"]();
  assert.deepEqual(log, ["start referee lsp", "started"]);
});
