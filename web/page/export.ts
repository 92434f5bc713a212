// One file in which a game can be played: the page `played.html` with the module and the files of the game in it.

import type { Exported } from "./played";
import type { Files } from "./project";

const PIECE = 0x8000;

async function fetched(name: string): Promise<Response> {
  const found = await fetch(name);
  if (!found.ok) throw new Error(`${name} cannot be read`);
  return found;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

// Returns the file, as HTML.
export async function exported(files: Files, game: string, title: string, version: string): Promise<string> {
  const [page, notices] = await Promise.all(["played.html", "notices.txt"].map(async (name) => (await fetched(name)).text()));
  const module = (await fetched("referee.wasm")).body;
  if (!module) throw new Error("referee.wasm is empty");
  const packed = await new Response(module.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
  const own = Object.entries(files).filter(([path]) => path.startsWith(`games/${game}/`));
  const project: Exported = { game, title, version, files: Object.fromEntries(own) };
  const parts = {
    // No text of the game can end the element that contains it.
    project: JSON.stringify(project).replaceAll("<", "\\u003c"),
    module: base64(new Uint8Array(packed)),
    notices: (notices ?? "").replace(/<(?=\/?script|!--)/gi, "‹"),
  };
  const filled = (page: string, [id, content]: [string, string]) => page.replace(`id="${id}"></script>`, () => `id="${id}">${content}</script>`);
  return Object.entries(parts).reduce(filled, page ?? "");
}
