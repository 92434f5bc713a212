// Starts Visual Studio Code as it is: code-server with the packed extension, and a headless Chromium that shows it.
"use strict";

const { execFileSync, spawn } = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");

const EXTENSION = path.join(__dirname, "..", "..");
const ROOT = path.join(EXTENSION, "..", "..");
const CODE_SERVER = process.env.CODE_SERVER ?? "code-server";
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const REFEREE = path.resolve(process.env.REFEREE ?? path.join(ROOT, "target", "debug", "referee"));

/** How long something may take to appear, in milliseconds. */
const PATIENCE = 30000;

/** A plain editor: nothing that blinks, asks or fetches. */
const SETTINGS = {
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "window.commandCenter": false,
  "workbench.colorTheme": "Default Light Modern",
  "workbench.layoutControl.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

/** Returns why the editor cannot be started here, or nothing. */
function missing() {
  try {
    execFileSync(CODE_SERVER, ["--version"], { stdio: "ignore" });
  } catch {
    return `code-server does not start as \`${CODE_SERVER}\`: see tests/browser/install.sh, and set CODE_SERVER`;
  }
  return fs.existsSync(CHROMIUM) ? undefined : `there is no ${CHROMIUM}: install Chromium, and set CHROMIUM`;
}

/** Returns a port that nobody uses. */
function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Writes the files of a folder, given by their paths. */
function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
}

/** Packs the extension and installs it where this code-server looks. */
function install(home) {
  const packed = path.join(home, "referee.vsix");
  execFileSync("npm", ["run", "package", "--", "--out", packed], { cwd: EXTENSION, stdio: "ignore" });
  const folders = ["--user-data-dir", path.join(home, "data"), "--extensions-dir", path.join(home, "extensions")];
  const own = ["--config", path.join(home, "config.yaml"), ...folders];
  execFileSync(CODE_SERVER, [...own, "--install-extension", packed], { stdio: "ignore" });
  return own;
}

/** Waits until the server answers. */
async function answers(address) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    try {
      await fetch(address);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error("code-server does not answer");
}

/**
 * Opens a folder with these files in the editor.
 * @param {Record<string, string>} files their texts, by their paths
 * @param {{ width: number, height: number }} size that of the window
 */
async function openEditor(files, size = { width: 1200, height: 800 }) {
  const puppeteer = require("puppeteer-core");
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "referee-code-")));
  const folder = path.join(home, "rules");
  write(folder, files);
  // The program is a setting of the machine, not of the user.
  write(home, {
    "config.yaml": "auth: none\n",
    "data/User/settings.json": JSON.stringify(SETTINGS),
    "data/Machine/settings.json": JSON.stringify({ "referee.path": REFEREE }),
  });
  const own = install(home);
  const port = await freePort();
  const flags = ["--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
  const server = spawn(CODE_SERVER, [...own, ...flags], { detached: true, stdio: "ignore" });
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    defaultViewport: size,
  });
  async function close() {
    await browser.close();
    // Also what it has started; code-server would wait for a browser that might come back.
    const ended = new Promise((resolve) => server.on("exit", resolve));
    process.kill(-server.pid, "SIGKILL");
    await ended;
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  try {
    await answers(`http://127.0.0.1:${port}/healthz`);
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/?folder=${folder}`);
    await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: PATIENCE });
    return { ...hands(page), close, folder, page };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What a person at the editor does and sees. */
function hands(page) {
  const rest = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  /** Presses keys together, such as `Control+KeyG`. */
  async function press(keys) {
    const all = keys.split("+");
    for (const key of all) await page.keyboard.down(key);
    for (const key of all.reverse()) await page.keyboard.up(key);
  }

  /** Writes into the box at the top, and takes what it offers with these words. */
  async function choose(text, words) {
    await page.waitForSelector(".quick-input-widget .monaco-inputbox input", { visible: true, timeout: PATIENCE });
    await page.keyboard.type(text);
    await seen(".quick-input-list .monaco-list-row.focused", words);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".quick-input-widget", { hidden: true, timeout: PATIENCE });
    await rest(300);
  }

  /** Carries out a command by its title. */
  async function command(title) {
    await press("F1");
    await choose(title, title);
  }

  /** Opens a file of the folder. */
  async function open(name) {
    await press("Control+KeyP");
    await choose(name, name.split("/").at(-1));
    await page.waitForSelector(`.tab.active[data-resource-name="${name.split("/").at(-1)}"]`, { timeout: PATIENCE });
    await rest(500);
  }

  /** Puts the cursor on a line. */
  async function line(number, column = 1) {
    await press("Control+KeyG");
    await choose(`${number}:${column}`, `${number}`);
  }

  /** Waits until elements are there whose text or label has these words; returns the place of the first. */
  async function seen(selector, words) {
    const look = (chosen, wanted) => {
      const all = [...document.querySelectorAll(chosen)];
      const textOf = (one) => `${one.getAttribute("aria-label") ?? ""} ${one.textContent}`.replaceAll("\u00a0", " ");
      const found = all.find((one) => textOf(one).includes(wanted));
      if (!found) return false;
      const { x, y, width, height } = found.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    };
    const place = await page.waitForFunction(look, { timeout: PATIENCE, polling: 100 }, selector, words);
    return place.jsonValue();
  }

  /** Clicks on what is seen. */
  async function click(selector, words) {
    const { x, y } = await seen(selector, words);
    await page.mouse.click(x, y);
    await rest(300);
  }

  return { choose, click, command, line, open, press, rest, seen };
}

module.exports = { ROOT, missing, openEditor };
