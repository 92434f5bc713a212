// The messages of the language server: underlined in the editor, with their quick fixes, and listed.

import { LSPPlugin, type LSPClient } from "@codemirror/lsp-client";
import { setDiagnostics, type Action, type Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { addressOf, pathOf, type ProjectWorkspace } from "./workspace";

interface Place {
  line: number;
  character: number;
}

interface Range {
  start: Place;
  end: Place;
}

export interface Problem {
  range: Range;
  severity?: number;
  message: string;
}

/** Whether it is an error: not a failed expectation, which is a warning, nor a note. */
export const isError = (problem: Problem): boolean => problem.severity === undefined || problem.severity === 1;

interface TextEdit {
  range: Range;
  newText: string;
}

export interface Fix {
  title: string;
  apply: () => void;
}

// A change of files as the protocol has it: of texts, or of a new file with its text.
interface Edit {
  changes?: Record<string, TextEdit[]>;
  documentChanges?: { kind?: "create"; textDocument?: { uri: string }; edits?: TextEdit[] }[];
}

interface CodeAction {
  title: string;
  edit?: Edit;
}

export class Problems {
  private byPath = new Map<string, Problem[]>();
  changed: () => void = () => {};

  of(path: string): Problem[] {
    return this.byPath.get(path) ?? [];
  }

  clear() {
    this.byPath.clear();
    this.changed();
  }

  // Keeps only the messages about these files.
  keep(paths: string[]) {
    for (const path of this.byPath.keys()) if (!paths.includes(path)) this.byPath.delete(path);
    this.changed();
  }

  // Keeps and shows the messages about a file.
  readonly published = (client: LSPClient, params: { uri: string; diagnostics: Problem[] }): boolean => {
    const path = pathOf(params.uri);
    if (path === undefined) return true;
    if (params.diagnostics.length > 0) this.byPath.set(path, params.diagnostics);
    else this.byPath.delete(path);
    const view = client.workspace.getFile(params.uri)?.getView();
    if (view) this.show(client, view, params);
    this.changed();
    return true;
  };

  // Underlines what is known of a file in a new editor.
  shown(client: LSPClient, view: EditorView, uri: string, path: string) {
    this.show(client, view, { uri, diagnostics: this.of(path) });
  }

  private show(client: LSPClient, view: EditorView, { uri, diagnostics }: { uri: string; diagnostics: Problem[] }) {
    const plugin = LSPPlugin.get(view);
    if (!plugin) return;
    const { syncedDoc, unsyncedChanges } = plugin;
    const place = (at: Place) => unsyncedChanges.mapPos(offset(syncedDoc, at));
    const marks = diagnostics.map((item): Diagnostic => {
      const from = place(item.range.start);
      return {
        from,
        to: Math.max(from, place(item.range.end)),
        severity: isError(item) ? "error" : item.severity === 2 ? "warning" : "info",
        message: item.message,
      };
    });
    view.dispatch(setDiagnostics(view.state, marks));
    void this.withFixes(client, view, uri, diagnostics, marks);
  }

  // Adds the quick fixes, which the server makes on request.
  private async withFixes(client: LSPClient, view: EditorView, uri: string, items: Problem[], marks: Diagnostic[]) {
    const doc = view.state.doc;
    try {
      const found = await Promise.all(items.map((item) => fixes(client, uri, item.range, [item])));
      if (view.state.doc !== doc || found.every((fixes) => fixes.length === 0)) return;
      const action = (fix: Fix): Action => ({ name: fix.title, apply: fix.apply });
      view.dispatch(setDiagnostics(view.state, marks.map((mark, at) => ({ ...mark, actions: (found[at] ?? []).map(action) }))));
    } catch {
      // The worker was started again; the messages come anew.
    }
  }
}

function offset(doc: EditorView["state"]["doc"], at: Place): number {
  const line = doc.line(Math.min(at.line + 1, doc.lines));
  return Math.min(line.from + at.character, line.to);
}

// Returns the quick fixes for a line of a file, counted from 1.
export function fixesAt(client: LSPClient, path: string, line: number): Promise<Fix[]> {
  const at = { line: line - 1, character: 0 };
  return fixes(client, addressOf(path), { start: at, end: at }, []);
}

async function fixes(client: LSPClient, uri: string, range: Range, diagnostics: Problem[]): Promise<Fix[]> {
  const asked = { textDocument: { uri }, range, context: { diagnostics } };
  const found = await client.request<object, CodeAction[] | null>("textDocument/codeAction", asked);
  return (found ?? []).map((action) => ({ title: action.title, apply: () => apply(client, action.edit ?? {}) }));
}

// Changes files as the server says.
function apply(client: LSPClient, { changes = {}, documentChanges = [] }: Edit) {
  const workspace = client.workspace as ProjectWorkspace;
  client.sync();
  for (const { textDocument, edits } of documentChanges) {
    if (textDocument && edits) workspace.create(textDocument.uri, edits.map((edit) => edit.newText).join(""));
  }
  for (const [uri, edits] of Object.entries(changes)) {
    const file = workspace.getFile(uri);
    if (!file) continue;
    const place = (at: Place) => offset(file.doc, at);
    const made = edits.map((edit) => ({ from: place(edit.range.start), to: place(edit.range.end), insert: edit.newText }));
    workspace.updateFile(uri, { changes: made, userEvent: "input.fix" });
  }
}
