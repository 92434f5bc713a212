//! Loads a game from its folder.

use std::path::Path;
use std::sync::Arc;

use super::boards::Boards;
use super::house::{Declared, Over};
use super::reading::{inside, read, unreadable};
use super::search_path::{Folder, SearchPath};
use super::{data, declare};
use super::{house, names, rulebook};
use referee_diagnostic::{Code, Diagnostic, MAX_PROBLEMS, did_you_mean, first_of, one_of};
use referee_source::{HostError, Source, Span, Spanned};
use referee_syntax::ast::{File, Line, LineKind};
use referee_syntax::{FileKind, parse};
use referee_table::{
    Board, BoardError, BoardSpec, CardFunction, Cell, Graph, KindId, Property, PropertyEach, PropertyId, Resource,
    Schema,
};

/// A valid game: its declarations and the text of its rules. It can be shared between threads.
#[derive(Debug)]
pub struct Game {
    /// Its declarations.
    pub schema: Arc<Schema>,
    /// The text of its rules.
    pub rules: Arc<Source>,
    /// The text of its rulebook, if it has one.
    pub rulebook: Option<Arc<Source>>,
    /// The names of the house rules whose declarations it has, in order.
    pub houses: Vec<String>,
    /// The same game without those.
    pub base: Option<Arc<Self>>,
    /// The text of its `.game` file.
    pub(super) file: Arc<Source>,
    pub(super) folder: Folder,
    boards: Boards,
}

/// Why a game cannot be loaded, independent of where it is named.
#[derive(Clone, Debug)]
pub enum Unavailable {
    /// The game is unknown.
    Missing {
        /// The help: the text to write instead.
        help: String,
    },
    /// Its files have errors.
    Wrong(Vec<Diagnostic>),
}

impl Unavailable {
    /// Returns the errors to report if the game is named at the location of `asked`.
    #[must_use]
    pub fn report(self, asked: &Diagnostic) -> Vec<Diagnostic> {
        match self {
            Self::Missing { help } => vec![asked.clone().help(help)],
            Self::Wrong(wrong) => wrong,
        }
    }
}

impl Game {
    /// Returns the game `id` for a scenario in `file`; `asked` is the error to report if it is unknown. Its rules are
    /// not compiled yet.
    ///
    /// # Errors
    /// Returns an error if the game is unknown, or its files have errors.
    pub fn find(
        search_path: &SearchPath<'_>,
        file: &Path,
        id: &str,
        asked: &Diagnostic,
    ) -> Result<Self, Vec<Diagnostic>> {
        Self::look(search_path, file, id).map_err(|why| why.report(asked))
    }

    /// Returns the game `id` for a scenario in `file`, without a location that names it.
    ///
    /// # Errors
    /// Returns an error if the game is unknown, or its files have errors.
    pub fn look(search_path: &SearchPath<'_>, file: &Path, id: &str) -> Result<Self, Unavailable> {
        match search_path.find(id, file) {
            Ok(Some(folder)) => Self::open(search_path, folder, id).map_err(Unavailable::Wrong),
            Ok(None) => {
                let ids = search_path.ids(file);
                let ids = || ids.iter().map(String::as_str);
                let others =
                    || did_you_mean(id, ids()).unwrap_or_else(|| format!("the games are {}", one_of(ids(), 12)));
                let help = search_path.elsewhere(id, file).map_or_else(others, |folder| {
                    let found = shown_folder(&folder);
                    format!("it is in `{found}`, but only folders `games` are searched: move it to `games/{id}`")
                });
                Err(Unavailable::Missing { help })
            }
            Err((folder, error)) => Err(Unavailable::Wrong(vec![unreadable(&folder.to_string_lossy(), &error)])),
        }
    }

