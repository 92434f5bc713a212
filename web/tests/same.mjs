// The module gives the results of the command: every test of the bundled games, and games played at random.
//
// usage: node same.mjs MODULE PROGRAM

import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [module, program] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");

const bundle = await build({
  entryPoints: [join(here, "../page/module.ts")],
  bundle: true,
  format: "esm",
  write: false,
});
const source = `data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].text).toString("base64")}`;
const { instantiate } = await import(source);
const referee = await instantiate(await WebAssembly.compile(readFileSync(module)), (text) => text.startsWith("panic") && console.error(text));

const files = {};
function read(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) read(path);
    else if (/\.(scenario|game|rhai|yaml|yml|md|snap)$/.test(name)) files[relative(root, path)] = readFileSync(path, "utf8");
  }
}
read(join(root, "games"));
read(join(root, "scenarios"));
referee.call({ op: "files", files });

const sorted = (value) =>
  Array.isArray(value) ? value.map(sorted)
  : value && typeof value === "object" ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
  : value;
const text = (value) => JSON.stringify(sorted(value));

function run(...words) {
  return spawnSync(program, words, { cwd: root, encoding: "utf8", env: { ...process.env, CI: "1" }, maxBuffer: 1 << 28, timeout: 300_000 });
}

function native(...words) {
  const { status, stdout, stderr } = run(...words);
  if (status !== 0) throw new Error(`referee ${words.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}

let wrong = 0;
function compared(what, ours, theirs) {
  if (text(ours) === text(theirs)) return true;
  wrong += 1;
  console.error(`${what} differs:\n${text(ours).slice(0, 400)}\n${text(theirs).slice(0, 400)}`);
  return false;
}

const key = (test) => [test.file, test.scenario, test.row, test.branch].join("|");
const expected = new Map(native("test", "--format", "json").tests.map((test) => [key(test), test]));
let equal = 0;
for (const path of Object.keys(files).filter((path) => /\.(scenario|md)$/.test(path))) {
  const { results, problems } = referee.call({ op: "test", path });
  if (problems.problems.summary?.errors > 0) compared(path, problems.problems, null);
  for (const test of results.tests) {
    if (compared(key(test), test, expected.get(key(test)))) equal += 1;
    expected.delete(key(test));
  }
}
for (const missing of expected.keys()) compared(missing, null, "a test of the command");

// Asks a question, in slices as the page does.
function asked(question, work) {
  const wrong = referee.call({ op: "ask", question });
  let slice = wrong?.problems ? wrong : referee.call({ op: "more", work });
  while (slice.finished === false) slice = referee.call({ op: "more", work });
  return slice;
}

const games = readdirSync(join(root, "games")).sort();
for (const game of games) {
  const count = 5;
  const { json } = asked({ ask: "simulate", set_up: { game }, seed: 1, count }, 2);
  compared(`simulate ${game}`, json, native("simulate", game, "-n", String(count), "--format", "json"));
}

// The odds at the end of the first scenario of each file, if every decision can be random.
let odds = 0;
for (const path of Object.keys(files).filter((path) => path.endsWith(".scenario"))) {
  const line = files[path].split("\n").findIndex((line) => /^\s*scenario\b/.test(line)) + 1;
  const said = run("odds", path, "--policy", "random", "--within", "1", "--states", "3000", "--format", "json");
  const ours = asked({ ask: "odds", from: { line: { path, line } }, policies: ["random"], within: 1, states: 3000 }, 1);
  if (said.status === 0 && compared(`odds ${path}`, ours.json, JSON.parse(said.stdout))) odds += 1;
  else if (said.status !== 0 && !ours.problems) compared(`odds ${path}`, ours.json, said.stderr);
}

// The other questions, each about a game that has something to say.
const questions = [
  [{ ask: "coverage", game: "pig" }, ["coverage", "pig"]],
  [{ ask: "mutate", game: "pig" }, ["mutate", "pig"]],
  [{ ask: "readings", game: "hex-squish" }, ["readings", "hex-squish"]],
  [{ ask: "compare", set_up: { game: "pig", with: [["goal", "50"]] }, seed: 1, count: 20 }, ["compare", "pig", "--set", "goal=50", "-n", "20", "--states", "0"]],
];
for (const [question, words] of questions) {
  const { json, rendered } = asked(question, 3);
  const { stdout, stderr } = run(...words, "--format", "json");
  compared(words.join(" "), json ?? rendered, stdout === "" ? stderr : JSON.parse(stdout));
}

// Scripts nest deeply, and the stack of a page cannot grow: the limits of the rules must hold first.
for (const depth of [10, 31, 200, 5000]) {
  const scenario = `use pig\nscenario "deep"\n  expect { ${"(".repeat(depth)}game.pot${")".repeat(depth)} == 0 }\n`;
  referee.call({ op: "set", path: "scenarios/deep.scenario", text: scenario });
  const { problems, results } = referee.call({ op: "test", path: "scenarios/deep.scenario" });
  const said = problems.rendered.join("\n");
  const passed = results.tests.every((test) => test.status === "passed");
  if (depth === 10 ? !passed : !said.includes("nested")) compared(`nested ${depth}`, { said, results }, null);
}

console.log(`${equal} tests, the simulations of ${games.length} games, the odds of ${odds} scenarios, and ${questions.length} other questions are the same; ${wrong} differ`);
process.exitCode = wrong === 0 && equal > 800 && odds > 10 ? 0 : 1;
