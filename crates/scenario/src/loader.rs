//! Loads games, compiles their rules and caches both.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::plan::model::Plan;
use referee_diagnostic::{Code, Diagnostic, first_of};
use referee_game::{Game, House, SearchPath, Unavailable};
use referee_play::Crew;
use referee_rules::{Clock, Loading, Profile, Program};
use referee_source::{Host, Source};

/// Where games are searched for.
#[derive(Clone, Debug, Default)]
pub struct LoaderOptions {
    /// The folder of games that is searched first.
    pub games: Option<PathBuf>,
    /// The folder to which relative paths refer.
    pub working_folder: PathBuf,
    /// Whether runs of each place in the rules are counted, for coverage.
    pub counts: bool,
    /// The clock of a profile, if work and time are counted by function and line of the rules.
    pub profile: Option<Clock>,
    /// A script that is used in place of the one with the same name.
    pub instead: Option<Arc<Source>>,
}

/// A cache of games and compiled rules. Each thread needs one of its own.
pub struct Loader<'h> {
    pub(crate) host: &'h (dyn Host + Sync),
    pub(crate) search_path: SearchPath<'h>,
    games: BTreeMap<String, Loaded>,
    /// By the game, the place of its rules, and the house rules. Loaders for one of its games share them.
    programs: Rc<RefCell<BTreeMap<Vec<String>, Compiled>>>,
    /// The games with what house rules declare, by the same.
    housed: Rc<RefCell<BTreeMap<Vec<String>, Housed>>>,
    /// The house rules that were read, by the game, the place of its rules, and their names.
    read: Rc<RefCell<BTreeMap<Vec<String>, House>>>,
    loading: Loading,
    crew: Option<&'h dyn Crew>,
    again: Option<Again>,
    /// How many bytes of plans may still be kept of files whose plans are made again, about.
    plans_left: u64,
}

/// How many bytes of such plans are kept at most, about.
const MOST_PLANS: u64 = 32 << 20;

/// The plans of some tests in a row of a file whose plans are not kept.
struct Again {
    source: Arc<Source>,
    first: usize,
    plans: Vec<Option<Arc<Plan>>>,
}

/// A game, or why it is unavailable. The reason names no place that asks for the game, so that it can be cached.
type Loaded = Result<Arc<Game>, Unavailable>;
type Housed = Result<Arc<Game>, Vec<Diagnostic>>;
type Compiled = Result<Rc<Program>, Vec<Diagnostic>>;

impl<'h> Loader<'h> {
    /// Returns a loader over a host.
    #[must_use]
    pub fn new(host: &'h (dyn Host + Sync), options: LoaderOptions) -> Self {
        let search_path = SearchPath::new(host, options.games, options.working_folder);
        let loading =
            Loading { counts: options.counts, profile: options.profile, instead: options.instead, unchecked: false };
        Self {
            host,
            search_path,
            games: BTreeMap::new(),
            programs: Rc::default(),
            housed: Rc::default(),
            read: Rc::default(),
            loading,
            crew: None,
            again: None,
            plans_left: 0,
        }
    }

    /// Returns a loader for which a game has this name, wherever its files are.
    pub(crate) fn of_game(&self, game: Arc<Game>) -> Self {
        let (search_path, loading) = (self.search_path.clone(), self.loading.clone());
        let games = BTreeMap::from([(key(Path::new(""), &game.schema.id), Ok(game))]);
        let (programs, housed, read) = (Rc::clone(&self.programs), Rc::clone(&self.housed), Rc::clone(&self.read));
        Self {
            host: self.host,
            search_path,
            games,
            programs,
            housed,
            read,
            loading,
            crew: None,
            again: None,
            plans_left: 0,
        }
    }

    /// Lets these threads help with questions about all play.
    #[must_use]
    pub fn with_crew(self, crew: &'h dyn Crew) -> Self {
        Self { crew: Some(crew), ..self }
    }

    /// Removes and returns what was counted so far by function and line, of all rules together; `None` without a profile.
    #[must_use]
    pub fn take_profile(&self) -> Option<Profile> {
        let programs = self.programs.borrow();
        let profiles = programs.values().filter_map(|program| program.as_ref().ok()?.take_profile());
        profiles.reduce(Profile::and)
    }

    /// Keeps some of the plans of files whose plans are made again for each test: those that come first, as many as there is
    /// room for.
    #[must_use]
    pub fn keeping_plans(self) -> Self {
        Self { plans_left: MOST_PLANS, ..self }
    }

    /// Returns how many bytes of such plans may still be kept, about.
    pub(crate) const fn plans_left(&self) -> u64 {
        self.plans_left
    }

    /// Says how many are left.
    pub(crate) const fn leave_plans(&mut self, left: u64) {
        self.plans_left = left;
    }

