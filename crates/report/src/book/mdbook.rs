//! The JSON that mdBook passes to a preprocessor and gets back. Only the needed fields are read; all others stay.

use serde_json::Value;

use referee_diagnostic::{did_you_mean, one_of};

/// The keys of the table of this preprocessor in `book.toml`: its own first, then those of mdBook.
const KEYS: [&str; 8] = ["games", "playground", "command", "before", "after", "optional", "renderer", "renderers"];

/// A book of mdBook: its context and its chapters.
#[derive(Clone, Debug)]
pub struct MdBook {
    context: Value,
    book: Value,
}

/// What `book.toml` sets for this preprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MdBookSettings<'b> {
    /// The folder of games, relative to the folder of the book.
    pub games: Option<&'b str>,
    /// The address of the playground that examples are linked to.
    pub playground: Option<&'b str>,
}

/// A chapter of an mdBook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChapterText {
    /// The path of its file, below the folder of chapters.
    pub path: String,
    /// The path of its page, which ends in `.html`.
    pub page: String,
    /// Its text, in Markdown.
    pub text: String,
}

impl MdBook {
    /// Reads the input from mdBook: `[context, book]`.
    ///
    /// # Errors
    /// Returns an error message if it is something else.
    pub fn read(json: &str) -> Result<Self, String> {
        let read: Value = serde_json::from_str(json).map_err(|error| format!("this is no JSON: {error}"))?;
        match read {
            Value::Array(pair) => match <[Value; 2]>::try_from(pair) {
                Ok([context, book]) if context.is_object() && items(&book).is_some() => Ok(Self { context, book }),
                _ => Err("this JSON is no book of mdBook".to_owned()),
            },
            _ => Err("this JSON is no book of mdBook".to_owned()),
        }
    }

    /// Returns the folder of the book.
    #[must_use]
    pub fn root(&self) -> &str {
        self.context.get("root").and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the folder of the chapters, below that of the book.
    #[must_use]
    pub fn chapters_folder(&self) -> &str {
        self.context.pointer("/config/book/src").and_then(Value::as_str).unwrap_or("src")
    }

    /// Returns what `book.toml` sets for this preprocessor.
    ///
    /// # Errors
    /// Returns an error message if the table of this preprocessor has an unknown key, or a value that is no text.
    pub fn settings(&self) -> Result<MdBookSettings<'_>, String> {
        let table = self.context.pointer("/config/preprocessor/referee").and_then(Value::as_object);
        let keys = || table.into_iter().flat_map(|table| table.keys().map(String::as_str));
        if let Some(unknown) = keys().find(|key| !KEYS.contains(key)) {
            let help =
                did_you_mean(unknown, KEYS).unwrap_or_else(|| format!("the keys are {}", one_of(KEYS, KEYS.len())));
            return Err(format!("unknown key `{unknown}` in `[preprocessor.referee]` of `book.toml`\n{help}"));
        }
        let text = |key: &str, what: &str, example: &str| match table.and_then(|table| table.get(key)) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str())),
            Some(_) => Err(format!(
                "`{key}` in `[preprocessor.referee]` of `book.toml` is no {what}\nwrite `{key} = \"{example}\"`"
            )),
        };
        Ok(MdBookSettings {
            games: text("games", "folder", "games")?,
            playground: text("playground", "address", "https://example.org/playground/")?,
        })
    }

    /// Returns the chapters that have a file, in order.
    #[must_use]
    pub fn chapters(&self) -> Vec<ChapterText> {
        let mut chapters = Vec::new();
        for item in items(&self.book).into_iter().flatten() {
            collect(item, &mut chapters);
        }
        chapters
    }

    /// Returns the book as mdBook reads it, with other texts for some of its [chapters](Self::chapters).
    #[must_use]
    pub fn with(mut self, texts: Vec<Option<String>>) -> String {
        let mut texts = texts.into_iter();
        for item in items_mut(&mut self.book).into_iter().flatten() {
            replace(item, &mut texts);
        }
        self.book.to_string()
    }
}

/// Returns the items of a book; they are `sections` before version 0.5 of mdBook.
fn items(book: &Value) -> Option<&Vec<Value>> {
    ["items", "sections"].iter().find_map(|name| book.get(name)?.as_array())
}

fn items_mut(book: &mut Value) -> Option<&mut Vec<Value>> {
    let name = ["items", "sections"].into_iter().find(|name| book.get(name).is_some_and(Value::is_array))?;
    book.get_mut(name)?.as_array_mut()
}

/// Returns the path of a chapter's file: the one that it was read from.
fn path(chapter: &Value) -> Option<&str> {
    ["source_path", "path"].iter().find_map(|name| chapter.get(name)?.as_str())
}

/// Returns the path of the page of a chapter. The page of a `README.md` is that of its folder.
fn page_of(path: &str) -> String {
    let path = path.replace('\\', "/");
    let stem = path.strip_suffix(".md").unwrap_or(&path);
    let (folder, name) = stem.rsplit_once('/').map_or(("", stem), |(folder, name)| (folder, name));
    let name = if name.eq_ignore_ascii_case("readme") { "index" } else { name };
    if folder.is_empty() { format!("{name}.html") } else { format!("{folder}/{name}.html") }
}

fn collect(item: &Value, into: &mut Vec<ChapterText>) {
    let Some(chapter) = item.get("Chapter") else { return };
    if let (Some(path), Some(text)) = (path(chapter), chapter.get("content").and_then(Value::as_str)) {
        let page = chapter.get("path").and_then(Value::as_str).unwrap_or(path);
        into.push(ChapterText { path: path.replace('\\', "/"), page: page_of(page), text: text.to_owned() });
    }
    for sub in chapter.get("sub_items").and_then(Value::as_array).into_iter().flatten() {
        collect(sub, into);
    }
}

fn replace(item: &mut Value, texts: &mut impl Iterator<Item = Option<String>>) {
    let Some(chapter) = item.get_mut("Chapter") else { return };
    let has_file = path(chapter).is_some();
    if let Some(content) = chapter.get_mut("content").filter(|content| has_file && content.is_string())
        && let Some(text) = texts.next().flatten()
    {
        *content = Value::String(text);
    }
    for sub in chapter.get_mut("sub_items").and_then(Value::as_array_mut).into_iter().flatten() {
        replace(sub, texts);
    }
}
