#!/bin/sh
# Installs code-server, which is Visual Studio Code for a browser, from the npm registry into a folder:
#
#   tests/browser/install.sh DIR      then CODE_SERVER=DIR/node_modules/.bin/code-server
#
# It needs the Node that this version asks for, a C++ compiler, Python, node-gyp (that of npm will do), the headers of
# Node (on Debian, NODE_HEADERS=/usr), and ripgrep, with which the editor finds the files that an extension asks for.
# Scripts of packages are not run, because one of them fetches ripgrep from elsewhere; what has to be compiled is
# compiled here.
set -eu
command -v rg >/dev/null || { echo "error: ripgrep (\`rg\`) is not installed" >&2; exit 1; }
version=4.100.3
mkdir -p "$1"
cd "$1"
gyp="$(npm root -g)/npm/node_modules/node-gyp/bin/node-gyp.js"
gyp=${NODE_GYP:-$gyp}

[ -f package.json ] || echo '{ "private": true }' >package.json
npm install --ignore-scripts --no-audit --no-fund "code-server@$version"
code=$PWD/node_modules/code-server/lib/vscode
for folder in "$code" "$code/extensions"; do
  (cd "$folder" && npm install --ignore-scripts --omit=dev --no-audit --no-fund)
done

compile() {
  (cd "$1" && shift && node "$gyp" rebuild ${NODE_HEADERS:+--nodedir="$NODE_HEADERS"} "$@" >/dev/null)
}
for module in @vscode/spdlog native-watchdog node-pty; do
  compile "$code/node_modules/$module"
done
# This one says where its result belongs in a form that node-gyp does not read by itself.
binding=$PWD/node_modules/argon2/lib/binding/napi-v3
compile node_modules/argon2 -- -Dnapi_build_version=3 -Dmodule_name=argon2 -Dmodule_path="$binding"

# What the scripts of code-server and ripgrep would do.
ln -sfn node_modules "$code/node_modules.asar"
ln -sf code-linux.sh "$code/bin/remote-cli/code-server"
ln -sf browser-linux.sh "$code/bin/helpers/browser.sh"
mkdir -p "$code/node_modules/@vscode/ripgrep/bin"
ln -sf "$(command -v rg)" "$code/node_modules/@vscode/ripgrep/bin/rg"
node_modules/.bin/code-server --version
