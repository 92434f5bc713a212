//! The texts of a game's files, as editors need them: also those of a game with errors.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::house::{self, HouseFiles};
use super::load::as_far_as_read;
use super::search_path::{Folder, SearchPath};
use referee_source::{Source, Span};
use referee_syntax::ast::{File, LineKind};
use referee_syntax::{FileKind, parse};
use referee_table::Schema;

/// The texts of a game's files, as far as they can be read.
#[derive(Clone, Debug)]
pub struct GameFiles {
    /// The folder; below the bundled games, if it is bundled.
    pub folder: PathBuf,
    /// Whether the game is bundled with the program, so that its files are not on the host.
    pub built_in: bool,
    /// The lines of the `.game` file.
    pub declared: File,
    /// What the files declare, as far as they can be read.
    pub schema: Arc<Schema>,
    /// The rulebook.
    pub rulebook: Option<Arc<Source>>,
    /// The scripts in the folder: the one that the `.game` file names, then the others by name.
    pub scripts: Vec<Arc<Source>>,
    /// The house rules.
    pub houses: Vec<HouseFiles>,
    /// The data files.
    pub data: Vec<Arc<Source>>,
}

impl GameFiles {
    /// Returns the files of the game `id` for a scenario in `file`; `None` if there is no such game.
    #[must_use]
    pub fn find(search_path: &SearchPath<'_>, file: &Path, id: &str) -> Option<Self> {
        Self::in_folder(search_path, search_path.find(id, file).ok().flatten()?, id)
    }

    /// Returns the files of the game with this `.game` file; `None` if it cannot be read.
    #[must_use]
    pub fn of_file(search_path: &SearchPath<'_>, file: &Path) -> Option<Self> {
        let id = file.file_stem()?.to_string_lossy().into_owned();
        let path = file.parent().map(Path::to_path_buf).unwrap_or_default();
        Self::in_folder(search_path, Folder { built_in: false, path }, &id)
    }

    fn in_folder(search_path: &SearchPath<'_>, folder: Folder, id: &str) -> Option<Self> {
        let read = |name: &Path| {
            let text = search_path.read(&folder, name).ok()?;
            Some(folder.source(name, text))
        };
        let file = read(Path::new(&format!("{id}.game")))?;
        let (declared, _) = parse(&file, FileKind::Game);
        let named = |pick: fn(&LineKind) -> Option<Span>| {
            declared.lines.iter().find_map(|line| Some(file.word(pick(&line.kind)?).text.to_owned()))
        };
        let rulebook = named(|kind| match kind {
            LineKind::Rulebook(span) => Some(*span),
            _ => None,
        });
        let rules = named(|kind| match kind {
            LineKind::Rules(span) => Some(*span),
            _ => None,
        });
        let list = |below: &str| search_path.list(&folder, below).unwrap_or_default();
        let ends = |name: &str, extension: &str| name.rsplit_once('.').is_some_and(|(_, found)| found == extension);
        let within = |extensions: &[&str]| {
            let names = list("").into_iter().filter(|name| extensions.iter().any(|extension| ends(name, extension)));
            names.filter_map(|name| read(Path::new(&name))).collect::<Vec<_>>()
        };
        let mut scripts = within(&["rhai"]);
        let main = rules.map(|rules| folder.shown(Path::new(&rules)));
        scripts.sort_by_key(|script| Some(script.name()) != main.as_deref());
        let names = house::names(search_path, &folder).unwrap_or_default();
        let (houses, declaring): (Vec<_>, Vec<_>) =
            names.iter().map(|name| house::files(search_path, &folder, name)).unzip();
        let named = names.iter().map(String::as_str).zip(&declaring);
        let named: Vec<_> = named.filter_map(|(name, declared)| Some((name, declared.as_ref()?))).collect();
        let (over, _) = house::joined(&file, &named);
        Some(Self {
            rulebook: rulebook.and_then(|name| read(Path::new(&name))),
            schema: Arc::new(as_far_as_read(search_path, &folder, &over, id)),
            scripts,
            houses,
            data: within(&["yaml", "yml"]),
            built_in: folder.built_in,
            folder: folder.path.clone(),
            declared,
        })
    }

    /// Returns all texts of the game.
    pub fn sources(&self) -> impl Iterator<Item = &Arc<Source>> {
        let houses = self.houses.iter().flat_map(HouseFiles::sources);
        let own = std::iter::once(&self.declared.source).chain(&self.rulebook);
        own.chain(&self.scripts).chain(houses).chain(&self.data)
    }
}
