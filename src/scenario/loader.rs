//! Loads games and compiles their rules, and keeps both. One for each thread.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, first_of};
use crate::game::{Game, House, Shelf, Unavailable};
use crate::rules::{Gauges, Program};
use crate::source::Host;

/// Where games are looked for.
#[derive(Clone, Debug, Default)]
pub struct LoaderOptions {
    /// A folder of games that goes before all others.
    pub games: Option<PathBuf>,
    /// The folder from which relative paths go out.
    pub working_folder: PathBuf,
    /// What the library cannot tell by itself: stops rules that take too much time or memory in ways that are not counted.
    pub gauges: Option<Gauges>,
}

/// Loads games and compiles their rules.
pub struct Loader<'h> {
    pub(crate) host: &'h (dyn Host + Sync),
    pub(crate) shelf: Shelf<'h>,
    games: BTreeMap<String, Loaded>,
    programs: BTreeMap<Vec<String>, Compiled>,
    gauges: Option<Gauges>,
}

/// A game, or why there is none, in words that hold for whoever asks next.
type Loaded = Result<Arc<Game>, Unavailable>;
type Compiled = Result<Rc<Program>, Vec<Diagnostic>>;

impl<'h> Loader<'h> {
    /// Returns a loader over a host.
    #[must_use]
    pub fn new(host: &'h (dyn Host + Sync), options: LoaderOptions) -> Self {
        let shelf = Shelf::new(host, options.games, options.working_folder);
        Self { host, shelf, games: BTreeMap::new(), programs: BTreeMap::new(), gauges: options.gauges }
    }

    /// Returns the game of this name for a file, its rules compiled; `asked` is where the file names it.
    pub(crate) fn game(&mut self, file: &Path, id: &str, asked: &Diagnostic) -> Result<Arc<Game>, Vec<Diagnostic>> {
        self.loaded(file, id).map_err(|why| why.told(asked))
    }

    fn loaded(&mut self, file: &Path, id: &str) -> Loaded {
        let folder = file.parent().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
        let key = format!("{folder}\n{id}");
        if let Some(loaded) = self.games.get(&key) {
            return loaded.clone();
        }
        let loaded = Game::look(&self.shelf, file, id).map(Arc::new);
        let loaded = loaded.and_then(|game| match self.program(&game, &[]) {
            Ok(_) => Ok(game),
            Err(mut wrong) => {
                first_of(&mut wrong);
                Err(Unavailable::Wrong(wrong))
            }
        });
        self.games.insert(key, loaded.clone());
        loaded
    }

    pub(crate) fn program(&mut self, game: &Arc<Game>, houses: &[House]) -> Compiled {
        let mut key = vec![game.schema.id.clone(), game.rules.name().to_owned()];
        key.extend(houses.iter().map(|house| house.name.clone()));
        if let Some(compiled) = self.programs.get(&key) {
            return compiled.clone();
        }
        let mut sources = vec![Arc::clone(&game.rules)];
        sources.extend(houses.iter().map(|house| Arc::clone(&house.source)));
        let compiled = Program::load(&game.schema, &sources, self.gauges).map(Rc::new);
        self.programs.insert(key, compiled.clone());
        compiled
    }
}
