// The grammars on a page of the web: Shiki colours the same words as the editor.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { before, test } = require("node:test");
const grammars = require("../syntaxes");

const root = path.join(__dirname, "../../..");
let highlighter;

before(async () => {
  const { createHighlighter } = await import("shiki");
  highlighter = await createHighlighter({ themes: ["github-light"], langs: grammars });
});

/** Returns the words of a text that have one of the scopes. */
function words(lang, text, ...scopes) {
  const lines = highlighter.codeToTokensBase(text, { lang, theme: "github-light", includeExplanation: "scopeName" });
  const parts = lines.flat().flatMap((token) => token.explanation);
  const has = (part) => part.scopes.some((scope) => scopes.some((one) => scope.scopeName.startsWith(one)));
  return parts.filter(has).map((part) => part.content.trim());
}

test("a scenario, with an expression of Rhai in it", () => {
  const text = 'use pig\n\nscenario "A" # why\n  roll die 6\n  expect { ann.score == 3 }\n';
  assert.deepEqual(words("scenario", text, "keyword.control"), ["use", "scenario", "roll", "expect"]);
  assert.deepEqual(words("scenario", text, "comment"), ["# why"]);
  assert.deepEqual(words("scenario", text, "keyword.operator"), ["=="]);
});

test("a game and a script", () => {
  assert.ok(words("game", "game pig\nplayers ann ben\n", "keyword").includes("players"));
  assert.ok(words("rhai", "fn add(a) { a + 1 }", "entity.name.function").includes("add"));
});

for (const lang of ["scenario", "game", "rhai"]) {
  test(`nothing in the shipped files .${lang} is invalid`, () => {
    const folders = ["games", "scenarios", "docs/games"].map((name) => path.join(root, name));
    const all = folders.flatMap((folder) => fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, name)));
    const files = all.filter((name) => name.endsWith(`.${lang}`));
    assert.ok(files.length > 10, `${files.length} files`);
    for (const file of files) {
      assert.deepEqual(words(lang, fs.readFileSync(file, "utf8"), "invalid"), [], file);
    }
  });
}
