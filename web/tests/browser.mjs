// The playground in headless Chromium, as visitors use it, at two widths.
//
// usage: node browser.mjs FOLDER [--only TEXT] [--width PIXELS] [--pictures DIR]
//
// `CHROMIUM` names the browser, `PATIENCE` the longest time to wait for anything, in milliseconds. Speeds are printed; they
// are no reason to fail.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launch } from "puppeteer-core";
import { serve } from "./serve.mjs";

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" }, width: { type: "string" }, pictures: { type: "string" } },
});
const folder = resolve(positionals[0] ?? "target/playground");
const here = dirname(fileURLToPath(import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = given.width ? [Number(given.width)] : [1400, 420];
// A slow machine may take long; what never happens fails all the same.
const PATIENCE = { timeout: Number(process.env.PATIENCE ?? 60_000) };
// No case takes so long.
const LONGEST = 240_000;

const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const projects = read("projects.json");

const host = await serve(folder);
const browser = await launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  protocolTimeout: 120_000,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

// Opens the page in a fresh profile; with `files`, as if these had been there at the last visit. `asked` are the paths that the page
// itself asks for, without its workers.
async function visit(width, address = host.address, files = undefined) {
  const context = await browser.createBrowserContext();
  await context.overridePermissions(new URL(host.address).origin, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE.timeout);
  await page.setViewport({ width, height: 900 });
  page.problems = [];
  page.asked = [];
  page.on("request", (request) => page.asked.push(new URL(request.url()).pathname));
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  if (files) await page.evaluateOnNewDocument((text) => localStorage.setItem("referee.project", text), JSON.stringify({ files }));
  await page.goto(address);
  await page.waitForSelector(".cm-content");
  return page;
}

const until = (page, test, ...values) => page.waitForFunction(test, { ...PATIENCE, polling: 20 }, ...values);
const settled = (page) => until(page, () => /^\d+ passed, \d+ failed$/.test(document.querySelector("#examples .summary")?.textContent ?? ""));
const passing = (page) => until(page, () => /^[1-9]\d* passed, 0 failed$/.test(document.querySelector("#examples .summary")?.textContent ?? ""));
const passed = async (page) => Number.parseInt(await page.$eval("#examples .summary", (found) => found.textContent), 10);
const press = async (page, keys) => {
  for (const key of keys.split(" ")) await page.keyboard.press(key);
};
// Clicks the button with this text in a part of the page.
const button = (page, within, text) =>
  page.evaluate(
    (within, text) => {
      const found = [...document.querySelectorAll(`${within} button`)].find((button) => button.textContent.trim() === text);
      if (!found) throw new Error(`no button ${text} in ${within}`);
      found.click();
    },
    within,
    text,
  );

// Opens a project, and waits until the files are those of this project and their examples pass.
async function open(page, name) {
  await page.select("#open", name);
  const paths = projects[name] && Object.keys(read(projects[name].file)).sort();
  const isOpen = (paths) => {
    const shown = [...document.querySelectorAll(".tree [data-path]")].map((file) => file.dataset.path);
    return document.querySelector("#open").value === "" && (!paths || shown.sort().join() === paths.join());
  };
  await until(page, isOpen, paths);
  await passing(page);
}

async function show(page, path) {
  await page.waitForSelector(`[data-path="${path}"]`);
  await page.evaluate((path) => document.querySelector(`[data-path="${path}"]`).click(), path);
  await until(page, (path) => document.querySelector(".cm-content")?.ariaLabel === `text of ${path}`, path);
}

// Puts the cursor at the end of the first line that contains a text, and returns that line. What is shown may move while it
// is clicked.
async function goTo(page, text) {
  for (let tries = 0; tries < 5; tries += 1) {
    const line = await page.evaluateHandle((text) => {
      const line = [...document.querySelectorAll(".cm-line")].find((line) => line.textContent.includes(text));
      line?.scrollIntoView({ block: "center", inline: "start" });
      return line;
    }, text);
    await line.click().catch(() => {});
    await page.keyboard.press("End");
    const found = await page.$eval(".cm-activeLine", (line) => line.textContent).catch(() => "");
    if (found.includes(text)) return found;
  }
  throw new Error(`the cursor does not get to ${text}`);
}

// Replaces the line of the cursor.
async function typeOver(page, text) {
  await page.keyboard.press("Home");
  await page.keyboard.down("Shift");
  await page.keyboard.press("End");
  await page.keyboard.up("Shift");
  await page.keyboard.type(text);
}

const text = (page) => page.$$eval(".cm-line", (lines) => lines.map((line) => line.textContent).join("\n"));
const speeds = [];
const speed = (what, ms) => speeds.push(`${what}: ${Math.round(ms)} ms`);

async function picture(page, name) {
  if (given.pictures === undefined) return;
  mkdirSync(given.pictures, { recursive: true });
  await page.screenshot({ path: join(given.pictures, `${name}.png`) });
}

// Stands before the script of a worker, so that tests can have its module fail. What the page ships has no such way in.
// "panic": the next request begins by reserving more than an address space has, which panics in Rust. "memory": it begins by
// taking more than a gigabyte; "memory in a question": that is taken at the first sign of life of a long question.
const PROVOKED = `
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (module, { page }) => {
    let exports;
    const take = () => { for (let part = 0; part < 3; part += 1) exports.reserve(0x18000000); };
    const provoked = (what) => self.provoked === what && ((self.provoked = undefined), true);
    const tell = (at, length) => {
      if (provoked("memory in a question")) take();
      page.tell(at, length);
    };
    ({ exports } = await instantiate(module, { page: { ...page, tell } }));
    const answer = (at, length) => {
      if (provoked("panic")) exports.reserve(0xffffffff);
      if (provoked("memory")) take();
      return exports.answer(at, length);
    };
    return { exports: { ...exports, answer } };
  };
`;

// Its odds take long: there are three ends, and the equations of each are solved by many steps.
const CLIMB = {
  "games/climb/climb.game": 'game climb "Climb"\nplayers 2 ann ben\nrules "rules.rhai"\ndie 1..2\ncounter height for each player\n',
  "games/climb/rules.rhai": "fn turn(me) {\n    if roll() == 1 { me.height += 1; } else { me.height = 0; }\n    if me.height == 25 { if roll() == 1 { win(me); } else { draw_game(); } }\n}\n",
};

const cases = {
  async "a wrong cell is marked, shown with both boards, and mended by its quick fix"(width) {
    const page = await visit(width);
    await passing(page);
    const measures = await page.evaluate(() => performance.getEntriesByType("measure").map(({ name, duration }) => [name, duration]));
    for (const [name, duration] of measures.filter(([name]) => /usable|ready/.test(name))) speed(name.replace("referee-", ""), duration);
    const row = await goTo(page, "| b . w");
    const before = performance.now();
    await press(page, "Backspace b");
    await until(page, () => document.querySelector(".cm-lintRange-error"));
    speed("from the key to the mark", performance.now() - before);
    await until(page, () => document.querySelectorAll("#examples .failure .boards figure svg.board").length === 2);
    await until(page, () => document.querySelector("#examples .failure .tools button"));
    await picture(page, `failing-${width}`);
    await page.evaluate(() => document.querySelector(".cm-lintRange-error").scrollIntoView({ block: "center" }));
    await page.hover(".cm-lintRange-error");
    await page.waitForSelector(".cm-tooltip .cm-diagnosticAction");
    await page.evaluate(() => document.querySelector(".cm-tooltip .cm-diagnosticAction").click());
    await passing(page);
    assert.ok((await text(page)).includes(row.trim()), "the row is as it was");
    return page;
  },

  async "the menu has each project once, with the titles of its games"(width) {
    const page = await visit(width);
    const groups = await page.$$eval("#open optgroup", (all) => all.map((group) => [group.label, [...group.children].map(({ value, textContent }) => [value, textContent])]));
    const values = groups.flatMap(([, options]) => options.map(([value]) => value));
    assert.equal(new Set(values).size, values.length);
    const of = (label) => new Map(groups.find(([name]) => name === label)[1]);
    assert.equal(of("Bundled games").get("royal-game-of-ur"), "The Royal Game of Ur");
    assert.equal(of("Chapters of the tutorial").get("chapter 10. A house rule"), "10. A house rule (Hop)");
    await page.select("#open", "chapter 10. A house rule");
    // The text of a chapter has no board, but says where one is.
    await until(page, () => [...document.querySelectorAll("#pane-board .ways button")].some((way) => way.textContent === "scenarios/dry-feet.scenario"));
    await button(page, "#pane-board", "scenarios/dry-feet.scenario");
    await page.waitForSelector("#pane-board .spot");
    // Lines that must come first stay first.
    await button(page, "#pane-board", "turn blue");
    await until(page, () => /with house "dry-feet"\s*turn blue\s*turn red/.test([...document.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n")));
    return page;
  },

  async "messages jump to their line, and a word is completed"(width) {
    const page = await visit(width);
    await passing(page);
    await goTo(page, "white move b1-b2");
    await typeOver(page, "  white mvoe b1-b2");
    await page.waitForSelector("#examples .messages button");
    // The last position stays while something is written, and the message says what helps.
    await until(page, () => document.querySelector("#pane-board .past svg.board"));
    await until(page, () => document.querySelector("#examples .messages .quiet"));
    await press(page, "ArrowDown ArrowDown");
    // At once: the messages are drawn again whenever the examples have run.
    await page.$eval("#examples .messages button", (message) => message.click());
    await until(page, () => document.querySelector(".cm-activeLine").textContent.includes("mvoe"));
    await typeOver(page, "  white move ");
    await page.keyboard.down("Control");
    await page.keyboard.press("Space");
    await page.keyboard.up("Control");
    await until(page, () => [...document.querySelectorAll(".cm-tooltip-autocomplete li")].some((item) => item.textContent.includes("b1-b2")));
    await page.keyboard.type("b1-b2");
    await page.keyboard.press("Escape");
    await passing(page);
    return page;
  },

  async "Squish! is played by clicking, and becomes an example that passes"(width) {
    const page = await visit(width);
    await open(page, "squish-board");
    await show(page, "scenarios/squish-board/walking.scenario");
    await until(page, () => !document.querySelector("#examples .summary").textContent.includes("…"));
    const before = await passed(page);
    await page.click("#tab-play");
    await page.waitForSelector("#pane-play .spot.open");
    for (let turn = 0; turn < 4; turn += 1) {
      const standing = await page.$eval("#pane-play", (found) => found.dataset.answers);
      for (let click = 0; click < 3; click += 1) {
        if ((await page.$eval("#pane-play", (found) => found.dataset.answers)) !== standing) break;
        const spot = (await page.$("#pane-play .spot.open")) ?? (await page.$("#pane-play .options button"));
        await page.evaluate((spot) => spot.scrollIntoView({ block: "center" }), spot);
        await spot.click();
        await new Promise((done) => setTimeout(done, 400));
      }
      await until(page, (standing) => document.querySelector("#pane-play").dataset.answers !== standing, standing);
      await page.waitForSelector("#pane-play .spot.open, #pane-play .options button");
    }
    await picture(page, `playing-${width}`);
    await button(page, "#pane-play", "Undo");
    await button(page, "#pane-play", "Make this game an example");
    await until(page, (before) => Number.parseInt(document.querySelector("#examples .summary").textContent, 10) === before + 1, before);
    await button(page, "#pane-play", "Make the last turn an example");
    await until(page, (before) => Number.parseInt(document.querySelector("#examples .summary").textContent, 10) === before + 2, before);
    await passing(page);
    return page;
  },

  async "who is asked may resign where the rules say what follows, take it back, and make it an example"(width) {
    const page = await visit(width);
    await open(page, "pig");
    await page.click("#tab-play");
    await page.waitForSelector("#pane-play .options button");
    const offered = () => page.$$eval("#pane-play .decision button", (all) => all.map((one) => one.textContent));
    assert.ok(!(await offered()).includes("Resign"), "the rules of Pig say nothing of it");
    await open(page, "chess");
    await show(page, "scenarios/chess/castling.scenario");
    await until(page, () => !document.querySelector("#examples .summary").textContent.includes("…"));
    const before = await passed(page);
    await page.click("#tab-play");
    await until(page, () => [...document.querySelectorAll("#pane-play .decision button")].some((one) => one.textContent === "Resign"));
    await button(page, "#pane-play", "Resign");
    await until(page, () => /black wins|winner black/i.test(document.querySelector("#pane-play .standing").textContent));
    await button(page, "#pane-play", "Undo");
    await page.waitForSelector("#pane-play .options button");
    await button(page, "#pane-play", "Resign");
    await until(page, () => document.querySelector("#pane-play").dataset.answers === "1");
    await button(page, "#pane-play", "Make this game an example");
    await until(page, (before) => Number.parseInt(document.querySelector("#examples .summary").textContent, 10) === before + 1, before);
    await passing(page);
    return page;
  },

  async "people, policies and dice by hand are at one table, and the hands of others stay hidden"(width) {
    const page = await visit(width);
    await open(page, "pig");
    await page.click("#tab-play");
    await page.waitForSelector("#pane-play .options button");
    await page.select("#pane-play .seat:nth-child(2) select", "random");
    await until(page, () => document.querySelector("#pane-play .seat:nth-child(2) select").value === "random");
    await page.evaluate(() => document.querySelector("#pane-play .setup > label.check input").click());
    await until(page, () => document.querySelector("#pane-play .setup > label.check input").checked);
    await button(page, "#pane-play", await page.$eval("#pane-play .options button", (found) => found.textContent));
    await until(page, () => [...document.querySelectorAll("#pane-play .options button")].some((button) => /\b6$/.test(button.textContent)));
    await button(page, "#pane-play", await page.$$eval("#pane-play .options button", (all) => all.map((one) => one.textContent).find((text) => /\b6$/.test(text))));
    await until(page, () => document.querySelector("#pane-play .events li").textContent.endsWith("throws 6"));
    await open(page, "new: cards");
    await page.click("#tab-play");
    await until(page, () => /Show \S+'s view/.test(document.querySelector("#pane-play")?.textContent ?? ""));
    assert.equal(await page.$("#pane-play .options button"), null, "nothing is shown before somebody looks");
    const values = await page.$$eval("#pane-play .values li", (all) => all.map((one) => one.textContent));
    assert.ok(values.some((value) => /^hand \S+: \d+ cards?$/.test(value)), values.join(", "));
    assert.ok(values.every((value) => !/secret|hidden/.test(value)), values.join(", "));
    await page.evaluate(() => [...document.querySelectorAll("#pane-play .decision button, #pane-play p button")].find((one) => one.textContent.startsWith("Show ")).click());
    await page.waitForSelector("#pane-play .options button");
    return page;
  },

  async "a chapter of the tutorial is opened, and a snapshot accepted, which makes a file"(width) {
    const page = await visit(width);
    await page.select("#open", "chapter 8. A stored position");
    await until(page, () => document.querySelector("#examples .failure .tools button"));
    await page.click("#examples .failure .tools button");
    await passing(page);
    await until(page, () => [...document.querySelectorAll("[data-path]")].some((file) => file.dataset.path.endsWith(".snap")));
    return page;
  },

  async "several who are asked at once answer one after the other"(width) {
    const page = await visit(width, host.address, {
      "games/scales/scales.game": 'game scales "Scales"\nplayers 2 ann ben\nrules "rules.rhai"\nask weigh NUMBER\n',
      "games/scales/rules.rhai": 'fn turn(me) {\n    let weights = choose_all(players(), "weigh", |player| [1, 2]);\n    if weights[0] > weights[1] { win(players()[0]); }\n}\n',
    });
    await page.click("#tab-play");
    const asks = (player) => until(page, (player) => document.querySelector("#pane-play .decision p")?.textContent.startsWith(`${player} weigh`), player);
    await asks("ann");
    await button(page, "#pane-play", "weigh 1");
    await asks("ben");
    await button(page, "#pane-play", "Undo");
    await asks("ann");
    await button(page, "#pane-play", "weigh 2");
    await asks("ben");
    await button(page, "#pane-play", "weigh 1");
    await until(page, () => document.querySelector("#pane-play .standing").textContent.includes("winner ann"));
    await button(page, "#pane-play", "Make this game an example");
    await until(page, () => document.querySelector("#examples .summary").textContent === "1 passed, 0 failed");
    return page;
  },

  async "a position is drawn on the board, and the board follows the text"(width) {
    const page = await visit(width);
    await passing(page);
    await goTo(page, "A pawn captures");
    // The example sets its own position below, so nothing can be chosen here.
    await until(page, () => document.querySelector("#pane-board svg"));
    await goTo(page, "board");
    await until(page, () => document.querySelector("#pane-board .palette"));
    await button(page, "#pane-board", "b");
    await page.waitForSelector("#pane-board .spot[data-cell=c2]");
    await page.evaluate(() => document.querySelector("#pane-board .spot[data-cell=c2]").scrollIntoView({ block: "center" }));
    await page.click("#pane-board .spot[data-cell=c2]");
    await until(page, () => [...document.querySelectorAll(".cm-line")].some((line) => line.textContent === "    | . w b"));
    await until(page, () => document.querySelector("#pane-board .spot[data-cell=c2]")?.ariaLabel?.startsWith("c2, b"));
    await picture(page, `drawing-${width}`);
    const boards = await page.evaluate(() => performance.getEntriesByName("referee-board").map(({ duration }) => duration).sort((one, other) => one - other));
    speed("board at the cursor, median", boards[Math.floor(boards.length / 2)]);
    await page.click("#pane-board .spot[data-cell=c2]");
    // The examples may not have run in between, and the change takes the cursor with it.
    await until(page, () => [...document.querySelectorAll(".cm-line")].some((line) => line.textContent === "    | . w ."));
    await passing(page);
    await until(page, () => document.querySelector("#pane-board .spot[data-cell=c2]")?.ariaLabel?.startsWith("c2, empty"));
    // What is drawn a moment later takes the focus from nobody who has gone on in the text.
    await page.evaluate(() => {
      const spot = document.querySelector("#pane-board .spot[data-cell=c2]");
      spot.focus();
      spot.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      document.querySelector(".cm-content").focus();
    });
    await until(page, () => document.querySelector("#pane-board .spot[data-cell=c2]")?.ariaLabel?.startsWith("c2, b"));
    assert.ok(await page.evaluate(() => document.activeElement.matches(".cm-content")), "the text keeps the focus");
    await page.click("#pane-board .spot[data-cell=c2]");
    await until(page, () => [...document.querySelectorAll(".cm-line")].some((line) => line.textContent === "    | . w ."));
    await goTo(page, "| . w .");
    await typeOver(page, "| b w .");
    await until(page, () => document.querySelector("#pane-board .spot[data-cell=a2]")?.ariaLabel?.startsWith("a2, b"));
    // A board that is expected is drawn like any other, also if another one is reached.
    await page.waitForSelector("#examples .failure");
    await goTo(page, "expect board");
    await until(page, () => document.querySelector("#pane-board .spot[data-cell=b2]")?.ariaLabel?.startsWith("b2, empty"));
    const drawn = await page.$("#pane-board .palette ~ .picture svg.board");
    assert.ok((await drawn.evaluate((drawn) => drawn.querySelectorAll("circle, use").length)) > 2, "pieces, and not letters alone");
    await button(page, "#pane-board", "w");
    await page.click("#pane-board .spot[data-cell=b2]");
    await until(page, () => [...document.querySelectorAll(".cm-line")].some((line) => line.textContent === "    | . w ."));
    await until(page, () => document.querySelector("#pane-board .spot[data-cell=b2]")?.ariaLabel?.startsWith("b2, w"));
    return page;
  },

  async "questions grow, are stopped, and show their command"(width) {
    const page = await visit(width);
    await open(page, "pig");
    await page.click("#tab-ask");
    await until(page, () => document.querySelector("#pane-ask code")?.textContent === "referee simulate pig -n 1000");
    const count = await page.$("#pane-ask input[type=number]");
    await count.click({ count: 3 });
    await count.type("500000");
    await button(page, "#pane-ask", "Ask");
    await until(page, () => Number.parseInt(document.querySelector("#pane-ask [role=status]").textContent.replaceAll(",", ""), 10) > 100);
    await page.waitForSelector("#pane-ask .shares");
    await page.waitForSelector("#pane-ask .histogram");
    await button(page, "#pane-ask", "Stop");
    await until(page, () => document.querySelector("#pane-ask [role=status]").textContent.startsWith("stopped"));
    await picture(page, `asking-${width}`);
    for (const [title, command, found] of [
      ["Coverage", "referee coverage pig", "clauses"],
      ["Readings", "referee readings pig", "no example"],
      ["What no example notices", "referee mutate pig", "changes"],
      ["Odds", "referee odds pig --policy random --to-the-end", ""],
    ]) {
      await button(page, "#pane-ask", title);
      await until(page, (command) => document.querySelector("#pane-ask code").textContent.startsWith(command.split(" --")[0]), command);
      if (found === "") continue;
      await button(page, "#pane-ask", "Ask");
      await until(page, (found) => document.querySelector("#pane-ask .result").textContent.includes(found), found);
    }
    return page;
  },

  async "a question that does not answer is stopped, and the text is kept"(width) {
    const page = await visit(width);
    await open(page, "squish-board");
    await page.click("#tab-ask");
    await page.waitForSelector("#pane-ask .palette");
    await button(page, "#pane-ask", "Odds");
    await button(page, "#pane-ask", "Ask");
    await until(page, () => /states so far/.test(document.querySelector("#pane-ask [role=status]").textContent));
    await button(page, "#pane-ask", "Stop");
    await until(page, () => document.querySelector("#pane-ask [role=status]").textContent.startsWith("stopped"));
    await button(page, "#pane-ask", "Simulate");
    await button(page, "#pane-ask", "Ask");
    await page.waitForSelector("#pane-ask .shares");
    return page;
  },

  async "the worker is replaced when it fails and when it hangs, and the text is kept"(width) {
    const page = await visit(width);
    await passing(page);
    const worker = () => page.workers()[0];
    await goTo(page, "use my-game");
    await page.keyboard.type("  # one");
    await worker().evaluate(() => self.postMessage({ kind: "failed", why: "a panic" }));
    await until(page, () => document.querySelector("#said").textContent.includes("started again"));
    await passing(page);
    assert.ok((await text(page)).includes("use my-game  # one"));
    // What was typed before can still be undone, and the new worker knows the text.
    await goTo(page, "expect winner white");
    await typeOver(page, "  expect winner black");
    await page.waitForSelector("#examples .failure");
    await page.keyboard.down("Control");
    await page.keyboard.press("z");
    await page.keyboard.up("Control");
    await passing(page);
    const began = performance.now();
    void worker().evaluate(() => { for (;;); }).catch(() => {});
    await goTo(page, "# one");
    await page.keyboard.type(" two");
    await until(page, () => document.querySelector("#said").textContent.includes("ten seconds"));
    speed("from a loop to another worker", performance.now() - began);
    await passing(page);
    assert.ok((await text(page)).includes("# one two"));
    return page;
  },

  async "the worker is replaced after a panic in its module, and after a gigabyte of memory; text and results are kept"(width) {
    host.edits["/worker.js"] = (script) => PROVOKED + script;
    try {
      const page = await visit(width);
      await passing(page);
      const provoke = (what) => page.workers().at(-1).evaluate((what) => void (self.provoked = what), what);
      const says = (words) => until(page, (words) => document.querySelector("#said").textContent.includes(words), words);
      await goTo(page, "use my-game");
      await page.keyboard.type("  # one");
      await passing(page);
      for (const [what, word, words] of [["panic", " two", "capacity overflow"], ["memory", " three", "a gigabyte of memory"]]) {
        await provoke(what);
        await page.keyboard.type(word);
        await says(words);
        await says("started again");
        await says("the text is kept");
        await until(page, () => document.querySelector(".cm-content").textContent.includes("# one two"));
        await goTo(page, "expect winner white");
        await typeOver(page, "  expect winner black");
        await page.waitForSelector("#examples .failure");
        await typeOver(page, "  expect winner white");
        await passing(page);
        await goTo(page, "# one");
      }
      assert.ok((await text(page)).includes("use my-game  # one two three"));
      // A long question: what was reached stays, and it can be asked again.
      await page.click("#tab-ask");
      await page.waitForSelector("#pane-ask code");
      const state = () => page.$eval("#pane-ask [role=status]", (found) => found.textContent);
      for (const [what, words] of [["panic", "capacity overflow"], ["memory", "a gigabyte of memory"]]) {
        const count = await page.$("#pane-ask input[type=number]");
        await count.click({ count: 3 });
        await count.type("500000");
        await button(page, "#pane-ask", "Ask");
        await until(page, () => /^\d[\d,]* of 500,000 games$/.test(document.querySelector("#pane-ask [role=status]").textContent));
        await page.waitForSelector("#pane-ask .shares");
        await provoke(what);
        await until(page, (words) => document.querySelector("#pane-ask [role=status]").textContent.includes(words), words);
        assert.match(await state(), /the text is kept: \d[\d,]* of 500,000 games$/);
        assert.ok(await page.$("#pane-ask .shares"), "the games that were played are shown");
        assert.ok(await page.$$eval("#pane-ask button", (all) => all.find((one) => one.textContent === "Stop").disabled));
      }
      await button(page, "#pane-ask", "Odds");
      // A question makes its worker, which is there before the next one.
      await button(page, "#pane-ask", "Ask");
      await until(page, () => /^\d[\d,]* states$/.test(document.querySelector("#pane-ask [role=status]").textContent));
      await provoke("memory in a question");
      await button(page, "#pane-ask", "Ask");
      await until(page, () => document.querySelector("#pane-ask [role=status]").textContent.includes("a gigabyte of memory"));
      assert.match(await state(), /the text is kept: \d[\d,]* states/);
      await button(page, "#pane-ask", "Ask");
      await until(page, () => /^\d[\d,]* states$/.test(document.querySelector("#pane-ask [role=status]").textContent));
      // What cannot be shown in the console is the trap after the panic.
      page.problems = page.problems.filter((problem) => !problem.includes("unreachable"));
      return page;
    } finally {
      delete host.edits["/worker.js"];
    }
  },

  async "changes of rules are counted each second, and stopped with those that were tried"(width) {
    const page = await visit(width);
    await open(page, "squirmish");
    await page.click("#tab-ask");
    await page.waitForSelector("#pane-ask code");
    await button(page, "#pane-ask", "What no example notices");
    await button(page, "#pane-ask", "Ask");
    const tried = () => page.$eval("#pane-ask [role=status]", (found) => Number(found.textContent.match(/([\d,]+) of [\d,]+ changes$/)?.[1].replaceAll(",", "") ?? -1));
    await until(page, () => /^[1-9][\d,]* of [\d,]+ changes$/.test(document.querySelector("#pane-ask [role=status]").textContent));
    const before = await tried();
    await new Promise((done) => setTimeout(done, 3000));
    assert.ok((await tried()) > before, "counted work grows");
    await button(page, "#pane-ask", "Stop");
    await until(page, () => /^stopped: [1-9][\d,]* of [\d,]+ changes$/.test(document.querySelector("#pane-ask [role=status]").textContent));
    assert.match(await page.$eval("#pane-ask .result", (found) => found.textContent), /squirmish: [1-9]\d* changes/);
    return page;
  },

  async "long odds count their work, show what is known, and are stopped at any time"(width) {
    const page = await visit(width, host.address, CLIMB);
    await page.click("#tab-ask");
    await page.waitForSelector("#pane-ask code");
    await button(page, "#pane-ask", "Odds");
    const state = () => page.$eval("#pane-ask [role=status]", (found) => found.textContent);
    const steps = async () => Number((await state()).match(/([\d,]+) steps of solving so far …$/)?.[1].replaceAll(",", "") ?? 0);
    await button(page, "#pane-ask", "Ask");
    const began = performance.now();
    await until(page, () => /[\d,]+ steps of solving so far …$/.test(document.querySelector("#pane-ask [role=status]").textContent));
    assert.match(await state(), /^1,2\d\d states, /);
    speed("from asking to the first sign of life of odds", performance.now() - began);
    for (let second = 0; second < 3; second += 1) {
      const before = await steps();
      await new Promise((done) => setTimeout(done, 1000));
      assert.ok((await steps()) > before, "counted work grows each second");
    }
    await until(page, () => /^ann  between 0\.0\d* and 0\.\d+/.test(document.querySelector("#pane-ask .result pre")?.textContent ?? ""));
    await button(page, "#pane-ask", "Stop");
    await until(page, () => document.querySelector("#pane-ask [role=status]").textContent.startsWith("stopped: "));
    assert.match(await state(), /states, [\d,]+ steps of solving$/);
    assert.match(await page.$eval("#pane-ask .result pre", (found) => found.textContent), /^ann  between/);
    await button(page, "#pane-ask", "Simulate");
    assert.equal(await page.$eval("#pane-ask .result", (found) => found.textContent), "");
    await button(page, "#pane-ask", "Ask");
    await until(page, () => document.querySelector("#pane-ask .result").textContent !== "");
    return page;
  },

  async "files are made, renamed and deleted; a rename reaches every file"(width) {
    const page = await visit(width);
    await passing(page);
    await button(page, "#files", "New");
    await page.keyboard.type("scenarios/my-game/own.scenario");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector(".cm-content")?.ariaLabel === "text of scenarios/my-game/own.scenario");
    // It begins with the game, and the cursor is on its title.
    await until(page, () => document.activeElement.closest(".cm-editor") && document.querySelector(".cm-activeLine").textContent.startsWith("scenario"));
    assert.ok((await text(page)).startsWith("use my-game\n"));
    await page.keyboard.press("End");
    await page.keyboard.type("\nturn white\nwhite move a1-a2");
    await until(page, () => document.querySelector("#examples .summary").textContent === "3 passed, 0 failed");
    await show(page, "games/my-game/my-game.game");
    await goTo(page, "players 2 white black");
    await press(page, `Home ${"ArrowRight ".repeat(11)}F2`);
    const name = await page.waitForSelector(".cm-lsp-rename-panel input");
    await name.click({ count: 3 });
    await page.keyboard.type("ivory");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector(".cm-content").textContent.includes("players 2 ivory black"));
    await show(page, "scenarios/my-game/own.scenario");
    await until(page, () => document.querySelector(".cm-content").textContent.includes("ivory move a1-a2"));
    await until(page, () => document.querySelector("#examples .summary").textContent === "3 passed, 0 failed");
    await button(page, "#files", "Delete");
    await button(page, "#dialog", "Delete");
    await until(page, () => document.querySelector("#examples .summary").textContent === "2 passed, 0 failed");
    return page;
  },

  async "a link opens in a fresh profile, and works without a network after that"(width) {
    const page = await visit(width);
    await open(page, "pig");
    await show(page, "scenarios/pig/odds.scenario");
    await page.click(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("Home");
    await page.keyboard.up("Control");
    await page.keyboard.type("# a remark of mine\n");
    await page.click("#share");
    const link = await page.$eval("#dialog textarea", (found) => found.value);
    assert.ok(link.length < 1000, `${link.length} characters`);
    await button(page, "#dialog", "Copy as Markdown with link");
    await until(page, () => /copied/.test(document.querySelector("#dialog .note").textContent));
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^```scenario\n# a remark of mine\n[^]*```\n\n\[Open in the playground\]\(http/);
    await page.browserContext().close();
    const other = await visit(width, link);
    await until(other, () => document.querySelector(".cm-content").textContent.includes("a remark of mine"));
    await other.evaluate(() => navigator.serviceWorker.ready);
    await other.reload();
    await until(other, () => navigator.serviceWorker.controller !== null);
    host.offline = true;
    await other.reload();
    await other.waitForSelector(".cm-content");
    await passing(other);
    host.offline = false;
    assert.ok((await text(other)).includes("a remark of mine"));
    return other;
  },

  async "a first visit asks for one project alone, and all can be opened without a network after it"(width) {
    const page = await visit(width);
    await passing(page);
    const loaded = () => page.asked.filter((path) => path.startsWith("/project-"));
    assert.deepEqual(loaded(), ["/project-new-squares.json"]);
    await open(page, "pig");
    assert.deepEqual(loaded(), ["/project-new-squares.json", "/project-pig.json"]);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await until(page, () => navigator.serviceWorker.controller !== null);
    host.offline = true;
    await page.reload();
    await page.waitForSelector(".cm-content");
    for (const name of ["breakthrough", "pig", "chapter 10. A house rule"]) await open(page, name);
    host.offline = false;
    return page;
  },

  async "old links stay readable"(width) {
    for (const { fragment, path, has } of JSON.parse(readFileSync(join(here, "links.json"), "utf8"))) {
      const page = await visit(width, `${host.address}#${fragment}`);
      await show(page, path);
      assert.ok((await text(page)).includes(has), `${path} has ${has}`);
      await page.browserContext().close();
    }
    const page = await visit(width, `${host.address}#1notalink`);
    await until(page, () => document.querySelector("#said").textContent.includes("not whole"));
    return page;
  },

  async "what was typed is there at the next visit, and earlier states can be opened"(width) {
    const page = await visit(width);
    await passing(page);
    await goTo(page, "use my-game");
    await page.keyboard.type("  # kept");
    await until(page, () => localStorage.getItem("referee.project")?.includes("# kept"));
    await page.reload();
    await page.waitForSelector(".cm-content");
    await until(page, () => document.querySelector(".cm-content").textContent.includes("# kept"));
    await open(page, "pig");
    const state = await page.$$eval("#open option", (options) => options.map((option) => option.value).find((value) => value.startsWith("kept")));
    await page.focus("#open");
    await open(page, state ?? "kept 0");
    await until(page, () => document.querySelector(".cm-content").textContent.includes("# kept"));
    return page;
  },

  async "nothing is found by axe-core, light and dark"(width) {
    const page = await visit(width);
    await passing(page);
    await goTo(page, "| b . w");
    await press(page, "Backspace b");
    await page.waitForSelector("#examples .failure .boards");
    await page.evaluate(axe);
    for (const scheme of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      for (const tab of ["board", "play", "ask"]) {
        await page.click(`#tab-${tab}`);
        await page.waitForSelector(tab === "ask" ? "#pane-ask code" : `#pane-${tab} svg.board`);
        if (tab === "ask") {
          await button(page, "#pane-ask", "Ask");
          await page.waitForSelector("#pane-ask .histogram");
        }
        await picture(page, `${scheme}-${tab}-${width}`);
        const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
        const said = found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => `${node.html} ${node.failureSummary}`).slice(0, 3).join(" | ")}`);
        assert.deepEqual(said, [], `${scheme} ${tab}`);
      }
    }
    return page;
  },

  async "the keyboard is enough"(width) {
    const page = await visit(width);
    await passing(page);
    // From the tabs to the board, over the cells, and a move.
    await page.focus("#tab-board");
    await press(page, "ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.id), "tab-play");
    await page.waitForSelector("#pane-play .spot.open");
    for (let tab = 0; tab < 20 && !(await page.evaluate(() => document.activeElement.closest(".layer"))); tab += 1) await press(page, "Tab");
    const cell = () => page.evaluate(() => document.activeElement.dataset.cell);
    assert.equal(await cell(), "a3");
    await press(page, "ArrowDown ArrowDown ArrowRight");
    assert.equal(await cell(), "b1");
    await press(page, "Enter");
    await until(page, () => document.activeElement.classList.contains("chosen"));
    await press(page, "ArrowUp Enter");
    await until(page, () => document.querySelector("#pane-play").dataset.answers === "1");
    // Out of the editor: Escape, then Tab.
    await page.focus(".cm-content");
    await press(page, "Escape Tab");
    assert.ok(await page.evaluate(() => !document.activeElement.closest(".cm-editor")));
    return page;
  },
};

const LIMIT = Symbol("limit");
let count = 0;
let failed = 0;
for (const width of WIDTHS) {
  for (const [name, run] of Object.entries(cases).filter(([name]) => name.includes(given.only))) {
    const began = performance.now();
    const limit = new Promise((_, fail) => setTimeout(fail, LONGEST, LIMIT).unref());
    try {
      const page = await Promise.race([run(width), limit]);
      assert.deepEqual(page.problems, []);
      assert.deepEqual(host.violations, []);
      await page.browserContext().close();
      count += 1;
      console.log(`ok    ${width}  ${((performance.now() - began) / 1000).toFixed(1)} s  ${name}`);
    } catch (error) {
      failed += 1;
      host.offline = false;
      host.violations.length = 0;
      console.log(`FAIL  ${width}  ${name}\n${error === LIMIT ? "it takes too long" : (error.stack ?? error)}`);
      const [page] = (await browser.pages()).slice(-1);
      await page?.screenshot({ path: join(given.pictures ?? folder, `../failed-${width}.png`) }).catch(() => {});
      for (const context of browser.browserContexts().slice(1)) await context.close().catch(() => {});
    }
  }
}
await browser.close();
await host.end();
console.log(`speeds on this machine: ${speeds.join(", ")}`);
console.log(`${WIDTHS.join(" and ")} pixels wide: ${count} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
