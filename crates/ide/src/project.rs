//! The files around the one that is edited: the game that it belongs to, the games that it plays.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::known::Known;
use super::mentions::{self, Games, Mention, Mentions};
use referee_game::{GameFiles, SearchPath};
use referee_rules::Occurrence;
use referee_scenario::{Loader, LoaderOptions, Suite, accepted_path, has_scenarios, markdown_source};
use referee_source::{Host, Source};
use referee_syntax::ast::{File, LineKind};
use referee_syntax::{FileKind, parse};

use super::overlay::Overlay;

/// The most files of a folder that are searched for mentions of a name.
const MAX_FILES: usize = 20_000;
/// Folders nested deeper are not searched.
const MAX_DEPTH: usize = 12;
/// The most files whose names are kept.
const MAX_OPENED: usize = 64;
/// The most files whose plans are kept.
const MAX_PLANNED: usize = 8;

/// The role of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A `.game` file.
    Game,
    /// A `.house` file.
    House,
    /// A script.
    Script,
    /// A data file.
    Data,
    /// A `.scenario` file.
    Scenario,
    /// A Markdown file: a rulebook, or a page with scenario blocks.
    Markdown,
}

impl Role {
    /// Returns the role of a file, by its extension; `None` for other files.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "game" => Some(Self::Game),
            "house" => Some(Self::House),
            "rhai" => Some(Self::Script),
            "yaml" | "yml" => Some(Self::Data),
            "scenario" => Some(Self::Scenario),
            "md" => Some(Self::Markdown),
            _ => None,
        }
    }
}

/// The text of a file of scenarios, and that of its accepted snapshots.
type Texts = [Option<String>; 2];

/// The files of an editor, and their loaded games.
pub struct Project<'h> {
    /// The files.
    pub overlay: &'h Overlay<'h>,
    /// The games, loaded with the files as they are.
    pub loader: Loader<'h>,
    options: LoaderOptions,
    search_path: SearchPath<'h>,
    games: BTreeMap<(PathBuf, String), Option<Rc<Known>>>,
    /// The files that were read, until their texts or a game changes.
    opened: BTreeMap<PathBuf, (String, Rc<Opened>)>,
    /// The files of scenarios that were planned, until their texts, their snapshots or a game changes.
    planned: BTreeMap<PathBuf, (Texts, Rc<Suite>)>,
    /// The number of changes at which all this was read.
    changes: u64,
}

/// A file with the names that it mentions.
pub struct Opened {
    /// Its path, as messages name it.
    pub path: PathBuf,
    /// Its role.
    pub role: Role,
    /// Its text; of a Markdown file only the scenario blocks are not spaces.
    pub source: Arc<Source>,
    /// Its lines, if it has any.
    pub lines: Option<File>,
    /// The games that it belongs to or plays, by the names that it gives them.
    pub games: BTreeMap<String, Rc<Known>>,
    /// The names that it mentions, in order.
    pub mentions: Vec<Mention>,
    /// All names in its scripts and embedded expressions, with the names of their games, in order.
    pub in_rules: Vec<(String, Occurrence)>,
}

impl Games for BTreeMap<String, Rc<Known>> {
    fn known(&self, game: &str) -> Option<&Rc<Known>> {
        self.get(game)
    }
}

impl Opened {
    /// Returns the mention at a byte.
    #[must_use]
    pub fn at(&self, at: u32) -> Option<&Mention> {
        self.mentions.iter().find(|mention| mention.span.start <= at && at <= mention.span.end)
    }

    /// Returns the game that a mention belongs to.
    #[must_use]
    pub fn game_of(&self, mention: &Mention) -> Option<&Rc<Known>> {
        self.games.get(&mention.game)
    }

    /// Returns the name at a byte in a script or an embedded expression, with its game.
    #[must_use]
    pub fn in_rules_at(&self, at: u32) -> Option<(&Occurrence, Option<&Rc<Known>>)> {
        let found = self.in_rules.iter().find(|(_, name)| name.span.start <= at && at <= name.span.end);
        found.map(|(game, name)| (name, self.games.get(game)))
    }

