// The page: its panes, and what connects them.

import { strToU8, zipSync } from "fflate";
import { AskPane } from "./ask";
import { BoardPane } from "./board";
import { Desk, compiled } from "./desk";
import { Disk, isOnDisk } from "./disk";
import { button, byId, download, make, show, styled } from "./dom";
import { Editor } from "./editor";
import { ExamplePane } from "./examples";
import { exported } from "./export";
import { FilePane } from "./files";
import { PlayPane, type Author } from "./play";
import { Project, kept, stored, type Files } from "./project";
import { MAX_LINK, differing, keyOf, markdown, pack, together, unpack } from "./share";

declare const NONCE: string;
declare const VERSION: string;

const FIRST = "new: squares";

// The module is compiled while everything else is made ready.
void compiled().catch(() => {});

const project = new Project();
// What can be opened: for each project its file, and the titles of its games.
let bundled: Record<string, { file: string; titles: string[] }> = {};

async function loaded(file: string): Promise<unknown> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
  return response.json();
}

// Returns the files of a project; nothing if there is none with this name.
async function bundledFiles(name: string): Promise<Files | undefined> {
  const known = Object.hasOwn(bundled, name) ? bundled[name] : undefined;
  return known && ((await loaded(known.file)) as Files);
}

const said = byId("said");
const say = (text: string) => {
  said.textContent = text.split("\n")[0] ?? "";
};

// How long what was done is said, in milliseconds.
const BRIEF = 15_000;

// Says for a while that something was done.
function note(text: string) {
  say(text);
  const shown = said.textContent;
  setTimeout(() => said.textContent === shown && say(""), BRIEF);
}

async function begin() {
  bundled = (await loaded("projects.json")) as typeof bundled;
  const disk = isOnDisk ? new Disk(project, say) : undefined;
  const first: Opening = disk ? { files: await disk.open(), origin: undefined } : await opening();
  project.isKept = !disk;
  project.files = { ...first.files };
  project.origin = first.origin;

  const files = () => project.files;
  // The editor, the table and long questions have a worker each, so that none waits for another.
  const [desk, table, asked] = [new Desk(files, say), new Desk(files, say), new Desk(files, say)];
  desk.start();
  void desk.ask<string>({ op: "style" }).then(styled);

  const editor = new Editor(byId("text"), project, desk, NONCE);
  const jump = (path: string, line: number) => void editor.show(path, line);
  const filePane = new FilePane(byId("files"), project, editor.problems, (path, line) => editor.show(path, line), note);
  const boardPane = new BoardPane(byId("pane-board"), project, editor, jump);
  const examples = new ExamplePane(byId("examples"), project, editor.problems, () => editor.client, jump);
  const author: Author = {
    get path() {
      return editor.path;
    },
    append: (path, text) => editor.append(path, text),
    save: (game, title) => void save(game, title),
  };
  const play = new PlayPane(byId("pane-play"), project, table, author, note);
  const ask = new AskPane(byId("pane-ask"), project, asked, editor, note, jump);

  editor.opened = (path) => {
    filePane.shown = path;
    filePane.render();
  };
  editor.moved = () => boardPane.soon();
  editor.problems.changed = () => {
    filePane.render();
    examples.update();
  };
  desk.restarted = () => editor.reconnect();
  desk.ready = () => performance.measure("referee-ready", { start: 0 });
  desk.ran = (path, more) => {
    if (path === editor.path) boardPane.soon();
    void examples.ran(path, more);
    if (!more) performance.measure("referee-ran", { start: 0 });
  };
  project.changed = (path) => {
    for (const one of [desk, table, asked]) one.changed(path);
    disk?.changed();
    if (path !== undefined) return editor.touched(path);
    editor.follow();
    filePane.render();
  };
  const showFirst = (path: string | undefined, line?: number) => {
    const paths = project.paths();
    const found = [path, paths.find((path) => /^chapter-\d+\.md$/.test(path)), paths.find((path) => /^scenarios\/.*first\.scenario$/.test(path)), paths.find((path) => /(?<!odds)\.scenario$/.test(path)), paths.find((path) => path.endsWith(".scenario")), paths[0]];
    const shown = found.find((path) => path !== undefined && project.files[path] !== undefined);
    if (shown !== undefined) editor.show(shown, shown === path ? line : undefined);
  };
  filePane.render();
  showFirst(first.path, first.line);
  tabs({ "tab-play": () => void play.open(), "tab-ask": () => void ask.open() });
  menu((found, origin) => {
    editor.forget();
    examples.clear();
    play.clear();
    ask.clear();
    project.open(found, origin);
    showFirst(undefined);
    selectTab("tab-board");
    say("");
  });
  byId("share").addEventListener("click", () => share(editor));
  byId("zip").addEventListener("click", zip);
  byId("tidy").addEventListener("click", () => editor.format());
  byId("about").addEventListener("click", about);
  if (disk) {
    // Opening another project would delete the files of this one.
    byId("open").parentElement?.remove();
    void disk.follow();
  }
  if (first.said !== undefined) (first.isHint ? note : say)(first.said);
  // A link that is opened in the same tab.
  window.addEventListener("hashchange", () => location.reload());
  performance.measure("referee-usable", { start: 0 });
}

