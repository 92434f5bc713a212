// Checks a folder of pages that `referee test --report html=DIR` or `referee book` has written, in headless Chromium:
// no violation of axe-core, nothing fetched, nothing wider than the window, complete without scripts, steps by keys.
//
//   node check.js DIR PAGE…     prints each problem; the exit code is 1 if there is any
//
// `errors:PAGE` is a page without steps that keys go through.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const [folder, ...pages] = process.argv.slice(2);
const problems = [];
let checks = 0;
const must = (holds, said) => {
  checks += 1;
  if (!holds) problems.push(said);
};

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});

// Opens a page with a width, a colour scheme, and with or without scripts.
const open = async (name, { width = 1200, scheme = "light", scripts = true } = {}) => {
  const page = await browser.newPage();
  page.on("request", (request) => must(request.url().startsWith("file:"), `${name}: fetches ${request.url()}`));
  page.on("pageerror", (error) => must(false, `${name}: ${error}`));
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(pathToFileURL(resolve(folder, name)).href);
  return page;
};

// Everything that axe-core finds, and that the page is not wider than the window.
const accessible = async (name, given) => {
  const page = await open(name, given);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const where = `${name} at ${given.width} px, ${given.scheme}`;
  checks += 1;
  for (const { id, help, nodes } of violations) {
    problems.push(`${where}: ${id}: ${help}\n  ${nodes.map((node) => node.html).join("\n  ")}`);
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  must(wide <= 0, `${where}: ${wide} px wider than the window`);
  await page.close();
};

// The positions are all there without scripts; with them, the arrow keys go from one to the next.
const steps = async (name) => {
  const plain = await open(name, { scripts: false });
  const seen = await plain.$$eval(".step", (all) => all.filter((step) => step.getClientRects().length > 0).length);
  const pictures = await plain.$$eval(".step", (all) => all.filter((step) => step.querySelector("svg, ul.values")).length);
  must(seen > 1 && seen === pictures, `${name}: ${seen} steps and ${pictures} positions without scripts`);
  must((await plain.$(".keys")) === null, `${name}: buttons without scripts`);
  await plain.close();
  const page = await open(name);
  const at = () => page.evaluate(() => document.activeElement?.id);
  await page.keyboard.press("ArrowRight");
  must((await at()) === "step-0", `${name}: the first key leads to ${await at()}`);
  await page.keyboard.press("ArrowRight");
  must((await at()) === "step-1", `${name}: the second key leads to ${await at()}`);
  const said = await page.$eval(".keys [role=status]", (status) => status.textContent);
  must(said === `Step 1 of ${seen - 1}`, `${name}: says ${said}`);
  await page.keyboard.press("ArrowLeft");
  must((await at()) === "step-0", `${name}: the key back leads to ${await at()}`);
  await (await page.$$(".keys button")).at(-1).click();
  const left = await page.$$eval(".step", (all) => all.filter((step) => step.getClientRects().length > 0).length);
  must(left === 1, `${name}: ${left} steps at a time`);
  // The tab key reaches every button and link.
  const focusable = await page.$$eval("a[href], button", (all) => all.every((one) => one.tabIndex === 0));
  must(focusable, `${name}: something is not reached by the tab key`);
  await page.close();
};

for (const given of pages) {
  const name = given.replace(/^errors:/, "");
  for (const width of [400, 1200]) {
    for (const scheme of ["light", "dark"]) await accessible(name, { width, scheme });
  }
  if (name === given && name !== "index.html") await steps(name);
}
await browser.close();
problems.forEach((problem) => console.error(problem));
console.log(`${checks} checks of ${pages.length} pages, ${problems.length} problems`);
process.exitCode = problems.length === 0 && checks > 0 ? 0 : 1;
