#!/usr/bin/env bash
# Makes a cargo that builds for WebAssembly, and prints its path.
#
# usage: web/toolchain.sh [FOLDER]     default: ~/.cache/referee-wasm
#
# If rustup has the target wasm32-unknown-unknown, or can add it, this only writes the wrapper FOLDER/bin/cargo-wasm.
# Otherwise a compiler and the sources of its standard library come from Debian's packages rustc-web and rust-web-src:
# rustup's own toolchain has neither the library for this target nor its sources. The packages are unpacked into FOLDER
# (0.5 GB); nothing is installed. The library is built once and put beside the compiler, so that builds need no unstable
# flag. Steps that are done are skipped. Needs cargo, and for the packages apt-get and dpkg-deb.
set -euo pipefail

target=wasm32-unknown-unknown
folder=$(realpath -m "${1:-$HOME/.cache/referee-wasm}")
cargo_wasm=$folder/bin/cargo-wasm
mkdir -p "$folder/bin"

say() { printf '%s\n' "$*" >&2; }

# Writes the wrapper: the lines of standard input set the environment.
wrapper() {
  {
    printf '#!/bin/sh\n'
    cat
    printf 'verb=$1\nshift\nexec cargo "$verb" --target %s "$@"\n' "$target"
  } >"$cargo_wasm"
  chmod +x "$cargo_wasm"
}

has_target() { [[ -d $(rustc --print sysroot)/lib/rustlib/$target/lib ]]; }

if ! has_target && command -v rustup >/dev/null; then
  timeout 120 rustup target add "$target" >/dev/null 2>&1 || say "rustup cannot add $target here; taking Debian's packages"
fi
if has_target; then
  wrapper </dev/null
  printf '%s\n' "$cargo_wasm"
  exit
fi

host=$(rustc -vV | sed -n 's/^host: //p')
linker=$(rustc --print sysroot)/lib/rustlib/$host/bin/rust-lld
[[ -x $linker ]] || { say "no linker: $linker is missing"; exit 1; }

root=$folder/root
if [[ ! -e $folder/unpacked ]]; then
  apt-cache show rust-web-src >/dev/null 2>&1 || apt-get update -qq
  version=$(apt-cache policy rust-web-src | sed -n 's/^  Candidate: //p')
  # The names of two packages contain the versions of what is in them.
  depends() { apt-cache show "$1=$version" | sed -n "s/^Depends:.*\($2\)[ ,].*/\1/p" | head -n 1; }
  library=$(depends libstd-rust-web-dev 'libstd-rust-web-[0-9.]*')
  llvm=$(depends "$library" 'libllvm[0-9.]*')
  say "taking rustc-web and rust-web-src $version"
  rm -rf "$folder/packages" "$root"
  mkdir -p "$folder/packages" "$root"
  (cd "$folder/packages" && apt-get download -qq -o APT::Sandbox::User=root "$llvm" \
    "rustc-web=$version" "rust-web-src=$version" "libstd-rust-web-dev=$version" "$library=$version")
  for package in "$folder"/packages/*.deb; do dpkg-deb -x "$package" "$root"; done
  # Of the sources only the library is used.
  find "$root"/usr/src/rustc-*/ -mindepth 1 -maxdepth 1 ! -name library -exec rm -rf {} +
  rm -rf "$folder/packages"
  touch "$folder/unpacked"
fi

sysroot=$root/usr
libraries=$(dirname "$(find "$sysroot/lib" -name 'librustc_driver-*.so' | head -n 1)")
cat >"$folder/bin/rustc" <<END
#!/bin/sh
LD_LIBRARY_PATH=$libraries exec $sysroot/bin/rustc "\$@"
END
chmod +x "$folder/bin/rustc"
wrapper <<END
export RUSTC=$folder/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
END

built=$sysroot/lib/rustlib/$target/lib
if [[ ! -e $built/done ]]; then
  say "building the standard library with $("$folder/bin/rustc" --version)"
  rm -rf "$folder/std" "$built"
  mkdir -p "$folder/std/src" "$built"
  printf '[package]\nname = "none"\nedition = "2021"\n[workspace]\n' >"$folder/std/Cargo.toml"
  touch "$folder/std/src/lib.rs"
  (cd "$folder/std" && RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$folder/std/target \
    "$cargo_wasm" build --quiet --release -Zbuild-std=std,panic_abort)
  cp "$folder/std/target/$target/release/deps/"lib*.rlib "$built"
  rm -rf "$built"/libnone-*.rlib "$folder/std"
  touch "$built/done"
fi
printf '%s\n' "$cargo_wasm"
