// Boards that can be clicked, and used with the keyboard: a picture with a layer above it, in which every cell is a
// button. One of them can be reached by Tab, the others by the arrow keys.

import { make, picture, svgElement } from "./dom";

export interface Cell {
  cell: string;
  text: string;
  x: number;
  y: number;
}

export interface Marks {
  // Cells in which something may be done.
  open: ReadonlySet<string>;
  chosen: readonly string[];
}

// The largest share of the window's height that a board takes.
const HIGH = 0.62;
const LARGEST = 1.6;

// Makes a board; `act` is called with the cell that was clicked.
export function board(svg: string, cells: Cell[], marks: Marks, act: ((cell: Cell) => void) | undefined): HTMLElement {
  const drawn = picture(svg);
  const box = make("div", { class: "picture" });
  if (!drawn) return box;
  box.append(drawn);
  const [wide, high] = [Number(drawn.getAttribute("width")), Number(drawn.getAttribute("height"))];
  box.style.maxWidth = `${Math.round(Math.min(wide * LARGEST, (window.innerHeight * HIGH * wide) / Math.max(1, high)))}px`;
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  if (act && cells.length > 0) box.append(layer(drawn.getAttribute("viewBox") ?? "", cells, marks, act));
  return box;
}

// The cell that has the focus, so that a board that is drawn again keeps it.
let focused: string | undefined;

function layer(viewBox: string, cells: Cell[], marks: Marks, act: (cell: Cell) => void): SVGSVGElement {
  const svg = svgElement("svg", { viewBox, class: "layer", role: "group", "aria-label": "cells of the board" });
  const spots = cells.map((cell) => {
    const state = marks.chosen.includes(cell.cell) ? "chosen" : marks.open.has(cell.cell) ? "open" : "";
    const words = [cell.cell, cell.text === "." || cell.text === cell.cell ? "empty" : cell.text, state].filter((word) => word !== "");
    const spot = svgElement("g", { role: "button", tabindex: -1, "data-cell": cell.cell, "aria-label": words.join(", "), class: `spot ${state}` });
    spot.append(svgElement("circle", { cx: cell.x, cy: cell.y, r: 18 }));
    if (state === "open" && (cell.text === "." || cell.text === cell.cell)) spot.append(svgElement("circle", { cx: cell.x, cy: cell.y, r: 5, class: "dot" }));
    return spot;
  });
  const enter = (at: number) => {
    const [spot, cell] = [spots[at], cells[at]];
    if (!spot || !cell) return;
    for (const other of spots) other.setAttribute("tabindex", "-1");
    spot.setAttribute("tabindex", "0");
    focused = cell.cell;
    spot.focus();
  };
  for (const [at, spot] of spots.entries()) {
    const cell = cells[at];
    if (!cell) continue;
    spot.addEventListener("click", () => {
      focused = cell.cell;
      act(cell);
    });
    spot.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (event.key === "Enter" || event.key === " ") act(cell);
      else if (step) enter(nearest(cells, at, step));
      else return;
      event.preventDefault();
    });
  }
  const start = Math.max(0, cells.findIndex((cell) => cell.cell === focused));
  spots[start]?.setAttribute("tabindex", "0");
  svg.append(...spots);
  return svg;
}

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

// Returns the nearest cell in a direction; the same cell if there is none.
function nearest(cells: Cell[], from: number, [dx, dy]: [number, number]): number {
  const origin = cells[from];
  if (!origin) return from;
  let [best, least] = [from, Infinity];
  for (const [at, cell] of cells.entries()) {
    const along = (cell.x - origin.x) * dx + (cell.y - origin.y) * dy;
    const beside = Math.abs((cell.x - origin.x) * dy) + Math.abs((cell.y - origin.y) * dx);
    const far = along + 3 * beside;
    if (along > 4 && along >= beside && far < least) [best, least] = [at, far];
  }
  return best;
}

// Gives the focus to the cell of a board that had it before the board was drawn again. A visitor who is somewhere else by now, as
// in the text, stays there.
export function refocus(parent: HTMLElement) {
  const active = document.activeElement;
  if (active !== null && active !== document.body && !parent.contains(active)) return;
  parent.querySelector<SVGElement>(".spot[tabindex='0']")?.focus();
}

// Whether a cell of a board in an element has the focus.
export function hasFocus(parent: HTMLElement): boolean {
  const active = document.activeElement;
  return active !== null && parent.contains(active) && active.closest(".layer") !== null;
}

const isWord = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);

// Returns the cells that an answer names, in its order.
export function cellsOf(answer: string, names: ReadonlySet<string>): string[] {
  const found: [number, string][] = [];
  for (const name of names) {
    for (let at = answer.indexOf(name); at >= 0; at = answer.indexOf(name, at + 1)) {
      const before = isWord(name[0]) && isWord(answer[at - 1]);
      const after = isWord(name[name.length - 1]) && isWord(answer[at + name.length]);
      if (!before && !after) found.push([at, name]);
    }
  }
  return found.sort(([one], [other]) => one - other).map(([, name]) => name);
}

// Returns a standing as a sentence of a heading: `asks red walk` becomes `Next: red walk`.
export function inWords(standing: string): string {
  const words = standing.replace(/^asks /, "next: ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// Answers chosen by clicking cells, one after the other.
export class Clicks {
  chosen: string[] = [];

  // Returns the answers that have the chosen cells in them, in this order.
  fitting(answers: string[], names: ReadonlySet<string>): string[] {
    return answers.filter((answer) => this.fits(cellsOf(answer, names)));
  }

  private fits(cells: string[]): boolean {
    let at = 0;
    for (const cell of this.chosen) {
      at = cells.indexOf(cell, at) + 1;
      if (at === 0) return false;
    }
    return true;
  }

  // Chooses a cell. Returns the answer that is meant, if only one is: one that ends there, or that has all its cells
  // chosen.
  choose(cell: string, answers: string[], names: ReadonlySet<string>): string | undefined {
    const before = this.chosen;
    if (before[before.length - 1] === cell) {
      this.chosen = before.slice(0, -1);
      return undefined;
    }
    this.chosen = [...before, cell];
    if (this.fitting(answers, names).length === 0) this.chosen = [cell];
    const fitting = this.fitting(answers, names);
    if (fitting.length === 0) {
      this.chosen = [];
      return undefined;
    }
    const ends = fitting.filter((answer) => cellsOf(answer, names).at(-1) === cell);
    return ends.length === 1 && (fitting.length === 1 || this.chosen.length > 1) ? ends[0] : undefined;
  }

  // Returns the cells that may be chosen next.
  next(answers: string[], names: ReadonlySet<string>): Set<string> {
    const open = new Set<string>();
    for (const answer of this.fitting(answers, names)) {
      const cells = cellsOf(answer, names);
      let at = 0;
      for (const cell of this.chosen) at = cells.indexOf(cell, at) + 1;
      const rest = cells.slice(at);
      if (this.chosen.length === 0 && rest[0] !== undefined) open.add(rest[0]);
      else for (const cell of rest) open.add(cell);
    }
    return open;
  }
}
