// Makes the pictures of docs/editors.md, from Visual Studio Code itself:
//
//   CODE_SERVER=… node tests/browser/pictures.js
//
// tests/browser/install.sh says what it needs.
"use strict";

const path = require("node:path");
const { bounce } = require("./bounce");
const { ROOT, missing, openEditor } = require("./editor");

const picture = (name) => path.join(ROOT, "docs", name);

/** A failing line with its message, and the board beside it. */
async function failing(editor) {
  await editor.open("scenarios/bounce.scenario");
  await editor.seen(".statusbar-item", "Errors: 2");
  await editor.command("View: Toggle Primary Side Bar Visibility");
  await editor.line(19, 3);
  await editor.command("referee: Show the position at the cursor");
  await editor.rest(2000);
  // The next problem, in place.
  await editor.press("F8");
  await editor.seen(".marker-widget", "large is at c4");
  await editor.rest(1000);
  await editor.page.screenshot({ path: picture("editor.png") });
}

/** The test explorer, and a test that is stepped through. */
async function stepping(editor) {
  await editor.press("Escape");
  await editor.command("Testing: Focus on Test Explorer View");
  await editor.seen(".test-explorer .monaco-list-row", "scenarios/bounce.scenario");
  await editor.command("Test: Run All Tests");
  await editor.seen(".test-explorer .monaco-list-row", "scenarios/bounce.scenario (Failed");
  await editor.click(".test-explorer .monaco-list-row", "scenarios/bounce.scenario");
  await editor.press("ArrowRight");
  await editor.click(".monaco-editor .view-line", "turn green");
  await editor.line(3);
  await editor.command("Test: Debug Test at Cursor");
  await editor.rest(3000);
  for (const frame of editor.page.frames()) {
    if (!(await frame.$("#on").catch(() => null))) continue;
    await frame.click("#on");
    await frame.click("#on");
  }
  await editor.rest(1500);
  await editor.command("View: Hide Panel");
  await editor.rest(1000);
  await editor.page.screenshot({ path: picture("stepping.png") });
}

async function main() {
  const why = missing();
  if (why) throw new Error(why);
  const editor = await openEditor(bounce(), { width: 1120, height: 680 });
  try {
    await failing(editor);
    await stepping(editor);
  } catch (error) {
    if (process.env.SHOTS) await editor.page.screenshot({ path: path.join(process.env.SHOTS, "pictures.png") });
    throw error;
  } finally {
    await editor.close();
  }
}

main();