interface Opening {
  files: Files;
  origin: { game: string; files: Files } | undefined;
  path?: string | undefined;
  line?: number | undefined;
  said?: string | undefined;
  // Whether that may go away after a while.
  isHint?: boolean;
}

// The project of the link, or that of the last visit, or a first one.
async function opening(): Promise<Opening> {
  const fallback = async (): Promise<Opening> => ({ files: { ...(await bundledFiles(FIRST)) }, origin: undefined, said: "Change a line: the examples run by themselves.", isHint: true });
  const fragment = location.hash.slice(1);
  if (fragment.startsWith("open=")) {
    const name = decodeURIComponent(fragment.slice("open=".length));
    const found = await bundledFiles(name);
    return found ? { files: found, origin: { game: name, files: found } } : { ...(await fallback()), said: `there is no project ${name} here`, isHint: false };
  }
  if (fragment !== "") {
    const shared = unpack(fragment);
    if (typeof shared === "string") return { ...(await fallback()), said: shared, isHint: false };
    const base = shared.game === null ? {} : await bundledFiles(shared.game);
    if (!base) return { ...(await fallback()), said: `this link needs the game ${shared.game}, which this version does not have`, isHint: false };
    const other = shared.game !== null && shared.base !== undefined && shared.base !== keyOf(base);
    const changed = other
      ? `the files of ${shared.game} have changed since this link was made`
      : shared.v === VERSION
        ? undefined
        : `this link was made with version ${shared.v}; this is ${VERSION}, so results may differ`;
    const origin = shared.game === null ? undefined : { game: shared.game, files: base };
    return { files: together(base, shared.files), origin, path: shared.at, line: shared.line, said: changed };
  }
  const last = stored();
  if (!last || Object.keys(last.files).length === 0) return fallback();
  // Without a network the visitor's own files are here all the same.
  const base = last.origin === undefined ? undefined : await bundledFiles(last.origin).catch(() => undefined);
  return { files: last.files, origin: base && last.origin !== undefined ? { game: last.origin, files: base } : undefined };
}

let selectTab: (id: string) => void = () => {};

function tabs(opened: Record<string, () => void>) {
  const all = [...byId("tabs").querySelectorAll<HTMLElement>("[role=tab]")];
  selectTab = (id) => {
    for (const tab of all) {
      const is = tab.id === id;
      tab.setAttribute("aria-selected", String(is));
      tab.tabIndex = is ? 0 : -1;
      byId(tab.getAttribute("aria-controls") ?? "").hidden = !is;
    }
    opened[id]?.();
  };
  for (const [at, tab] of all.entries()) {
    tab.addEventListener("click", () => selectTab(tab.id));
    tab.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? all.length - 1 : 0;
      const next = step > 0 ? all[(at + step) % all.length] : undefined;
      if (!next) return;
      selectTab(next.id);
      next.focus();
    });
  }
}

function menu(opened: (files: Files, origin: { game: string; files: Files } | undefined) => void) {
  const select = byId<HTMLSelectElement>("open");
  const names = Object.keys(bundled);
  const [template, chapter] = ["new: ", "chapter "];
  const of = (kind: string) => names.filter((name) => name.startsWith(kind));
  const games = names.filter((name) => !name.startsWith(template) && !name.startsWith(chapter));
  const group = (label: string, names: string[], words: (name: string) => string) =>
    make("optgroup", { label }, ...names.map((name) => make("option", { value: name }, words(name))));
  const titles = (name: string) => (bundled[name]?.titles ?? []).join(", ");
  const fill = () => {
    const states = kept().map((state, at) => make("option", { value: `kept ${at}` }, `${new Date(state.when).toLocaleString()}: ${titlesOf(state.files).join(", ")}`));
    select.replaceChildren(
      make("option", { value: "" }, "choose …"),
      group("A new game", of(template), (name) => name.slice(template.length)),
      group("Bundled games", games, (name) => titles(name) || name),
      group("Chapters of the tutorial", of(chapter), (name) => `${name.slice(chapter.length)} (${titles(name)})`.replace(" ()", "")),
      ...(states.length > 0 ? [make("optgroup", { label: "What was here before" }, ...states)] : []),
    );
  };
  fill();
  select.addEventListener("focus", fill);
  let chosen = 0;
  const choose = async (name: string) => {
    const now = ++chosen;
    const state = name.startsWith("kept ") ? kept()[Number(name.slice(5))]?.files : undefined;
    const found = state ?? (await bundledFiles(name));
    // Something else may have been chosen while it was loaded.
    if (!found || now !== chosen) return;
    project.keep(true);
    history.replaceState(null, "", location.pathname + location.search);
    opened(found, state || name.startsWith(template) ? undefined : { game: name, files: found });
  };
  select.addEventListener("change", () => {
    const name = select.value;
    const done = () => {
      if (select.value === name) select.value = "";
    };
    choose(name).then(done, (error: unknown) => {
      done();
      say(`${name} cannot be loaded: ${String(error)}`);
    });
  });
}

