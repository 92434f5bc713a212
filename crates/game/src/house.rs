//! House rules: a script `house/NAME.rhai` beside a game, or a folder `house/NAME/` that also declares.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::reading::{inside, read, unreadable};
use super::rulebook;
use super::search_path::{Folder, SearchPath};
use referee_diagnostic::{Code, Diagnostic, Label};
use referee_source::{HostError, Source, Span};
use referee_syntax::ast::{File, Line, LineKind};
use referee_syntax::{FileKind, parse, parse_parts};
use referee_table::{Clause, Schema};

/// A house rule over a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct House {
    /// Its name.
    pub name: String,
    /// Its script; `None` if it only declares.
    pub source: Option<Arc<Source>>,
    /// What it declares, if it is a folder.
    pub declared: Option<Declared>,
}

/// The files with which a house rule declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its file `NAME.house`.
    pub file: Arc<Source>,
    /// Its rulebook.
    pub rulebook: Option<Arc<Source>>,
    /// Its folder, in that of the game.
    pub(crate) folder: PathBuf,
}

impl House {
    /// Returns what it says of itself: the title of its line `house`, or the first line `///` of its script.
    #[must_use]
    pub fn title(&self) -> String {
        let line = self.declared.as_ref().and_then(|declared| {
            let (file, _) = parse(&declared.file, FileKind::House);
            file.lines.iter().find_map(|line| match line.kind {
                LineKind::House { title: Some(title), .. } => Some(declared.file.word(title).text.to_owned()),
                _ => None,
            })
        });
        line.filter(|title| !title.is_empty()).unwrap_or_else(|| {
            let first = self.source.as_ref().and_then(|source| source.text().lines().next());
            first.and_then(|line| line.strip_prefix("///")).unwrap_or_default().trim().to_owned()
        })
    }

    /// Returns its texts: what it declares, then its script.
    pub fn sources(&self) -> impl Iterator<Item = &Arc<Source>> {
        let declared =
            self.declared.iter().flat_map(|declared| std::iter::once(&declared.file).chain(&declared.rulebook));
        declared.chain(&self.source)
    }
}

/// The texts of a house rule, as far as they can be read.
#[derive(Clone, Debug, Default)]
pub struct HouseFiles {
    /// Its name.
    pub name: String,
    /// Its script.
    pub script: Option<Arc<Source>>,
    /// The lines with which it declares, if it is a folder.
    pub declared: Option<File>,
    /// Its rulebook.
    pub rulebook: Option<Arc<Source>>,
    /// The data files in its folder.
    pub data: Vec<Arc<Source>>,
}

impl HouseFiles {
    /// Returns its texts.
    pub fn sources(&self) -> impl Iterator<Item = &Arc<Source>> {
        let declared = self.declared.iter().map(|file| &file.source);
        declared.chain(&self.script).chain(&self.rulebook).chain(&self.data)
    }
}

/// The name of the file of a house rule in its folder.
pub(super) fn file_name(name: &str) -> String {
    format!("{name}.house")
}

/// Returns whether the name of a folder in `house` has files of a house rule.
pub(super) fn is_house(search_path: &SearchPath<'_>, folder: &Folder, name: &str) -> bool {
    let files = search_path.list(folder, &format!("house/{name}")).unwrap_or_default();
    files.iter().any(|file| file.ends_with(".house") || file.ends_with(".rhai"))
}

