// The board at the cursor: the position that play has reached there, with the moves that are legal; or, in a diagram, the
// board to draw on.

import type { LSPClient } from "@codemirror/lsp-client";
import { Clicks, board, hasFocus, refocus, type Cell } from "./boards";
import { diagramAt, put, sketch, turned, written, type Diagram, type Symbol } from "./diagram";
import { button, make } from "./dom";
import type { Editor } from "./editor";
import { addressOf } from "./workspace";

interface Position {
  title: string;
  line: number | null;
  events: string[];
  values: string[];
  turn: string | null;
  standing: string;
  diagram: string[];
  svg: string;
  cells: Cell[];
  symbols: Symbol[];
  answers: string[];
}

// The most answers that are shown as buttons at once.
const MAX_SHOWN = 60;
// The time without a movement of the cursor after which the position is asked for, in milliseconds.
const QUIET = 25;
// What a click does in a diagram, besides putting a symbol.
const TAKE = "take away";
const TURN = "turn over";

export class BoardPane {
  private timer = 0;
  private round = 0;
  private readonly clicks = new Clicks();
  private token = "";
  private last: Position | undefined;
  private rendered = "";
  // Whether the visitor works on the board rather than in the text.
  private kept = false;

  constructor(
    private readonly parent: HTMLElement,
    private readonly editor: Editor,
  ) {}

