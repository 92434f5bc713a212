// Makes the folder of the page: bundles the scripts, and puts the games, the module and the notices beside them.
//
// usage: node build.mjs MODULE NOTICES FOLDER
//
// NOTICES has the licences of the crates in the module.

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const [module, crates, folder] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..");
const version = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^version = "(.*)"$/m)[1];
// The same for every build of a version: it only has to be unknown to texts that the page shows.
const nonce = createHash("sha256").update(`style of ${version}`).digest("base64").slice(0, 22);

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  `style-src 'self' 'nonce-${nonce}'`,
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const READ = /\.(scenario|game|house|rhai|yaml|yml|md|snap)$/;

function texts(from, to, edit = (text) => text) {
  const found = {};
  const walk = (at) => {
    for (const name of readdirSync(at).sort()) {
      const path = join(at, name);
      if (statSync(path).isDirectory()) walk(path);
      else if (READ.test(name)) found[join(to, relative(from, path))] = edit(readFileSync(path, "utf8"));
    }
  };
  try {
    walk(from);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  return found;
}

const bundled = (id) => ({ ...texts(join(root, "games", id), `games/${id}`), ...texts(join(root, "scenarios", id), `scenarios/${id}`) });

function template(kind) {
  const from = join(root, "templates", kind);
  return { ...texts(join(from, "game"), "games/my-game"), ...texts(join(from, "scenarios"), "scenarios/my-game") };
}

// The projects that the page can open: templates of new games, the bundled games with their examples, and what readers of
// the tutorial have at the end of each chapter.
function projects() {
  const all = {};
  for (const [kind, label] of [["grid", "squares"], ["hex", "hexagons"], ["track", "a track"], ["cards", "cards"]]) all[`new: ${label}`] = template(kind);
  for (const id of readdirSync(join(root, "games")).sort()) {
    all[id] = bundled(id);
  }
  return { ...all, ...chapters() };
}

// Writes a file for each project. Returns what the page needs to know of each before it is opened.
function written(projects) {
  const known = {};
  for (const [name, files] of Object.entries(projects)) {
    const file = `project-${name.replace(/\W+/g, "-")}.json`;
    writeFileSync(join(folder, file), JSON.stringify(files), { flag: "wx" });
    const games = Object.keys(files).filter((path) => /^games\/([^/]+)\/\1\.game$/.test(path));
    known[name] = { file, titles: games.map((path) => files[path].match(/^game\s+\S+\s+"([^"]+)"/m)?.[1] ?? path.split("/")[1]) };
  }
  return known;
}

const PATH = /^[\w/.-]+\.(scenario|game|house|rhai|yaml|md)$/;

// Returns the projects of the tutorial's chapters: the files that a chapter writes, with the games that its examples use.
function chapters() {
  const files = {};
  const found = {};
  const parts = readFileSync(join(root, "docs/tutorial.md"), "utf8").split(/^## (?=\d+\. )/m).slice(1);
  for (const part of parts) {
    const name = part.split("\n", 1)[0];
    const written = new Set();
    for (const [, id, from] of part.matchAll(/^\$ referee new ([\w-]+) --from ([\w-]+)/gm)) {
      for (const [path, text] of Object.entries(bundled(from))) {
        if (path.startsWith("games/")) files[path.replaceAll(from, id)] = text.replaceAll(from, id);
      }
    }
    for (const [, changed, before, after, , info, text] of part.matchAll(/^<!-- in (\S+): (.*) -> (.*) -->$|^(````?)(\S.*)\n([^]*?)^\4$/gm)) {
      if (changed) {
        files[changed] = files[changed]?.replaceAll(before, after) ?? "";
        continue;
      }
      const [verb, path] = info.split(/\s+/);
      if (!path || !PATH.test(path)) continue;
      files[path] = verb === "append" ? (files[path] ?? "") + text : text;
      written.add(path);
    }
    const examples = [...written].filter((path) => path.endsWith(".scenario") || path.endsWith(".md"));
    const games = new Set([...written].flatMap((path) => path.match(/^games\/([^/]+)/)?.[1] ?? []));
    for (const path of examples) for (const [, id] of files[path].matchAll(/^\s*use\s+(\S+)/gm)) games.add(id);
    const own = Object.keys(files).filter((path) => written.has(path) || games.has(path.match(/^games\/([^/]+)/)?.[1]));
    // The chapter itself is there to be read. Links to other pages lead nowhere here.
    const chapter = `## ${part.replace(/\[([^\]]+)\]\((?!http)[^)]*\)/g, "$1").replace(/^<!--.*-->\n/gm, "")}`;
    const text = [`chapter-${Number.parseInt(name, 10)}.md`, chapter];
    if (written.size > 0) found[`chapter ${name}`] = Object.fromEntries([text, ...own.sort().map((path) => [path, files[path]])]);
  }
  return found;
}

const LINE = `\n${"=".repeat(80)}\n\n`;

// The licences of the packages in the bundle, and of the crates in the module.
function notices(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const name = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1];
    if (name) packages.add(name);
  }
  const parts = [...packages].sort().map((name) => {
    const at = join(here, "node_modules", name);
    const about = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
    const file = readdirSync(at).find((file) => /^licen[cs]e/i.test(file));
    if (!file) throw new Error(`the package ${name} has no text of its licence`);
    return `${name} ${about.version} (${about.license})\n\n${readFileSync(join(at, file), "utf8").trim()}\n`;
  });
  const own = `referee ${version} (${readFileSync(join(root, "Cargo.toml"), "utf8").match(/^license = "(.*)"$/m)[1]})\n`;
  return ["The page contains these packages:\n", own, ...parts, readFileSync(crates, "utf8")].join(LINE);
}

// The page of one game as one file: its policy allows its own script and style, by their hashes, and nothing from elsewhere.
// The module, the project and the notices are put in when it is written.
async function played() {
  // No modules: a file that is opened from the disk has no origin from which they could be loaded.
  const { outputFiles } = await build({ ...common, format: "iife", write: false, entryPoints: ["page/played.ts", "page/worker.ts"] });
  const [script, worker] = ["played.js", "worker.js"].map((name) => outputFiles.find((file) => file.path.endsWith(name)).text.trim());
  const style = readFileSync(join(here, "page/style.css"), "utf8").trim();
  for (const text of [script, worker, style]) if (/<\/(script|style)|<!--/i.test(text)) throw new Error("a part of played.html would end its element");
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)} 'wasm-unsafe-eval'`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = readFileSync(join(here, "page/played.html"), "utf8");
  return page
    .replace('<meta charset="utf-8">', () => `<meta charset="utf-8">\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace("/* style */", () => style)
    .replace('id="worker">', () => `id="worker">${worker}`)
    .replace("/* script */", () => script);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const common = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  outdir: folder,
  metafile: true,
  absWorkingDir: here,
  legalComments: "none",
};
const made = await build({
  ...common,
  entryPoints: ["page/main.ts", "page/worker.ts"],
  define: { NONCE: JSON.stringify(nonce), VERSION: JSON.stringify(version) },
});
const html = readFileSync(join(here, "page/index.html"), "utf8");
const meta = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
writeFileSync(join(folder, "index.html"), html.replace('<meta charset="utf-8">', `<meta charset="utf-8">\n    ${meta}`));
writeFileSync(join(folder, "policy.txt"), `${POLICY}\n`);
cpSync(join(here, "page/style.css"), join(folder, "style.css"));
cpSync(join(here, "page/icon.svg"), join(folder, "icon.svg"));
cpSync(module, join(folder, "referee.wasm"));
writeFileSync(join(folder, "projects.json"), JSON.stringify(written(projects())));
writeFileSync(join(folder, "notices.txt"), notices(Object.keys(made.metafile.inputs)));
writeFileSync(join(folder, "played.html"), await played());
const files = readdirSync(folder).filter((name) => name !== "policy.txt").sort();
// The worker of the cache is made last: its name has the contents of all other files.
const digest = createHash("sha256");
for (const name of files) digest.update(readFileSync(join(folder, name)));
const stamp = `${version} ${digest.digest("hex").slice(0, 16)}`;
await build({
  ...common,
  entryPoints: ["page/offline.ts"],
  define: { VERSION: JSON.stringify(stamp), FILES: JSON.stringify(["./", ...files]) },
});
function sizes(names) {
  const sum = { plain: 0, gzip: 0, brotli: 0 };
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    sum.plain += bytes.length;
    sum.gzip += gzipSync(bytes, { level: 9 }).length;
    sum.brotli += brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
  }
  return sum;
}
const mb = (bytes) => (bytes / 1e6).toFixed(2);
const said = ({ plain, gzip, brotli }) => `${mb(plain)} MB, ${mb(gzip)} MB with gzip, ${mb(brotli)} MB with brotli`;
const all = readdirSync(folder);
// A project is loaded when it is opened, and by the worker of the cache when the page can be used.
const first = sizes(all.filter((name) => !/^project-/.test(name) || name === "project-new-squares.json"));
const whole = sizes(all);
console.log(`${folder}: ${said(whole)}; a first visit waits for ${said(first)}`);
if (whole.gzip > 4.5e6 || whole.brotli > 3.8e6) throw new Error("the page is too large: at most 4.5 MB with gzip and 3.8 MB with brotli");
if (first.gzip > 4e6 || first.brotli > 3.5e6) throw new Error("a first visit waits for too much: at most 4 MB with gzip and 3.5 MB with brotli");
