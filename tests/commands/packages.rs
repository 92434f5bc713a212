//! The manifests of the packages that install the program without a compiler. `packaging/release.sh` builds and tries them.

use std::path::{Path, PathBuf};

use serde_json::Value;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap_or_else(|error| unreachable!("{name}: {error}"))
}

fn json(name: &str) -> Value {
    serde_json::from_str(&text(name)).unwrap()
}

#[test]
fn the_packages_for_npm_have_the_version_of_the_program() {
    let main = json("packaging/npm/package.json");
    assert_eq!(main["version"], env!("CARGO_PKG_VERSION"));
    let platforms = main["optionalDependencies"].as_object().unwrap();
    assert_eq!(platforms.len(), 5);
    for (name, version) in platforms {
        assert!(name.starts_with(&format!("{}-", main["name"].as_str().unwrap())), "{name}");
        assert_eq!(version, env!("CARGO_PKG_VERSION"), "{name}");
    }
    assert_eq!(main["description"], env!("CARGO_PKG_DESCRIPTION"));
    assert_eq!(main["license"], env!("CARGO_PKG_LICENSE"));
}

/// The lock file, if there is one, repeats the version.
#[test]
fn the_extension_has_the_version_of_the_program() {
    let manifest = json("editors/vscode/package.json");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["license"], env!("CARGO_PKG_LICENSE"));
    let lock = json("editors/vscode/package-lock.json");
    assert_eq!(lock["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(lock["packages"][""]["version"], env!("CARGO_PKG_VERSION"));
}

/// maturin takes what `dynamic` names from `Cargo.toml`.
#[test]
fn the_wheel_takes_its_version_from_the_program() {
    let manifest = text("packaging/python/pyproject.toml");
    let lines: Vec<&str> = manifest.lines().collect();
    assert!(lines.contains(&"dynamic = [\"version\", \"description\", \"license\"]"), "{manifest}");
    assert!(lines.contains(&"manifest-path = \"../../Cargo.toml\""), "{manifest}");
    assert!(lines.iter().all(|line| !line.starts_with("version")), "{manifest}");
}

/// With other features, they would have other engines, or the program would be compiled again for each.
#[test]
fn every_package_has_the_program_that_ci_has_tried() {
    let line = |name: &str, begin: &str| {
        let text = text(name);
        text.lines().find_map(|line| Some(line.trim().strip_prefix(begin)?.to_owned())).unwrap_or_default()
    };
    let features = line("packaging/release.sh", "features=");
    assert_eq!(features, "jit");
    assert_eq!(line("packaging/python/pyproject.toml", "features = "), format!("[\"{features}\"]"));
    assert_eq!(line("packaging/build.sh", "cargo build "), "--release --locked --features \"$features\"");
    assert_eq!(line(".ci/run", "cargo build "), format!("--release --locked --features {features}"));
}

#[test]
fn every_package_has_both_licences() {
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let own = text(name);
        for folder in ["packaging/python", "editors/vscode"] {
            assert_eq!(text(&format!("{folder}/{name}")), own, "{folder}");
        }
    }
}

#[test]
fn the_page_about_installing_names_the_packages_as_they_are_called() {
    let page = text("docs/install.md");
    let main = json("packaging/npm/package.json");
    let version = env!("CARGO_PKG_VERSION");
    for name in [
        format!("referee-{version}-py3-none-manylinux_2_34_x86_64.whl"),
        format!("referee-{version}-x86_64-unknown-linux-gnu.tar.gz"),
        format!("{}-{version}.tgz", main["name"].as_str().unwrap()),
        format!("{}-linux-x64-{version}.tgz", main["name"].as_str().unwrap()),
        format!("referee-vscode-{version}.vsix"),
    ] {
        assert!(page.contains(&name), "{name}");
    }
}
