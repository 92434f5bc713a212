// One file in which a game can be played: saved from the page, then opened from the disk, by a browser without a network.
//
// usage: node saved.mjs FOLDER [--pictures DIR]
//
// `CHROMIUM` names the browser.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { launch } from "puppeteer-core";
import { serve } from "./serve.mjs";

const { values: given, positionals } = parseArgs({ allowPositionals: true, options: { pictures: { type: "string" } } });
const folder = resolve(positionals[0] ?? "target/playground");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PATIENCE = { timeout: 60_000, polling: 20 };
const host = await serve(folder);
const downloads = mkdtempSync(join(tmpdir(), "referee-saved-"));
const browser = await launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});

const press = (page, text) =>
  page.evaluate((text) => {
    const found = [...document.querySelectorAll("button")].find((one) => one.textContent === text);
    if (!found) throw new Error(`no button ${text}`);
    found.click();
  }, text);

// Saves the page of a game, whose rules contain what could end an element.
async function save() {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE.timeout);
  await page.goto(`${host.address}#open=pig`);
  await page.waitForFunction(() => /passed/.test(document.querySelector("#examples .summary")?.textContent ?? ""), PATIENCE);
  await page.evaluate(() => document.querySelector('[data-path="games/pig/rules.rhai"]').click());
  await page.waitForFunction(() => document.querySelector(".cm-content")?.ariaLabel === "text of games/pig/rules.rhai", PATIENCE);
  await page.focus(".cm-content");
  await page.keyboard.type("// </script><script>throw 1</script><!-- ");
  await page.keyboard.press("Enter");
  const client = await page.createCDPSession();
  await client.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
  await page.click("#tab-play");
  await page.waitForSelector("#pane-play .standing");
  await press(page, "Save as a page");
  const end = Date.now() + PATIENCE.timeout;
  while (!readdirSync(downloads).includes("pig.html")) {
    assert(Date.now() < end, "nothing was saved");
    await new Promise((done) => setTimeout(done, 50));
  }
  await page.close();
}

async function play() {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE.timeout);
  const problems = [];
  const asked = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => asked.push(request.url()));
  await page.setOfflineMode(true);
  await page.setViewport({ width: 900, height: 800 });
  await page.goto(pathToFileURL(join(downloads, "pig.html")).href);
  await page.waitForSelector(".standing");
  assert.equal(await page.$eval("#title", (found) => found.textContent), await page.title());
  for (let turn = 0; turn < 3; turn += 1) {
    const before = await page.$eval("#table", (found) => found.dataset.answers ?? "");
    await page.waitForSelector(".options button");
    await page.click(".options button");
    await page.waitForFunction((before) => document.querySelector("#table").dataset.answers !== before, PATIENCE, before);
  }
  assert.match(await page.$eval(".events", (found) => found.textContent), /./);
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run());
  assert.deepEqual(found.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
  if (given.pictures !== undefined) {
    mkdirSync(given.pictures, { recursive: true });
    await page.screenshot({ path: join(given.pictures, "saved.png") });
  }
  await press(page, "About");
  await page.waitForSelector("dialog[open]");
  assert.match(await page.$eval("dialog pre", (found) => found.textContent), /fflate[^]*MIT|MIT[^]*fflate/);
  assert.deepEqual(problems, []);
  assert.deepEqual(asked.filter((address) => !/^(file|blob|data):/.test(address)), []);
}

try {
  await save();
  await play();
  assert.deepEqual(host.violations, []);
  console.log(`saved and played from the disk: ${(readFileSync(join(downloads, "pig.html")).length / 1e6).toFixed(1)} MB`);
} finally {
  await browser.close();
  await host.end();
  rmSync(downloads, { recursive: true, force: true });
}
