// The page of one game, as one file: it is opened without a host, and loads nothing.

import { Desk } from "./desk";
import { button, byId, make, show, styled } from "./dom";
import { PlayPane } from "./play";
import { Project, type Files } from "./project";

// What the file contains beside its script; `export.ts` writes it.
export interface Exported {
  game: string;
  title: string;
  version: string;
  files: Files;
}

const text = (id: string) => byId(id).textContent ?? "";

async function module(): Promise<WebAssembly.Module> {
  const bytes = Uint8Array.from(atob(text("module")), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

async function begin() {
  const { game, title, version, files } = JSON.parse(text("project")) as Exported;
  document.title = title;
  byId("title").textContent = title;
  const say = (text: string) => {
    byId("said").textContent = text.split("\n")[0] ?? "";
  };
  const project = new Project();
  project.isKept = false;
  project.files = files;
  const script = URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" }));
  const compiled = module();
  const desk = new Desk(() => project.files, say, { module: () => compiled, worker: () => new Worker(script) });
  desk.start();
  void desk.ask<string>({ op: "style" }).then(styled);
  byId("about").append(
    button("About", () =>
      show(
        `${title}, played with referee ${version}`,
        make("p", {}, "This file contains the game and everything that plays it. It loads nothing, and sends nothing."),
        make("details", {}, make("summary", {}, "Licences of what it contains"), make("pre", { tabindex: 0 }, text("notices"))),
      ),
    ),
  );
  await new PlayPane(byId("table"), project, desk, undefined, say, game).open();
}

void begin();
