#!/usr/bin/env node
// Starts the program of the package for this platform, with the same arguments, streams, signals and exit code.
"use strict";

const { spawn } = require("node:child_process");
const os = require("node:os");

const platform = `${process.platform}-${process.arch}`;
const name = `referee-rules-${platform}`;

/** Prints what is wrong, and ends with an exit code that `referee` itself does not use. */
function fail(message) {
  process.stderr.write(`error: ${message}\n`);
  process.exit(70);
}

/** Returns the path of the program. */
function program() {
  const { optionalDependencies } = require("../package.json");
  const file = process.platform === "win32" ? "referee.exe" : "referee";
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    if (name in optionalDependencies) {
      fail(
        `the package \`${name}\` is not installed, which has the program for this platform\n` +
          "install again with optional dependencies: `npm install --include=optional referee-rules`",
      );
    }
    const known = Object.keys(optionalDependencies).map((one) => one.slice("referee-rules-".length));
    fail(
      `there is no program for ${platform}; there are those for ${known.join(", ")}\n` +
        "build it from its sources: `cargo install --locked --path .` in a copy of the project",
    );
  }
}

const path = program();
// A terminal sends these to the program as well; other senders reach only this process. They are caught before the
// program starts, so that none of them ends this process alone.
const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
const terminal = new Set(process.stdin.isTTY ? ["SIGINT", "SIGQUIT", "SIGHUP"] : []);
for (const signal of signals) {
  process.on(signal, () => {
    if (!terminal.has(signal)) child.kill(signal);
  });
}

const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`\`${path}\` cannot be started: ${error.message}`));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  // End by the same signal. If it does not end this process, end as a shell reports it.
  for (const one of signals) process.removeAllListeners(one);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(128 + (os.constants.signals[signal] ?? 0)), 1000);
});
