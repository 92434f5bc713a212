// Makes a package of the page of the playground: node page.js DIR
//
// Any host can serve the folder as it is. Its version comes from package.json here.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: node page.js DIR\n");
  process.exit(2);
}

const main = require("./package.json");
const page = {
  name: "referee-playground",
  version: main.version,
  description: "The playground of referee: a static page that runs a rulebook's examples while you write them",
  license: main.license,
  keywords: main.keywords,
};
fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(page, null, 2)}\n`);
fs.writeFileSync(
  path.join(folder, "README.md"),
  `# ${page.name}\n\n${page.description}.\nServe this folder by any host; \`policy.txt\` is the Content-Security-Policy to send with it.\n`,
);
