// Writes the package for this platform into a folder: node platform.js PROGRAM DIR
//
// The package has the program, and beside it the page of the playground. Its name and its version come from package.json here.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const [program, folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: node platform.js PROGRAM DIR\n");
  process.exit(2);
}

const main = require("./package.json");
const name = `${main.name}-${process.platform}-${process.arch}`;
if (!(name in main.optionalDependencies)) {
  process.stderr.write(`error: package.json has no optional dependency \`${name}\`\n`);
  process.exit(1);
}

const platform = {
  name,
  version: main.version,
  description: `The program of ${main.name} for ${process.platform} on ${process.arch}`,
  license: main.license,
  os: [process.platform],
  cpu: [process.arch],
  // A program for glibc does not start on a system with another C library.
  ...(process.platform === "linux" ? { libc: ["glibc"] } : {}),
  files: ["bin", "share", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt"],
  preferUnplugged: true,
};

const file = process.platform === "win32" ? "referee.exe" : "referee";
fs.mkdirSync(path.join(folder, "bin"), { recursive: true });
fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(platform, null, 2)}\n`);
fs.writeFileSync(path.join(folder, "README.md"), `# ${name}\n\n${platform.description}.\n`);
fs.copyFileSync(program, path.join(folder, "bin", file));
fs.chmodSync(path.join(folder, "bin", file), 0o755);
