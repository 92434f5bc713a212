// The playground in headless Chromium, as a visitor uses it.
//
// usage: node browser.mjs FOLDER [CHROMIUM]

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { launch } from "puppeteer-core";
import { serve } from "./serve.mjs";

const [folder, chromium = process.env.CHROMIUM ?? "/usr/bin/chromium"] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = [1400, 600];
// A slow machine may take long; what never happens fails all the same.
const PATIENCE = { timeout: 60_000 };

const host = await serve(folder);
const browser = await launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
let passed = 0;

async function visit(width, address = host.address, context = undefined) {
  const own = context ?? (await browser.createBrowserContext());
  const page = await own.newPage();
  await page.setViewport({ width, height: 900 });
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  await page.goto(address);
  await page.waitForSelector(".cm-content", PATIENCE);
  await page.waitForFunction(() => document.querySelector("#examples .summary"), PATIENCE);
  return page;
}

const summary = (page) => page.$eval("#examples .summary", (found) => found.textContent);
const until = (page, test, ...values) => page.waitForFunction(test, PATIENCE, ...values);
const text = (page) => page.evaluate(() => document.querySelector(".cm-content").cmTile?.view?.state.doc.toString() ?? document.querySelector(".cm-content").innerText);

async function open(page, name) {
  await page.select("#open", name);
  await until(page, () => /passed/.test(document.querySelector("#examples .summary")?.textContent ?? ""));
}

// Replaces the first line of the open text that contains `before`: selects it, and types.
async function typeOver(page, before, after) {
  const box = await page.evaluateHandle((before) => {
    const line = [...document.querySelectorAll(".cm-line")].find((line) => line.textContent.includes(before));
    line.scrollIntoView();
    return line;
  }, before);
  await box.click({ count: 3 });
  await page.keyboard.type(after);
}

const cases = {
  async "a wrong cell is marked, shown with both boards, and mended by its quick fix"(width) {
    const page = await visit(width);
    await open(page, "new: squares");
    await until(page, () => /^[1-9]\d* passed, 0 failed/.test(document.querySelector("#examples .summary").textContent));
    const line = await page.evaluate(() => [...document.querySelectorAll(".cm-line")].map((line) => line.textContent).find((line) => /expect \S+ at \S+/.test(line)));
    assert.ok(line, "the template has an expectation of a piece at a cell");
    const began = performance.now();
    await typeOver(page, line.trim(), line.replace(/ at (\S+)/, (_, cell) => ` at ${cell === "a1" ? "b1" : "a1"}`).trimEnd());
    await until(page, () => document.querySelector(".cm-lintRange-error"));
    console.log(`  from the keys to the mark: ${Math.round(performance.now() - began)} ms`);
    await until(page, () => document.querySelector("#examples .failure"));
    const mark = await page.$(".cm-lintRange-error");
    await mark.hover();
    await page.waitForSelector(".cm-diagnosticAction", PATIENCE);
    await page.click(".cm-diagnosticAction");
    await until(page, () => /, 0 failed/.test(document.querySelector("#examples .summary").textContent));
    return page;
  },

  async "a game is played by clicking, and becomes an example that passes"(width) {
    const page = await visit(width);
    await open(page, "breakthrough");
    const before = Number.parseInt(await summary(page), 10);
    await page.click("#tab-play");
    await page.click("#pane-play .table button");
    for (let turn = 0; turn < 4; turn += 1) {
      await page.waitForSelector("#pane-play .options button", PATIENCE);
      const standing = await page.$eval("#pane-play .standing", (found) => found.textContent);
      await page.click("#pane-play .options button");
      await until(page, (old) => document.querySelector("#pane-play .standing").textContent !== old, standing);
    }
    await page.evaluate(() => [...document.querySelectorAll("#pane-play button")].find((one) => one.textContent === "Make this an example").click());
    await until(page, (before) => Number.parseInt(document.querySelector("#examples .summary").textContent, 10) > before, before);
    assert.match(await summary(page), /, 0 failed/);
    return page;
  },

  async "a simulation grows, and its command is shown"(width) {
    const page = await visit(width);
    await open(page, "pig");
    await page.click("#tab-ask");
    await page.click("#pane-ask .table button");
    await until(page, () => document.querySelector("#pane-ask [role=progressbar]").getAttribute("aria-valuenow") === "100");
    assert.match(await page.$eval("#pane-ask code", (found) => found.textContent), /^referee simulate pig -n 1000/);
    assert.match(await page.$eval("#pane-ask pre", (found) => found.textContent), /games/);
    return page;
  },

  async "a link opens in a fresh profile, and another page works offline"(width) {
    const page = await visit(width);
    await open(page, "pig");
    await page.click(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("Home");
    await page.keyboard.up("Control");
    await page.keyboard.type("# a remark of mine\n");
    await page.click("#share");
    const link = await page.$eval("#dialog textarea", (found) => found.value);
    assert.ok(link.length < 8000, `${link.length} characters`);
    const other = await visit(width, link);
    await until(other, () => document.querySelector(".cm-content").innerText.includes("a remark of mine"));
    await other.evaluate(() => navigator.serviceWorker.ready);
    await other.reload();
    await until(other, () => navigator.serviceWorker.controller !== null);
    await other.setOfflineMode(true);
    await other.reload();
    await other.waitForSelector(".cm-content", PATIENCE);
    await until(other, () => document.querySelector("#examples .summary"));
    await other.setOfflineMode(false);
    return other;
  },

  async "nothing is found by axe-core, light and dark"(width) {
    const page = await visit(width);
    await page.evaluate(axe);
    for (const scheme of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      for (const tab of ["#tab-board", "#tab-play", "#tab-ask"]) {
        await page.click(tab);
        const found = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
        const said = found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
        assert.deepEqual(said, [], `${scheme} ${tab}`);
      }
    }
    return page;
  },

  async "the keyboard reaches everything"(width) {
    const page = await visit(width);
    await page.focus("#tab-board");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.id), "tab-play");
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement.closest("#pane-play")));
    return page;
  },
};

for (const width of WIDTHS) {
  for (const [name, run] of Object.entries(cases)) {
    const page = await run(width);
    assert.deepEqual(page.problems, [], name);
    assert.deepEqual(host.violations, [], name);
    passed += 1;
    console.log(`${width} pixels: ${name}`);
    await page.browserContext().close();
  }
}
await browser.close();
await host.end();
console.log(`${passed} passed, 0 failed`);
