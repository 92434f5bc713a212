// The page's side of a worker. If the worker fails, gives no sign of life, or has grown too large, another one takes its
// place, with the same files.

import type { FromWorker, ToWorker } from "./messages";
import type { Files } from "./project";

// The longest time without a sign of life, in milliseconds.
const PATIENCE = 10_000;
// The memory above which a worker is replaced, in bytes.
const MAX_MEMORY = 1 << 30;
// A worker that fails so often within a minute waits for a change of the files: they may be the reason.
const MAX_FAILURES = 3;

export class Stopped extends Error {}

interface Open {
  done(answer: unknown): void;
  failed(error: Error): void;
}

let module: Promise<WebAssembly.Module> | undefined;

// Compiles the module, once for all workers.
export function compiled(): Promise<WebAssembly.Module> {
  const address = new URL("referee.wasm", location.href);
  const whole = async () => WebAssembly.compile(await (await fetch(address)).arrayBuffer());
  // A host that does not know the type of the file.
  module ??= WebAssembly.compileStreaming(fetch(address)).catch(whole);
  return module;
}

// Where workers, and the module for them, come from.
export interface Source {
  module: () => Promise<WebAssembly.Module>;
  worker: () => Worker;
}

const PAGE: Source = { module: compiled, worker: () => new Worker("worker.js", { type: "module" }) };

export class Desk {
  private worker: Worker | undefined;
  private open = new Map<number, Open>();
  private next = 0;
  // How many messages the worker has got, and how many it has handled.
  private sent = 0;
  private handled = 0;
  // Whether it does something without a message.
  private busy = false;
  private watch = 0;
  private failures: number[] = [];
  // The files that have changed, which the worker does not know yet.
  private stale: Set<string> | "all" = new Set();
  private handlers = new Set<(text: string) => void>();
  // Called when the editor has to introduce itself again.
  restarted: () => void = () => {};
  ran: (path: string, more: boolean) => void = () => {};
  // What a request says in its middle.
  told: (text: string) => void = () => {};
  ready: () => void = () => {};

  constructor(
    private readonly files: () => Files,
    private readonly say: (text: string) => void,
    private readonly source = PAGE,
  ) {}

  get running(): boolean {
    return this.worker !== undefined;
  }

  start() {
    if (this.worker) return;
    const worker = this.source.worker();
    this.worker = worker;
    this.sent = 0;
    this.handled = 0;
    this.busy = false;
    this.stale = new Set();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (this.worker === worker) this.heard(data);
    };
    worker.onerror = (event) => {
      if (this.worker === worker) this.fail(`the worker has failed: ${event.message}`);
    };
    this.source.module().then(
      (module) => {
        if (this.worker === worker) this.post({ kind: "module", module });
      },
      (error: unknown) => this.say(`this browser cannot run referee: ${String(error)}`),
    );
    this.post({ kind: "request", id: ++this.next, request: { op: "files", files: this.files() } });
  }

  // Ends the worker; what is open fails with the reason.
  stop(why: string) {
    this.worker?.terminate();
    this.worker = undefined;
    clearTimeout(this.watch);
    const open = [...this.open.values()];
    this.open.clear();
    for (const one of open) one.failed(new Stopped(why));
  }

  // Ends what is being done, and starts again.
  restart(why: string) {
    this.stop(why);
    this.say(why);
    this.start();
    this.restarted();
  }

  // Starts again after a failure, unless that happens again and again.
  private fail(why: string) {
    const now = performance.now();
    this.failures = [...this.failures.filter((then) => now - then < 60_000), now];
    if (this.failures.length < MAX_FAILURES) return this.restart(`${why}; started again, the text is kept`);
    this.stop(why);
    this.say(`${why}; this text stops referee again and again: change it to go on`);
  }

  // Notes that a file has changed, or without a path that files were added or removed: the worker is told before the next
  // question. One that has stopped starts again.
  changed(path: string | undefined) {
    if (path === undefined) this.stale = "all";
    else if (this.stale !== "all") this.stale.add(path);
    if (this.worker || this.failures.length < MAX_FAILURES) return;
    this.failures = [];
    this.start();
    this.restarted();
  }

  // Tells the worker what has changed.
  flush() {
    const { stale } = this;
    this.stale = new Set();
    if (!this.worker) return;
    const files = this.files();
    if (stale === "all") this.post({ kind: "request", id: ++this.next, request: { op: "files", files } });
    else for (const path of stale) this.post({ kind: "request", id: ++this.next, request: { op: "set", path, text: files[path] ?? null } });
  }

  // Asks the module. A newer request with the same `only` takes the place of one that waits, which answers `null`.
  ask<A>(request: object, only?: string): Promise<A | null> {
    this.start();
    this.flush();
    const id = ++this.next;
    return new Promise((done, failed) => {
      this.open.set(id, { done: done as (answer: unknown) => void, failed });
      this.post(only === undefined ? { kind: "request", id, request } : { kind: "request", id, request, only });
    });
  }

  // Names the file that is shown.
  shown(path: string) {
    if (this.worker) this.post({ kind: "first", path });
  }

  // The way for the messages of the language server.
  readonly transport = {
    send: (text: string) => {
      if (this.worker) this.post({ kind: "lsp", text });
    },
    subscribe: (handler: (text: string) => void) => void this.handlers.add(handler),
    unsubscribe: (handler: (text: string) => void) => void this.handlers.delete(handler),
  };

  private post(message: ToWorker) {
    const idle = this.sent === this.handled && !this.busy;
    this.sent += 1;
    this.worker?.postMessage(message);
    if (idle) this.wait();
  }

  // Waits for the next sign of life, if there is something to do.
  private wait() {
    clearTimeout(this.watch);
    if (this.sent === this.handled && !this.busy) return;
    const late = () => this.fail("stopped after ten seconds without a sign of life");
    this.watch = window.setTimeout(late, PATIENCE);
  }

  // Replaces a worker that has taken too much memory: it gives none back.
  private isTooLarge(memory: number): boolean {
    const large = memory > MAX_MEMORY;
    if (large) this.restart("started again, because a gigabyte of memory was in use; the text is kept");
    return large;
  }

  private heard(message: FromWorker) {
    switch (message.kind) {
      case "lsp":
        for (const handler of this.handlers) handler(message.text);
        break;
      case "answer": {
        const open = this.open.get(message.id);
        this.open.delete(message.id);
        open?.done(message.replaced ? null : message.answer);
        break;
      }
      case "alive":
        if (this.handled === 0 && message.handled > 0) this.ready();
        this.handled = message.handled;
        this.busy = message.busy;
        if (this.isTooLarge(message.memory)) return;
        break;
      case "ran":
        this.ran(message.path, message.more);
        break;
      case "said":
        if (message.text.startsWith("panic: ")) return this.fail(message.text.split("\n").slice(0, 2).join(" "));
        this.told(message.text);
        if (this.isTooLarge(message.memory)) return;
        break;
      case "failed":
        return this.fail(message.why);
    }
    this.wait();
  }
}
