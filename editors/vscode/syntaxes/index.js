// The grammars for pages on the web, in the form of Shiki, which colours with the engine of the editor.
"use strict";

/** Returns a grammar under the name of its blocks in Markdown. */
function grammar(file, name, more) {
  return { ...require(`./${file}.tmLanguage.json`), name, ...more };
}

module.exports = [
  grammar("rhai", "rhai"),
  grammar("referee", "referee"),
  grammar("scenario", "scenario", { embeddedLangs: ["referee", "rhai"] }),
  grammar("game", "game", { embeddedLangs: ["referee"] }),
];