    /// Returns the game with this `.game` file.
    ///
    /// # Errors
    /// Returns all errors in its files.
    pub fn of_file(search_path: &SearchPath<'_>, file: &Path) -> Result<Self, Vec<Diagnostic>> {
        let id = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let path = file.parent().map(Path::to_path_buf).unwrap_or_default();
        Self::open(search_path, Folder { built_in: false, path }, &id)
    }

    fn open(search_path: &SearchPath<'_>, folder: Folder, id: &str) -> Result<Self, Vec<Diagnostic>> {
        Self::opened(search_path, folder, id).map_err(|mut wrong| {
            first_of(&mut wrong);
            wrong
        })
    }

    fn opened(search_path: &SearchPath<'_>, folder: Folder, id: &str) -> Result<Self, Vec<Diagnostic>> {
        let name = format!("{id}.game");
        let shown = folder.shown(Path::new(&name));
        let text = search_path.read(&folder, Path::new(&name)).map_err(|error| {
            let other = if error == HostError::NotFound { names::other_file(search_path, &folder) } else { None };
            vec![other.unwrap_or_else(|| unreadable(&shown, &error))]
        })?;
        let source = folder.source(Path::new(&name), text);
        let (ast, mut wrong) = parse(&source, FileKind::Game);
        let boards = Boards::default();
        let (graphs, functions) = graphs(search_path, &folder, &ast, &mut wrong);
        let (mut schema, more) = declare::schema(&ast, id, (!wrong.is_empty(), graphs), &boards);
        schema.functions = functions;
        wrong.extend(more);
        wrong.extend(names::wrong_name(search_path, &folder, &ast, id));
        let rulebook = match rulebook(search_path, &folder, &ast) {
            Ok(rulebook) => rulebook,
            Err(error) => {
                wrong.push(*error);
                None
            }
        };
        if let Some(rulebook) = &rulebook {
            let (clauses, more) = rulebook::clauses(rulebook, &[]);
            schema.clauses = clauses;
            wrong.extend(more);
        }
        complete((search_path, &folder), (&ast, &[], &[]), &mut schema, &boards, &mut wrong);
        let rules = script(search_path, &folder, &ast);
        match rules {
            Ok(rules) if wrong.is_empty() => {
                let (schema, houses) = (Arc::new(schema), Vec::new());
                Ok(Self { schema, rules, rulebook, houses, base: None, file: source, folder, boards })
            }
            // An unreadable `rules` line has already been reported.
            Err(ScriptError::NoLine(error)) if wrong.is_empty() => Err(vec![*error]),
            Ok(_) | Err(ScriptError::NoLine(_)) => Err(wrong),
            Err(ScriptError::Unreadable(error)) => {
                wrong.push(*error);
                Err(wrong)
            }
        }
    }

    /// Returns this game with what house rules declare.
    ///
    /// # Errors
    /// Returns all errors in their lines together.
    pub(super) fn over(self: &Arc<Self>, search_path: &SearchPath<'_>, over: Over) -> Result<Self, Vec<Diagnostic>> {
        let Over { file, set_up, declared, houses } = over;
        let boards = Boards::default();
        let (graphs, functions) = graphs(search_path, &self.folder, &file, &mut Vec::new());
        let (mut schema, wrong) = declare::schema(&file, &self.schema.id, (false, graphs), &boards);
        schema.functions = functions;
        let mut wrong = house::both_places(&schema, wrong);
        let (clauses, more) = house::clauses(&self.schema, self.rulebook.as_ref(), &declared);
        schema.clauses = clauses;
        wrong.extend(more);
        complete((search_path, &self.folder), (&file, &set_up, &declared), &mut schema, &boards, &mut wrong);
        if !wrong.is_empty() {
            first_of(&mut wrong);
            return Err(wrong);
        }
        Ok(Self {
            schema: Arc::new(schema),
            rules: Arc::clone(&self.rules),
            rulebook: self.rulebook.clone(),
            houses,
            base: Some(Arc::clone(self)),
            file: Arc::clone(&self.file),
            folder: self.folder.clone(),
            boards,
        })
    }

