// The colours of small files, as comments in them say, and those of shipped files, as snapshots have them.
// `UPDATE=1 npm test` writes the snapshots.
"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");

const here = __dirname;
const extension = path.dirname(here);
const root = path.dirname(path.dirname(extension));
const bin = path.join(extension, "node_modules", "vscode-tmgrammar-test", "dist");
const manifest = path.join(extension, "package.json");

/** Runs one of the two programs of vscode-tmgrammar-test. */
function run(program, args) {
  const done = spawnSync(process.execPath, [path.join(bin, program), "--config", manifest, ...args], { encoding: "utf8" });
  return { code: done.status, said: done.stdout + done.stderr };
}

const cases = fs.readdirSync(here).filter((name) => name.endsWith(".txt"));

test("there are cases for each language", () => {
  assert.deepEqual(cases.sort(), ["expectations.txt", "game.txt", "markdown.txt", "rhai.txt", "scenario.txt"]);
});

for (const name of cases) {
  test(`the colours of ${name} are those that its comments name`, () => {
    const markdown = path.join(here, "markdown.tmLanguage.json");
    const { code, said } = run("unit.js", ["-g", markdown, path.join(here, name)]);
    assert.equal(code, 0, said);
    assert.match(said, /run successfuly/);
  });
}

test("a wrong claim about a colour is noticed", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "referee-"));
  const file = path.join(folder, "wrong.txt");
  fs.writeFileSync(file, '# SYNTAX TEST "source.referee.scenario"\nturn red\n# <---- comment\n');
  const { code, said } = run("unit.js", [file]);
  fs.rmSync(folder, { recursive: true });
  assert.notEqual(code, 0, said);
  assert.match(said, /missing required scopes: comment/);
});

const SHIPPED = ["scenarios/pig/odds.scenario", "games/pig/pig.game", "games/pig/rules.rhai"];

for (const name of SHIPPED) {
  test(`the colours of ${name} are those of its snapshot`, () => {
    // The program keeps snapshots beside the file.
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "referee-"));
    const file = path.join(folder, path.basename(name));
    const kept = path.join(here, "snapshots", `${name.replaceAll("/", "-")}.snap`);
    fs.copyFileSync(path.join(root, name), file);
    const update = process.env.UPDATE === "1";
    if (!update) fs.copyFileSync(kept, `${file}.snap`);
    const { code, said } = run("snapshot.js", [...(update ? ["--updateSnapshot"] : []), file]);
    assert.equal(code, 0, said);
    if (update) fs.copyFileSync(`${file}.snap`, kept);
    fs.rmSync(folder, { recursive: true });
  });
}
