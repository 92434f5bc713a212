//! A game as editors ask about it: its files, its names, its scripts.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::names::Names;
use referee_game::GameFiles;
use referee_rules::Scripts;

/// A game whose names are known.
#[derive(Debug)]
pub struct Known {
    /// Its files.
    pub files: GameFiles,
    /// Its names.
    pub names: Names,
    /// Its scripts without a house rule, once they were needed.
    scripts: OnceCell<Rc<Scripts>>,
    /// Its scripts with a house rule, by the files of the house rules.
    with_house: RefCell<BTreeMap<String, Rc<Scripts>>>,
}

impl Known {
    pub(super) fn of(files: GameFiles) -> Rc<Self> {
        let names = Names::of_game(&files);
        Rc::new(Self { files, names, scripts: OnceCell::new(), with_house: RefCell::default() })
    }

    /// Returns its scripts without a house rule.
    pub fn scripts(&self) -> &Rc<Scripts> {
        self.scripts.get_or_init(|| Rc::new(Scripts::read(&self.files.schema, &self.files.scripts, None)))
    }

    /// Returns its scripts as they are read for a file: with the house rule, if it is one.
    pub fn scripts_of(&self, file: &str) -> Rc<Scripts> {
        let scripts = self.files.houses.iter().filter_map(|house| house.script.as_ref());
        let Some(house) = scripts.into_iter().find(|source| source.name() == file) else {
            return Rc::clone(self.scripts());
        };
        let read = || Rc::new(Scripts::read(&self.files.schema, &self.files.scripts, Some(house)));
        Rc::clone(self.with_house.borrow_mut().entry(file.to_owned()).or_insert_with(read))
    }
}
