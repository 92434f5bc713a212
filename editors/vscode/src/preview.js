// The board beside the text: the position at the cursor, or the steps of a test.
"use strict";

const vscode = require("vscode");
const { positionAt } = require("./results");

/** How long the cursor rests before the position is asked for, in milliseconds. */
const REST = 100;

/** The files with scenarios, and all that positions depend on. */
const WITH_SCENARIOS = ["referee-scenario", "markdown"];
const OF_A_GAME = [...WITH_SCENARIOS, "referee-game", "rhai", "yaml"];

function escaped(text) {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** Returns a page with pictures, one visible at a time. It loads nothing; its only script has the nonce. */
function page(steps, nonce) {
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  const parts = steps.map((step, at) => {
    // As an image, a picture can run nothing.
    const picture = `data:image/svg+xml;base64,${Buffer.from(step.svg).toString("base64")}`;
    return `<section data-line="${step.line ?? ""}" ${at === 0 ? "" : "hidden"}>
<img alt="${escaped(step.text)}" src="${picture}"><pre>${escaped(step.text)}</pre></section>`;
  });
  const buttons = steps.length > 1 ? `<nav><button id="back">◀ Back</button> <span id="at" aria-live="polite"></span>
<button id="on">On ▶</button></nav>` : "";
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>Position</title>
<style>img { max-width: 100%; } pre { white-space: pre-wrap; }</style></head>
<body>${buttons}${parts.join("\n")}
<script nonce="${nonce}">
const editor = acquireVsCodeApi();
const steps = [...document.querySelectorAll("section")];
let at = 0;
function show(next) {
  at = Math.max(0, Math.min(steps.length - 1, next));
  steps.forEach((step, number) => { step.hidden = number !== at; });
  const label = document.getElementById("at");
  if (label) label.textContent = (at + 1) + " of " + steps.length;
  const line = steps[at] && steps[at].dataset.line;
  if (steps.length > 1 && line) editor.postMessage({ line: Number(line) });
}
document.getElementById("back")?.addEventListener("click", () => show(at - 1));
document.getElementById("on")?.addEventListener("click", () => show(at + 1));
document.addEventListener("keydown", (key) => {
  if (key.key === "ArrowLeft") show(at - 1);
  if (key.key === "ArrowRight") show(at + 1);
});
show(0);
</script></body></html>`;
}

function nonce() {
  return require("node:crypto").randomBytes(16).toString("hex");
}

/**
 * Adds the panel with the position at the cursor.
 * @param {(method: string, parameters: object) => Promise<any>} request asks the server
 */
function addPreview(context, request) {
  /** @type {vscode.WebviewPanel | undefined} */
  let panel;
  /** The file whose steps are shown, instead of the position at the cursor. */
  let stepped;
  /** The editor with the scenario whose position is shown. */
  let watched;
  let resting;

  function shown() {
    if (!panel) {
      const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      panel = vscode.window.createWebviewPanel("referee.position", "Position", beside, { enableScripts: true });
      panel.onDidDispose(() => {
        panel = undefined;
        stepped = undefined;
      });
      panel.webview.onDidReceiveMessage((message) => {
        if (stepped && Number.isInteger(message.line)) reveal(stepped, message.line - 1);
      });
    }
    return panel;
  }

  /** Puts the cursor on the line of a step. */
  async function reveal(uri, line) {
    const visible = vscode.window.visibleTextEditors.find((one) => one.document.uri.toString() === uri.toString());
    const viewColumn = visible?.viewColumn ?? vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(uri, { viewColumn, preserveFocus: true });
    const place = new vscode.Range(line, 0, line, 0);
    editor.selection = new vscode.Selection(place.start, place.end);
    editor.revealRange(place);
  }

  /** Shows the position at the cursor that was last in a file with scenarios. */
  async function follow(editor) {
    // While rules are written, the position stays that of the scenario.
    if (editor && WITH_SCENARIOS.includes(editor.document.languageId)) watched = editor;
    if (!panel || stepped) return;
    let found;
    let text = "There is no position at the cursor.";
    try {
      if (watched) found = await positionAt(request, watched.document.uri.toString(), watched.selection.active.line);
    } catch (error) {
      text = error.message;
    }
    if (!panel || stepped) return;
    const nothing = { svg: "<svg xmlns='http://www.w3.org/2000/svg'/>", text };
    panel.title = found ? found.title : "Position";
    panel.webview.html = page([found ?? nothing], nonce());
  }

  /** Follows once nothing has happened for a moment. */
  function followSoon(editor) {
    clearTimeout(resting);
    resting = setTimeout(() => follow(editor), REST);
  }

  context.subscriptions.push(
    vscode.commands.registerCommand("referee.preview", () => {
      stepped = undefined;
      shown();
      return follow(vscode.window.activeTextEditor);
    }),
    vscode.window.onDidChangeTextEditorSelection((change) => followSoon(change.textEditor)),
    // A fix or a change of the rules moves no cursor, but changes what is reached.
    vscode.workspace.onDidChangeTextDocument((change) => {
      if (OF_A_GAME.includes(change.document.languageId)) followSoon(vscode.window.activeTextEditor);
    }),
  );

  /** Shows the positions of a test one by one; a single one until the cursor moves. */
  function step(test, uri) {
    stepped = test.steps.length > 1 ? uri : undefined;
    const where = shown();
    where.title = test.title;
    where.webview.html = page(test.steps, nonce());
  }

  return { step };
}

module.exports = { addPreview, page };
