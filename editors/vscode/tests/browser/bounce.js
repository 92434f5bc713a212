// The example of the README, with what its tests and pictures change in it.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { ROOT } = require("./editor");

/** The game and its example, whose board is wrong on one cell, and which has a line that fails. */
function bounce() {
  const readme = fs.readFileSync(path.join(ROOT, "README.md"), "utf8");
  const [example] = readme.split("```scenario scenarios/bounce.scenario\n")[1].split("```");
  const short = example.split("  expect events\n")[0].replace("at c4", "at d4");
  const board = [".........", ".........", "..LLL....", "..LLL....", "..LL.....", ".........", ".........", "g........"];
  const rows = board.map((row) => `    | ${[...row].join(" ")}\n`);
  const files = { "scenarios/bounce.scenario": `${short}  expect board\n${rows.join("")}` };
  for (const name of ["squish-board.game", "rules.rhai", "RULES.md"]) {
    const at = `games/squish-board/${name}`;
    files[at] = fs.readFileSync(path.join(ROOT, at), "utf8");
  }
  return files;
}

module.exports = { bounce };
