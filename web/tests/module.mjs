// The module of the page, for tests that run it in Node.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "../..");

const bundle = await build({ entryPoints: [join(here, "../page/module.ts")], bundle: true, format: "esm", write: false });
export const script = bundle.outputFiles[0].text;
const { instantiate } = await import(`data:text/javascript;base64,${Buffer.from(script).toString("base64")}`);

// Returns an instance of the module in a file.
export const instance = async (file) =>
  instantiate(await WebAssembly.compile(readFileSync(file)), (text) => text.startsWith("panic") && console.error(text));

// Returns the texts of a project in folders of this repository, by their paths.
export function texts(...folders) {
  const found = {};
  const read = (folder) => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) read(path);
      else if (/\.(scenario|game|house|rhai|yaml|yml|md|snap)$/.test(name)) found[relative(root, path)] = readFileSync(path, "utf8");
    }
  };
  for (const folder of folders) read(join(root, folder));
  return found;
}

// Asks a question, in slices as the page does. Returns the last answer.
export function asked(referee, question, work) {
  const wrong = referee.call({ op: "ask", question });
  let slice = wrong?.problems ? wrong : referee.call({ op: "more", work });
  while (slice.finished === false) slice = referee.call({ op: "more", work });
  return slice;
}
