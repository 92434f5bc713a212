// The module gives the results of the command: every test of the bundled games, and games played at random.
//
// usage: node same.mjs MODULE PROGRAM

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import * as page from "./module.mjs";

const [module, program] = process.argv.slice(2).map((path) => resolve(path));
const { root } = page;
const referee = await page.instance(module);
const asked = (question, work) => page.asked(referee, question, work);
// How many modules of compiled rules the page has made.
let made = 0;
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...given) {
    super(...given);
    made += 1;
  }
};

const files = page.texts("games", "scenarios");
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

const games = readdirSync(join(root, "games")).sort();
for (const game of games) {
  const count = 5;
  const { json } = asked({ ask: "simulate", set_up: { game }, seed: 1, count }, 2);
  compared(`simulate ${game}`, json, native("simulate", game, "-n", String(count), "--format", "json"));
}

// Longer series, and longer odds, of games whose rules are compiled: the browser runs the modules.
const series = [["pig", 6000], ["royal-game-of-ur", 500], ["breakthrough", 2000], ["hex-squish", 3000], ["squish-blocks", 1000], ["lines-of-action", 200]];
let compiled = 0;
for (const [game, count] of series) {
  const before = made;
  const { json } = asked({ ask: "simulate", set_up: { game }, seed: 7, count }, 50);
  compared(`${count} games of ${game}`, json, native("simulate", game, "-n", String(count), "--seed", "7", "--format", "json"));
  compiled += made > before ? 1 : 0;
}
{
  const before = made;
  const { json } = asked({ ask: "compare", set_up: { game: "pig", with: [["goal", "50"]] }, seed: 1, count: 12000 }, 500);
  compared("a long comparison", json, native("compare", "pig", "--set", "goal=50", "-n", "12000", "--states", "0", "--format", "json"));
  compiled += made > before + 1 ? 1 : 0;
}
{
  const before = made;
  const policies = ["greedy:hold_at(10)"];
  const { json } = asked({ ask: "odds", from: { set_up: { game: "pig", with: [["goal", "30"]] } }, policies }, 1);
  compared("odds by compiled rules", json, native("odds", "pig", "--with", "goal=30", "--policy", ...policies, "--to-the-end", "--format", "json"));
  compiled += made > before ? 1 : 0;
}
if (compiled !== series.length + 2) compared("the number of runs by compiled rules", compiled, series.length + 2);

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

console.log(`${equal} tests, the simulations of ${games.length} games, ${compiled} long runs by compiled rules, the odds of ${odds} scenarios, and ${questions.length} other questions are the same; ${wrong} differ`);
process.exitCode = wrong === 0 && equal > 800 && odds > 10 ? 0 : 1;
