// The test explorer: every scenario, its rows and branches; run, or step by step.
"use strict";

const vscode = require("vscode");
const { messagesOf, outputOf, run, testsOf } = require("./results");

/** The files with tests; those of packages are not ours. */
const FILES = "**/*.{scenario,md}";
const NOT = "**/{node_modules,target}/**";

/** Returns what the editor shows of a failure, at its line. */
function messagesAt(uri, { text, line, expected, reached }) {
  const shown = [new vscode.TestMessage(text)];
  // Beside the line, the editor shows the first message. Of one with two texts, it shows only the beginnings of these, which
  // for boards is nothing to read.
  if (expected !== undefined && reached !== undefined) {
    shown.push(vscode.TestMessage.diff("expected and reached, side by side", expected, reached));
  }
  for (const one of shown) {
    if (line !== undefined) one.location = new vscode.Location(uri, new vscode.Position(line, 0));
  }
  return shown;
}

/**
 * Adds the test explorer.
 * @param {(method: string, parameters: object) => Promise<any>} request asks the server
 * @param {(test: object, uri: vscode.Uri) => void} step shows the steps of a test
 */
function addExplorer(context, request, step) {
  const controller = vscode.tests.createTestController("referee", "referee");
  context.subscriptions.push(controller);

  /** The scenarios that are tests beside their branches. */
  const alone = new WeakSet();

  /** Reads the tests of a file again; a file without any has no entry. */
  async function read(uri) {
    const key = uri.toString();
    let found;
    try {
      found = await testsOf(request, key);
    } catch {
      // The server does not run, or the file is gone.
      controller.items.delete(key);
      return undefined;
    }
    if (found.scenarios.length === 0 && found.errors === 0) {
      controller.items.delete(key);
      return undefined;
    }
    const file = controller.createTestItem(key, vscode.workspace.asRelativePath(uri), uri);
    file.error = found.errors > 0 ? `${found.errors} errors: see the problems of the file` : undefined;
    const item = (test) => {
      const one = controller.createTestItem(`${key}#${test.title}`, test.title, uri);
      one.range = new vscode.Range(test.line - 1, 0, test.line - 1, 0);
      return one;
    };
    for (const scenario of found.scenarios) {
      const one = item(scenario);
      if (scenario.alone) alone.add(one);
      scenario.inside.forEach((test) => one.children.add(item(test)));
      file.children.add(one);
    }
    controller.items.add(file);
    return file;
  }

  async function readAll() {
    const files = await vscode.workspace.findFiles(FILES, NOT);
    for (const uri of files) await read(uri);
  }

  controller.refreshHandler = readAll;
  controller.resolveHandler = (item) => (item ? undefined : readAll());

  /** Returns the items in an item that are tests: also the item itself, if it is one. */
  function leaves(item) {
    const found = [];
    item.children.forEach((child) => found.push(...leaves(child)));
    return found.length === 0 || alone.has(item) ? [item, ...found] : found;
  }

  /** Runs the chosen tests: one request for each file. */
  async function runTests(chosen, cancelled, debug) {
    const tests = controller.createTestRun(chosen);
    const wanted = chosen.include ?? [...controller.items].map(([, item]) => item);
    const without = new Set(chosen.exclude ?? []);
    const byFile = new Map();
    for (const item of new Set(wanted.flatMap(leaves).filter((item) => !without.has(item)))) {
      const key = item.uri.toString();
      byFile.set(key, [...(byFile.get(key) ?? []), item]);
    }
    for (const [uri, items] of byFile) {
      if (cancelled.isCancellationRequested) break;
      items.forEach((item) => tests.started(item));
      const one = items.length === 1 && items[0].range;
      const result = await run(request, uri, one ? items[0].range.start.line + 1 : undefined);
      for (const item of items) report(tests, item, result);
      const shown = debug && result.tests[0];
      if (shown) step(shown, items[0].uri);
    }
    tests.end();
  }

  /** Reports the result of one item. */
  function report(tests, item, result) {
    if (result.errors.length > 0) {
      tests.errored(item, new vscode.TestMessage(result.errors.join("\n")));
      return;
    }
    const title = item.id.slice(item.uri.toString().length + 1);
    const found = result.tests.filter((test) => title === "" || test.title === title);
    if (found.length === 0) {
      tests.errored(item, new vscode.TestMessage("this test is no longer in its file"));
      return;
    }
    const failed = found.filter((test) => test.status !== "passed");
    found.forEach((test) => tests.appendOutput(outputOf(test), undefined, item));
    const messages = failed.flatMap(messagesOf).flatMap((message) => messagesAt(item.uri, message));
    if (failed.length === 0) tests.passed(item);
    else tests.failed(item, messages);
  }

  const kinds = vscode.TestRunProfileKind;
  controller.createRunProfile("Run", kinds.Run, (chosen, cancelled) => runTests(chosen, cancelled, false), true);
  controller.createRunProfile("Step through", kinds.Debug, (chosen, cancelled) => runTests(chosen, cancelled, true), true);

  const changed = (document) => {
    if (/\.(scenario|md)$/.test(document.uri.path)) read(document.uri);
  };
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(changed),
    vscode.workspace.onDidSaveTextDocument(changed),
    vscode.workspace.onDidDeleteFiles((gone) => gone.files.forEach((uri) => controller.items.delete(uri.toString()))),
  );
  return { controller, read, readAll };
}

module.exports = { addExplorer };
