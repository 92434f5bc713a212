// All files that the program ships are coloured to their ends: nothing is marked as invalid, and nothing stays open.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const extension = path.dirname(__dirname);
const root = path.dirname(path.dirname(extension));
const { grammars, languages } = require("../package.json").contributes;

const registry = new textmate.Registry({
  onigLib: oniguruma
    .loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer)
    .then(() => ({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    })),
  getInjections: (scope) => grammars.filter((one) => one.injectTo?.includes(scope)).map((one) => one.scopeName),
  loadGrammar: async (scope) => {
    if (scope === "text.html.markdown") return require("./markdown.tmLanguage.json");
    const found = grammars.find((grammar) => grammar.scopeName === scope);
    assert.ok(found, `unknown scope ${scope}`);
    const file = path.join(extension, found.path);
    return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
  },
});

/** Returns the paths of all files with this extension below a folder. */
function files(folder, ending) {
  const entries = fs.readdirSync(path.join(root, folder), { recursive: true });
  return entries.filter((name) => name.endsWith(ending)).map((name) => path.join(folder, name));
}

/** Returns what is wrong with the colours of a text. */
function problems(grammar, text) {
  const found = [];
  let state = textmate.INITIAL;
  text.split("\n").forEach((line, at) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const token of tokens) {
      const scope = token.scopes.find((one) => one.startsWith("invalid"));
      if (scope) found.push(`line ${at + 1}: ${scope}: ${line.slice(token.startIndex, token.endIndex)}`);
    }
  });
  if (state.depth > 1) found.push(`something is open at the end, ${state.depth} deep`);
  return found;
}

for (const language of languages) {
  const [ending] = language.extensions;
  test(`all files ${ending}`, async () => {
    const { scopeName } = grammars.find((grammar) => grammar.language === language.id);
    const grammar = await registry.loadGrammar(scopeName);
    const names = ["games", "scenarios", "docs/games"].flatMap((folder) => files(folder, ending));
    assert.ok(names.length > 10, `${names.length} files`);
    for (const name of names) {
      assert.deepEqual(problems(grammar, fs.readFileSync(path.join(root, name), "utf8")), [], name);
    }
  });
}

/** The page that shows scenarios with mistakes, such as strings that are not closed. */
const MISTAKES = path.join("docs", "mistakes.md");

test("all Markdown files, with their blocks", async () => {
  const grammar = await registry.loadGrammar("text.html.markdown");
  const names = ["games", "docs"].flatMap((folder) => files(folder, ".md")).concat("README.md");
  let coloured = 0;
  for (const name of names) {
    const text = fs.readFileSync(path.join(root, name), "utf8");
    if (name !== MISTAKES) assert.deepEqual(problems(grammar, text), [], name);
    let state = textmate.INITIAL;
    let inside = false;
    for (const line of text.split("\n")) {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      const scopes = tokens.flatMap((token) => token.scopes);
      if (/^```/.test(line)) inside = /^```scenario\b/i.test(line);
      else if (inside && /^ *(use|scenario|turn|expect) /.test(line)) {
        coloured += 1;
        assert.ok(scopes.includes("meta.embedded.block.referee.scenario"), `${name}: ${line}`);
        assert.ok(scopes.some((scope) => scope.startsWith("keyword.control")), `${name}: ${line}`);
      }
    }
  }
  assert.ok(coloured > 100, `${coloured} lines`);
});

test("problems are found", async () => {
  const scenario = await registry.loadGrammar("source.referee.scenario");
  assert.deepEqual(problems(scenario, 'cites "open\nexpect {\n'), [
    'line 1: invalid.illegal.unclosed-string.referee: "open',
    "something is open at the end, 3 deep",
  ]);
});
