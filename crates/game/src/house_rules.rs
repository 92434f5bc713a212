//! The house rules of a game, and the game with what they declare.

use std::path::{Component, Path};
use std::sync::Arc;

use super::house::{Declared, House, declaring, empty, file_name, is_house, joined, names, twice, unnamed};
use super::load::Game;
use super::reading::unreadable;
use super::search_path::SearchPath;
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::HostError;

impl Game {
    /// Returns the names of its house rules, sorted.
    ///
    /// # Errors
    /// Returns an error if the folder of house rules cannot be listed.
    pub fn house_names(&self, search_path: &SearchPath<'_>) -> Result<Vec<String>, Box<Diagnostic>> {
        let shown = || self.folder.shown(Path::new("house"));
        names(search_path, &self.folder).map_err(|error| Box::new(unreadable(&shown(), &error)))
    }

    /// Returns the house rule with this name.
    ///
    /// # Errors
    /// Returns `asked` with a help text if the house rule is unknown, or an error if its files cannot be read.
    pub fn house(
        &self,
        search_path: &SearchPath<'_>,
        name: &str,
        asked: &Diagnostic,
    ) -> Result<House, Box<Diagnostic>> {
        let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
            && !name.is_empty()
            && !name.contains(['/', '\\']);
        if !is_plain {
            return Err(self.unknown_house(search_path, name, asked));
        }
        let unread = |file: &Path, error: &HostError| {
            let message = format!("cannot read the house rule {}: {error}", self.folder.shown(file));
            let mut wrong = Diagnostic::general(Code::UnreadableFile, message).labelled(asked.labels.iter().cloned());
            wrong.help.clone_from(&asked.help);
            Box::new(wrong)
        };
        let text = |file: &Path| match search_path.read(&self.folder, file) {
            Ok(text) => Ok(Some(self.folder.source(file, text))),
            Err(HostError::NotFound) => Ok(None),
            Err(error) => Err(unread(file, &error)),
        };
        let (script, folder) = (Path::new("house").join(format!("{name}.rhai")), Path::new("house").join(name));
        let alone = text(&script)?;
        let file = text(&folder.join(file_name(name)))?;
        match (alone, file) {
            (Some(alone), Some(file)) => Err(Box::new(twice(name, &alone, &file))),
            (Some(source), None) => Ok(House { name: name.to_owned(), source: Some(source), declared: None }),
            (None, Some(file)) => declaring(search_path, &self.folder, name, file),
            (None, None) if is_house(search_path, &self.folder, name) => {
                Err(Box::new(unnamed(search_path, &self.folder, name).unwrap_or_else(|| asked.clone())))
            }
            (None, None) => Err(self.unknown_house(search_path, name, asked)),
        }
    }

    /// Returns the error for a house rule that the game does not have.
    fn unknown_house(&self, search_path: &SearchPath<'_>, name: &str, asked: &Diagnostic) -> Box<Diagnostic> {
        let names = match self.house_names(search_path) {
            Ok(names) => names,
            Err(wrong) => return wrong,
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let help = did_you_mean(name, names.iter().copied()).unwrap_or_else(|| match names.as_slice() {
            [] => "this game has no house rules; add one as `house/NAME.rhai` in its folder".to_owned(),
            names => format!("the house rules are {}", one_of(names.iter().copied(), 12)),
        });
        Box::new(asked.clone().help(help))
    }

    /// Returns the game with what house rules declare, in this order; `None` if none of them declares.
    ///
    /// # Errors
    /// Returns all errors in what they declare, and in all of it together.
    pub fn with_houses(
        self: &Arc<Self>,
        search_path: &SearchPath<'_>,
        houses: &[House],
    ) -> Result<Option<Self>, Vec<Diagnostic>> {
        let declared: Vec<(&str, &Declared)> =
            houses.iter().filter_map(|house| Some((house.name.as_str(), house.declared.as_ref()?))).collect();
        if declared.is_empty() {
            return Ok(None);
        }
        let (over, mut wrong) = joined(&self.file, &declared);
        if wrong.is_empty() {
            wrong.extend(houses.iter().filter_map(empty));
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        self.base().over(search_path, over).map(Some)
    }
}
