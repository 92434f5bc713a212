// The files of the project: kept in the browser, with the last twenty states.

export type Files = Record<string, string>;

const NOW = "referee.project";
const BEFORE = "referee.before";
const STATES = 20;
// Browsers allow some five million characters.
const MAX_KEPT = 500_000;

export interface Kept {
  when: number;
  files: Files;
}

export class Project {
  files: Files = {};
  // The files as they were opened: those of a bundled game need no place in a link.
  origin: { game: string; files: Files } | undefined;
  changed: (path: string | undefined) => void = () => {};
  // Whether the browser keeps the project: one on disk is kept there.
  isKept = true;
  private timer = 0;

  open(files: Files, origin?: { game: string; files: Files }) {
    this.files = { ...files };
    this.origin = origin;
    this.changed(undefined);
    this.keep();
  }

  set(path: string, text: string) {
    if (this.files[path] === text) return;
    this.files[path] = text;
    this.changed(path);
    this.keepSoon();
  }

  // Adds files, or replaces them.
  add(files: Files) {
    Object.assign(this.files, files);
    this.changed(undefined);
    this.keepSoon();
  }

  remove(path: string) {
    delete this.files[path];
    this.changed(undefined);
    this.keepSoon();
  }

  rename(from: string, to: string) {
    const text = this.files[from];
    if (text === undefined || from === to) return;
    delete this.files[from];
    this.files[to] = text;
    this.changed(undefined);
    this.keepSoon();
  }

  paths(): string[] {
    return Object.keys(this.files).sort();
  }

  private keepSoon() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.keep(), 1000);
  }

  // Keeps the project in the browser; one that is too large is only kept open. With `before`, it is also one of the states
  // to which the visitor can go back.
  keep(before = false) {
    clearTimeout(this.timer);
    if (!this.isKept) return;
    const text = JSON.stringify({ files: this.files, origin: this.origin?.game });
    if (text.length > MAX_KEPT) return;
    try {
      const old = localStorage.getItem(NOW);
      localStorage.setItem(NOW, text);
      if (before) this.keepBefore(text, true);
      else if (old !== null && old !== text) this.keepBefore(old, false);
    } catch {
      // The browser keeps nothing for this page.
    }
  }

  private keepBefore(text: string, always: boolean) {
    const states = kept();
    const { files } = JSON.parse(text) as { files: Files };
    const last = states[0];
    if (last && JSON.stringify(last.files) === JSON.stringify(files)) return;
    // Changes within a minute are one state.
    if (last && !always && Date.now() - last.when < 60_000) return;
    states.unshift({ when: Date.now(), files });
    localStorage.setItem(BEFORE, JSON.stringify(states.slice(0, STATES)));
  }
}

// The project that was open last in this browser.
export function stored(): { files: Files; origin?: string } | undefined {
  try {
    const text = localStorage.getItem(NOW);
    return text === null ? undefined : (JSON.parse(text) as { files: Files; origin?: string });
  } catch {
    return undefined;
  }
}

// Earlier states of projects, the last one first.
export function kept(): Kept[] {
  try {
    return JSON.parse(localStorage.getItem(BEFORE) ?? "[]") as Kept[];
  } catch {
    return [];
  }
}