/// Returns the names of the house rules of a game, sorted.
///
/// # Errors
/// Returns an error if the folder of house rules cannot be listed.
pub(super) fn names(search_path: &SearchPath<'_>, folder: &Folder) -> Result<Vec<String>, HostError> {
    let listed = search_path.list(folder, "house")?;
    let name = |file: &String| match file.strip_suffix(".rhai") {
        Some(name) => Some(name.to_owned()),
        None => (!file.starts_with('.') && is_house(search_path, folder, file)).then(|| file.clone()),
    };
    let mut names: Vec<String> = listed.iter().filter_map(name).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// Returns the error of a house rule that has neither a script nor a line that declares.
pub(super) fn empty(house: &House) -> Option<Diagnostic> {
    let declared = house.declared.as_ref().filter(|_| house.source.is_none())?;
    let (file, _) = parse(&declared.file, FileKind::House);
    let only_named = |line: &Line| matches!(line.kind, LineKind::House { .. } | LineKind::Rulebook(_));
    let line = file.lines.first().filter(|_| file.lines.iter().all(only_named))?;
    let wrong = Diagnostic::new(Code::EmptyHouse, &declared.file, line.span, "this house rule changes nothing");
    Some(
        wrong
            .help("declare something below this line, or redefine functions in a script `rules.rhai` beside this file"),
    )
}

/// Returns the error of a house rule that is both a script and a folder.
pub(super) fn twice(name: &str, script: &Arc<Source>, file: &Arc<Source>) -> Diagnostic {
    let message = format!("there are two house rules `{name}`");
    let start = |source: &Arc<Source>| source.line_span(1);
    Diagnostic::new(Code::DuplicateName, file, start(file), message)
        .label("the folder")
        .also(script, start(script), "the script")
        .help(format!("move the script into the folder as `house/{name}/rules.rhai`, or rename one of the two"))
}

/// Returns the error of a folder of a house rule without the file that declares.
pub(super) fn unnamed(search_path: &SearchPath<'_>, folder: &Folder, name: &str) -> Option<Diagnostic> {
    let files = search_path.list(folder, &format!("house/{name}")).ok()?;
    let own = file_name(name);
    let other = files.iter().find(|file| file.ends_with(".house"));
    let shown = folder.shown(&Path::new("house").join(name));
    let (message, help) = match other {
        Some(other) => (
            format!("the house rule is named `{}`, but its folder `{name}`", other.trim_end_matches(".house")),
            format!("rename the file `{other}` to `{own}`, or the folder to `{}`", other.trim_end_matches(".house")),
        ),
        None => (
            format!("the folder {shown} has no file `{own}`"),
            format!(
                "add the file `{own}` with the line `house {}`, or move the script to `house/{name}.rhai`",
                written(name)
            ),
        ),
    };
    let wrong = Diagnostic::general(Code::WrongId, message).help(help);
    let place = Path::new("house").join(name).join(other.or_else(|| files.first())?);
    let text = search_path.read(folder, &place).ok();
    Some(match text.map(|text| folder.source(&place, text)) {
        Some(source) => wrong.at(&source, source.line_span(1)),
        None => wrong,
    })
}

/// Returns a name as a line has it: in quotes unless it is one plain word.
fn written(name: &str) -> String {
    let is_plain = name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
    if is_plain { name.to_owned() } else { referee_source::quoted(name) }
}

/// Reads the house rule of a folder.
pub(super) fn declaring(
    search_path: &SearchPath<'_>,
    game: &Folder,
    name: &str,
    file: Arc<Source>,
) -> Result<House, Box<Diagnostic>> {
    let folder = Path::new("house").join(name);
    let (ast, _) = parse(&file, FileKind::House);
    let named = |pick: fn(&LineKind) -> Option<Span>| ast.lines.iter().find_map(|line| pick(&line.kind));
    // A file that no line names is read if it has the usual name.
    let text = |span: Option<Span>, usual: &str| match span {
        Some(span) => {
            let path = folder.join(inside(&file, file.word(span).text, span)?);
            read(search_path, game, &file, span, &path).map(Some)
        }
        None => {
            let path = folder.join(usual);
            match search_path.read(game, &path) {
                Ok(text) => Ok(Some(game.source(&path, text))),
                Err(HostError::NotFound) => Ok(None),
                Err(error) => Err(Box::new(unreadable(&game.shown(&path), &error))),
            }
        }
    };
    let rules = named(|kind| match kind {
        LineKind::Rules(span) => Some(*span),
        _ => None,
    });
    let rulebook = named(|kind| match kind {
        LineKind::Rulebook(span) => Some(*span),
        _ => None,
    });
    let (source, rulebook) = (text(rules, "rules.rhai")?, text(rulebook, "RULES.md")?);
    Ok(House { name: name.to_owned(), source, declared: Some(Declared { file, rulebook, folder }) })
}

/// The lines of a game and of house rules over it.
pub(super) struct Over {
    /// The lines that declare, and those of the game's own set-up.
    pub(super) file: File,
    /// The lines of the house rules about the set-up.
    pub(super) set_up: Vec<Line>,
    /// What the house rules declare.
    pub(super) declared: Vec<Declared>,
    /// Their names.
    pub(super) houses: Vec<String>,
}

/// Returns the lines of a game with those of house rules over it, and all errors that single lines of these have.
pub(super) fn joined(game: &Arc<Source>, declared: &[(&str, &Declared)]) -> (Over, Vec<Diagnostic>) {
    let texts: Vec<Arc<Source>> =
        std::iter::once(game).chain(declared.iter().map(|(_, declared)| &declared.file)).cloned().collect();
    let (source, spans) = Source::joined(&texts);
    let (source, mut spans) = (Arc::new(source), spans.into_iter());
    let (mut file, mut wrong) = parse_parts(&source, FileKind::Game, spans.next().as_slice());
    let (mut lines, mut set_up): (Vec<Line>, Vec<Line>) = (Vec::new(), Vec::new());
    for ((name, _), span) in declared.iter().zip(spans) {
        let (own, mut unread) = parse_parts(&source, FileKind::House, &[span]);
        unread.extend(misnamed(&own, (name, span), !unread.is_empty()));
        let mut drawn = None;
        for line in own.lines {
            if let Some((message, help)) = refused(&source, &line.kind) {
                let word = source.slice(line.span).split_whitespace().next().unwrap_or_default();
                unread.push(Diagnostic::new(Code::HouseLine, &source, line.span.of_start(word), message).help(help));
                continue;
            }
            match line.kind {
                LineKind::House { .. } | LineKind::Rules(_) | LineKind::Rulebook(_) => {}
                LineKind::Board { .. } => {
                    if let Some(first) = drawn.replace(line.span) {
                        let message = "this house rule already has a diagram";
                        let again = Diagnostic::new(Code::DuplicateLine, &source, line.span, message);
                        unread.push(again.also(&source, first, "the first one").help("remove one of the two"));
                    } else if let Some(other) = set_up.iter().find(|line| matches!(line.kind, LineKind::Board { .. })) {
                        let message = "each of two house rules draws the whole board of the set-up";
                        let again = Diagnostic::new(Code::DuplicateLine, &source, line.span, message);
                        let help = "write `place` lines in one of them, or use only one of the two";
                        unread.push(again.also(&source, other.span, "the first diagram").help(help));
                    }
                    set_up.push(line);
                }
                // Each deals its own cards.
                LineKind::Deal { .. } => set_up.push(line),
                LineKind::Place(_)
                | LineKind::Set(_)
                | LineKind::Cards { .. }
                | LineKind::Shuffle { .. }
                | LineKind::Clause(_) => share(&source, &mut set_up, line),
                // The cards of each are in a file of its own.
                LineKind::Card { .. } => lines.push(line),
                _ => share(&source, &mut lines, line),
            }
        }
        wrong.append(&mut unread);
    }
    let first = file.lines.iter().position(|line| matches!(line.kind, LineKind::Variant { .. }));
    let at = first.unwrap_or(file.lines.len());
    file.lines.splice(at..at, lines);
    let houses = declared.iter().map(|(name, _)| (*name).to_owned()).collect();
    let declared = declared.iter().map(|(_, declared)| (*declared).clone()).collect();
    (Over { file, set_up, declared, houses }, wrong)
}

/// Adds a line of a house rule to those before, unless another house rule has the same in the same words: that is one thing
/// which both need.
fn share(source: &Arc<Source>, lines: &mut Vec<Line>, line: Line) {
    let words = |line: &Line| source.slice(line.span).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let of = |line: &Line| source.of_part(line.span).0;
    let own = words(&line);
    let is_shared = |other: &Line| words(other) == own && !Arc::ptr_eq(&of(other), &of(&line));
    if !lines.iter().any(is_shared) {
        lines.push(line);
    }
}

/// Returns the errors of the first line of a house rule, which must name it; `unread` says whether it may be a line that
/// could not be read.
fn misnamed(file: &File, (name, whole): (&str, Span), unread: bool) -> Vec<Diagnostic> {
    let source = &file.source;
    let mut heads = file.lines.iter().filter_map(|line| match line.kind {
        LineKind::House { name, .. } => Some((name, line.span)),
        _ => None,
    });
    let right = format!("house {}", written(name));
    let Some((own, _)) = heads.next() else {
        if unread {
            return Vec::new();
        }
        let first = file.lines.first().map_or(Span { start: whole.start, end: whole.start }, |line| line.span);
        let wrong = Diagnostic::new(Code::MissingLine, source, first, "the `house` line is missing");
        return vec![wrong.help(format!("begin the file with `{right} \"Its title\"`"))];
    };
    let mut wrong = Vec::new();
    let text = source.word(own).text;
    if text != name {
        let message = format!("the house rule is named `{text}`, but its folder `{name}`");
        let help = format!("write `{right}`, or rename the file and its folder to `{text}`");
        wrong.push(Diagnostic::new(Code::WrongId, source, own, message).help(help));
    }
    for (what, pick) in [
        ("house", (|kind| matches!(kind, LineKind::House { .. })) as fn(&LineKind) -> bool),
        ("rules", |kind| matches!(kind, LineKind::Rules(_))),
        ("rulebook", |kind| matches!(kind, LineKind::Rulebook(_))),
    ] {
        for again in file.lines.iter().filter(|line| pick(&line.kind)).skip(1) {
            let message = format!("there is already a `{what}` line");
            let help = "keep one of them: the file of a house rule has only one such line";
            wrong.push(Diagnostic::new(Code::DuplicateLine, source, again.span, message).help(help));
        }
    }
    wrong
}

/// Returns why a house rule cannot have a line, and what to write instead.
fn refused(source: &Arc<Source>, line: &LineKind) -> Option<(&'static str, String)> {
    let text = |span: Span| source.word(span).text;
    let (message, help) = match line {
        LineKind::Game { .. } => (
            "a house rule begins with its own name",
            "write `house NAME \"TITLE\"`: the folder around `house` says which game it is for",
        ),
        LineKind::Players { .. } => (
            "a house rule has the players of its game",
            "remove this line: declare what players have with `flag … for each player`, or write a game of its own",
        ),
        LineKind::Board { shape: Some(shape), .. } => {
            let help = format!("write it there: `const BOARD = \"{}\";`", source.slice(shape.span));
            return Some(("a house rule sets the size of the board in its script", help));
        }
        LineKind::Board { shape: None, rows } if rows.is_empty() => {
            ("the diagram is missing", "draw the set-up in `|` rows below this line, or remove it")
        }
        LineKind::Directions { .. } => (
            "a house rule has the directions of its game",
            "remove this line: the rules of the game count on their numbers",
        ),
        LineKind::Arrow(_) | LineKind::Arrows(_) => (
            "a house rule has the arrows of its game",
            "remove this line: redefine the function of the rules that looks them up with `arrow(cell)`",
        ),
        LineKind::Symmetry(_) => (
            "a house rule cannot declare symmetries: those of its game must hold with it, too",
            "remove this line; if the house rule breaks a symmetry, the game cannot declare that",
        ),
        LineKind::Variant { .. } => (
            "a house rule has no variants: it applies to those of its game",
            "write the lines below it in a house rule of their own",
        ),
        LineKind::With { name, value } => {
            let number = text(*value).parse::<i64>().is_ok();
            let value = if number { text(*value).to_owned() } else { referee_source::quoted(text(*value)) };
            let help = format!("write it there: `const OPTIONS = #{{ {}: {value} }};`", text(*name));
            return Some(("a house rule sets options in its script", help));
        }
        LineKind::WithHouse(_) => (
            "a house rule cannot use another one",
            "write both `with house` lines in the scenario: the later one is a layer over the earlier one",
        ),
        _ => return None,
    };
    Some((message, help.to_owned()))
}

/// Returns the clauses of a game with those of house rules, and the errors in their rulebooks.
pub(super) fn clauses(
    below: &Schema,
    game: Option<&Arc<Source>>,
    declared: &[Declared],
) -> (Vec<Clause>, Vec<Diagnostic>) {
    let mut clauses = below.clauses.clone();
    let mut wrong = Vec::new();
    let mut books: Vec<&Arc<Source>> = game.into_iter().collect();
    for book in declared.iter().filter_map(|declared| declared.rulebook.as_ref()) {
        let (own, more) = rulebook::clauses(book, &clauses);
        wrong.extend(more);
        for clause in own {
            if clauses.iter().any(|other| other.id == clause.id) {
                wrong.extend(same_clause(&clause.id, book, &books));
            } else {
                clauses.push(clause);
            }
        }
        books.push(book);
    }
    (clauses, wrong)
}

/// Returns the error for a clause that one of the rulebooks before has, too.
fn same_clause(id: &str, book: &Arc<Source>, before: &[&Arc<Source>]) -> Option<Diagnostic> {
    let place = |book: &Arc<Source>| {
        let found = rulebook::clause_places(book.text()).into_iter().find(|(other, _)| *other == id);
        found.map(|(_, at)| Span::new(at..at + id.len()))
    };
    let wrong = Diagnostic::new(Code::DuplicateClause, book, place(book)?, format!("there are two clauses `{id}`"));
    let first = before.iter().find_map(|book| Some((*book, place(book)?)));
    let wrong = first.map_or(wrong.clone(), |(first, span)| wrong.also(first, span, "the first one"));
    Some(wrong.help("number the clauses of a house rule with letters of their own, such as `[H1]`"))
}

/// Returns errors about names with both places of each: a message about a line of a house rule also shows the line of the
/// game, or of another house rule, that has the name.
pub(super) fn both_places(schema: &Schema, wrong: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let both = |wrong: Diagnostic| {
        let [Label { source, span, .. }] = wrong.labels.as_slice() else { return wrong };
        let all = &schema.declarations;
        let own = all.iter().find(|declared| {
            Arc::ptr_eq(&declared.place.0, source) && (declared.place.1 == *span || declared.line == *span)
        });
        let first = own.and_then(|own| all.iter().find(|other| other.kind == own.kind && other.name == own.name));
        match first.filter(|first| !Arc::ptr_eq(&first.place.0, source)) {
            Some(first) => wrong.also(&first.place.0, first.place.1, "declared here first"),
            None => wrong,
        }
    };
    wrong.into_iter().map(both).collect()
}

/// Returns the folder, in that of the game, to which the path in a line refers.
pub(super) fn folder_of(declared: &[Declared], source: &Arc<Source>, span: Span) -> PathBuf {
    let (own, _) = source.of_part(span);
    let found = declared.iter().find(|declared| Arc::ptr_eq(&declared.file, &own));
    found.map(|declared| declared.folder.clone()).unwrap_or_default()
}

/// Returns the texts of a house rule as far as they can be read, and what it declares.
pub(super) fn files(search_path: &SearchPath<'_>, game: &Folder, name: &str) -> (HouseFiles, Option<Declared>) {
    let text = |path: &Path| search_path.read(game, path).ok().map(|text| game.source(path, text));
    let alone = text(&Path::new("house").join(format!("{name}.rhai")));
    let folder = Path::new("house").join(name);
    let Some(file) = text(&folder.join(file_name(name))) else {
        let script = alone.or_else(|| text(&folder.join("rules.rhai")));
        return (HouseFiles { name: name.to_owned(), script, ..HouseFiles::default() }, None);
    };
    let (declared, _) = parse(&file, FileKind::House);
    let named = |usual: &str, pick: fn(&LineKind) -> Option<Span>| {
        let named = declared.lines.iter().find_map(|line| Some(file.word(pick(&line.kind)?).text));
        text(&folder.join(named.unwrap_or(usual)))
    };
    let script = named("rules.rhai", |kind| match kind {
        LineKind::Rules(span) => Some(*span),
        _ => None,
    });
    let rulebook = named("RULES.md", |kind| match kind {
        LineKind::Rulebook(span) => Some(*span),
        _ => None,
    });
    let listed = search_path.list(game, &format!("house/{name}")).unwrap_or_default();
    let is_data = |file: &&String| file.ends_with(".yaml") || file.ends_with(".yml");
    let data = listed.iter().filter(is_data).filter_map(|file| text(&folder.join(file))).collect();
    let own = Declared { file, rulebook: rulebook.clone(), folder };
    (HouseFiles { name: name.to_owned(), script, declared: Some(declared), rulebook, data }, Some(own))
}