// Returns the titles of the games in a project.
function titlesOf(files: Files): string[] {
  const paths = Object.keys(files).filter((path) => /^games\/([^/]+)\/\1\.game$/.test(path));
  return paths.map((path) => files[path]?.match(/^game\s+\S+\s+"([^"]+)"/m)?.[1] ?? path.split("/")[1] ?? "");
}

function link(path: string | undefined): string {
  const { origin } = project;
  const files = differing(project.files, origin?.files ?? {});
  const base = origin ? { base: keyOf(origin.files) } : {};
  const at = path === undefined ? {} : { at: path };
  return `${location.href.split("#")[0]}#${pack({ v: VERSION, game: origin?.game ?? null, ...base, ...at, files })}`;
}

function share(editor: Editor) {
  const { path } = editor;
  const address = link(path);
  const long = address.length > MAX_LINK;
  if (!long) history.replaceState(null, "", address);
  const field = make("textarea", { readonly: true, rows: 4, "aria-label": "link" });
  field.value = address;
  const copied = make("p", { role: "status", class: "note" });
  const copy = (text: string, what: string) => () =>
    void navigator.clipboard.writeText(text).then(
      () => (copied.textContent = `${what} copied`),
      () => {
        field.select();
        copied.textContent = "this browser does not let the page copy: copy the link from the field";
      },
    );
  const text = path === undefined ? "" : markdown(path, project.files[path] ?? "", address);
  show(
    "Share",
    make(
      "p",
      {},
      long
        ? `The link has ${address.length.toLocaleString("en")} characters, and many programs cut it: send the .zip instead.`
        : "The link contains what you have changed. Nothing is stored anywhere else.",
    ),
    field,
    make(
      "p",
      { class: "tools" },
      button("Copy link", copy(address, "link"), { class: long ? undefined : "main" }),
      path === undefined ? undefined : button("Copy as Markdown with link", copy(text, "Markdown"), { title: `${path}, for a forum or a bug report` }),
      button("Download .zip", zip, { class: long ? "main" : undefined }),
    ),
    copied,
  );
  field.setSelectionRange(0, 0);
  field.scrollTop = 0;
}

function zip() {
  const entries = Object.entries(project.files).map(([path, text]) => [path, strToU8(text)]);
  download("referee-project.zip", zipSync(Object.fromEntries(entries)) as BlobPart, "application/zip");
}

async function save(game: string, title: string) {
  try {
    say("making the page …");
    download(`${game}.html`, await exported(project.files, game, title, VERSION), "text/html");
    note(`${game}.html: open it in any browser, it needs no network`);
  } catch (error) {
    say(`the page cannot be made: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function about() {
  const key = (keys: string, what: string) => make("tr", {}, make("th", { scope: "row" }, keys), make("td", {}, what));
  show(
    `referee ${VERSION}`,
    make("p", {}, "Write the rules of a game and worked examples of its rulebook: the examples run while you type. Everything runs in your browser; no file leaves it unless you share it."),
    make(
      "table",
      { class: "keys" },
      make(
        "tbody",
        {},
        key("Ctrl-Space", "what can be written here"),
        key("F2", "rename a name everywhere"),
        key("F8", "next message"),
        key("F12", "where a name is declared"),
        key("Shift-Alt-F", "tidy the file"),
        key("Ctrl-F", "search"),
        key("Escape, Tab", "leave the editor"),
        key("arrow keys, Enter", "on a board: move about, and choose a cell"),
      ),
    ),
    make("p", {}, make("a", { href: "notices.txt" }, "Licences of what is shipped")),
  );
}

// The address of a project on disk is a new one each time.
// The worker of the cache loads all projects, so it waits until the page can be used.
begin().then(
  () => {
    if ("serviceWorker" in navigator && !isOnDisk) void navigator.serviceWorker.register("offline.js").catch(() => {});
  },
  (error: unknown) => say(`the page cannot be loaded: ${String(error)}`),
);
