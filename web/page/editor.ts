// The editor: one view, in which the files of the project are shown one after the other.

import { basicSetup } from "codemirror";
import {
  LSPClient, findReferencesKeymap, formatDocument, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, renameKeymap,
  serverCompletion,
} from "@codemirror/lsp-client";
import { acceptCompletion, autocompletion, completionStatus, moveCompletionSelection, selectedCompletion } from "@codemirror/autocomplete";
import { indentWithTab } from "@codemirror/commands";
import { lintGutter } from "@codemirror/lint";
import { indentUnit } from "@codemirror/language";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { colouring } from "./colours";
import type { Desk } from "./desk";
import { harmless } from "./dom";
import { Problems } from "./problems";
import type { Project } from "./project";
import { ProjectWorkspace, addressOf } from "./workspace";

// The longest time to wait for an answer of the server, in milliseconds: the first one loads the game.
const PATIENCE = 20_000;

const isProse = (path: string) => path.endsWith(".md");

// Takes what is offered: what was chosen, or else the first.
function complete(view: EditorView): boolean {
  if (completionStatus(view.state) !== "active") return false;
  if (selectedCompletion(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}

export class Editor {
  readonly problems = new Problems();
  client: LSPClient;
  path: string | undefined;
  view: EditorView | undefined;
  // Called when another file is shown.
  opened: (path: string) => void = () => {};
  // Called when the text or the cursor has changed.
  moved: () => void = () => {};
  private states = new Map<string, EditorState>();
  // What depends on the server, which may be another one after a failure.
  private readonly served = new Compartment();

  constructor(
    private readonly parent: HTMLElement,
    private readonly project: Project,
    private readonly desk: Desk,
    private readonly nonce: string,
  ) {
    this.client = this.connected();
  }

  private connected(): LSPClient {
    const client: LSPClient = new LSPClient({
      rootUri: "file:///project",
      timeout: PATIENCE,
      initializationOptions: { quiet: true },
      sanitizeHTML: harmless,
      workspace: (made) => new ProjectWorkspace(made, this.project, (path) => this.show(path)),
      extensions: [serverCompletion(), hoverTooltips()],
      notificationHandlers: {
        "textDocument/publishDiagnostics": this.problems.published,
        "window/logMessage": () => true,
      },
      unhandledNotification: () => {},
    });
    (client.workspace as ProjectWorkspace).follow();
    client.connect(this.desk.transport);
    return client;
  }

  // Begins a new conversation with a new worker. Texts, cursors and what can be undone stay.
  reconnect() {
    const { path, view } = this;
    this.client.disconnect();
    this.client = this.connected();
    this.problems.clear();
    for (const [path, state] of this.states) {
      this.states.set(path, state.update({ effects: this.served.reconfigure(this.server(path)) }).state);
    }
    if (path === undefined || !view) return;
    view.dispatch({ effects: this.served.reconfigure(this.server(path)) });
    this.desk.shown(path);
    this.moved();
  }

  // Follows the files of the project, after some were added, removed or replaced.
  follow() {
    const now = this.path === undefined ? undefined : this.project.files[this.path];
    if (now === undefined) this.close();
    else if (this.view) this.view.dispatch({ changes: difference(this.view.state.doc.toString(), now) });
    for (const [path, state] of this.states) {
      if (state.doc.toString() !== this.project.files[path]) this.states.delete(path);
    }
    const changes = (this.client.workspace as ProjectWorkspace).follow();
    this.desk.flush();
    if (changes.length > 0) this.client.notification("workspace/didChangeWatchedFiles", { changes });
    this.problems.keep(this.project.paths());
  }

  // Follows a change of a file that the language server reads as files on a disk: a snapshot.
  touched(path: string) {
    if (!path.endsWith(".snap")) return;
    this.desk.flush();
    this.client.notification("workspace/didChangeWatchedFiles", { changes: [{ uri: addressOf(path), type: 2 }] });
  }

  close() {
    if (this.view && this.path !== undefined) this.states.set(this.path, this.view.state);
    this.view?.destroy();
    this.view = undefined;
    this.path = undefined;
  }

  // Forgets what can be undone: another project was opened.
  forget() {
    this.close();
    this.states.clear();
  }

  // Shows a file, at a line counted from 1.
  show(path: string, line?: number): EditorView {
    if (!this.view || this.path !== path) {
      this.close();
      const kept = this.states.get(path);
      const doc = this.project.files[path] ?? "";
      // The cursor of a new file is in its first example, whose board is shown.
      const anchor = isProse(path) ? 0 : (/^[ \t]*scenario\b/m.exec(doc)?.index ?? 0);
      const fresh = () => EditorState.create({ doc, selection: { anchor }, extensions: this.extensions(path) });
      const state = kept?.doc.toString() === doc ? kept : fresh();
      this.path = path;
      this.view = new EditorView({ parent: this.parent, state });
      this.problems.shown(this.client, this.view, addressOf(path), path);
      this.desk.shown(path);
      this.opened(path);
    }
    const { view } = this;
    if (line !== undefined) {
      const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines)).from;
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    }
    this.moved();
    return view;
  }

  // The line of the cursor, counted from 1.
  line(): number {
    return this.view ? this.view.state.doc.lineAt(this.view.state.selection.main.head).number : 1;
  }

  lines(): string[] {
    return this.view?.state.doc.toString().split("\n") ?? [];
  }

  // Replaces lines of the shown file; `to` is the last one.
  replaceLines(from: number, to: number, text: string) {
    const doc = this.view?.state.doc;
    if (!doc) return;
    const changes = { from: doc.line(from).from, to: doc.line(to).to, insert: text };
    this.view?.dispatch({ changes, userEvent: "input.draw" });
  }

  // Puts the cursor at the end of a line, wherever the focus is.
  stay(line: number) {
    const { view } = this;
    if (view) view.dispatch({ selection: { anchor: view.state.doc.line(Math.min(line, view.state.doc.lines)).to } });
  }

  // Writes lines below a line of the shown file, and puts the cursor at the end of the first or the last of them.
  insertBelow(line: number, texts: string[], cursor: "first" | "last") {
    const { view } = this;
    if (!view || texts.length === 0) return;
    const end = view.state.doc.line(Math.min(line, view.state.doc.lines)).to;
    const insert = `\n${texts.join("\n")}`;
    const anchor = end + (cursor === "first" ? 1 + (texts[0]?.length ?? 0) : insert.length);
    view.dispatch({ changes: { from: end, insert }, selection: { anchor }, scrollIntoView: true, userEvent: "input.answer" });
  }

  // Adds text at the end of a file, and shows it.
  append(path: string, text: string) {
    const before = this.project.files[path] ?? "";
    const glue = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    const view = this.show(path);
    const anchor = before.length + glue.length;
    view.dispatch({
      changes: { from: view.state.doc.length, insert: glue + text },
      selection: { anchor },
      userEvent: "input.append",
    });
    view.dispatch({ effects: EditorView.scrollIntoView(anchor, { y: "start", yMargin: 20 }) });
  }

  // Tidies the shown file as `referee fmt` does.
  format() {
    if (this.view) formatDocument(this.view);
  }

  private server(path: string): Extension {
    const uri = addressOf(path);
    return [colouring(this.client, uri), this.client.plugin(uri, "referee")];
  }

  private extensions(path: string): Extension[] {
    return [
      EditorView.cspNonce.of(this.nonce),
      EditorView.contentAttributes.of({ "aria-label": `text of ${path}`, tabindex: "0" }),
      basicSetup,
      // Enter begins a line, unless something was chosen.
      autocompletion({ selectOnOpen: false, icons: false }),
      indentUnit.of("  "),
      lintGutter(),
      isProse(path) ? EditorView.lineWrapping : [],
      // Tab sets lines in; Escape and then Tab leaves the editor.
      keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap, { key: "Tab", run: complete }, indentWithTab]),
      this.served.of(this.server(path)),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.project.set(path, update.state.doc.toString());
        if (update.docChanged || update.selectionSet) this.moved();
      }),
    ];
  }
}

// Returns the change from one text to another: what is between their common beginning and end, so that the cursor stays.
function difference(before: string, after: string): { from: number; to: number; insert: string }[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < shorter - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return [{ from, to: before.length - same, insert: after.slice(from, after.length - same) }];
}
