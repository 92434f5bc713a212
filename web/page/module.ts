// The WebAssembly module behind one function: requests and answers are plain objects.

interface Exports extends Record<string, WebAssembly.ExportValue> {
  memory: WebAssembly.Memory;
  reserve(length: number): number;
  answer(request: number, length: number): number;
  release(answer: number): void;
}

// The functions that a module of compiled rules calls.
const CALLED = ["fetch", "out0", "out1", "out2", "out3", "out4", "out5", "out6"];

// A module of compiled rules: what runs it, and the work that is left.
interface Rules {
  functions: (() => void)[];
  left: WebAssembly.Global<"i64">;
}

export interface Module {
  call(request: object): unknown;
  // The memory that the module has taken, in bytes. It never gives any back.
  size(): number;
}

// Makes an instance; `tell` gets what a long request says in its middle.
export async function instantiate(compiled: WebAssembly.Module, tell: (text: string) => void): Promise<Module> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const text = (at: number, length: number) => decoder.decode(new Uint8Array(memory.buffer, at, length).slice());
  const page = { tell: (at: number, length: number) => tell(text(at, length)), ...engine(() => exports) };
  const instance = await WebAssembly.instantiate(compiled, { page });
  const exports = instance.exports as unknown as Exports;
  const { memory, reserve, answer, release } = exports;
  return {
    call(request) {
      const given = encoder.encode(JSON.stringify(request));
      const at = reserve(given.length);
      new Uint8Array(memory.buffer, at, given.length).set(given);
      const found = answer(at, given.length);
      const length = new DataView(memory.buffer).getUint32(found, true);
      const result: unknown = JSON.parse(text(found + 4, length));
      release(found);
      return result;
    },
    size: () => memory.buffer.byteLength,
  };
}

// Runs compiled rules: modules that the module makes, which work on its memory and call its functions.
function engine(exports: () => Exports) {
  const all = new Map<number, Rules>();
  let last = 0;
  return {
    // Returns the number of an instance; 0 if it can't be made.
    make_rules(at: number, length: number): number {
      try {
        const { memory } = exports();
        const module = new WebAssembly.Module(new Uint8Array(memory.buffer, at, length));
        const host = Object.fromEntries(CALLED.map((name) => [name, exports()[name]]));
        const instance = new WebAssembly.Instance(module, { host: { ...host, memory } });
        const names = WebAssembly.Module.exports(module).filter(({ kind }) => kind === "function");
        const functions = names.map(({ name }) => instance.exports[name] as () => void);
        last += 1;
        all.set(last, { functions, left: instance.exports.left as WebAssembly.Global<"i64"> });
        return last;
      } catch {
        return 0;
      }
    },
    // Runs a function to its end, and writes the work that is left. Returns 0 if it stops before: the rules are given up.
    run_rules(number: number, index: number, left: number): number {
      const rules = all.get(number);
      const run = rules?.functions[index];
      if (!rules || !run) return 0;
      try {
        run();
      } catch {
        return 0;
      }
      new DataView(exports().memory.buffer).setBigInt64(left, rules.left.value, true);
      return 1;
    },
    free_rules: (number: number) => void all.delete(number),
  };
}