    /// Returns the game that is played at a byte, or whose file this is.
    #[must_use]
    pub fn game_at(&self, at: u32) -> Option<&Rc<Known>> {
        if let Some(known) = self.games.get("") {
            return Some(known);
        }
        let lines = self.lines.iter().flat_map(|file| &file.lines).take_while(|line| line.span.start <= at);
        let used = lines.filter_map(|line| match line.kind {
            LineKind::Use { game, .. } => Some(self.source.word(game).text),
            _ => None,
        });
        used.last().and_then(|game| self.games.get(game))
    }
}

impl<'h> Project<'h> {
    /// Returns a project over the files of an editor.
    pub fn new(overlay: &'h Overlay<'h>, options: LoaderOptions) -> Self {
        let (loader, search_path) = Self::load(overlay, &options);
        let (games, opened, planned) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { overlay, loader, options, search_path, games, opened, planned, changes: overlay.changes() }
    }

    fn load(overlay: &'h Overlay<'h>, options: &LoaderOptions) -> (Loader<'h>, SearchPath<'h>) {
        let options = LoaderOptions { working_folder: overlay.root().to_path_buf(), ..options.clone() };
        let search_path = SearchPath::new(overlay, options.games.clone(), options.working_folder.clone());
        (Loader::new(overlay, options), search_path)
    }

    /// Returns a project over other texts of the same files.
    pub(super) fn over<'o>(&self, overlay: &'o Overlay<'o>) -> Project<'o> {
        Project::new(overlay, self.options.clone())
    }

    /// Drops the loaded data of files that have changed since.
    pub fn refresh(&mut self) {
        let changes = self.overlay.changes();
        if changes != self.changes {
            self.changes = changes;
            (self.loader, self.search_path) = Self::load(self.overlay, &self.options);
            self.games.clear();
            self.opened.clear();
            self.planned.clear();
        }
    }

    /// Returns the plan of a file of scenarios. What is unchanged is not planned again.
    pub fn suite(&mut self, path: &Path) -> Rc<Suite> {
        self.refresh();
        let path = self.overlay.shown(path);
        let texts = [path.clone(), accepted_path(&path)].map(|file| self.overlay.read(&file).ok());
        if let Some((_, suite)) = self.planned.get(&path).filter(|(known, _)| *known == texts) {
            return Rc::clone(suite);
        }
        let suite = Rc::new(referee_scenario::plan(&mut self.loader, &path));
        if self.planned.len() >= MAX_PLANNED {
            self.planned.clear();
        }
        self.planned.insert(path, (texts, Rc::clone(&suite)));
        suite
    }

    /// Returns the `.game` file of the game that a file belongs to: in its folder, or in the folder above; for a file of a
    /// house rule, in the folder above `house`.
    #[must_use]
    pub fn game_file(&self, path: &Path) -> Option<PathBuf> {
        if Role::of(path) == Some(Role::Game) {
            return Some(path.to_path_buf());
        }
        let absolute = self.overlay.absolute(path);
        let in_house = absolute.ancestors().nth(2).is_some_and(|folder| folder.ends_with("house"));
        let folders = absolute.ancestors().skip(1).take(if in_house { 3 } else { 2 });
        let mut files = folders.filter_map(|folder| {
            let name = folder.file_name()?.to_string_lossy().into_owned();
            let file = folder.join(format!("{name}.game"));
            self.overlay.read(&file).is_ok().then_some(file)
        });
        files.next().map(|file| self.overlay.shown(&file))
    }

    /// Returns the game with this `.game` file.
    fn own(&mut self, file: &Path) -> Option<Rc<Known>> {
        let search_path = &self.search_path;
        let known = self.games.entry((file.to_path_buf(), String::new()));
        known.or_insert_with(|| GameFiles::of_file(search_path, file).map(Known::of)).clone()
    }

    /// Returns the game that a scenario file names.
    fn played(&mut self, file: &Path, game: &str) -> Option<Rc<Known>> {
        let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
        let search_path = &self.search_path;
        let known = self.games.entry((folder, game.to_owned()));
        known.or_insert_with(|| GameFiles::find(search_path, file, game).map(Known::of)).clone()
    }

