// Links: the changed files in the fragment of the address, so that nothing is sent to a server.
//
// Form 1: the letter `1`, then base64url of deflate of `{"v": VERSION, "game": ID or null, "base": KEY, "at": PATH,
// "line": NUMBER, "files": {PATH: TEXT or null}}`. `files` has what differs from the bundled game; `null` is a file that was removed. `base` is a key of the
// bundled game's files. Links of all earlier forms must be read: `web/tests/links.json` keeps some.

import { deflateSync, inflateSync, strFromU8, strToU8 } from "fflate";
import type { Files } from "./project";

// A longer link may be cut on its way.
export const MAX_LINK = 8000;
const MAX_UNPACKED = 4 << 20;

export interface Shared {
  // The version of referee that made the link.
  v: string;
  game: string | null;
  base?: string;
  // The file that is shown, and its line, from 1.
  at?: string;
  line?: number;
  files: Record<string, string | null>;
}

// Returns a key of texts: FNV-1a of their paths and contents, 32 bits.
export function keyOf(files: Files): string {
  let hash = 0x811c9dc5;
  for (const [path, text] of Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))) {
    for (const byte of strToU8(`${path}\0${text}\0`)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(16);
}

export function differing(files: Files, origin: Files): Record<string, string | null> {
  const changed: Record<string, string | null> = {};
  for (const [path, text] of Object.entries(files)) if (origin[path] !== text) changed[path] = text;
  for (const path of Object.keys(origin)) if (files[path] === undefined) changed[path] = null;
  return changed;
}

export function together(origin: Files, changed: Record<string, string | null>): Files {
  const files = { ...origin };
  for (const [path, text] of Object.entries(changed)) {
    if (text === null) delete files[path];
    else files[path] = text;
  }
  return files;
}

export function pack(shared: Shared): string {
  const bytes = deflateSync(strToU8(JSON.stringify(shared)), { level: 9 });
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `1${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

// Reads the fragment of a link; a wrong one gives the reason as a text.
export function unpack(fragment: string): Shared | string {
  if (fragment[0] !== "1") return "this link has a form that this version does not know: it may be newer than the page";
  try {
    const text = atob(fragment.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const out = new Uint8Array(MAX_UNPACKED);
    const found: unknown = JSON.parse(strFromU8(inflateSync(bytes, { out })));
    if (isShared(found)) return found;
  } catch {
    // Said below.
  }
  return "this link is not whole: a part of it may have been cut off";
}

function isShared(found: unknown): found is Shared {
  if (typeof found !== "object" || found === null) return false;
  const { v, game, base, at, line, files } = found as Partial<Shared>;
  if (at !== undefined && typeof at !== "string") return false;
  if (line !== undefined && !Number.isInteger(line)) return false;
  if (base !== undefined && typeof base !== "string") return false;
  if (typeof v !== "string" || (game !== null && typeof game !== "string")) return false;
  if (typeof files !== "object" || files === null) return false;
  return Object.values(files).every((text) => text === null || typeof text === "string");
}

// Returns the file as Markdown for a forum or a bug report.
export function markdown(path: string, text: string, link: string): string {
  const kind = path.endsWith(".scenario") ? "scenario" : path.endsWith(".rhai") ? "rust" : "text";
  const longest = Math.max(2, ...[...text.matchAll(/^`{3,}/gm)].map((fence) => fence[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${kind}\n${text.replace(/\n*$/, "\n")}${fence}\n\n[Open in the playground](${link})\n`;
}