  // Follows the cursor.
  soon() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.update(), QUIET);
  }

  private async update() {
    const { path, client } = this.editor;
    if (path === undefined || !/\.(scenario|md)$/.test(path)) {
      this.rendered = "";
      this.show(make("p", { class: "hint" }, "Put the cursor into an example to see its board here: open a file that ends with .scenario."));
      return;
    }
    const round = ++this.round;
    const line = this.editor.line();
    const began = performance.now();
    const found = await position(client, path, line).catch(() => undefined);
    if (round !== this.round || this.editor.path !== path) return;
    performance.measure("referee-board", { start: began });
    const key = JSON.stringify([path, line, found ?? null, diagramAt(this.editor.lines(), line)]);
    // An element that is replaced between pressing and releasing the mouse gets no click.
    if (key === this.rendered) return;
    this.rendered = key;
    this.clicks.chosen = [];
    this.kept ||= hasFocus(this.parent);
    const diagram = diagramAt(this.editor.lines(), line);
    if (found) this.last = found;
    if (diagram) this.drawing(diagram, found ?? undefined);
    else if (found) this.playing(found);
    else this.show(make("p", { class: "hint" }, "There is no position here: this line belongs to no example, or the example has an error."));
    if (this.kept) refocus(this.parent);
    this.kept = false;
  }

  private show(...children: (HTMLElement | undefined)[]) {
    this.parent.replaceChildren(...children.filter((child) => child !== undefined));
  }

  // Shows the position, and what may follow.
  private playing(found: Position) {
    const names = new Set(found.cells.map((cell) => cell.cell));
    const { answers } = found;
    const fitting = this.clicks.fitting(answers, names);
    const marks = { open: this.clicks.next(answers, names), chosen: this.clicks.chosen };
    const act = (cell: Cell) => {
      const meant = this.clicks.choose(cell.cell, answers, names);
      if (meant !== undefined) return this.write(meant);
      this.playing(found);
      refocus(this.parent);
    };
    const shown = fitting.slice(0, MAX_SHOWN).map((answer) => button(answer, () => this.write(answer)));
    const rest = fitting.length > MAX_SHOWN ? `… and ${fitting.length - MAX_SHOWN} more: click a cell` : undefined;
    const chosen = this.clicks.chosen.length > 0 ? ` with ${this.clicks.chosen.join(", ")}` : "";
    const following = make("div", { class: "answers" }, make("p", {}, make("b", {}, found.standing), answers.length > 0 ? `. Write what follows${chosen}:` : ""), ...shown, rest);
    this.show(
      make("h2", {}, found.title),
      found.cells.length > 0 ? board(found.svg, found.cells, marks, answers.length > 0 ? act : undefined) : board(found.svg, [], marks, undefined),
      following,
      found.cells.length > 0 ? make("p", { class: "tools" }, button("Draw this position", () => this.insertDiagram(found))) : undefined,
      list("values", [...found.values, ...(found.turn === null ? [] : [`turn ${found.turn}`])]),
      list("what happened", found.events.map((event) => `> ${event}`)),
    );
  }

  // Writes an answer below the line of the cursor.
  private write(answer: string) {
    this.kept = hasFocus(this.parent);
    const lines = this.editor.lines();
    const line = this.editor.line();
    this.editor.insertBelow(line, [indentAt(lines, line) + answer], "last");
  }

  // Writes the position as a diagram to draw on, below the title of the example.
  private insertDiagram(found: Position) {
    const lines = this.editor.lines();
    let head = this.editor.line();
    while (head > 1 && !/^\s*(scenario|position)\b/.test(lines[head - 1] ?? "")) head -= 1;
    for (let line = head + 1; line <= lines.length && !/^\s*(scenario|position)\b/.test(lines[line - 1] ?? ""); line += 1) {
      // It has one already.
      if (/^\s*board\b/.test(lines[line - 1] ?? "") && diagramAt(lines, line)) return void this.editor.show(this.editor.path ?? "", line);
    }
    const indent = indentAt(lines, head);
    this.editor.insertBelow(head, [`${indent}board`, ...found.diagram.map((row) => indent + row)], "first");
  }

  // Shows the board of a diagram, and what can be put on it.
  private drawing(diagram: Diagram, found: Position | undefined) {
    const known = found ?? this.last;
    const rows = found ? byRow(found.cells) : [];
    const fits = rows.length === diagram.rows.length && rows.every((cells, at) => cells.length === diagram.rows[at]?.length);
    const begins = diagram.rows.map((cells) => cells.join(" ")).join("\n");
    const shownText = rows.map((cells) => cells.map((cell) => (cell.text === cell.cell ? "." : cell.text)).join(" ")).join("\n");
    // The picture is that of the line; a diagram that is expected, or not legal, is shown as it is written.
    const drawn = found && fits && shownText === begins ? { svg: found.svg, cells: rows.flat() } : sketch(diagram.rows);
    const places = new Map<string, [number, number]>();
    let at = 0;
    for (const [row, cells] of diagram.rows.entries()) {
      for (const column of cells.keys()) {
        const cell = drawn.cells[at++];
        if (cell) places.set(cell.cell, [row, column]);
      }
    }
    const used = new Set(diagram.rows.flat().filter((token) => token !== "." && token !== "?"));
    const symbols = [...(known?.symbols ?? [])];
    for (const text of used) {
      if (!symbols.some((symbol) => symbol.text === text)) symbols.push({ text, name: text, wide: 1, high: 1, many: true });
    }
    const tools = [TAKE, TURN, ...symbols.map((symbol) => symbol.text)];
    if (!tools.includes(this.token)) this.token = symbols[0]?.text ?? TAKE;
    const choose = (token: string) => () => {
      this.token = token;
      this.drawing(diagram, found);
    };
    const tool = (token: string, name: string) => button(token, choose(token), { "aria-pressed": String(token === this.token), title: name });
    const act = (cell: Cell) => {
      const place = places.get(cell.cell);
      if (place) this.draw(place, symbols);
    };
    const cards = symbols.some((symbol) => symbol.text.startsWith("("));
    this.show(
      make("h2", {}, "Draw"),
      make("p", { class: "hint" }, "Choose a piece, then click cells: the diagram in the text changes. A second click takes it away."),
      make("div", { class: "palette" }, ...symbols.slice(0, MAX_SHOWN).map((symbol) => tool(symbol.text, symbol.name)), tool(TAKE, "clear a cell"), cards ? tool(TURN, "turn a card over") : undefined),
      board(drawn.svg, drawn.cells, { open: new Set(), chosen: [] }, act),
      found ? undefined : make("p", { class: "hint" }, "This is no legal position yet: the message below the text says why."),
    );
  }

  private draw([row, column]: [number, number], symbols: Symbol[]) {
    const lines = this.editor.lines();
    const diagram = diagramAt(lines, this.editor.line());
    if (!diagram) return;
    this.kept = hasFocus(this.parent);
    const symbol = symbols.find((symbol) => symbol.text === this.token);
    const rows = this.token === TURN ? turned(diagram.rows, row, column) : put(diagram.rows, row, column, symbol);
    const indent = lines[diagram.first - 1]?.match(/^\s*/)?.[0] ?? "    ";
    this.editor.replaceLines(diagram.first, diagram.last, [...written(rows, indent), ...diagram.tail].join("\n"));
    // The change has moved the cursor out of the diagram if it was in its rows.
    this.editor.stay(diagram.head);
  }
}

function position(client: LSPClient, path: string, line: number): Promise<Position | null> {
  client.sync();
  const at = { line: line - 1, character: 0 };
  return client.request("referee/position", { textDocument: { uri: addressOf(path) }, position: at });
}

// The cells of each row, from the top.
function byRow(cells: Cell[]): Cell[][] {
  const rows = new Map<number, Cell[]>();
  for (const cell of cells) rows.set(cell.y, [...(rows.get(cell.y) ?? []), cell]);
  return [...rows.values()];
}

// The indentation of the lines of an example at a line.
function indentAt(lines: string[], line: number): string {
  let at = line;
  while (at > 1 && /^\s*[|>]/.test(lines[at - 1] ?? "")) at -= 1;
  const own = lines[at - 1] ?? "";
  const indent = own.match(/^\s*/)?.[0] ?? "";
  return /^\s*(scenario|branch|position)\b/.test(own) ? `${indent}  ` : indent || "  ";
}

function list(label: string, lines: string[]): HTMLElement | undefined {
  return lines.length === 0 ? undefined : make("ul", { class: "values", "aria-label": label }, ...lines.map((line) => make("li", {}, line)));
}
