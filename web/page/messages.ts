// What the page and a worker say to each other.

export type ToWorker =
  | { kind: "module"; module: WebAssembly.Module }
  | { kind: "lsp"; text: string }
  // The file whose tests are run first: the one that is shown.
  | { kind: "first"; path: string }
  // With `only`, an older request of the same name that waits is dropped.
  | { kind: "request"; id: number; request: object; only?: string };

export type FromWorker =
  | { kind: "lsp"; text: string }
  | { kind: "answer"; id: number; answer: unknown; replaced: boolean }
  // A message was handled, or work without a message begins or ends: how many messages were handled so far, and whether
  // there is such work.
  | { kind: "alive"; handled: number; busy: boolean; memory: number }
  // The tests of a file were run.
  | { kind: "ran"; path: string; more: boolean }
  // Said in the middle of a request.
  | { kind: "said"; text: string; memory: number }
  | { kind: "failed"; why: string };
