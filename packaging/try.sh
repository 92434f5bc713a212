# Functions of release.sh that try a package each, in an empty folder. They use its variables root, target, out, work,
# version, platform, program and says.

# Runs a function in an empty folder, by a shell of its own that stops at the first failure; says what was tried.
try() {
  local name=$1 start=$SECONDS
  mkdir -p "$work/try/$name"
  if ! (cd "$work/try/$name" && bash -euo pipefail -c '. "$root/packaging/try.sh"; "$0"' "$2") >"$work/$name.log" 2>&1; then
    cat "$work/$name.log" >&2
    echo "error: the package \`$name\` does not work" >&2
    exit 1
  fi
  printf 'tried %-10s %3d s  %s\n' "$name" "$((SECONDS - start))" "$(tail -1 "$work/$name.log")"
}

# Expects an exit code and a text from a command.
expect() {
  local code=$1 text=$2 said status=0
  shift 2
  said=$("$@" 2>&1) || status=$?
  if [[ $status != "$code" || $said != *"$text"* ]]; then
    printf 'expected exit code %s and `%s` from: %s\nexit code %s:\n%s\n' "$code" "$text" "$*" "$status" "$said"
    return 1
  fi
}

# A passing, a failing and an invalid scenario of a bundled game, run by a command.
scenarios() {
  mkdir -p scenarios
  printf 'use pig\n\nscenario "A throw"\n  turn ann\n  roll 5\n  expect game.pot = 5\n' >scenarios/good.scenario
  sed 's/= 5/= 6/' scenarios/good.scenario >failing.scenario
  sed 's/roll 5/roll 7/' scenarios/good.scenario >invalid.scenario
  expect 0 "$says" "$@" --version
  expect 0 '1 passed, 0 failed' "$@" test
  expect 1 'failing.scenario:6:3' "$@" test failing.scenario
  expect 3 'invalid.scenario:5:8' "$@" test invalid.scenario
  expect 2 'no such file' "$@" test missing.scenario
  expect 4 'no scenarios found' "$@" test --scenario elsewhere
}

# Asks a server of the playground for its page.
playground() {
  local address server
  "$@" >address &
  server=$!
  for _ in $(seq 100); do
    address=$(head -1 address)
    [[ -z $address ]] || break
    sleep 0.1
  done
  python3 - "$address" <<'PYTHON'
import sys, urllib.request
address = sys.argv[1]
page = urllib.request.urlopen(address, timeout=10)
assert "script-src 'self'" in page.headers["Content-Security-Policy"], page.headers
assert b"main.js" in page.read()
module = urllib.request.urlopen(address.replace("?project", "referee.wasm"), timeout=10)
assert module.read(4) == b"\0asm" and module.headers["Content-Type"] == "application/wasm"
PYTHON
  kill "$server"
}

try_archive() {
  tar -xzf "$out/referee-$version-$platform.tar.gz"
  mv "referee-$version-$platform" here
  scenarios here/bin/referee
  playground here/bin/referee playground
  expect 0 'pages in man1' here/bin/referee man man1
  [[ -f man1/referee-test.1 ]]
  diff -r man1 here/share/man/man1
  bash -n here/completions/referee.bash
  [[ $(ls here/completions | wc -l) == 5 ]]
  echo "the program, $(ls man1 | wc -l) manual pages, completions for 5 shells"
}

try_wheel() {
  python3 -m venv venv
  venv/bin/pip install --quiet --no-index "$out"/referee-*.whl
  scenarios venv/bin/referee
  playground venv/bin/referee playground
  expect 0 "$says" venv/bin/python -m referee --version
  venv/bin/pip install --quiet "$(grep -x 'pytest==.*' "$root/packaging/python/requirements.txt")"
  expect 0 '1 passed' venv/bin/pytest scenarios
  expect 1 'failing.scenario:6:3' venv/bin/pytest failing.scenario
  expect 2 'invalid.scenario:5:8' venv/bin/pytest invalid.scenario
  cp -r "$root/packaging/python/tests" tests
  (cd tests && REFEREE_REPOSITORY=$root ../venv/bin/pytest -q -p no:cacheprovider)
  venv/bin/pip uninstall --quiet --yes referee
  [[ ! -e venv/bin/referee ]]
}

try_npm() {
  echo '{"name": "here", "private": true}' >package.json
  npm install --silent --offline --cache "$PWD/cache" "$out"/referee-rules-"$version".tgz "$out"/referee-rules-*-*-"$version".tgz
  scenarios node_modules/.bin/referee
  scenarios npx --no-install referee
  playground node_modules/referee-rules-*-*/bin/referee playground
  REFEREE_INSTALLED=$PWD node --test --test-reporter=spec "$root/packaging/npm/test.js"
  echo "the commands, and the tests of packaging/npm/test.js"
}

try_page() {
  tar -xzf "$out/referee-playground-$version.tgz"
  playground "$program" playground --files package
  echo "the page, as a server sends it"
}

try_extension() {
  python3 - "$out/referee-vscode-$version.vsix" <<'PYTHON'
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
names = set(archive.namelist())
manifest = json.loads(archive.read("extension/package.json"))
parts = manifest["contributes"]
named = [one["path"] for one in parts["grammars"]] + [one["configuration"] for one in parts["languages"]]
missing = [path for path in named if "extension/" + path.removeprefix("./") not in names]
assert not missing, missing
assert not [name for name in names if name.startswith("extension/tests/")], names
archive.extractall()
PYTHON
  node "$root/editors/vscode/tests/packed.js" extension "$program"
}

try_sdist() {
  python3 -m venv venv
  venv/bin/pip install --quiet "$out"/referee-"$version".tar.gz
  scenarios venv/bin/referee
  echo "pip compiled it"
}

try_cargo() {
  cargo install --locked --path "$root" --root installed --target-dir "$target"
  # Without the features of the packages.
  says="referee $version (engines: wasmi)" scenarios installed/bin/referee
  echo "cargo install compiled it"
}
