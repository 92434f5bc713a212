// Loads the packed extension with all that it brings, and talks to the language server by the packed protocol:
// node packed.js EXTENSION PROGRAM
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const Module = require("node:module");
const path = require("node:path");

const [extension, program] = process.argv.slice(2).map((one) => path.resolve(one));

// The editor itself: everything in it is a class.
const anything = new Proxy(class {}, { get: (whole, name) => (name === "prototype" ? whole.prototype : anything) });
const load = Module._load;
Module._load = function (name, ...rest) {
  return name === "vscode" ? anything : load.call(this, name, ...rest);
};

const packed = Module.createRequire(path.join(extension, "package.json"));
const { activate, deactivate } = packed(packed("./package.json").main);
assert.equal(typeof activate, "function");
assert.equal(typeof deactivate, "function");
assert.equal(typeof packed("vscode-languageclient/node").LanguageClient, "function");

const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = packed("vscode-jsonrpc/node");
const server = spawn(program, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = createMessageConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
const ended = new Promise((resolve) => server.on("exit", resolve));
const reported = new Promise((resolve) => connection.onNotification("textDocument/publishDiagnostics", resolve));
connection.listen();

const { messagesOf, positionAt, run, testsOf } = packed("./src/results.js");

/** A scenario with a table and a branch that fails. */
const TABLE = `use pig

scenario "A throw"
  turn ann
  roll {throw}
  expect game.pot = 4
  examples
    | throw |
    | 4     |
    | 5     |
`;

/** Tries what the extension makes of tests and positions. */
async function results() {
  const request = (method, parameters) => connection.sendRequest(method, parameters);
  const uri = "file:///b.scenario";
  const textDocument = { uri, languageId: "referee-scenario", version: 1, text: TABLE };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  assert.deepEqual(await testsOf(request, uri), {
    errors: 0,
    scenarios: [
      {
        title: "A throw",
        line: 9,
        alone: false,
        inside: [
          { title: "A throw (row 1)", line: 9 },
          { title: "A throw (row 2)", line: 10 },
        ],
      },
    ],
  });
  const all = await run(request, uri);
  assert.deepEqual(
    all.tests.map((test) => [test.title, test.status]),
    [
      ["A throw (row 1)", "passed"],
      ["A throw (row 2)", "failed"],
    ],
  );
  const [second] = (await run(request, uri, 10)).tests;
  assert.deepEqual(messagesOf(second), [
    { text: "game.pot is 5, not 4", line: 5, expected: "game.pot = 4", reached: "game.pot = 5" },
  ]);
  assert.equal((await positionAt(request, uri, 4)).line, 5);
  assert.equal(await positionAt(request, uri, 0), null);
}

/** Opens a scenario with an error, and looks at what the server reports. */
async function talk() {
  const initializationOptions = { quiet: true };
  await connection.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {}, initializationOptions });
  await connection.sendNotification("initialized", {});
  const text = 'use pig\n\nscenario "A"\n  turn ann\n  roll 7\n';
  const textDocument = { uri: "file:///a.scenario", languageId: "referee-scenario", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  const { diagnostics } = await reported;
  assert.deepEqual(
    diagnostics.map((one) => [one.code, one.range.start.line]),
    [["wrong_roll", 4]],
  );
  await results();
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  assert.equal(await ended, 0);
  console.log("loaded with what it brings; the language server answers, and its results are understood");
}

setTimeout(() => {
  server.kill();
  assert.fail("the language server does not answer");
}, 30000).unref();
talk();
