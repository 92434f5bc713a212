#!/usr/bin/env bash
# Makes the playground: one folder of files for any host.
#
# usage: web/build.sh [FOLDER]     default: target/playground
#
# Needs cargo, Node and Python. WEB_RUSTFLAGS may have more flags for the compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")
folder=$(realpath -m "${1:-$CARGO_TARGET_DIR/playground}")
cargo_wasm=$(web/toolchain.sh)
# The stack of a page cannot grow, and scripts nest deeply.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C link-arg=-zstack-size=8388608 ${WEB_RUSTFLAGS:-}"
"$cargo_wasm" build --locked --profile web -p referee-web
made=$CARGO_TARGET_DIR/wasm32-unknown-unknown/web
python3 packaging/licences.py wasm32-unknown-unknown referee-web >"$made/notices.txt"
[[ web/node_modules/.package-lock.json -nt web/package-lock.json ]] || npm ci --prefix web --no-audit --no-fund
npm run --silent check --prefix web
node web/build.mjs "$made/referee_web.wasm" "$made/notices.txt" "$folder"
