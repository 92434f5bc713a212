// What the server knows of tests and positions, without the editor: requests and their results in a handy form.
"use strict";

/**
 * Returns the tests of a file, each scenario with its rows and branches below it.
 * @param {(method: string, parameters: object) => Promise<any>} request asks the server
 * @param {string} uri the file
 */
async function testsOf(request, uri) {
  const found = await request("referee/tests", { textDocument: { uri } });
  const scenarios = new Map();
  for (const test of found.tests) {
    const whole = test.row === null && test.branch === null;
    if (!scenarios.has(test.scenario)) {
      scenarios.set(test.scenario, { title: test.scenario, line: test.line, alone: whole, inside: [] });
    }
    const scenario = scenarios.get(test.scenario);
    // A table's rows stand below the scenario's own line.
    scenario.line = Math.min(scenario.line, test.line);
    if (!whole) scenario.inside.push({ title: test.title, line: test.line });
    else scenario.alone = true;
  }
  return { errors: found.errors, scenarios: [...scenarios.values()] };
}

/** Runs all tests of a file, or those at a line, counted from 1. */
async function run(request, uri, line) {
  const given = line === undefined ? [uri] : [uri, line];
  return request("workspace/executeCommand", { command: "referee.run", arguments: given });
}

/** Returns the messages of a test that did not pass: text, line from 0, and what to show side by side. */
function messagesOf(test) {
  return test.failures.map((failure) => {
    // The board that was reached is also given where no board was expected.
    const boards = failure.expectedBoard !== null && failure.reachedBoard !== null;
    return {
      text: failure.message,
      line: failure.line === null ? undefined : failure.line - 1,
      expected: (boards ? failure.expectedBoard : failure.expected) ?? undefined,
      reached: (boards ? failure.reachedBoard : failure.reached) ?? undefined,
    };
  });
}

/** Returns what a run says of a test, as lines of a terminal. */
function outputOf(test) {
  const lines = [`${test.status === "passed" ? "ok  " : "FAIL"} ${test.title}`];
  for (const { rendered } of test.failures) lines.push("", ...rendered.trimEnd().split("\n"), "");
  return lines.map((line) => `${line}\r\n`).join("");
}

/** Returns the position at a line, counted from 0; `null` where there is none. */
async function positionAt(request, uri, line) {
  const position = { line, character: 0 };
  return request("referee/position", { textDocument: { uri }, position });
}

module.exports = { messagesOf, outputOf, positionAt, run, testsOf };
