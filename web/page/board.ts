// The board at the cursor: the position that play has reached there, with the moves that are legal; or, in a diagram, the
// board to draw on.

import type { LSPClient } from "@codemirror/lsp-client";
import { Clicks, board, hasFocus, inWords, refocus, type Cell } from "./boards";
import { diagramAt, put, sketch, turned, written, type Diagram, type Symbol } from "./diagram";
import { button, make } from "./dom";
import type { Editor } from "./editor";
import { isError } from "./problems";
import type { Project } from "./project";
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
  // The diagram that is expected at the line, if one is.
  expected: { svg: string; cells: Cell[] } | null;
  answers: string[];
  goesOn: GoesOn;
}

// Where the example goes on below the line, as the server says it. Lines are counted from 1.
interface GoesOn {
  // The line below which an answer belongs, and its indentation.
  below: number;
  indent: string;
  // The next line of play, and whether it sets the position instead.
  next: string | null;
  setsPosition: boolean;
  // The line of the title, the indentation below it, and the line of the diagram with which the example begins.
  title: number;
  titleIndent: string;
  diagram: number | null;
}

// The most answers that are shown as buttons at once.
const MAX_SHOWN = 60;
// The time without a movement of the cursor after which the position is asked for, in milliseconds.
const QUIET = 25;
// The most files that are named where there is no position.
const MAX_WAYS = 8;
const NO_MARKS = { open: new Set<string>(), chosen: [] };
// What a click does in a diagram, besides putting a symbol.
const TAKE = "take away";
const TURN = "turn over";

export class BoardPane {
  private timer = 0;
  private round = 0;
  private readonly clicks = new Clicks();
  private token = "";
  // The position that was shown last, and its file.
  private last: Position | undefined;
  private lastPath: string | undefined;
  private rendered = "";
  // Whether the visitor works on the board rather than in the text.
  private kept = false;

  constructor(
    private readonly parent: HTMLElement,
    private readonly project: Project,
    private readonly editor: Editor,
    private readonly jump: (path: string, line: number) => void,
  ) {}

