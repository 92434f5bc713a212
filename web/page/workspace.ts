// The files of the project for the language server: all are open, so that a change of the rules reaches every example.

import { LSPPlugin, Workspace, type LSPClient, type WorkspaceFile } from "@codemirror/lsp-client";
import { ChangeSet, Text, type TransactionSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Project } from "./project";

const ROOT = "file:///project/";

export const addressOf = (path: string) => ROOT + path.split("/").map(encodeURIComponent).join("/");
export const pathOf = (address: string) =>
  address.startsWith(ROOT) ? decodeURIComponent(address.slice(ROOT.length)) : undefined;

class OpenFile implements WorkspaceFile {
  version = 0;
  readonly languageId = "referee";
  view: EditorView | null = null;

  constructor(
    readonly uri: string,
    public doc: Text,
  ) {}

  getView() {
    return this.view;
  }
}

export class ProjectWorkspace extends Workspace {
  override files: OpenFile[] = [];
  // Changes to files without an editor, which the server does not know yet.
  private pending = new Map<OpenFile, { changes: ChangeSet; prevDoc: Text }>();

  constructor(
    client: LSPClient,
    private readonly project: Project,
    private readonly display: (path: string) => EditorView,
  ) {
    super(client);
  }

  override getFile(uri: string): OpenFile | null {
    return this.files.find((file) => file.uri === uri) ?? null;
  }

  // Opens and closes files, so that they are those of the project; returns what has changed, in the words of the protocol.
  follow(): { uri: string; type: 1 | 3 }[] {
    const added: string[] = [];
    const wanted = new Map(this.project.paths().map((path) => [addressOf(path), path]));
    const gone = this.files.filter((file) => !wanted.has(file.uri) || this.isReplaced(file));
    for (const file of gone) {
      if (this.client.connected) this.client.didClose(file.uri);
      this.pending.delete(file);
    }
    this.files = this.files.filter((file) => !gone.includes(file));
    for (const [uri, path] of wanted) {
      if (this.getFile(uri)) continue;
      const file = new OpenFile(uri, Text.of((this.project.files[path] ?? "").split("\n")));
      this.files.push(file);
      added.push(uri);
      if (this.client.connected) this.client.didOpen(file);
    }
    const left = gone.map((file) => file.uri).filter((uri) => !wanted.has(uri));
    return [...added.map((uri) => ({ uri, type: 1 as const })), ...left.map((uri) => ({ uri, type: 3 as const }))];
  }

  // Whether the project has another text for a file without an editor: another project was opened.
  private isReplaced(file: OpenFile): boolean {
    const path = pathOf(file.uri);
    return file.view === null && path !== undefined && file.doc.toString() !== this.project.files[path];
  }

  override syncFiles() {
    const updates = [];
    for (const file of this.files) {
      const plugin = file.view && LSPPlugin.get(file.view);
      const pending = this.pending.get(file);
      if (plugin && file.view && !plugin.unsyncedChanges.empty) {
        updates.push({ changes: plugin.unsyncedChanges, file, prevDoc: file.doc });
        file.doc = file.view.state.doc;
        file.version += 1;
        plugin.clear();
      } else if (pending) {
        updates.push({ ...pending, file });
        file.version += 1;
      }
    }
    this.pending.clear();
    return updates;
  }

  override openFile(uri: string, _language: string, view: EditorView) {
    const file = this.getFile(uri);
    if (file) file.view = view;
  }

  override closeFile(uri: string) {
    const file = this.getFile(uri);
    if (!file?.view) return;
    // What was typed last is in the project already.
    this.client.sync();
    file.view = null;
  }

  // Makes a file, as a fix does that accepts a snapshot.
  create(uri: string, text: string) {
    const path = pathOf(uri);
    if (path !== undefined) this.project.add({ [path]: text });
  }

  // Changes a file that has no editor, as a rename does.
  override updateFile(uri: string, update: TransactionSpec) {
    const file = this.getFile(uri);
    const path = pathOf(uri);
    if (!file || path === undefined) return;
    if (file.view) {
      file.view.dispatch(update);
      return;
    }
    const changes = ChangeSet.of(update.changes ?? [], file.doc.length);
    const before = this.pending.get(file);
    this.pending.set(file, {
      changes: before ? before.changes.compose(changes) : changes,
      prevDoc: before?.prevDoc ?? file.doc,
    });
    file.doc = changes.apply(file.doc);
    this.project.set(path, file.doc.toString());
    this.client.sync();
  }

  override displayFile(uri: string): Promise<EditorView | null> {
    const path = pathOf(uri);
    return Promise.resolve(path !== undefined && this.project.files[path] !== undefined ? this.display(path) : null);
  }
}
