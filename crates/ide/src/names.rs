//! The names of a game, with the declaration and the description of each.

use std::collections::BTreeMap;
use std::sync::Arc;

use referee_game::{GameFiles, HouseFiles, OfData, clause_places, names_in_data};
use referee_rules::{Role, declared_in_script};
use referee_source::{Source, Span};
use referee_syntax::ast::LineKind;
use referee_table::DeclaredKind;

/// The kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameKind {
    /// A game.
    Game,
    /// A player.
    Player,
    /// A kind of pieces.
    Piece,
    /// A card.
    Card,
    /// A die.
    Die,
    /// A zone of cards.
    Zone,
    /// A flag, counter or property.
    Property,
    /// A value that is printed on cards.
    Printed,
    /// An ask, by its verb.
    Ask,
    /// An event, by its verb.
    Event,
    /// An option.
    Option,
    /// A value of an option, or a face of a die.
    Value,
    /// A variant.
    Variant,
    /// A clause of the rulebook.
    Clause,
    /// A shared position of a scenario file.
    Position,
    /// A house rule.
    House,
    /// A function of the rules.
    Function,
    /// A constant of the rules.
    Constant,
    /// A variable or a parameter of a function.
    Variable,
}

impl NameKind {
    const fn of_declared(kind: DeclaredKind) -> Self {
        match kind {
            DeclaredKind::Game => Self::Game,
            DeclaredKind::Player => Self::Player,
            DeclaredKind::Die => Self::Die,
            DeclaredKind::Kind => Self::Piece,
            DeclaredKind::Zone => Self::Zone,
            DeclaredKind::Property => Self::Property,
            DeclaredKind::Ask => Self::Ask,
            DeclaredKind::Event => Self::Event,
            DeclaredKind::Option => Self::Option,
            DeclaredKind::Value => Self::Value,
            DeclaredKind::Variant => Self::Variant,
        }
    }

    /// Returns the kinds of what a string with this role names in rules; none if it names no declaration, and if the role
    /// does not tell.
    pub(crate) const fn of_role(role: Role) -> &'static [Self] {
        match role {
            Role::Die => &[Self::Die],
            Role::Ask | Role::Verb => &[Self::Ask],
            Role::Event => &[Self::Event],
            Role::Clause => &[Self::Clause],
            Role::Option => &[Self::Option],
            Role::Property => &[Self::Property],
            Role::ZoneName => &[Self::Zone],
            Role::PieceKind => &[Self::Piece],
            Role::PieceName => &[Self::Card, Self::Piece],
            Role::Phase => &[Self::Function],
            Role::Plain | Role::Options | Role::Direction | Role::DirectionName | Role::CellName => &[],
        }
    }
}

impl NameKind {
    /// Returns the kind in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Player => "player",
            Self::Piece => "piece",
            Self::Card => "card",
            Self::Die => "die",
            Self::Zone => "zone",
            Self::Property => "property",
            Self::Printed => "value printed on cards",
            Self::Ask => "ask",
            Self::Event => "event",
            Self::Option => "option",
            Self::Value => "value",
            Self::Variant => "variant",
            Self::Clause => "clause",
            Self::Position => "position",
            Self::House => "house rule",
            Self::Function => "function",
            Self::Constant => "constant",
            Self::Variable => "variable",
        }
    }
}

/// The identity of a name within a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Its kind.
    pub kind: NameKind,
    /// The name.
    pub name: String,
    /// The owner: the option of a value, the file of a position, the script that alone has a function or a constant, the
    /// function of a variable; otherwise empty.
    pub of: String,
}

impl Key {
    /// Returns a name that belongs to the whole game.
    #[must_use]
    pub fn new(kind: NameKind, name: &str) -> Self {
        Self { kind, name: name.to_owned(), of: String::new() }
    }

    /// Returns a name that belongs to something.
    #[must_use]
    pub fn of(kind: NameKind, name: &str, of: &str) -> Self {
        Self { kind, name: name.to_owned(), of: of.to_owned() }
    }
}

/// Where a name is declared.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name.
    pub key: Key,
    /// The text of the declaration.
    pub source: Arc<Source>,
    /// The name in it.
    pub span: Span,
    /// The whole declaration.
    pub whole: Span,
    /// Its description in Markdown; may be empty.
    pub about: String,
}

/// The names of a game.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The declarations, in the order of the files.
    pub definitions: Vec<Definition>,
    by_word: BTreeMap<String, Vec<usize>>,
}

impl Names {
    /// Returns the names that the files of a game declare.
    #[must_use]
    pub fn of_game(files: &GameFiles) -> Self {
        let mut names = Self::default();
        names.declared(files);
        files.rulebook.iter().for_each(|source| names.clauses(source));
        files.scripts.iter().for_each(|source| names.script(source, false));
        files.houses.iter().filter_map(|house| house.rulebook.as_ref()).for_each(|source| names.clauses(source));
        files.houses.iter().filter_map(|house| house.script.as_ref()).for_each(|source| names.script(source, true));
        files.houses.iter().for_each(|house| names.house(house));
        names.data(files);
        names
    }

    /// Returns the declarations of this word, of any kind.
    pub fn called(&self, word: &str) -> impl Iterator<Item = &Definition> {
        self.by_word.get(word).into_iter().flatten().filter_map(|at| self.definitions.get(*at))
    }

    /// Returns the first declaration of this word with one of these kinds that a file sees; earlier kinds are preferred. A
    /// script does not see the private functions of others.
    #[must_use]
    pub fn first(&self, word: &str, kinds: &[NameKind], file: &str) -> Option<&Definition> {
        let is_seen = |key: &Key| {
            !matches!(key.kind, NameKind::Function | NameKind::Constant) || key.of.is_empty() || key.of == file
        };
        let of_kind = |kind: NameKind| {
            self.called(word).find(|definition| definition.key.kind == kind && is_seen(&definition.key))
        };
        kinds.iter().find_map(|kind| of_kind(*kind))
    }

