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
/** What the extension gave to the test explorer and to the preview. */
let given;
let answer;
/** The files of the folder, and the languages of the open ones. */
let folder;
let open;

class LanguageClient {
  constructor(id, name, server, options) {
    this.server = server;
    assert.equal(server.transport, "stdio");
    assert.deepEqual(
      options.documentSelector.map((one) => one.language),
      ["referee-scenario", "referee-game", "rhai", "markdown", "yaml"],
    );
    assert.deepEqual(options.initializationOptions, { quiet: true });
    this.carryOut = options.middleware.executeCommand;
    given.client = this;
    assert.equal(options.synchronize.fileEvents.pattern, "**/*.{game,scenario,rhai,md,yaml,yml}");
  }
  async start() {
    log.push(`start ${this.server.command} ${this.server.args.join(" ")}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (fails) {
      this.error("couldn't create connection", undefined, "force");
      throw new Error("spawn ENOENT");
    }
    log.push("started");
  }
  error(message, data, show) {
    if (show) log.push(message);
  }
  async stop() {
    log.push("stop");
  }
  async sendRequest(method, parameters) {
    return [method, parameters];
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
    showInformationMessage: async (message) => {
      log.push(message);
    },
    showWarningMessage: async (message, button) => {
      log.push(`${message} [${button}]`);
      return answer;
    },
  },
  Uri: { parse: (text) => ({ uri: text }) },
};

const load = Module._load;
Module._load = function (name, ...rest) {
  if (name === "vscode") return vscode;
  if (name === "vscode-languageclient/node") return { LanguageClient, TransportKind: { stdio: "stdio" } };
  if (name === "./explorer") return { addExplorer: (context, request, step) => (given.explorer = { request, step }) };
  if (name === "./preview") {
    const step = (test, { uri }) => log.push(`step ${test.title} ${test.steps.length} ${uri}`);
    return { addPreview: (context, request) => ((given.preview = { request }), { step }) };
  }
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
  given = {};
  answer = undefined;
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

test("the explorer and the preview ask the server, also while it starts", async () => {
  const starting = activate();
  const early = given.explorer.request("referee/tests", { a: 1 });
  await starting;
  assert.deepEqual(await early, ["referee/tests", { a: 1 }]);
  assert.deepEqual(await given.preview.request("referee/position", 2), ["referee/position", 2]);
  await extension.deactivate();
  await assert.rejects(given.explorer.request("referee/tests", {}), /the language server does not run/);
});

test("a lens shows the position, or says that there is none", async () => {
  await activate();
  log = [];
  const found = { title: "A", line: 3, text: "", svg: "" };
  assert.equal(await given.client.carryOut("referee.show", ["file:///a", 3], async () => found), found);
  await given.client.carryOut("referee.show", ["file:///a", 1], async () => null);
  given.explorer.step({ title: "B", steps: [] }, { uri: "file:///b" });
  assert.deepEqual(log, ["step A 1 file:///a", "There is no position here.", "step B 0 file:///b"]);
});

test("a lens runs tests, and the steps of a failure are a click away", async () => {
  await activate();
  log = [];
  const passed = { title: "A", status: "passed", steps: [] };
  const failed = { title: "B", status: "failed", steps: [{}, {}] };
  const run = (result) => given.client.carryOut("referee.run", ["file:///a", 3], async () => result);
  await run({ errors: [], tests: [passed] });
  await run({ errors: [], tests: [passed, failed] });
  answer = "Step through";
  await run({ errors: [], tests: [passed, failed] });
  await run({ errors: ["a message"], tests: [] });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(log, [
    "1 passed, 0 failed",
    "1 passed, 1 failed [Step through]",
    "1 passed, 1 failed [Step through]",
    "step B 2 file:///a",
    "The tests are not run, because the file has errors.",
  ]);
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
