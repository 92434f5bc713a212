// The list of files, by folder.

import { unzipSync, strFromU8 } from "fflate";
import { askFor, button, confirmed, make } from "./dom";
import { gamesOf } from "./games";
import { isError, type Problems } from "./problems";
import type { Files, Project } from "./project";

// What referee reads.
const KINDS = [".scenario", ".game", ".house", ".rhai", ".md", ".yaml", ".yml", ".snap"];
const MAX_FILE = 1 << 20;
const MAX_FILES = 400;

export class FilePane {
  shown: string | undefined;
  private rendered = "";
  private readonly list = make("div", { class: "tree" });
  private readonly tools: HTMLElement;

  constructor(
    parent: HTMLElement,
    private readonly project: Project,
    private readonly problems: Problems,
    private readonly open: (path: string, line?: number) => void,
    private readonly say: (text: string) => void,
  ) {
    const input = make("input", { type: "file", multiple: true, hidden: true, accept: [...KINDS, ".zip"].join(","), "aria-label": "files to upload", onchange: () => void this.take(input) });
    this.tools = make(
      "p",
      { class: "tools" },
      button("New", () => void this.create(), { title: "Make a file" }),
      button("Rename", () => void this.rename(), { title: "Rename the file that is shown" }),
      button("Delete", () => void this.remove(), { title: "Delete the file that is shown" }),
      button("Upload", () => input.click(), { title: "Take files, or a .zip of a project, from your disk" }),
      input,
    );
    parent.append(make("h2", {}, "Files"), this.list, this.tools);
  }

  render() {
    // An element that is replaced between pressing and releasing the mouse gets no click.
    const key = JSON.stringify([this.shown, this.project.paths().map((path) => [path, this.problems.of(path).length])]);
    if (key === this.rendered) return;
    this.rendered = key;
    const folders = new Map<string, string[]>();
    for (const path of this.project.paths()) {
      const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
      folders.set(folder, [...(folders.get(folder) ?? []), path]);
    }
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["path"] : undefined;
    this.list.replaceChildren(
      ...[...folders].flatMap(([folder, paths]) => [
        folder === "" ? undefined : make("h3", {}, folder),
        make("ul", {}, ...paths.map((path) => this.item(path, path.slice(folder.length)))),
      ]).filter((child) => child !== undefined),
    );
    if (focused !== undefined) this.list.querySelector<HTMLElement>(`[data-path="${CSS.escape(focused)}"]`)?.focus();
  }

  private item(path: string, name: string): HTMLElement {
    const count = this.problems.of(path).filter(isError).length;
    const words = `${count} ${count === 1 ? "message" : "messages"}`;
    const marks = count > 0 ? make("span", { class: "count", title: words }, make("span", { "aria-hidden": "true" }, String(count)), make("span", { class: "unseen" }, words)) : undefined;
    const current = path === this.shown ? "true" : undefined;
    const go = button("", () => this.open(path), { "aria-current": current, title: path, "data-path": path });
    // A long name is broken before a dot or a hyphen.
    go.append(...name.split(/(?=[.-])/).flatMap((part, at) => (at === 0 ? [part] : [make("wbr"), part])));
    return make("li", {}, go, marks);
  }

  private wrong(path: string): string | undefined {
    if (path === "") return "a file needs a name";
    if (path.split("/").some((part) => part === "" || part === "." || part === "..")) {
      return `${path} is no path: write folders and a name, such as scenarios/first.scenario`;
    }
    if (!KINDS.some((kind) => path.endsWith(kind))) return `${path} is not a file that referee reads: its name ends with ${KINDS.join(", ")}`;
    if (this.project.files[path] !== undefined) return `there is a file ${path} already`;
    return undefined;
  }

  private usable(path: string | undefined): path is string {
    const wrong = path === undefined ? undefined : this.wrong(path);
    if (wrong !== undefined) this.say(wrong);
    return path !== undefined && wrong === undefined;
  }

  private async create() {
    const folder = this.shown?.endsWith(".scenario") ? this.shown.slice(0, this.shown.lastIndexOf("/") + 1) : "scenarios/";
    const path = await askFor("Path of the new file", `${folder}new.scenario`);
    if (!this.usable(path)) return;
    const text = this.beginning(path);
    this.project.add({ [path]: text });
    this.open(path, text === "" ? 1 : 3);
  }

  // Returns how a new file of examples begins: with the game of the others.
  private beginning(path: string): string {
    const [game] = path.endsWith(".scenario") ? gamesOf(this.project, this.shown) : [];
    return game === undefined ? "" : `use ${game}\n\nscenario "What happens"\n`;
  }

  private async rename() {
    const from = this.shown;
    if (from === undefined) return;
    const to = await askFor("New path", from);
    if (to === from || !this.usable(to)) return;
    this.project.rename(from, to);
    this.open(to);
  }

  private async remove() {
    const { shown } = this;
    if (shown === undefined || !(await confirmed(`Delete ${shown}?`, "Delete"))) return;
    this.project.remove(shown);
    const next = this.project.paths()[0];
    if (next !== undefined) this.open(next);
  }

  private async take(input: HTMLInputElement) {
    const added: Files = {};
    for (const file of input.files ?? []) {
      if (file.size > MAX_FILE) this.say(`${file.name} has more than a megabyte`);
      else if (file.name.endsWith(".zip")) Object.assign(added, await this.unpacked(file));
      else added[(file.name.endsWith(".scenario") ? "scenarios/" : "") + file.name] = await file.text();
    }
    input.value = "";
    const taken = Object.keys(added).filter((path) => this.project.files[path] !== undefined);
    if (taken.length > 0 && !(await confirmed(`Replace ${taken.join(", ")}?`, "Replace"))) return;
    for (const path of Object.keys(added)) {
      const wrong = this.wrong(path);
      if (wrong === undefined || taken.includes(path)) continue;
      this.say(wrong);
      delete added[path];
    }
    const first = Object.keys(added)[0];
    if (first === undefined) return;
    this.project.add(added);
    this.open(first);
  }

  // Returns the files of a .zip that referee reads; those of a single folder without that folder.
  private async unpacked(file: File): Promise<Files> {
    try {
      const wanted = ({ name, originalSize }: { name: string; originalSize: number }) => KINDS.some((kind) => name.endsWith(kind)) && originalSize <= MAX_FILE;
      const found = Object.entries(unzipSync(new Uint8Array(await file.arrayBuffer()), { filter: wanted })).slice(0, MAX_FILES);
      const top = found[0]?.[0].split("/")[0];
      const whole = found.every(([path]) => path.startsWith(`${top}/`)) && top !== "games" && top !== "scenarios";
      return Object.fromEntries(found.map(([path, bytes]) => [whole ? path.slice((top ?? "").length + 1) : path, strFromU8(bytes)]));
    } catch {
      this.say(`${file.name} is no .zip that can be read`);
      return {};
    }
  }
}
