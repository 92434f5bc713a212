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

class LanguageClient {
  constructor(id, name, server, options) {
    this.server = server;
    assert.equal(server.transport, "stdio");
    assert.deepEqual(
      options.documentSelector.map((one) => one.language),
      ["referee-scenario", "referee-game", "rhai", "markdown"],
    );
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

test("a program that is not there is named, with its setting; later starts go on", async () => {
  fails = true;
  await activate();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(log, [
    "start referee lsp",
    "`referee lsp` cannot be started: spawn ENOENT",
    "workbench.action.openSettings referee.path",
  ]);
  fails = false;
  log = [];
  await commands["referee.restart"]();
  assert.deepEqual(log, ["start referee lsp", "started"]);
});
