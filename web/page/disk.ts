// The project on disk, behind `referee playground`: what is changed here is written there, and the other way round.

import { button, closeDialog, make, show } from "./dom";
import type { Files, Project } from "./project";

// How long nothing is typed before a file is written, and how long to wait for a server that is gone, in milliseconds.
const QUIET = 400;
const AGAIN = 3000;

interface Listed {
  version: number;
  project: { files: Files; left_out: Record<string, string> };
}

// Whether the page belongs to a project on disk.
export const isOnDisk = location.search === "?project";

export class Disk {
  // The texts as they are on disk, as far as the page knows.
  private there: Files = {};
  private version = 0;
  private timer = 0;
  private writing = false;
  // The files about which the author is asked.
  private asked = new Set<string>();
  private asking = false;

  constructor(
    private project: Project,
    private say: (text: string) => void,
  ) {}

  // Returns the files of the project.
  async open(): Promise<Files> {
    const { version, project } = await this.listed();
    this.version = version;
    this.there = { ...project.files };
    const [left] = Object.entries(project.left_out);
    if (left) this.say(`not shown: ${left[0]}: ${left[1]}`);
    return project.files;
  }

  // Writes what has changed here, soon.
  changed() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.write(), QUIET);
  }

  // Follows changes by other programs, as long as the page is open.
  async follow() {
    for (;;) {
      try {
        const answer = await fetch(`api/changes?since=${this.version}`);
        if (!answer.ok) throw new Error();
        const { version, project } = await this.listed();
        this.version = version;
        this.merge(project.files);
      } catch {
        this.say("referee playground has ended: changes are not written any more");
        await new Promise((done) => setTimeout(done, AGAIN));
      }
    }
  }

  private async listed(): Promise<Listed> {
    const answer = await fetch("api/project");
    if (!answer.ok) throw new Error(`the project cannot be read: ${answer.status}`);
    return (await answer.json()) as Listed;
  }

  // Takes over what is new on disk, where nothing was changed here.
  private merge(found: Files) {
    const { files } = this.project;
    const taken: Files = {};
    for (const path of new Set([...Object.keys(found), ...Object.keys(this.there)])) {
      const [now, known, here] = [found[path], this.there[path], files[path]];
      if (now === known) continue;
      if (here !== known && here !== now) {
        this.differs(path, now);
        continue;
      }
      remember(this.there, path, now);
      if (here === now) continue;
      if (now === undefined) this.project.remove(path);
      else taken[path] = now;
    }
    if (Object.keys(taken).length > 0) this.project.add(taken);
  }

  private async write() {
    if (this.writing) return this.changed();
    this.writing = true;
    const { files } = this.project;
    const paths = new Set([...Object.keys(files), ...Object.keys(this.there)]);
    for (const path of [...paths].filter((path) => files[path] !== this.there[path] && !this.asked.has(path))) {
      await this.put(path, files[path]);
    }
    this.writing = false;
  }

  private async put(path: string, text: string | undefined) {
    const body = JSON.stringify({ path, before: this.there[path] ?? null, text: text ?? null });
    try {
      const answer = await fetch("api/change", { method: "POST", body });
      if (answer.ok) return remember(this.there, path, text);
      const { error, there } = (await answer.json()) as { error: string; there?: string | null };
      if (answer.status === 409) this.differs(path, there ?? undefined);
      else this.say(`${path} is not written: ${error}`);
    } catch {
      this.say(`${path} is not written: referee playground has ended`);
    }
  }

  // Asks which of two texts to keep. Until then neither is lost.
  private differs(path: string, now: string | undefined) {
    if (this.project.files[path] === now) return remember(this.there, path, now);
    this.asked.add(path);
    if (this.asking) return;
    this.asking = true;
    const keep = (here: boolean) => () => {
      remember(this.there, path, now);
      closeDialog();
      if (here) this.changed();
      else if (now === undefined) this.project.remove(path);
      else this.project.add({ [path]: now });
    };
    show(
      "Changed twice",
      make("p", {}, `Another program has ${now === undefined ? "deleted" : "changed"} ${path}, and it was changed here.`),
      make(
        "p",
        { class: "tools" },
        button("Keep what is here", keep(true), { class: "main" }),
        button(now === undefined ? "Delete it here, too" : "Take what is on disk", keep(false)),
      ),
    );
    const ended = () => {
      this.asking = false;
      this.asked.delete(path);
      // A dialog that is only closed asks again after the next change.
    };
    document.getElementById("dialog")?.addEventListener("close", ended, { once: true });
  }
}

function remember(texts: Files, path: string, text: string | undefined) {
  if (text === undefined) delete texts[path];
  else texts[path] = text;
}
