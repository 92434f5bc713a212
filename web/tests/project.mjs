// `referee playground` with a project on disk: what is changed in the page is written, and the other way round.
//
// usage: node project.mjs FOLDER PROGRAM
//
// `CHROMIUM` names the browser.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { launch } from "puppeteer-core";

const [folder, program] = process.argv.slice(2).map((path) => resolve(path));
const PATIENCE = { timeout: 60_000, polling: 20 };

const project = mkdtempSync(join(tmpdir(), "referee-project-"));
const made = spawnSync(program, ["new", "hopper"], { cwd: project, encoding: "utf8" });
assert.equal(made.status, 0, made.stderr);
const scenario = join(project, "scenarios/hopper/first.scenario");

const server = spawn(program, ["playground", ".", "--files", folder], { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((done, failed) => {
  createInterface(server.stdout).once("line", done);
  server.once("exit", () => failed(new Error("the server has ended")));
});
const browser = await launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});

async function eventually(what, test) {
  const end = Date.now() + PATIENCE.timeout;
  while (!test()) {
    assert(Date.now() < end, what);
    await new Promise((done) => setTimeout(done, 50));
  }
}

try {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE.timeout);
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  const until = (test, ...values) => page.waitForFunction(test, PATIENCE, ...values);
  const read = () => readFileSync(scenario, "utf8");
  const shows = (text) => until((text) => document.querySelector(".cm-content").textContent.includes(text), text);
  const press = (text) =>
    page.evaluate((text) => [...document.querySelectorAll("dialog button")].find((one) => one.textContent === text).click(), text);
  const type = async (text) => {
    await page.focus(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("End");
    await page.keyboard.up("Control");
    await page.keyboard.type(text);
  };

  await page.goto(address);
  await until(() => /^[1-9]\d* passed, 0 failed$/.test(document.querySelector("#examples .summary")?.textContent ?? ""));
  assert.equal(await page.$("#open"), null);

  // What is typed is written.
  await page.click('[data-path="scenarios/hopper/first.scenario"]');
  await type("# typed here");
  await eventually("the file is not written", () => read().includes("# typed here"));

  // What another program writes is shown.
  writeFileSync(scenario, read().replace("# typed here", "# by another program"));
  await shows("# by another program");
  writeFileSync(join(project, "scenarios/hopper/second.scenario"), read());
  await until(() => document.querySelector('[data-path="scenarios/hopper/second.scenario"]'));
  rmSync(join(project, "scenarios/hopper/second.scenario"));
  await until(() => !document.querySelector('[data-path="scenarios/hopper/second.scenario"]'));

  // If both change a file, the author chooses, and nothing is lost before.
  for (const [word, kept] of [["Keep what is here", "# mine"], ["Take what is on disk", "# theirs"]]) {
    const other = `${read().replace(/# (mine|theirs).*\n?/g, "")}# theirs\n`;
    await type(" # mine");
    writeFileSync(scenario, other);
    await until(() => document.querySelector("dialog[open] h2")?.textContent === "Changed twice");
    assert.equal(read(), other);
    await press(word);
    await eventually(word, () => read().includes(kept));
    await shows(kept);
  }

  // No other page has the address.
  const refused = await fetch(address.replace("?project", "api/project"), { headers: { Origin: "https://example.org" } });
  assert.equal(refused.status, 404);
  assert.deepEqual(problems.filter((problem) => !problem.includes("409")), []);
  console.log("a project on disk: written, followed, and asked about what was changed twice");
} finally {
  await browser.close();
  server.kill();
  rmSync(project, { recursive: true, force: true });
}
