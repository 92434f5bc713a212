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

/** Opens a scenario with an error, and returns what the server reports. */
async function talk() {
  await connection.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {} });
  await connection.sendNotification("initialized", {});
  const text = 'use pig\n\nscenario "A"\n  turn ann\n  roll 7\n';
  const textDocument = { uri: "file:///a.scenario", languageId: "referee-scenario", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  const { diagnostics } = await reported;
  assert.deepEqual(
    diagnostics.map((one) => [one.code, one.range.start.line]),
    [["wrong_roll", 4]],
  );
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  assert.equal(await ended, 0);
  console.log("loaded with what it brings; the language server answers");
}

setTimeout(() => {
  server.kill();
  assert.fail("the language server does not answer");
}, 30000).unref();
talk();
