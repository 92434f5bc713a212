// The test explorer and the board beside the text, with the real server; the editor is replaced by a small one.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const rpc = require("vscode-jsonrpc/node");

const ROOT = path.join(__dirname, "..", "..", "..");
const REFEREE = process.env.REFEREE ?? path.join(ROOT, "target", "debug", "referee");

const GOOD = `use pig

scenario "A one loses the pot"
  players ann ben
  turn ann
  roll 4
  ann again
  roll 1
  expect asks roll
  expect ann.score = 0

  branch "Ann begins anew"
    turn ben
    roll 3
`;
const FAILING = `use breakthrough

scenario "A pawn that is elsewhere"
  turn white
  white move a2-a3
  expect a4 empty
  expect board
    | b b b b b b b b
    | b b b b b b b b
    | . . . . . . . .
    | . . . . . . . .
    | w . . . . . . .
    | . . . . . . . .
    | . w w w w w w w
    | w w w w w w w w

scenario "A table"
  players ann ben
`;
const WRONG = 'use pig\n\nscenario "Wrong"\n  tern ann\n';

class Items extends Map {
  add(item) {
    this.set(item.id, item);
  }
  forEach(act) {
    [...this.values()].forEach((item) => act(item, this));
  }
}

class Range {
  constructor(line) {
    this.start = { line };
  }
}

/** What the editor was told of a run. */
let told;
let output = "";
let profiles;
let controller;
let panels;
let selected;
let files;

const uriOf = (file) => ({ path: file, toString: () => `file://${file}` });

const vscode = {
  TestRunProfileKind: { Run: 1, Debug: 2 },
  ViewColumn: { One: 1, Beside: -2 },
  Range,
  Selection: class {},
  Position: class {
    constructor(line) {
      this.line = line;
    }
  },
  Location: class {
    constructor(uri, position) {
      this.line = position.line;
    }
  },
  TestMessage: class {
    constructor(text) {
      this.text = text;
    }
    static diff(text, expected, reached) {
      return Object.assign(new vscode.TestMessage(text), { expected, reached });
    }
  },
  tests: {
    createTestController: () => {
      controller = {
        items: new Items(),
        createTestItem: (id, label, uri) => ({ id, label, uri, children: new Items() }),
        createRunProfile: (name, kind, run) => (profiles[name] = run),
        createTestRun: () => ({
          started: () => {},
          appendOutput: (text) => (output += text),
          passed: (item) => told.push(`passed ${item.label}`),
          failed: (item, messages) => told.push({ failed: item.label, messages }),
          errored: (item, message) => told.push({ errored: item.label, text: message.text }),
          end: () => told.push("end"),
        }),
      };
      return controller;
    },
  },
  workspace: {
    asRelativePath: (uri) => path.basename(uri.path),
    findFiles: async () => files.map(uriOf),
    onDidOpenTextDocument: () => ({}),
    onDidChangeTextDocument: (listener) => (vscode.workspace.changed = listener),
    onDidSaveTextDocument: () => ({}),
    onDidDeleteFiles: () => ({}),
  },
  commands: { registerCommand: (name, run) => (vscode.commands[name] = run) },
  window: {
    createWebviewPanel: (kind, title) => {
      const panel = { title, webview: { onDidReceiveMessage: (hear) => (panel.hear = hear) }, onDidDispose: () => {} };
      panels.push(panel);
      return panel;
    },
    onDidChangeTextEditorSelection: (listener) => (vscode.window.moved = listener),
    visibleTextEditors: [],
    showTextDocument: async (uri) => ({ revealRange: (range) => selected.push(range.start.line) }),
  },
};

const load = Module._load;
Module._load = function (name, ...rest) {
  return name === "vscode" ? vscode : load.call(this, name, ...rest);
};
const { addExplorer } = require("../src/explorer");
const { addPreview } = require("../src/preview");
const { messagesOf } = require("../src/results");

let server;
let connection;
let folder;
let explorer;
let preview;

before(async () => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "referee-")));
  files = ["good.scenario", "failing.scenario", "wrong.scenario"].map((name) => path.join(folder, name));
  [GOOD, FAILING.split('\n\nscenario "A table"')[0] + "\n", WRONG].forEach((text, at) => fs.writeFileSync(files[at], text));
  server = spawn(REFEREE, ["lsp"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  const reader = new rpc.StreamMessageReader(server.stdout);
  connection = rpc.createMessageConnection(reader, new rpc.StreamMessageWriter(server.stdin));
  connection.listen();
  const folders = [{ uri: `file://${folder}`, name: "folder" }];
  const options = { quiet: true };
  await connection.sendRequest("initialize", {
    capabilities: {},
    processId: null,
    workspaceFolders: folders,
    initializationOptions: options,
  });
  await connection.sendNotification("initialized", {});
  [profiles, panels, selected] = [{}, [], []];
  const context = { subscriptions: [] };
  const request = (method, parameters) => connection.sendRequest(method, parameters);
  preview = addPreview(context, request);
  explorer = addExplorer(context, request, preview.step);
});