  // Follows the cursor.
  soon() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.update(), QUIET);
  }

  private async update() {
    const { path, client } = this.editor;
    if (path === undefined || !/\.(scenario|md)$/.test(path)) {
      const key = JSON.stringify(this.project.paths());
      if (key !== this.rendered) this.show(...this.nowhere("Here is the board of the example in which the cursor stands."));
      this.rendered = key;
      this.kept = false;
      return;
    }
    const round = ++this.round;
    const line = this.editor.line();
    const began = performance.now();
    const found = await position(client, path, line).catch(() => undefined);
    if (round !== this.round || this.editor.path !== path) return;
    performance.measure("referee-board", { start: began });
    const errors = this.editor.problems.of(path).some(isError);
    const key = JSON.stringify([path, line, found ?? null, diagramAt(this.editor.lines(), line), !found && errors]);
    // An element that is replaced between pressing and releasing the mouse gets no click.
    if (key === this.rendered) {
      this.kept = false;
      return;
    }
    this.rendered = key;
    this.clicks.chosen = [];
    this.kept ||= hasFocus(this.parent);
    const diagram = diagramAt(this.editor.lines(), line);
    const before = this.lastPath === path && errors ? this.last : undefined;
    if (found) [this.last, this.lastPath] = [found, path];
    if (diagram) this.drawing(diagram, found ?? undefined);
    else if (found) this.playing(found);
    else if (before) this.waiting(before);
    else this.show(...this.nowhere(errors ? "There is no board before the errors of this file are mended: they are listed below the text." : "This line belongs to no example."));
    if (this.kept) refocus(this.parent);
    this.kept = false;
  }

  private show(...children: (HTMLElement | undefined)[]) {
    this.parent.replaceChildren(...children.filter((child) => child !== undefined));
  }

  // Says that there is no position at the line, and where some are.
  private nowhere(why: string): HTMLElement[] {
    const examples = this.project.paths().flatMap((path) => {
      const at = firstExample(path, (this.project.files[path] ?? "").split("\n"));
      return at < 0 ? [] : [button(path, () => this.jump(path, at + 1), { class: "link" })];
    });
    const ways = examples.slice(0, MAX_WAYS).map((way) => make("li", {}, way));
    return [make("p", { class: "hint" }, why), ...(ways.length === 0 ? [] : [make("p", { class: "hint" }, "Go to the first example of"), make("ul", { class: "ways" }, ...ways)])];
  }

  // Shows the last position while there is none because something is being written.
  private waiting(last: Position) {
    this.show(
      make("h2", {}, last.title),
      make("div", { class: "past" }, board(last.svg, last.cells, NO_MARKS, undefined)),
      make("p", { class: "hint" }, "The position before the error: it goes on when the message below the text is gone."),
    );
  }

  // Shows the position, and what may follow: the words of the next line, if the example goes on.
  private playing(found: Position) {
    const names = new Set(found.cells.map((cell) => cell.cell));
    const { next, setsPosition: own } = found.goesOn;
    const answers = own ? [] : found.answers;
    const fitting = this.clicks.fitting(answers, names);
    const marks = { open: this.clicks.next(answers, names), chosen: this.clicks.chosen };
    const act = (cell: Cell) => {
      const meant = this.clicks.choose(cell.cell, answers, names);
      if (meant !== undefined) return this.write(meant, found.goesOn);
      this.playing(found);
      refocus(this.parent);
    };
    const shown = fitting.slice(0, MAX_SHOWN).map((answer) => button(answer, () => this.write(answer, found.goesOn)));
    const rest = fitting.length > MAX_SHOWN ? `… and ${fitting.length - MAX_SHOWN} more: click a cell` : undefined;
    const chosen = this.clicks.chosen.length > 0 ? ` with ${this.clicks.chosen.join(", ")}` : "";
    const write = own ? "The example sets its own position below." : next === null ? `Write what follows${chosen}:` : `The example goes on with “${next}”. Write before it${chosen}:`;
    const following = make("div", { class: "answers" }, make("p", {}, make("b", {}, `${inWords(found.standing)}. `), own || answers.length > 0 ? write : ""), ...shown, rest);
    this.show(
      make("h2", {}, found.title),
      found.cells.length > 0 ? board(found.svg, found.cells, marks, answers.length > 0 ? act : undefined) : board(found.svg, [], marks, undefined),
      following,
      found.cells.length > 0 ? make("p", { class: "tools" }, button("Draw this position", () => this.insertDiagram(found))) : undefined,
      list("values", [...found.values, ...(found.turn === null ? [] : [`turn ${found.turn}`])]),
      list("what happened", found.events.map((event) => `> ${event}`)),
    );
  }

  // Writes an answer where the example goes on.
  private write(answer: string, { below, indent }: GoesOn) {
    this.kept = hasFocus(this.parent);
    this.editor.insertBelow(below, [indent + answer], "last");
  }

  // Writes the position as a diagram to draw on, below the title of the example; shows the one that it has already.
  private insertDiagram({ diagram, goesOn }: Position) {
    if (goesOn.diagram !== null) return void this.editor.show(this.editor.path ?? "", goesOn.diagram);
    const { title, titleIndent: indent } = goesOn;
    this.editor.insertBelow(title, [`${indent}board`, ...diagram.map((row) => indent + row)], "first");
  }

  // Shows the board of a diagram, and what can be put on it.
  private drawing(diagram: Diagram, found: Position | undefined) {
    const known = found ?? this.last;
    // The picture of the position, or of what is expected; a diagram that is not legal is shown as it is written.
    const drawn = [found, found?.expected].find((one) => one && isOf(diagram, one.cells)) ?? sketch(diagram.rows);
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
    const name = symbols.find((symbol) => symbol.text === this.token)?.name;
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
      make("div", { class: "palette" }, ...symbols.slice(0, MAX_SHOWN).map((symbol) => tool(symbol.text, symbol.name)), tool(TAKE, "clear a cell"), cards ? tool(TURN, "turn a card over") : undefined, name === undefined || name === this.token ? undefined : `${this.token} is ${name}`),
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
    const rows = this.token === TURN ? turned(diagram.rows, row, column) : put(diagram.rows, row, column, symbol, new Set(symbols.filter((symbol) => !symbol.many).map((symbol) => symbol.text)));
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

// Whether these are the cells of a diagram, with what is on them.
function isOf(diagram: Diagram, cells: Cell[]): boolean {
  const rows = byRow(cells).map((row) => row.map((cell) => (cell.text === cell.cell ? "." : cell.text)));
  return JSON.stringify(rows) === JSON.stringify(diagram.rows);
}

// The cells of each row, from the top.
function byRow(cells: Cell[]): Cell[][] {
  const rows = new Map<number, Cell[]>();
  for (const cell of cells) rows.set(cell.y, [...(rows.get(cell.y) ?? []), cell]);
  return [...rows.values()];
}

// The index of the line of the first example of a file; -1 if it has none.
function firstExample(path: string, lines: string[]): number {
  const block = path.endsWith(".md") ? lines.findIndex((line) => /^`{3,}scenario\s*$/.test(line)) : path.endsWith(".scenario") ? 0 : -1;
  return block < 0 ? -1 : lines.findIndex((line, at) => at >= block && /^\s*scenario\b/.test(line));
}

function list(label: string, lines: string[]): HTMLElement | undefined {
  return lines.length === 0 ? undefined : make("ul", { class: "values", "aria-label": label }, ...lines.map((line) => make("li", {}, line)));
}
