// Diagrams in the text: found about the cursor, and changed cell by cell.

export interface Diagram {
  // Its first and last row, counted from 1, and the line above them.
  first: number;
  last: number;
  head: number;
  rows: string[][];
  // The lines after its rows that say where on an open board it is.
  tail: string[];
}

// A symbol that a diagram may have: the piece that it puts on the board, and the cells that the piece covers.
export interface Symbol {
  text: string;
  name: string;
  wide: number;
  high: number;
  many: boolean;
}

const ROW = /^(\s*)\|\s?(.*)$/;
const HEAD = /^\s*(expect\s+)?(board|track)\b/;

// Returns the diagram of a board at the line: its head, or one of its rows.
export function diagramAt(lines: string[], line: number): Diagram | undefined {
  const isRow = (number: number) => ROW.test(lines[number - 1] ?? "");
  let head = line;
  while (head > 1 && isRow(head)) head -= 1;
  if (!HEAD.test(lines[head - 1] ?? "") || !isRow(head + 1)) return undefined;
  let last = head + 1;
  while (isRow(last + 1)) last += 1;
  const all = lines.slice(head, last);
  const isTail = (row: string) => /^\s*\|\s*at\s+\(/.test(row);
  const rows = all.filter((row) => !isTail(row)).map((row) => tokens(uncommented(row.match(ROW)?.[2] ?? "")));
  return { first: head + 1, last, head, rows, tail: all.filter(isTail) };
}

// Removes the remark at the end of a row.
function uncommented(row: string): string {
  const quoted = /"(?:[^"\\]|\\.)*"|#.*$/g;
  return row.replace(quoted, (found) => (found.startsWith("#") ? "" : found));
}

// Splits a row at spaces, but not in quotes.
export function tokens(row: string): string[] {
  return row.match(/(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g) ?? [];
}

// Returns the rows with a symbol put on a cell, or taken away if it is there already. A piece of which there is one is
// taken from where it was; a large one has its lower left corner on the cell, or as near as the board allows. Of the pieces
// with `single` symbols, nothing stays where a part is covered.
export function put(rows: string[][], row: number, column: number, symbol: Symbol | undefined, single: ReadonlySet<string>): string[][] {
  const made = rows.map((cells) => [...cells]);
  const before = made[row]?.[column];
  if (before === undefined) return made;
  const clear = (text: string) => {
    for (const cells of made) for (const [at, token] of cells.entries()) if (token === text) cells[at] = ".";
  };
  if (!symbol || before === symbol.text) {
    if (single.has(before)) clear(before);
    else if (made[row]) made[row][column] = ".";
    return made;
  }
  if (!symbol.many) clear(symbol.text);
  const low = Math.max(symbol.high - 1, row);
  const left = Math.max(0, Math.min(column, (made[row]?.length ?? 0) - symbol.wide));
  const covered = Array.from({ length: symbol.high * symbol.wide }, (_, at) => [low - Math.floor(at / symbol.wide), left + (at % symbol.wide)] as const);
  for (const [row, column] of covered) {
    const token = made[row]?.[column];
    if (token !== undefined && single.has(token)) clear(token);
  }
  for (const [row, column] of covered) {
    const cells = made[row];
    if (cells?.[column] !== undefined) cells[column] = symbol.text;
  }
  return made;
}

// Returns the rows with the card on a cell turned over: `R3` becomes `(R3)`, and back.
export function turned(rows: string[][], row: number, column: number): string[][] {
  const flip = (token: string) => {
    const [, player = "", card = token] = token.match(/^([^():"]+:)?(.*)$/) ?? [];
    if (card === "." || card === "?") return token;
    return player + (card.startsWith("(") && card.endsWith(")") ? card.slice(1, -1) : `(${card})`);
  };
  return rows.map((cells, at) => cells.map((token, place) => (at === row && place === column ? flip(token) : token)));
}

// Writes rows as `referee fmt` does: the columns of a rectangle below each other, the rows of a hexagon centred.
export function written(rows: string[][], indent: string): string[] {
  const length = (text: string | undefined) => [...(text ?? "")].length;
  const joined = (cells: string[], wide: (column: number) => number) =>
    cells.map((cell, column) => cell + " ".repeat(Math.max(0, wide(column) - length(cell)))).join(" ").trimEnd();
  const most = Math.max(...rows.map((cells) => cells.length));
  const side = Math.ceil(rows.length / 2);
  const hexagon = rows.length > 1 && rows.length % 2 === 1 && rows.every((cells, at) => cells.length === side + Math.min(at, rows.length - 1 - at));
  if (hexagon) {
    const wide = Math.max(...rows.flat().map(length)) | 1;
    return rows.map((cells) => `${indent}| ${" ".repeat((most - cells.length) * Math.ceil(wide / 2))}${joined(cells, () => wide)}`);
  }
  const even = rows.every((cells) => cells.length === most);
  const widths = Array.from({ length: most }, (_, column) => Math.max(...rows.map((cells) => length(cells[column]))));
  return rows.map((cells) => `${indent}| ${joined(cells, (column) => (even ? (widths[column] ?? 0) : 0))}`);
}

// Returns a picture of a diagram that cannot be read as a position: squares with its tokens.
export function sketch(rows: string[][]): { svg: string; cells: { cell: string; text: string; x: number; y: number }[] } {
  const size = 40;
  const wide = Math.max(1, ...rows.map((cells) => cells.length)) * size;
  const high = Math.max(1, rows.length) * size;
  const cells = rows.flatMap((row, down) =>
    row.map((text, right) => ({ cell: `${down + 1}:${right + 1}`, text, x: right * size + size / 2, y: down * size + size / 2 })),
  );
  const escaped = (text: string) => text.replace(/[<>&"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
  const drawn = cells.map(
    ({ text, x, y }) =>
      `<path class="cells" d="M${x - 20} ${y - 20}h40v40h-40z"/>${text === "." ? "" : `<text x="${x}" y="${y}" font-size="${text.length > 3 ? 9 : 15}">${escaped(text)}</text>`}`,
  );
  const head = `<svg class="board" xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" role="img" aria-labelledby="t"><title id="t">The diagram as it is written</title>`;
  return { svg: `${head}${drawn.join("")}</svg>`, cells };
}