    /// Returns the threads that may help with questions about all play.
    pub(crate) const fn crew(&self) -> Option<&'h dyn Crew> {
        self.crew
    }

    /// Returns the game of this name for a file, and compiles its rules; `asked` is the error at the place where the
    /// file names it.
    pub(crate) fn game(&mut self, file: &Path, id: &str, asked: &Diagnostic) -> Result<Arc<Game>, Vec<Diagnostic>> {
        self.loaded(file, id).map_err(|why| why.report(asked))
    }

    /// Returns the plan of this test of a file, if it was made last.
    pub(crate) fn planned(&self, source: &Arc<Source>, index: usize) -> Option<Arc<Plan>> {
        let again = self.again.as_ref().filter(|again| Arc::ptr_eq(&again.source, source))?;
        again.plans.get(index.checked_sub(again.first)?)?.clone()
    }

    /// Keeps the plans of tests in a row in place of those that were made before.
    pub(crate) fn keep_planned(&mut self, source: &Arc<Source>, first: usize, plans: Vec<Option<Arc<Plan>>>) {
        self.again = Some(Again { source: Arc::clone(source), first, plans });
    }

    fn loaded(&mut self, file: &Path, id: &str) -> Loaded {
        let key = key(file, id);
        if let Some(loaded) = self.games.get(&key) {
            return loaded.clone();
        }
        let loaded = Game::look(&self.search_path, file, id).map(Arc::new);
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

    /// Returns the rules of a game under house rules, with what these declare.
    pub(crate) fn program(&mut self, game: &Arc<Game>, houses: &[House]) -> Compiled {
        let game = self.housed(game, houses)?;
        let key = key_of(&game, houses);
        if let Some(compiled) = self.programs.borrow().get(&key) {
            return compiled.clone();
        }
        let mut sources = vec![Arc::clone(&game.rules)];
        sources.extend(houses.iter().filter_map(|house| house.source.clone()));
        let compiled = Program::load_with(&game.schema, &sources, &self.loading).map(Rc::new);
        let compiled = compiled.map_err(|wrong| wrong.into_iter().map(|wrong| of_house(&game, wrong)).collect());
        self.programs.borrow_mut().insert(key, compiled.clone());
        compiled
    }

    /// Returns a game with what house rules declare; the same game if they declare nothing.
    ///
    /// # Errors
    /// Returns all errors in what they declare, alone and together.
    pub(crate) fn housed(&self, game: &Arc<Game>, houses: &[House]) -> Housed {
        let declaring = || houses.iter().filter(|house| house.declared.is_some()).map(|house| &house.name);
        if declaring().eq(&game.houses) {
            return Ok(Arc::clone(game));
        }
        let base = game.base();
        if declaring().next().is_none() {
            return Ok(Arc::clone(base));
        }
        let key = key_of(base, houses);
        if let Some(housed) = self.housed.borrow().get(&key) {
            return housed.clone();
        }
        let housed = base.with_houses(&self.search_path, houses).map(|game| game.map_or(Arc::clone(base), Arc::new));
        self.housed.borrow_mut().insert(key, housed.clone());
        housed
    }

    /// Returns whether each of these house rules can be used alone.
    pub(crate) fn fits_alone(&mut self, game: &Arc<Game>, houses: &[House]) -> bool {
        houses.iter().all(|house| self.program(game.base(), std::slice::from_ref(house)).is_ok())
    }

    /// Returns the house rule of this name: see [`Game::house`].
    pub(crate) fn house(&self, game: &Game, name: &str, asked: &Diagnostic) -> Result<House, Box<Diagnostic>> {
        let key = vec![game.schema.id.clone(), game.rules.name().to_owned(), name.to_owned()];
        if let Some(house) = self.read.borrow().get(&key) {
            return Ok(house.clone());
        }
        let house = game.house(&self.search_path, name, asked)?;
        self.read.borrow_mut().insert(key, house.clone());
        Ok(house)
    }

    /// Returns all house rules of a game.
    ///
    /// # Errors
    /// Returns an error if they cannot be listed or read.
    pub(crate) fn houses(&self, game: &Game) -> Result<Vec<House>, Box<Diagnostic>> {
        let names = game.house_names(&self.search_path)?;
        let read = |name: String| {
            let asked = Diagnostic::general(Code::UnknownHouse, format!("cannot read the house rule `{name}`"));
            self.house(game, &name, &asked)
        };
        names.into_iter().map(read).collect()
    }
}

/// Returns the key of a game under house rules in the caches.
fn key_of(game: &Game, houses: &[House]) -> Vec<String> {
    let mut key = vec![game.schema.id.clone(), game.rules.name().to_owned()];
    key.extend(houses.iter().map(|house| house.name.clone()));
    key
}

/// Returns an error of the rules of a game, which are right without house rules, at the name that a house rule declares and
/// that they use otherwise.
fn of_house(game: &Game, wrong: Diagnostic) -> Diagnostic {
    let Some(first) = wrong.labels.first() else { return wrong };
    let base = game.base.as_ref().map(|base| &base.schema.scripts);
    let is_own = base
        .is_some_and(|scripts| scripts.iter().chain([&game.rules]).any(|script| Arc::ptr_eq(script, &first.source)));
    let of_houses = game.schema.declarations.iter().filter(|declared| {
        let is_base = |base: &Arc<Game>| base.schema.declaration(declared.kind, &declared.name).is_some();
        !game.base.as_ref().is_some_and(is_base)
    });
    let mut named = of_houses.filter(|declared| wrong.message.contains(&format!("`{}`", declared.name)));
    let Some(declared) = named.next().filter(|_| is_own) else { return wrong };
    let (source, span) = &declared.place;
    let message = format!("the rules of the game use `{}` otherwise: {}", declared.name, wrong.message);
    let moved = Diagnostic::new(wrong.code, source, *span, message).help("choose another name in the house rule");
    moved.also(&first.source, first.span, "in the rules of the game")
}

/// Returns the key of a game in the cache: games of one name may differ from folder to folder.
fn key(file: &Path, id: &str) -> String {
    let folder = file.parent().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
    format!("{folder}\n{id}")
}
