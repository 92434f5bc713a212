# Functions of release.sh that build a package each. They use its variables root, target, out, work, version, platform,
# program, features and says.

# Runs a command, and prints what it says only if it fails.
quietly() {
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; echo "error: failed: $*" >&2; exit 1; }
}

# All manifests name the version of Cargo.toml.
versions_agree() {
  local file found
  for file in packaging/npm/package.json editors/vscode/package.json; do
    [[ -f $file ]] || continue
    found=$(node -p "const m = require('./$file'); [m.version, ...Object.values(m.optionalDependencies ?? {})].find(v => v !== '$version') ?? ''")
    [[ -z $found ]] || { echo "error: $file says version $found, Cargo.toml says $version" >&2; exit 1; }
  done
}

build_program() {
  cargo build --release --locked --features "$features"
  [[ $("$program" --version) == "$says" ]] || { echo "error: $program is not $says" >&2; exit 1; }
}

# The licences of what the program contains, which go with every copy of it.
build_licences() {
  python3 packaging/licences.py "$platform" referee "$features" >"$work/THIRD-PARTY.txt"
  cp "$work/THIRD-PARTY.txt" packaging/python/
}

# The page of the playground, which goes with the program.
build_page() {
  quietly web/build.sh "$target/playground"
}

# The program with its manual pages, completions and the playground. Equal contents are equal bytes.
build_archive() {
  local name=referee-$version-$platform shell
  local folder=$work/archive/$name
  mkdir -p "$folder/bin" "$folder/share/man" "$folder/completions"
  cp "$program" "$folder/bin/"
  page_to "$folder"
  cp LICENSE-MIT LICENSE-APACHE "$work/THIRD-PARTY.txt" README.md CHANGELOG.md "$folder/"
  "$program" man "$folder/share/man/man1" >/dev/null
  for shell in bash zsh fish powershell elvish; do
    "$program" completions "$shell" >"$folder/completions/referee.$shell"
  done
  mv "$folder/completions/referee.zsh" "$folder/completions/_referee"
  mv "$folder/completions/referee.powershell" "$folder/completions/referee.ps1"
  tar -C "$work/archive" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf - "$name" | gzip -n9 >"$out/$name.tar.gz"
}

# Puts the page where a program in `bin` of this folder finds it.
page_to() {
  mkdir -p "$1/share/referee"
  cp -r "$target/playground" "$1/share/referee/playground"
}

# A virtual environment for maturin, made once.
tools() {
  local tools=$target/packaging-tools
  if ! cmp -s packaging/python/requirements.txt "$tools/requirements.txt"; then
    rm -rf "$tools"
    quietly python3 -m venv "$tools"
    quietly "$tools/bin/pip" install -r packaging/python/requirements.txt
    cp packaging/python/requirements.txt "$tools/requirements.txt"
  fi
  echo "$tools/bin"
}

build_python() {
  local bin
  bin=$(tools)
  cd packaging/python
  rm -rf referee.data
  page_to referee.data/data
  # Builds the program with the same flags as `build_program`, so nothing is compiled again: pyproject.toml has the
  # features.
  quietly "$bin/maturin" build --release --locked --out "$out"
  rm -rf referee.data
  quietly "$bin/maturin" sdist --out "$out"
  cd "$root"
}

# Packs a folder; the licences go with it.
pack_npm() {
  cp LICENSE-MIT LICENSE-APACHE "$1/"
  quietly npm pack "$1" --silent --pack-destination "$out"
}

build_npm() {
  mkdir -p "$work/npm"
  cp -r packaging/npm/bin packaging/npm/package.json packaging/npm/README.md "$work/npm/"
  cp -r editors/vscode/syntaxes "$work/npm/grammars"
  pack_npm "$work/npm"
  node packaging/npm/platform.js "$program" "$work/npm-platform"
  cp "$work/THIRD-PARTY.txt" "$work/npm-platform/"
  page_to "$work/npm-platform"
  pack_npm "$work/npm-platform"
  # The page alone, for any host.
  cp -r "$target/playground" "$work/npm-page"
  node packaging/npm/page.js "$work/npm-page"
  pack_npm "$work/npm-page"
}

build_extension() {
  [[ -d editors/vscode ]] || return 0
  (
    cd editors/vscode
    [[ -d node_modules ]] || quietly npm ci
    quietly npm run package -- --out "$out/referee-vscode-$version.vsix"
  )
}
