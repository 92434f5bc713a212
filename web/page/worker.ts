// A worker: it has the module, so that the page stays awake. It handles one message after the other; of requests that
// the page has replaced meanwhile, only the newest is answered. While nothing waits, it runs the tests of files that have
// changed, one file after the other.

import { instantiate, type Module } from "./module";
import type { FromWorker, ToWorker } from "./messages";

declare const self: DedicatedWorkerGlobalScope;

// The time without a message of the editor after which tests are run, in milliseconds.
const QUIET = 100;

interface Ran {
  messages: unknown[];
  ran: string | null;
  more: boolean;
}

let module: Module | undefined;
let first: string | undefined;
let timer = 0;
let handled = 0;
let busy = false;
const queue: ToWorker[] = [];
// The messages about files as they were sent last.
const published = new Map<string, string>();

const post = (message: FromWorker) => self.postMessage(message);
const alive = (busy = false) => post({ kind: "alive", handled, busy, memory: module?.size() ?? 0 });

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "module") {
    void begin(data.module);
    return;
  }
  if (data.kind === "request" && data.only !== undefined) {
    const at = queue.findIndex((other) => other.kind === "request" && other.only === data.only);
    const [old] = at < 0 ? [] : queue.splice(at, 1);
    if (old?.kind === "request") {
      handled += 1;
      post({ kind: "answer", id: old.id, answer: null, replaced: true });
    }
  }
  queue.push(data);
  void drain();
};

async function begin(compiled: WebAssembly.Module) {
  try {
    module = await instantiate(compiled, (text) => post({ kind: "said", text, memory: module?.size() ?? 0 }));
    handled += 1;
    alive();
    void drain();
  } catch (error) {
    post({ kind: "failed", why: String(error) });
  }
}

// Lets other messages arrive between two of them.
const pause = () => new Promise<void>((done) => setTimeout(done, 0));

async function drain() {
  if (busy || !module) return;
  busy = true;
  try {
    for (let next = queue.shift(); next; next = queue.shift()) {
      handle(module, next);
      handled += 1;
      alive();
      await pause();
    }
  } catch (error) {
    // A panic: the instance is of no use any more, and the page starts another worker.
    post({ kind: "failed", why: String(error) });
    module = undefined;
  }
  busy = false;
}

function handle(module: Module, message: ToWorker) {
  if (message.kind === "lsp") {
    send(module.call({ op: "lsp", message: JSON.parse(message.text) }));
    later(QUIET);
  } else if (message.kind === "request") {
    post({ kind: "answer", id: message.id, answer: module.call(message.request), replaced: false });
  } else if (message.kind === "first") {
    first = message.path;
  }
}

function later(time: number) {
  clearTimeout(timer);
  timer = self.setTimeout(() => void run(), time);
}

// Runs the tests of one file.
async function run() {
  if (!module) return;
  if (busy || queue.length > 0) return later(QUIET);
  busy = true;
  alive(true);
  try {
    const { messages, ran, more } = module.call({ op: "run", first: first ?? null }) as Ran;
    send(messages);
    if (ran !== null) post({ kind: "ran", path: ran, more });
    alive();
    if (more) later(0);
  } catch (error) {
    post({ kind: "failed", why: String(error) });
    module = undefined;
  }
  busy = false;
  void drain();
}

interface Message {
  method?: string;
  params?: { uri?: string };
}

function send(messages: unknown) {
  for (const message of (Array.isArray(messages) ? messages : []) as Message[]) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    // The server says everything about all files again, whenever it has found something out about one.
    if (message.method === "textDocument/publishDiagnostics") {
      const uri = message.params?.uri ?? "";
      if (published.get(uri) === text) continue;
      published.set(uri, text);
    }
    post({ kind: "lsp", text });
  }
}
