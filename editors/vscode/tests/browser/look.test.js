// The extension in Visual Studio Code itself: `npm run test:vscode`. tests/browser/install.sh says what it needs.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { bounce } = require("./bounce");
const { missing, openEditor } = require("./editor");

const why = missing();
if (why) console.error(`\n*** NOT TESTED in Visual Studio Code: ${why} ***\n`);
const options = { skip: why };

let editor;
/** After a failure, the editor is not in the state that the next test expects. */
let failed = false;
before(async () => {
  if (!why) editor = await openEditor(bounce());
});
after(() => editor?.close());

/** The lines that the editor shows; their order in the page is another. */
async function lines() {
  const shown = await editor.page.evaluate(() => {
    const all = [...document.querySelector(".monaco-editor .view-lines").children];
    return all.sort((one, other) => parseFloat(one.style.top) - parseFloat(other.style.top)).map((one) => one.textContent);
  });
  return shown.join("\n").replaceAll("\u00a0", " ");
}

/** Keeps a picture of a failure where SHOTS says. */
function look(name, act) {
  test(name, options, async () => {
    assert.ok(!failed, "a test before failed");
    failed = true;
    try {
      await act();
      failed = false;
    } finally {
      const shots = process.env.SHOTS;
      if (shots) await editor.page.screenshot({ path: path.join(shots, `${name.replace(/[^a-z]+/gi, "-")}.png`) });
    }
  });
}

look("a scenario is recognized, and coloured", async () => {
  await editor.open("scenarios/bounce.scenario");
  await editor.seen(".statusbar-item", "Scenario");
  const colours = await editor.page.evaluate(() => {
    const colourOf = (word) => {
      const spans = [...document.querySelectorAll(".view-line span span")];
      return getComputedStyle(spans.find((span) => span.textContent.trim() === word)).color;
    };
    return [colourOf("scenario"), colourOf("9x8")];
  });
  assert.notEqual(colours[0], colours[1]);
});

look("failures are marked, and lenses and hints are shown", async () => {
  await editor.seen(".statusbar-item", "Errors: 2");
  for (const lens of ["run", "show position", "record from here"]) await editor.seen(".codelens-decoration a", lens);
  await editor.seen(".view-line", "asks roll stride");
});

look("the board follows the cursor and what is written", async () => {
  await editor.line(8);
  await editor.command("referee: Show the position at the cursor");
  const shown = async (words) => {
    for (let tries = 0; tries < 100; tries += 1) {
      for (const frame of editor.page.frames()) {
        const text = await frame.evaluate(() => document.body?.innerText ?? "").catch(() => "");
        if (text.includes(words)) return;
      }
      await editor.rest(100);
    }
    assert.fail(`the panel does not show: ${words}`);
  };
  await shown("nothing was played yet");
  await editor.line(19);
  await shown("asks roll stride");
});

look("what was reached is accepted", async () => {
  await editor.line(20, 10);
  await editor.press("Control+Period");
  await editor.click(".action-widget .monaco-list-row", "Accept what was reached");
  await editor.seen(".statusbar-item", "Errors: 1");
  assert.match(await lines(), /expect large at c4/);
});

look("a misspelt word is found while it is written, and mended", async () => {
  await editor.line(19);
  await editor.press("End");
  await editor.press("Enter");
  await editor.page.keyboard.type("expect rde squished");
  await editor.press("Escape");
  await editor.seen(".statusbar-item", "Errors: 1");
  await editor.line(20, 11);
  await editor.press("Control+Period");
  await editor.click(".action-widget .monaco-list-row", "Change to `red`");
  await editor.rest(500);
  assert.match(await lines(), /expect red squished\n *expect red squished/);
});

look("the tests are listed; a run shows the failure at its line", async () => {
  await editor.press("Control+KeyS");
  await editor.command("Testing: Focus on Test Explorer View");
  await editor.seen(".test-explorer .monaco-list-row", "scenarios/bounce.scenario");
  await editor.seen(".test-explorer .monaco-list-row", "RULES.md");
  await editor.command("Test: Run All Tests");
  await editor.seen(".test-explorer .monaco-list-row", "scenarios/bounce.scenario (Failed");
  await editor.seen(".test-explorer .monaco-list-row", "RULES.md (Passed");
  await editor.seen(".test-error-content-widget", "the board differs on 1 cell: e4");
});

look("a test is stepped through", async () => {
  await editor.click(".editor-instance .view-line", "use squish-board");
  await editor.line(3);
  await editor.command("Test: Debug Test at Cursor");
  let panel;
  for (let tries = 0; tries < 200 && !panel; tries += 1) {
    await editor.rest(100);
    for (const frame of editor.page.frames()) if (await frame.$("#on").catch(() => null)) panel = frame;
  }
  assert.ok(panel, "the panel has no button");
  const at = () => panel.$eval("#at", (label) => label.textContent);
  assert.equal(await at(), "1 of 3");
  await panel.click("#on");
  await panel.click("#on");
  assert.equal(await at(), "3 of 3");
  await editor.seen(".active-line-number", "18");
});

test("nothing of it was written but by the editor", options, () => {
  const text = fs.readFileSync(path.join(editor.folder, "scenarios", "bounce.scenario"), "utf8");
  assert.match(text, /expect red squished\n  expect red squished\n  expect large at c4\n/);
});
