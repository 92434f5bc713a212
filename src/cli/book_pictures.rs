//! The pictures beside a rulebook, for its page.

use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::output::remark;
use referee_report::{Embedded, picture_files};

/// The extensions of pictures, and their media types.
const PICTURES: [(&str, &str); 7] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("avif", "image/avif"),
    ("svg", "image/svg+xml"),
];

/// Returns the pictures of a rulebook with their data; remarks on those that cannot be read.
pub(super) fn pictures(file: &Path, text: &str) -> Embedded {
    let mut pictures = Embedded::new();
    for address in picture_files(text) {
        match picture(file, &address) {
            Ok(data) => drop(pictures.insert(address, data)),
            Err(why) => remark(&format!("the page has a link in place of the picture `{address}`: {why}")),
        }
    }
    pictures
}

/// Returns a picture beside a rulebook as an address that has its data, or why there is none.
fn picture(file: &Path, address: &str) -> Result<String, String> {
    let path = Path::new(address);
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let kind = PICTURES.iter().find(|(own, _)| *own == extension).map(|(_, kind)| *kind);
    let kind = kind.ok_or_else(|| "its extension is none of a picture".to_owned())?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let words = |error: std::io::Error| super::disk::words(&error).to_string();
    let path = std::fs::canonicalize(folder.join(address.replace("%20", " "))).map_err(words)?;
    // A rulebook of others must not collect pictures of elsewhere.
    let mut near = [folder, Path::new(".")].into_iter().filter_map(|near| std::fs::canonicalize(near).ok());
    if !near.any(|near| path.starts_with(near)) {
        return Err("it is outside the folder of the rulebook and the working folder".to_owned());
    }
    let bytes = std::fs::read(path).map_err(words)?;
    Ok(format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes)))
}
