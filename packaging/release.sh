#!/usr/bin/env bash
# Builds everything that installs referee without a compiler, and tries each package in a clean temporary folder.
#
#   packaging/release.sh [--from-source] [DIR]
#
# DIR is where the packages go; the default is target/packages. `--from-source` also tries `cargo install --locked` and
# the source distribution of Python, which each compile the program again. The version comes from Cargo.toml.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

from_source=false
out=
for argument; do
  case $argument in
    --from-source) from_source=true ;;
    -*) echo "error: unknown flag \`$argument\`; usage: packaging/release.sh [--from-source] [DIR]" >&2; exit 2 ;;
    *) out=$argument ;;
  esac
done
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
out=${out:-$CARGO_TARGET_DIR/packages}
mkdir -p "$out"
CARGO_TARGET_DIR=$(cd "$CARGO_TARGET_DIR" && pwd)
target=$CARGO_TARGET_DIR
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

version=$(cargo pkgid --offline --locked 2>/dev/null || cargo pkgid --locked)
version=${version##*[#@]}
platform=$(rustc -vV | sed -n 's/^host: //p')
program=$target/release/referee
# What the packages have beside the usual program, and what it says of itself: packaging/python/pyproject.toml and
# .ci/run name the same features, so that the program is compiled once.
features=jit
says="referee $version (engines: wasmi, wasmtime)"
export root target out work version platform program features says
export PIP_DISABLE_PIP_VERSION_CHECK=1 npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
unset PYTHONPATH VIRTUAL_ENV
. packaging/build.sh
. packaging/try.sh

versions_agree
rm -f "$out"/referee*
build_program
build_licences
build_page
build_archive
build_python
build_npm
build_extension
(cd "$out" && sha256sum -- referee* >SHA256SUMS)

# The packages are tried where no other program of this name is found, and nothing of this folder.
try archive try_archive
try wheel try_wheel
try npm try_npm
try page try_page
[[ ! -d editors/vscode ]] || try extension try_extension
if $from_source; then
  try sdist try_sdist
  try cargo try_cargo
else
  echo "not tried: sdist, cargo install (--from-source tries them)"
fi
echo
echo "version $version, in $out:"
(cd "$out" && wc -c -- referee* | awk '$2 != "total" { printf "%10d bytes  %s\n", $1, $2 }')
