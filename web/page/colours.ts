// Colours of the text: the semantic tokens of the language server.

import type { LSPClient } from "@codemirror/lsp-client";
import { StateEffect, StateField, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";

// The time without a change after which the colours are asked for, in milliseconds.
const QUIET = 60;

const recolour = StateEffect.define<DecorationSet>();

const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    marks = marks.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(recolour)) marks = effect.value;
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

interface Legend {
  tokenTypes: string[];
}

export function colouring(client: LSPClient, uri: string): Extension {
  const plugin = ViewPlugin.fromClass(
    class {
      private timer = 0;

      constructor(private readonly view: EditorView) {
        this.soon();
      }

      update(update: ViewUpdate) {
        if (update.docChanged) this.soon();
      }

      destroy() {
        clearTimeout(this.timer);
      }

      private soon() {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => void this.ask(), QUIET);
      }

      private async ask() {
        const { view } = this;
        const doc = view.state.doc;
        try {
          await client.initializing;
          client.sync();
          const asked = { textDocument: { uri } };
          const found = await client.request<object, { data: number[] } | null>("textDocument/semanticTokens/full", asked);
          const provider = client.serverCapabilities?.semanticTokensProvider as { legend: Legend } | undefined;
          if (!found || !provider || view.state.doc !== doc) return;
          view.dispatch({ effects: recolour.of(marks(doc, found.data, provider.legend)) });
        } catch {
          // The worker was started again; the next change asks again.
        }
      }
    },
  );
  return [colours, plugin];
}

function marks(doc: EditorView["state"]["doc"], data: number[], legend: Legend): DecorationSet {
  const found: Range<Decoration>[] = [];
  let [line, column] = [0, 0];
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, kind = 0] = data.slice(at, at + 4);
    line += down;
    column = down > 0 ? right : column + right;
    if (line >= doc.lines) break;
    const from = doc.line(line + 1).from + column;
    const to = Math.min(from + length, doc.length);
    if (from < to) found.push(Decoration.mark({ class: `token-${legend.tokenTypes[kind]}` }).range(from, to));
  }
  return Decoration.set(found, true);
}
