// The board beside the text: the position at the cursor, or the steps of a test.
"use strict";

const vscode = require("vscode");
const { positionAt } = require("./results");

/** How long the cursor rests before the position is asked for, in milliseconds. */
const REST = 100;

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
    const editor = await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One, preserveFocus: true });
    const place = new vscode.Range(line, 0, line, 0);
    editor.selection = new vscode.Selection(place.start, place.end);
    editor.revealRange(place);
  }

  async function follow(editor) {
    if (!panel || stepped || !editor) return;
    const found = await positionAt(request, editor.document.uri.toString(), editor.selection.active.line);
    if (!panel || stepped) return;
    const nothing = { svg: "<svg xmlns='http://www.w3.org/2000/svg'/>", text: "There is no position at the cursor." };
    panel.title = found ? found.title : "Position";
    panel.webview.html = page([found ?? nothing], nonce());
  }

  context.subscriptions.push(
    vscode.commands.registerCommand("referee.preview", () => {
      stepped = undefined;
      shown();
      return follow(vscode.window.activeTextEditor);
    }),
    vscode.window.onDidChangeTextEditorSelection((change) => {
      clearTimeout(resting);
      resting = setTimeout(() => follow(change.textEditor), REST);
    }),
  );

  /** Shows the positions of a test one by one. */
  function step(test, uri) {
    stepped = uri;
    const where = shown();
    where.title = test.title;
    where.webview.html = page(test.steps, nonce());
  }

  return { step };
}

module.exports = { addPreview, page };
