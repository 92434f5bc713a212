// The WebAssembly module behind one function: requests and answers are plain objects.

interface Exports {
  memory: WebAssembly.Memory;
  reserve(length: number): number;
  answer(request: number, length: number): number;
  release(answer: number): void;
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
  const page = { tell: (at: number, length: number) => tell(text(at, length)) };
  const instance = await WebAssembly.instantiate(compiled, { page });
  const { memory, reserve, answer, release } = instance.exports as unknown as Exports;
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
