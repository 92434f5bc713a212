//! The files of the page.

use std::path::{Component, Path, PathBuf};

use referee_diagnostic::one_line;

/// The command that builds the page.
pub(super) const BUILD: &str = "web/build.sh";

/// The file that says what the page may do.
const POLICY_FILE: &str = "policy.txt";

/// The types of the files of the page.
const TYPES: [(&str, &str); 8] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("wasm", "application/wasm"),
];

/// The folder of the page, and what its scripts may do.
pub(super) struct Pages {
    folder: PathBuf,
    policy: String,
}

impl Pages {
    /// Opens a folder that `web/build.sh` has made.
    ///
    /// # Errors
    /// Returns an error message if it is not such a folder.
    pub(super) fn open(folder: &Path) -> Result<Self, String> {
        let read = |name: &str| std::fs::read_to_string(folder.join(name));
        match (read("index.html"), read(POLICY_FILE)) {
            (Ok(_), Ok(policy)) => Ok(Self { folder: folder.to_path_buf(), policy: policy.trim().to_owned() }),
            _ => Err(format!(
                "`{}` is no folder of the playground: it has no `index.html` and `{POLICY_FILE}`\n\
                 build one with `{}`",
                one_line(&folder.to_string_lossy().replace('\\', "/")),
                BUILD,
            )),
        }
    }

    /// Returns the policy that is sent with each file.
    pub(super) fn policy(&self) -> &str {
        &self.policy
    }

    /// Returns a file with its type; `None` if the folder has no such file.
    pub(super) fn file(&self, path: &str) -> Option<(Vec<u8>, &'static str)> {
        let name = Path::new(if path.is_empty() { "index.html" } else { path });
        let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
        let extension = name.extension()?.to_str()?;
        let (_, kind) = TYPES.iter().find(|(known, _)| *known == extension)?;
        let bytes = is_plain.then(|| std::fs::read(self.folder.join(name)).ok())??;
        Some((bytes, kind))
    }
}
