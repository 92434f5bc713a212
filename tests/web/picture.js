// Makes docs/report.png, the picture of a page in docs/reports.md, from what the program writes:
//
//   node picture.js REFEREE      REFEREE is the program, such as ../../target/debug/referee
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const program = resolve(process.argv[2] ?? join(root, "target/debug/referee"));

// The example of the README, with the same wrong line as its picture.
const readme = readFileSync(join(root, "README.md"), "utf8");
const example = readme.split("```scenario scenarios/bounce.scenario\n")[1].split("```")[0].replace("at c4", "at d4");
const folder = mkdtempSync(join(tmpdir(), "referee-picture-"));
mkdirSync(join(folder, "scenarios"));
writeFileSync(join(folder, "scenarios/bounce.scenario"), example);
try {
  execFileSync(program, ["test", "--report", "html=report"], { cwd: folder, stdio: "ignore" });
} catch {
  // The scenario fails, as it should.
}

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage();
await page.setViewport({ width: 760, height: 1400 });
await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
await page.goto(pathToFileURL(join(folder, "report/0001.html")).href);
const last = (await page.$$(".step")).at(-1);
await page.evaluate(() => document.querySelector(".keys").remove());
await last.screenshot({ path: join(root, "docs/report.png") });
await browser.close();
rmSync(folder, { recursive: true });