    /// Returns the names of all games that a scenario in `file` can use.
    #[must_use]
    pub fn game_ids(&self, file: &Path) -> Vec<String> {
        self.search_path.games(file)
    }

    /// Reads a file and finds the names in it; `None` if it is none of ours, or cannot be read. What is unchanged is not read
    /// again.
    pub fn open(&mut self, path: &Path) -> Option<Rc<Opened>> {
        self.refresh();
        let path = self.overlay.shown(path);
        let role = Role::of(&path)?;
        let text = self.overlay.read(&path).ok()?;
        if let Some((_, opened)) = self.opened.get(&path).filter(|(known, _)| *known == text) {
            return Some(Rc::clone(opened));
        }
        let opened = Rc::new(self.read(&path, role, text.clone()));
        if self.opened.len() >= MAX_OPENED {
            self.opened.clear();
        }
        self.opened.insert(path, (text, Rc::clone(&opened)));
        Some(opened)
    }

    fn read(&mut self, path: &Path, role: Role, text: String) -> Opened {
        let name = path.to_string_lossy().replace('\\', "/");
        let source = match role {
            Role::Markdown => markdown_source(&name, text).0,
            _ => Arc::new(Source::new(name, text)),
        };
        let mut games = BTreeMap::new();
        if role != Role::Scenario {
            let own = self.game_file(path).and_then(|file| self.own(&file));
            games.extend(own.map(|known| (String::new(), known)));
        }
        let lines = match role {
            Role::Game => Some(parse(&source, FileKind::Game).0),
            Role::House => Some(parse(&source, FileKind::House).0),
            Role::Scenario | Role::Markdown => Some(parse(&source, FileKind::Scenario).0),
            Role::Script | Role::Data => None,
        };
        if let (Some(file), Role::Scenario | Role::Markdown) = (&lines, role) {
            for game in used(file) {
                games.extend(self.played(path, &game).map(|known| (game, known)));
            }
        }
        let mut found = match (&lines, role) {
            (Some(file), Role::Game) => mentions::in_lines(file, FileKind::Game, &games),
            (Some(file), Role::House) => mentions::in_lines(file, FileKind::House, &games),
            (Some(file), _) => mentions::in_lines(file, FileKind::Scenario, &games),
            (None, Role::Script) => mentions::in_script(&source, &games),
            (None, _) => Mentions::default(),
        };
        if role == Role::Data {
            found.found = mentions::in_data(&source, &games);
        }
        if role == Role::Markdown {
            found.found.extend(mentions::in_rulebook(&source, &games));
            found.found.sort_by_key(|mention| mention.span);
        }
        let Mentions { found: mentions, in_rules } = found;
        Opened { path: path.to_path_buf(), role, source, lines, games, mentions, in_rules }
    }

    /// Returns the scenario files and the Markdown files with scenarios below the root, sorted.
    #[must_use]
    pub fn scenario_files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![(PathBuf::new(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            let inside = self.overlay.list(if depth == 0 { self.overlay.root() } else { &folder }).unwrap_or_default();
            for path in inside {
                let path = self.overlay.shown(&path);
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                if name.starts_with('.') || matches!(name.as_str(), "target" | "node_modules") {
                    continue;
                }
                match Role::of(&path) {
                    Some(Role::Scenario) => files.push(path),
                    Some(Role::Markdown) if self.overlay.read(&path).is_ok_and(|text| has_scenarios(&text)) => {
                        files.push(path);
                    }
                    Some(_) => {}
                    None if depth < MAX_DEPTH && self.overlay.is_folder(&path) => folders.push((path, depth + 1)),
                    None => {}
                }
            }
            if files.len() > MAX_FILES {
                break;
            }
        }
        files.sort();
        files
    }
}

/// Returns the games that the lines of a file name.
fn used(file: &File) -> Vec<String> {
    let mut games: Vec<String> = Vec::new();
    for line in &file.lines {
        if let LineKind::Use { game, .. } = line.kind {
            games.push(file.source.word(game).text.to_owned());
        }
    }
    games.sort();
    games.dedup();
    games
}
