#!/usr/bin/env python3
"""Prints the licences of everything that is compiled into the program: packaging/licences.py TARGET [PACKAGE [FEATURES]]

The crates are those of `cargo tree` for this target that the program, or another package of the workspace, uses when it
runs and is built with these features, with the texts in their folders. Equal texts are printed once. A crate without a
text is an error, unless its licence is the Apache licence with the exception of LLVM, which other crates bring, or the
Apache licence is one of its licences, whose text this project has.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# This text names no owner: it is the same for all crates.
WITH_EXCEPTION = "Apache-2.0 WITH LLVM-exception"
NAMES = re.compile(r"licen[cs]e|copying|notice|unlicense|copyright", re.IGNORECASE)


def cargo(*words: str) -> str:
    """Returns what cargo prints."""
    return subprocess.run(["cargo", *words], cwd=ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


def linked(target: str, package: str, features: str) -> "list[dict]":
    """Returns the crates that a package uses when it runs: neither those of tests nor of builds, nor macros."""
    with_features = ["--features", features] if features else []
    found = json.loads(cargo("metadata", "--format-version=1", "--locked", "--filter-platform", target, *with_features))
    packages = {(one["name"], one["version"]): one for one in found["packages"]}
    # `metadata` has the features that any package of the workspace uses; `tree` has those of this one.
    edges = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]
    lines = cargo("tree", "--locked", "--package", package, "--target", target, *with_features, *edges).splitlines()
    names = {tuple(line.split()[:2]) for line in lines}
    used = [packages[name, version.removeprefix("v")] for name, version in names]
    return sorted((one for one in used if one["source"]), key=lambda one: (one["name"], one["version"]))


def texts(package: dict) -> "list[str]":
    """Returns the texts in the folder of a crate."""
    folder = Path(package["manifest_path"]).parent
    files = [path for path in folder.rglob("*") if path.is_file() and NAMES.match(path.name)]
    files = [path for path in files if path.suffix in ("", ".txt", ".md") or path.name.startswith("LICENSE")]
    if package["license_file"]:
        files.append(folder / package["license_file"])
    return [path.read_text("utf-8", "replace").strip() for path in sorted(set(files))]


def main() -> None:
    target, package, features = [*sys.argv[1:], *["", "referee", ""][len(sys.argv) - 1 :]]
    crates = linked(target, package, features)
    found = [(crate, texts(crate)) for crate in crates]
    exception = next((its for crate, its in found if its and crate["license"] == WITH_EXCEPTION), [])
    uses, without = defaultdict(list), []
    for crate, its in found:
        if not its and crate["license"] == WITH_EXCEPTION:
            its = exception
        if not its and "Apache-2.0" not in (crate["license"] or ""):
            sys.exit(f"error: `{crate['name']}` has no text of its licence, {crate['license']}")
        if not its:
            without.append(crate["name"])
            its = [(ROOT / "LICENSE-APACHE").read_text("utf-8").strip()]
        for text in its:
            uses[" ".join(text.split())].append((crate["name"], text))
    print("The program contains these crates, and the standard library of Rust (MIT OR Apache-2.0).")
    print("Cargo finds the sources by these names.\n")
    for crate in crates:
        note = "  (as Apache-2.0)" if crate["name"] in without else ""
        print(f"  {crate['name']} {crate['version']}  {crate['license']}{note}")
    for equal in sorted(uses.values()):
        names = sorted({name for name, _ in equal})
        print("\n" + "=" * 80 + "\n" + ", ".join(names) + "\n\n" + equal[0][1])


main()
