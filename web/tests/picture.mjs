// Makes the picture of the playground in the README: a failing example with its two boards.
//
// usage: node picture.mjs FOLDER PICTURE

import { resolve } from "node:path";
import { launch } from "puppeteer-core";
import { serve } from "./serve.mjs";

const [folder = "target/playground", picture = "docs/playground.png"] = process.argv.slice(2);
const host = await serve(resolve(folder));
const browser = await launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--no-first-run"] });
const page = await browser.newPage();
await page.setViewport({ width: 1180, height: 800 });
await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
await page.goto(host.address);
const until = (test) => page.waitForFunction(test, { timeout: 60_000 });
await until(() => /^2 passed/.test(document.querySelector("#examples .summary")?.textContent ?? ""));
const line = async (text) => {
  const found = await page.evaluateHandle((text) => {
    const line = [...document.querySelectorAll(".cm-line")].find((line) => line.textContent.includes(text));
    line.scrollIntoView({ block: "center" });
    return line;
  }, text);
  await found.click();
  await page.keyboard.press("End");
};
await line("| b . w");
await page.keyboard.press("Backspace");
await page.keyboard.type("b");
await page.keyboard.press("Escape");
await until(() => document.querySelectorAll("#examples .boards svg").length === 2);
await page.evaluate(() => {
  document.querySelector(".cm-scroller").scrollTop = 150;
  document.querySelector("#said").textContent = "";
});
await line("white move b2xc3");
await page.keyboard.press("ArrowUp");
await until(() => document.querySelectorAll("#pane-board .spot.open").length > 0);
await page.evaluate(() => document.querySelector("#examples .failure").scrollIntoView({ block: "end" }));
await page.evaluate(() => (document.querySelector(".cm-scroller").scrollLeft = 0));
await page.screenshot({ path: picture });
await browser.close();
await host.end();
