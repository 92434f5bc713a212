// How many games the page plays in a second, by compiled rules and by the machine of rules: a benchmark, not a test.
//
// usage: node speed.mjs FOLDER
//
// FOLDER is that of the playground. The games are played in Node, and in the browser that `CHROMIUM` names, if it does.

import { resolve, join } from "node:path";
import { launch } from "puppeteer-core";
import { instance, script, texts } from "./module.mjs";
import { serve } from "./serve.mjs";

const folder = resolve(process.argv[2] ?? "target/playground");
const files = texts("games");
// The games, and how many of them: by compiled rules, and by the machine.
const GAMES = [["pig", 200_000, 4_000], ["royal-game-of-ur", 20_000, 500], ["breakthrough", 100_000, 1_500], ["hex-squish", 100_000, 3_000], ["squish-blocks", 20_000, 1_500]];

// Returns the games in a second of a series; the first games of it are not counted. It also runs in the browser.
function measured(referee, files, game, count) {
  referee.call({ op: "files", files });
  const question = { ask: "simulate", set_up: { game }, seed: 1, count };
  referee.call({ op: "ask", question });
  const first = Math.ceil(count / 5);
  referee.call({ op: "more", work: first });
  const began = performance.now();
  let slice;
  do slice = referee.call({ op: "more", work: first });
  while (slice.finished === false);
  return ((count - first) / (performance.now() - began)) * 1000;
}

const row = (game, compiled, machine) => `${game.padEnd(18)} ${String(Math.round(compiled)).padStart(8)} ${String(Math.round(machine)).padStart(8)}   ${(compiled / machine).toFixed(1)} times`;
console.log("games in a second    compiled   machine");
const referee = await instance(join(folder, "referee.wasm"));
const { Module } = WebAssembly;
// Without the constructor no module is made, so the machine plays.
const machine = (run) => {
  WebAssembly.Module = undefined;
  const played = run();
  WebAssembly.Module = Module;
  return played;
};
for (const [game, many, few] of GAMES) {
  const compiled = measured(referee, files, game, many);
  console.log(row(game, compiled, machine(() => measured(referee, files, game, few))), "  Node");
}

if (process.env.CHROMIUM) {
  const host = await serve(folder);
  const browser = await launch({ executablePath: process.env.CHROMIUM, protocolTimeout: 600_000, args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage();
  await page.setBypassCSP(true);
  await page.goto(`${host.address}notices.txt`);
  for (const [game, many, few] of GAMES) {
    const run = (count, compiles) =>
      page.evaluate(
        async (script, measured, files, game, count, compiles) => {
          const { instantiate } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
          const compiled = await WebAssembly.compileStreaming(fetch("/referee.wasm"));
          const referee = await instantiate(compiled, () => {});
          if (!compiles) WebAssembly.Module = undefined;
          return Function(`return ${measured}`)()(referee, files, game, count);
        },
        script, String(measured), files, game, count, compiles,
      );
    console.log(row(game, await run(many, true), await run(few, false)), "  Chromium");
    await page.reload();
  }
  await browser.close();
  await host.end();
}