after(async () => {
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  connection.dispose();
  fs.rmSync(folder, { recursive: true });
});

test("every scenario is in the explorer, with its branches, at its line", async () => {
  await explorer.readAll();
  const labels = [...controller.items.values()].map((item) => item.label);
  assert.deepEqual(labels, ["good.scenario", "failing.scenario", "wrong.scenario"]);
  const good = controller.items.get(`file://${files[0]}`);
  const [scenario] = [...good.children.values()];
  assert.deepEqual([scenario.label, scenario.range.start.line], ["A one loses the pot", 2]);
  const inside = [...scenario.children.values()].map((item) => [item.label, item.range.start.line]);
  assert.deepEqual(inside, [["A one loses the pot > Ann begins anew", 11]]);
  assert.match(controller.items.get(`file://${files[2]}`).error, /1 errors/);
});

test("all tests are run; a failure has its line, and both boards side by side", async () => {
  told = [];
  await profiles.Run({}, { isCancellationRequested: false });
  const passed = told.filter((one) => typeof one === "string");
  assert.deepEqual(passed, ["passed A one loses the pot", "passed A one loses the pot > Ann begins anew", "end"]);
  const failed = told.find((one) => one.failed);
  assert.equal(failed.failed, "A pawn that is elsewhere");
  assert.equal(failed.messages.length, 2, JSON.stringify(failed.messages));
  const [message, both] = failed.messages;
  assert.deepEqual([both.location.line, message.location.line], [6, 6]);
  assert.match(both.expected, /4 +w \. \./);
  assert.match(both.reached, /3 +w \. \./);
  // The first message is what the editor shows beside the line.
  assert.match(message.text, /the board differs on 2 cells: a4 a3/);
  assert.equal(message.expected, undefined);
  assert.match(output, /^ok   A one loses the pot\r\n/);
  assert.match(output, /FAIL A pawn that is elsewhere\r\n[^]*the board differs[^]*expect board/);
  const errored = told.find((one) => one.errored);
  assert.match(errored.text, /tern/);
});

test("one test is run alone", async () => {
  told = [];
  const good = controller.items.get(`file://${files[0]}`);
  const [scenario] = [...good.children.values()];
  const [branch] = [...scenario.children.values()];
  await profiles.Run({ include: [branch] }, { isCancellationRequested: false });
  assert.deepEqual(told, ["passed A one loses the pot > Ann begins anew", "end"]);
});

test("a test is stepped through: each position, and the cursor at its line", async () => {
  told = [];
  const failing = controller.items.get(`file://${files[1]}`);
  await profiles["Step through"]({ include: [...failing.children.values()] }, { isCancellationRequested: false });
  const panel = panels.at(-1);
  assert.equal(panel.title, "A pawn that is elsewhere");
  const pictures = panel.webview.html.match(/data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+/g);
  assert.ok(pictures.length >= 3, panel.webview.html);
  const picture = Buffer.from(pictures.at(-1).split(",")[1], "base64").toString();
  assert.match(picture, /^<svg/);
  panel.hear({ line: 6 });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(selected, [5]);
  panel.hear({ line: "6); alert(1" });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(selected, [5]);
});

test("what is compared is of one kind: two boards, or what a line says", async () => {
  const board = "1 . w\n  a b";
  const failure = { message: "large is at c4, not at d4", line: 20, expected: "large at d4", reached: "large at c4" };
  const lone = { failures: [{ ...failure, expectedBoard: null, reachedBoard: board }] };
  const both = { failures: [{ ...failure, expectedBoard: "1 w .\n  a b", reachedBoard: board }] };
  const compared = [lone, both].map((one) => messagesOf(one)[0]).map(({ expected, reached }) => [expected, reached]);
  assert.deepEqual(compared, [
    ["large at d4", "large at c4"],
    ["1 w .\n  a b", board],
  ]);
});

/** Waits until the panel shows something. */
async function until(panel, pattern) {
  for (let tries = 0; tries < 200 && !pattern.test(panel.webview.html); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.match(panel.webview.html, pattern);
}

test("the panel follows the cursor, and what is written", async () => {
  const document = { uri: uriOf(files[0]), languageId: "referee-scenario" };
  vscode.window.activeTextEditor = { document, selection: { active: { line: 5 } } };
  await vscode.commands["referee.preview"]();
  const panel = panels.at(-1);
  assert.match(panel.webview.html, /asks ann again/);
  vscode.window.moved({ textEditor: { document, selection: { active: { line: 7 } } } });
  await until(panel, /asks roll/);
  assert.match(panel.webview.html, /default-src 'none'/);

  // In the rules, the position stays, and is asked for again when they change.
  const rules = { document: { uri: uriOf("/rules.rhai"), languageId: "rhai" }, selection: { active: { line: 0 } } };
  vscode.window.activeTextEditor = rules;
  panel.webview.html = "";
  vscode.workspace.changed({ document: rules.document });
  await until(panel, /asks roll/);
});
