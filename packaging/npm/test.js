// Tests of the package for npm as it is installed: `node --test test.js`, where REFEREE_INSTALLED is a folder that has it
// in node_modules.
"use strict";

const assert = require("node:assert/strict");
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");

const folder = process.env.REFEREE_INSTALLED;
const shim = path.join(folder, "node_modules/referee-rules/bin/referee.js");
const own = `referee-rules-${process.platform}-${process.arch}`;

/** Runs the shim, after `before`: lines of code that change what it sees of the system. */
function run(args, options = {}, before = "") {
  const code = `${before}; process.argv.splice(1, 0, ${JSON.stringify(shim)}); require(${JSON.stringify(shim)});`;
  return spawnSync(process.execPath, ["-e", code, "--", ...args], { cwd: folder, encoding: "utf8", ...options });
}

test("standard input, output and error are those of the program", () => {
  const input = 'use pig\nscenario "A"\nturn ann\n';
  const done = run(["fmt", "--stdin", "a.scenario"], { input });
  assert.equal(done.stdout, 'use pig\n\nscenario "A"\n  turn ann\n');
  assert.equal(done.stderr, "");
  assert.equal(done.status, 0);
  const wrong = run(["games", "pigg"]);
  assert.equal(wrong.stdout, "");
  assert.match(wrong.stderr, /did you mean `pig`\?/);
  assert.equal(wrong.status, 2);
});

test("arguments with spaces, quotes and empty ones arrive as they are", () => {
  const done = run(["games", 'a "b" $c', ""]);
  assert.match(done.stderr, /unknown game `a "b" \$c`/);
});

test("the grammars come with it", async () => {
  const at = path.join(folder, "grammars.mjs");
  fs.writeFileSync(at, 'import grammars from "referee-rules/grammars"; console.log(grammars.map((one) => one.name).join(" "))');
  const done = spawnSync(process.execPath, [at], { encoding: "utf8" });
  assert.equal(done.stdout, "rhai referee scenario game\n", done.stderr);
});

test("a platform without a program is named, with those that have one", () => {
  const done = run(["--version"], {}, 'Object.defineProperty(process, "platform", { value: "sunos" })');
  assert.equal(done.status, 70);
  assert.equal(
    done.stderr,
    `error: there is no program for sunos-${process.arch}; there are those for darwin-arm64, darwin-x64, linux-arm64, ` +
      "linux-x64, win32-x64\n" +
      "build it from its sources: `cargo install --locked --path .` in a copy of the project\n",
  );
});

test("a missing package for the platform is named", () => {
  const modules = path.join(folder, "node_modules");
  fs.renameSync(path.join(modules, own), path.join(modules, "away"));
  try {
    const done = run(["--version"]);
    assert.equal(done.status, 70);
    assert.match(done.stderr, new RegExp(`^error: the package \`${own}\` is not installed`));
    assert.match(done.stderr, /npm install --include=optional referee-rules/);
  } finally {
    fs.renameSync(path.join(modules, "away"), path.join(modules, own));
  }
});

test("a program that cannot be started is named", () => {
  const program = path.join(folder, "node_modules", own, "bin/referee");
  fs.chmodSync(program, 0o644);
  try {
    const done = run(["--version"]);
    assert.equal(done.status, 70);
    assert.match(done.stderr, /bin\/referee` cannot be started: /);
  } finally {
    fs.chmodSync(program, 0o755);
  }
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
  test(`${signal} ends the program and the shim`, async () => {
    // Far longer than this test.
    const args = ["simulate", "pig", "-n", "100000000", "--jobs", "1"];
    const child = spawn(process.execPath, [shim, ...args], { cwd: folder, stdio: "ignore" });
    const children = `/proc/${child.pid}/task/${child.pid}/children`;
    let program = "";
    for (let tries = 0; program === "" && tries < 500; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      program = fs.readFileSync(children, "utf8").trim();
    }
    assert.notEqual(program, "", "the program was never started");
    const ended = new Promise((resolve) => child.on("exit", (code, by) => resolve([code, by])));
    child.kill(signal);
    assert.deepEqual(await ended, [null, signal]);
    const runs = fs.existsSync(`/proc/${program}`);
    if (runs) process.kill(Number(program));
    assert.equal(runs, false, "the program still runs");
  });
}