    /// Returns all declarations of a name: house rules may declare a function again.
    pub fn of_key<'n>(&'n self, key: &'n Key) -> impl Iterator<Item = &'n Definition> {
        self.called(&key.name).filter(move |definition| definition.key == *key)
    }

    /// Returns all declarations of a kind.
    pub fn of_kind(&self, kind: NameKind) -> impl Iterator<Item = &Definition> {
        self.definitions.iter().filter(move |definition| definition.key.kind == kind)
    }

    pub(super) fn add(&mut self, key: Key, source: &Arc<Source>, (span, whole): (Span, Span), about: String) {
        self.by_word.entry(key.name.clone()).or_default().push(self.definitions.len());
        self.definitions.push(Definition { key, source: Arc::clone(source), span, whole, about });
    }

    /// Adds what the `.game` file declares.
    fn declared(&mut self, files: &GameFiles) {
        // The only die of a game may have no name.
        for declaration in files.schema.declarations.iter().filter(|declaration| !declaration.name.is_empty()) {
            let (source, span) = &declaration.place;
            let about = declaration.title.map(|title| source.word(title).text.to_owned()).unwrap_or_default();
            let key = Key::of(NameKind::of_declared(declaration.kind), &declaration.name, &declaration.of);
            self.add(key, source, (*span, declaration.line), about);
        }
    }

    /// Adds the clauses of a rulebook with their paragraphs.
    fn clauses(&mut self, source: &Arc<Source>) {
        for (span, paragraph) in clauses(source.text()) {
            let about = source.slice(paragraph).trim().to_owned();
            self.add(Key::new(NameKind::Clause, source.slice(span)), source, (span, paragraph), about);
        }
    }

    /// Adds the functions and constants of a script. Those that only it sees belong to it: private functions, and constants
    /// of a house rule that replace none of the rules.
    fn script(&mut self, source: &Arc<Source>, is_house: bool) {
        for declared in declared_in_script(source) {
            let kind = if declared.is_constant { NameKind::Constant } else { NameKind::Function };
            let name = source.slice(declared.name);
            let is_new = is_house && declared.is_constant && self.first(name, &[kind], "").is_none();
            let is_own = declared.is_private || is_new;
            let key = if is_own { Key::of(kind, name, source.name()) } else { Key::new(kind, name) };
            let about = comment_above(source, declared.whole);
            self.add(key, source, (declared.name, declared.whole), about);
        }
    }

    /// Adds a house rule: where its line `house` names it, or at the beginning of its script.
    fn house(&mut self, house: &HouseFiles) {
        let lines = house.declared.iter().flat_map(|file| file.lines.iter().map(move |line| (file, line)));
        let line = lines.into_iter().find_map(|(file, line)| match line.kind {
            LineKind::House { name, title } => Some((file, line.span, name, title)),
            _ => None,
        });
        let comment = || house.script.as_ref().map(|source| leading_comment(source)).unwrap_or_default();
        let key = Key::new(NameKind::House, &house.name);
        if let Some((file, line, name, title)) = line {
            let title = title.map(|title| file.source.word(title).text.to_owned());
            self.add(key, &file.source, (name, line), title.unwrap_or_else(comment));
        } else if let Some(source) = house.script.as_ref().or(house.declared.as_ref().map(|file| &file.source)) {
            self.add(key, source, (Span::default(), Span::default()), comment());
        }
    }

    /// Adds the cards of the data files, and the names of what is printed on them.
    fn data(&mut self, files: &GameFiles) {
        for source in files.data.iter().chain(files.houses.iter().flat_map(|house| &house.data)) {
            for name in names_in_data(source).into_iter().filter(|name| name.declares) {
                let kind = if name.of == OfData::Card { NameKind::Card } else { NameKind::Printed };
                self.add(Key::new(kind, &name.name), source, (name.span, name.whole), String::new());
            }
        }
    }
}

/// Returns the ids of the clauses in a Markdown text, each with its paragraph.
fn clauses(text: &str) -> Vec<(Span, Span)> {
    let begin = |at: usize| text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let places = clause_places(text);
    let starts: Vec<usize> = places.iter().map(|(_, at)| begin(*at)).collect();
    let paragraph = |start: usize| {
        let mut end = start;
        for line in text.get(start..).unwrap_or_default().split_inclusive('\n') {
            let is_over = line.trim().is_empty() || line.starts_with(['#', '`', '|']) || starts.contains(&end);
            if end > start && is_over {
                break;
            }
            end += line.len();
        }
        Span::new(start..end)
    };
    let spans = places.iter().zip(&starts);
    spans.map(|((id, at), start)| (Span::new(*at..at + id.len()), paragraph(*start))).collect()
}

/// Returns the comment in the lines above a place of a script.
fn comment_above(source: &Source, span: Span) -> String {
    let mut lines = Vec::new();
    for number in (1..source.line(span.start)).rev() {
        let text = source.slice(source.line_span(number)).trim();
        let Some(comment) = text.strip_prefix("//") else { break };
        lines.push(comment.trim_start_matches('/').trim().to_owned());
    }
    lines.reverse();
    lines.join("\n")
}

/// Returns the comment with which a script begins.
fn leading_comment(source: &Source) -> String {
    let lines = source.text().lines().take_while(|line| line.starts_with("//"));
    lines.map(|line| line.trim_start_matches('/').trim()).collect::<Vec<_>>().join("\n")
}