    /// Returns the shared board of this shape.
    ///
    /// # Errors
    /// Returns an error if the shape is out of range.
    pub fn board(&self, shape: &BoardSpec) -> Result<Arc<Board>, BoardError> {
        self.boards.get(&self.schema, shape)
    }

    /// Returns the game without the declarations of house rules.
    #[must_use]
    pub fn base(self: &Arc<Self>) -> &Arc<Self> {
        self.base.as_ref().unwrap_or(self)
    }

    /// Returns whether it is bundled with the program.
    #[must_use]
    pub const fn is_built_in(&self) -> bool {
        self.folder.built_in
    }
}

/// Declares what comes after the names: the arrows, the cards of data files, and the variants. Errors in what they refer to
/// are reported first. `set_up` are the lines of house rules about it, and `declared` the house rules.
fn complete(
    (search_path, folder): (&SearchPath<'_>, &Folder),
    (ast, set_up, declared): (&File, &[Line], &[Declared]),
    schema: &mut Schema,
    boards: &Boards,
    wrong: &mut Vec<Diagnostic>,
) {
    if wrong.is_empty() {
        schema.arrows = arrows(search_path, folder, ast, schema, wrong);
    }
    if wrong.is_empty() {
        cards((search_path, folder), (ast, declared), schema, wrong);
        schema.add_back();
    }
    // Variants refer to other declarations: errors in those are reported first.
    if wrong.is_empty() {
        declare::variants(ast, set_up, schema, boards, wrong);
    }
}

/// Returns the path of a folder to show to users.
fn shown_folder(folder: &Path) -> String {
    let shown = folder.to_string_lossy().replace('\\', "/");
    if shown.is_empty() { ".".to_owned() } else { shown }
}

/// Returns the script that a data file names; its path is within this folder of the game's.
fn beside(
    (search_path, folder): (&SearchPath<'_>, &Folder),
    within: &Path,
    data: &Arc<Source>,
    file: &Spanned<String>,
) -> Result<Arc<Source>, Box<Diagnostic>> {
    let path = within.join(inside(data, &file.node, file.span)?);
    read(search_path, folder, data, file.span, &path)
}

/// Returns the path in a quoted word of the game file, if it is inside the game's folder.
fn inside_word(ast: &File, span: Span) -> Result<std::path::PathBuf, Box<Diagnostic>> {
    inside(&ast.source, ast.source.word(span).text, span)
}

fn file_of(ast: &File, pick: impl Fn(&LineKind) -> Option<Span>) -> Option<Spanned<Span>> {
    ast.lines.iter().find_map(|line| pick(&line.kind).map(|span| Spanned::new(span, line.span)))
}

/// Why there is no script.
enum ScriptError {
    /// The game file has no line `rules`.
    NoLine(Box<Diagnostic>),
    /// The file that the line names cannot be read.
    Unreadable(Box<Diagnostic>),
}

fn script(search_path: &SearchPath<'_>, folder: &Folder, ast: &File) -> Result<Arc<Source>, ScriptError> {
    let named = file_of(ast, |kind| match kind {
        LineKind::Rules(span) => Some(*span),
        _ => None,
    });
    let Some(named) = named else {
        let start = Span::new(0..0);
        let wrong = Diagnostic::new(Code::MissingLine, &ast.source, start, "the `rules` line is missing");
        return Err(ScriptError::NoLine(Box::new(wrong.help("add a line `rules \"rules.rhai\"`"))));
    };
    let text = inside_word(ast, named.node).and_then(|path| read(search_path, folder, &ast.source, named.node, &path));
    text.map_err(ScriptError::Unreadable)
}

/// Returns the graphs whose files the game's `board` lines name, each once, and the functions of the rules that they name.
fn graphs(
    search_path: &SearchPath<'_>,
    folder: &Folder,
    ast: &File,
    wrong: &mut Vec<Diagnostic>,
) -> (Vec<Arc<Graph>>, Vec<CardFunction>) {
    let (mut graphs, mut functions): (Vec<Arc<Graph>>, Vec<CardFunction>) = Default::default();
    let mut named: Vec<&str> = Vec::new();
    let mut room = data::MAX_PRINTED;
    let schema = resources_alone(ast);
    for line in &ast.lines {
        let LineKind::Board { shape: Some(shape), .. } = &line.kind else { continue };
        let Some(file) = shape.file else { continue };
        let name = ast.source.word(file).text;
        if named.contains(&name) {
            continue;
        }
        named.push(name);
        match inside_word(ast, file).and_then(|path| read(search_path, folder, &ast.source, file, &path)) {
            Ok(data) => {
                let (graph, more, wrongs) = data::graph(&data, name, &schema, &mut room);
                let is_right = wrongs.is_empty();
                wrong.extend(wrongs);
                functions.extend(more);
                // A graph with errors is there as far as it can be read, so that nothing else is reported about it.
                graphs.extend(graph.filter(|graph| is_right || !graph.places.is_empty()).map(Arc::new));
            }
            Err(error) => wrong.push(*error),
        }
    }
    (graphs, functions)
}

/// Returns a schema with the names of the resources alone, which amounts that are printed on a graph have. The values of its places
/// name nothing else of a game.
fn resources_alone(ast: &File) -> Schema {
    let names = ast.lines.iter().filter_map(|line| match &line.kind {
        LineKind::Resource { names, .. } => Some(names),
        _ => None,
    });
    let named =
        |name: &Span| Resource { name: ast.source.word(*name).text.to_owned(), held: PropertyId::at(0), supply: None };
    Schema { resources: names.flatten().map(named).collect(), ..Schema::empty() }
}

/// Returns the arrows of the game's board from its lines and its data file.
fn arrows(
    search_path: &SearchPath<'_>,
    folder: &Folder,
    ast: &File,
    schema: &Schema,
    wrong: &mut Vec<Diagnostic>,
) -> Vec<(Cell, Cell)> {
    let file = file_of(ast, |kind| match kind {
        LineKind::Arrows(span) => Some(*span),
        _ => None,
    });
    let source = &ast.source;
    let lines = ast.lines.iter().filter_map(|line| match &line.kind {
        LineKind::Arrow(arrows) => Some(arrows),
        _ => None,
    });
    let name = |span: Span| Spanned::new(source.word(span).text.to_owned(), span);
    let listed: Vec<_> = lines.collect();
    if listed.is_empty() && file.is_none() {
        return Vec::new();
    }
    let Ok(board) = schema.build_board(&schema.board) else { return Vec::new() };
    let several = listed.len() > 1 || file.is_some();
    let none = ast.lines.iter().find(|line| matches!(&line.kind, LineKind::Arrow(arrows) if arrows.is_empty()));
    if let Some(line) = none.filter(|_| several) {
        let message = "`arrow none` contradicts the other lines with arrows";
        wrong.push(Diagnostic::new(Code::DuplicateLine, source, line.span, message).help("remove this line"));
    }
    let lines: Vec<_> = listed.into_iter().flatten().map(|(from, to)| (name(*from), name(*to))).collect();
    let Some(file) = file else { return declare::arrows((schema, &board), source, &lines, wrong) };
    if let Some((from, _)) = lines.first() {
        let message = "the arrows are already in a file of their own";
        wrong.push(
            Diagnostic::new(Code::DuplicateLine, source, from.span, message)
                .help("write them all there, or remove the `arrows` line"),
        );
    }
    match inside_word(ast, file.node).and_then(|path| read(search_path, folder, &ast.source, file.node, &path)) {
        Ok(data) => {
            let (named, more) = data::arrows(&data);
            wrong.extend(more);
            declare::arrows((schema, &board), &data, &named, wrong)
        }
        Err(error) => {
            wrong.push(*error);
            Vec::new()
        }
    }
}

/// Adds the cards from their data files.
fn cards(
    (search_path, folder): (&SearchPath<'_>, &Folder),
    (ast, declared): (&File, &[Declared]),
    schema: &mut Schema,
    wrong: &mut Vec<Diagnostic>,
) {
    let mut room = data::MAX_PRINTED;
    for line in &ast.lines {
        let LineKind::Card { name, file, .. } = line.kind else { continue };
        if room == 0 || wrong.len() >= MAX_PROBLEMS {
            return;
        }
        let Some(kind) = schema.kind(ast.source.word(name).text) else { continue };
        let within = house::folder_of(declared, &ast.source, file);
        let path = inside_word(ast, file).map(|path| within.join(path));
        match path.and_then(|path| read(search_path, folder, &ast.source, file, &path)) {
            Ok(data) => {
                let (deck, more) = data::cards(&data, schema, &mut room);
                wrong.extend(more);
                schema.functions.extend(deck.functions.iter().cloned());
                if let Some(file) = &deck.rules {
                    match beside((search_path, folder), &within, &data, file) {
                        Ok(script) => schema.scripts.push(script),
                        Err(error) => wrong.push(*error),
                    }
                }
                declare::add_cards(schema, kind, (&data, ast), deck, wrong);
                wrong.extend(not_shared(schema, kind));
            }
            Err(error) => wrong.push(*error),
        }
    }
}

/// Returns the errors for values that copies of these cards are to share, if none has copies.
fn not_shared(schema: &Schema, kind: KindId) -> Vec<Diagnostic> {
    let mut cards = schema.pieces_of(kind).filter_map(|piece| schema.pieces.get(piece.index()));
    if cards.any(|card| card.many) {
        return Vec::new();
    }
    let is_shared = |property: &&Property| property.shared && property.owners.is(PropertyEach::Kind(kind));
    let shared = schema.properties.iter().filter(is_shared);
    let wrong = shared.map(|property| {
        let (source, span) = &property.place;
        let message = format!("no copies share `{}`: each card is a single one", property.name);
        Diagnostic::new(Code::WrongProperty, source, *span, message).help("remove the word `shared`")
    });
    wrong.collect()
}

/// Returns the declarations of a game as far as its files can be read, with those of house rules: what has errors is left
/// out, or as a message would take it to be meant.
pub(super) fn as_far_as_read(search_path: &SearchPath<'_>, folder: &Folder, over: &Over, id: &str) -> Schema {
    let boards = Boards::default();
    let ast = &over.file;
    let (graphs, functions) = graphs(search_path, folder, ast, &mut Vec::new());
    let (mut schema, _) = declare::schema(ast, id, (true, graphs), &boards);
    schema.functions = functions;
    let book = rulebook(search_path, folder, ast).ok().flatten();
    if let Some(rulebook) = &book {
        schema.clauses = rulebook::clauses(rulebook, &[]).0;
    }
    schema.clauses = house::clauses(&schema, book.as_ref(), &over.declared).0;
    schema.arrows = arrows(search_path, folder, ast, &schema, &mut Vec::new());
    cards((search_path, folder), (ast, &over.declared), &mut schema, &mut Vec::new());
    schema.add_back();
    declare::variants(ast, &over.set_up, &mut schema, &boards, &mut Vec::new());
    schema
}

fn rulebook(search_path: &SearchPath<'_>, folder: &Folder, ast: &File) -> Result<Option<Arc<Source>>, Box<Diagnostic>> {
    let named = file_of(ast, |kind| match kind {
        LineKind::Rulebook(span) => Some(*span),
        _ => None,
    });
    let Some(named) = named else { return Ok(None) };
    let path = inside_word(ast, named.node)?;
    read(search_path, folder, &ast.source, named.node, &path).map(Some)
}
