//! The declarations of a game in progress: the schema so far, its names, and the errors.

use std::collections::BTreeMap;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_source::Span;
use referee_syntax::ast::{File, Line, LineKind};
use referee_table::{Declaration, DeclaredKind, Schema};

/// The maximum number of declarations of one sort: kinds, flags and counters, asks, events, options, zones.
pub(super) const MOST: usize = 4096;
/// The maximum number of variants, each of which has its own set-up.
pub(super) const MAX_VARIANTS: usize = 256;
/// The maximum number of dice.
pub(super) const MAX_DICE: usize = 256;

/// Words of the language that begin no line or expectation, and that cannot be names either.
pub(super) const RESERVED: [&str; 18] = [
    "a", "again", "and", "by", "count", "down", "empty", "exactly", "face", "holds", "in", "is", "none", "of", "off",
    "on", "to", "wins",
];

/// Reserved words of Rhai: rules could not use a counter or piece with such a name.
pub(super) const KEPT_BY_RULES: [&str; 55] = [
    "as",
    "async",
    "await",
    "break",
    "call",
    "case",
    "catch",
    "const",
    "continue",
    "curry",
    "debug",
    "default",
    "do",
    "else",
    "eval",
    "exit",
    "export",
    "false",
    "fn",
    "for",
    "global",
    "go",
    "goto",
    "if",
    "import",
    "let",
    "loop",
    "match",
    "module",
    "new",
    "nil",
    "null",
    "package",
    "print",
    "private",
    "protected",
    "public",
    "return",
    "shared",
    "spawn",
    "static",
    "super",
    "switch",
    "sync",
    "this",
    "thread",
    "throw",
    "true",
    "try",
    "until",
    "use",
    "var",
    "void",
    "while",
    "yield",
];

/// The declarations of a game in progress.
pub(crate) struct Declaring<'f> {
    pub(super) file: &'f File,
    pub(super) schema: Schema,
    pub(super) wrong: Vec<Diagnostic>,
    /// The names of players, pieces, kinds and properties, which share one namespace.
    pub(super) names: BTreeMap<String, Span>,
    /// Whether some lines could not be read: what seems to be missing may be in one of them.
    unread: bool,
}

impl<'f> Declaring<'f> {
    pub(super) const fn new(file: &'f File, schema: Schema, unread: bool) -> Self {
        Self { file, schema, wrong: Vec::new(), names: BTreeMap::new(), unread }
    }

    pub(super) fn text(&self, span: Span) -> String {
        self.file.source.word(span).text.to_owned()
    }

    /// Returns whether a line is one of the game itself, not of a house rule.
    pub(super) fn is_of_game(&self, line: Span) -> bool {
        let of = |span: Span| self.file.source.of_part(span).0;
        Arc::ptr_eq(&of(line), &of(Span::default()))
    }

    pub(super) fn title(&self, span: Option<Span>) -> String {
        span.map(|span| self.text(span)).unwrap_or_default()
    }

    pub(super) fn report(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.wrong.push(Diagnostic::new(code, &self.file.source, span, message));
        let last = self.wrong.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "pushed just above")]
        &mut self.wrong[last]
    }

    pub(super) fn advise(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report(code, span, message).help = Some(help.into());
    }

    /// Reports that a line is missing, or something that is wrong only because of that; unless it may be one of those
    /// that could not be read.
    pub(super) fn missing(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        if !self.unread {
            self.advise(code, span, message, help);
        }
    }

    /// Declares a name; reports it if it is reserved or already in use.
    pub(super) fn name(&mut self, name: &str, span: Span) {
        if RESERVED.contains(&name) || referee_syntax::is_keyword(name) {
            self.advise(Code::ReservedWord, span, format!("`{name}` is a word of the language"), "choose another name");
        } else if KEPT_BY_RULES.contains(&name) {
            let message = format!("`{name}` is a reserved word of Rhai, so rules could not use it");
            self.advise(Code::ReservedWord, span, message, format!("choose another name, such as `{name}_`"));
        } else if let Some(first) = self.names.get(name).copied() {
            let source = Arc::clone(&self.file.source);
            let wrong = self.report(Code::DuplicateName, span, format!("`{name}` is declared twice"));
            *wrong = wrong
                .clone()
                .also(&source, first, "declared here first")
                .help("choose another name: players, pieces, flags, counters and properties need different names");
        } else {
            self.names.insert(name.to_owned(), span);
        }
    }

    /// Notes what a line declares, whatever else is wrong with the line.
    pub(super) fn declares(&mut self, kind: DeclaredKind, span: Span, line: Span) -> &mut Declaration {
        let place = (Arc::clone(&self.file.source), span);
        let name = self.text(span);
        self.schema.declarations.push(Declaration { kind, name, of: String::new(), place, line, title: None });
        let last = self.schema.declarations.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "pushed just above")]
        &mut self.schema.declarations[last]
    }

    /// Notes the values that a line declares for an option or a die.
    pub(super) fn declares_values(&mut self, of: &str, values: &[Span], line: Span) {
        for span in values {
            of.clone_into(&mut self.declares(DeclaredKind::Value, *span, line).of);
        }
    }

    /// Returns whether one more may be declared after `count` others; reports it at the line if not.
    pub(super) fn has_room(&mut self, count: usize, most: usize, what: &str, line: Span) -> bool {
        let room = count < most;
        if !room {
            self.advise(Code::TooMany, line, format!("a game has at most {most} {what}"), "remove some");
        }
        room
    }

    /// Reports every line of a kind after the first.
    pub(super) fn once(&mut self, what: &str, pick: impl Fn(&Line) -> bool) {
        let again: Vec<Span> = self.file.lines.iter().filter(|line| pick(line)).map(|line| line.span).skip(1).collect();
        for span in again {
            let message = format!("there is already a `{what}` line");
            self.advise(Code::DuplicateLine, span, message, "keep one of them: a game file has only one such line");
        }
    }

    /// Checks that the game has one board, and each variant at most one.
    pub(super) fn one_board_each(&mut self) {
        let mut before = None;
        for line in &self.file.lines {
            match (&line.kind, before) {
                (LineKind::Variant { .. }, _) => before = None,
                (LineKind::Board { .. }, None) => before = Some(line.span),
                (LineKind::Board { .. }, Some(first)) => {
                    let source = Arc::clone(&self.file.source);
                    let wrong = self.report(Code::DuplicateLine, line.span, "there is already a `board` line");
                    let help = "remove it, or write it below a `variant` line as the board of that variant";
                    *wrong = wrong.clone().also(&source, first, "the first one").help(help);
                }
                _ => {}
            }
        }
    }

    pub(super) fn headline(&mut self, folder: &str) {
        self.once("game", |line| matches!(line.kind, LineKind::Game { .. }));
        self.once("rules", |line| matches!(line.kind, LineKind::Rules(_)));
        self.once("rulebook", |line| matches!(line.kind, LineKind::Rulebook(_)));
        self.once("arrows", |line| matches!(line.kind, LineKind::Arrows(_)));
        let variant = self.file.lines.iter().find(|line| matches!(line.kind, LineKind::Variant { .. }));
        // Below a variant such a line gives the number of players of the variant.
        let end = variant.map_or(u32::MAX, |line| line.span.start);
        self.once("players", |line| matches!(line.kind, LineKind::Players { .. }) && line.span.start < end);
        self.once("directions", |line| matches!(line.kind, LineKind::Directions { .. }));
        self.one_board_each();
        let found = self.file.lines.iter().find_map(|line| match line.kind {
            LineKind::Game { id, title } => Some((id, title, line.span)),
            _ => None,
        });
        let Some((id, title, line)) = found else {
            let help = format!("begin the file with `game {folder} \"Its title\"`");
            self.missing(Code::MissingLine, Span::default(), "the `game` line is missing", &help);
            return;
        };
        self.declares(DeclaredKind::Game, id, line).title = title;
        self.schema.id = self.text(id);
        // A game without a title is called by its name.
        self.schema.title =
            Some(self.title(title)).filter(|title| !title.is_empty()).unwrap_or_else(|| self.schema.id.clone());
        for line in &self.file.lines {
            if let LineKind::WithHouse(_) = line.kind {
                self.report(Code::NotSupported, line.span, "house rules in a game file: not supported yet");
            }
        }
    }

    /// Returns help for a number or a range in place of the name at this index.
    fn in_place_of_number(&self, name: &str, at: usize, names: &[Span]) -> String {
        let numbers: Vec<&str> = name.split(['.', '-', '–', '…', ':']).filter(|part| !part.is_empty()).collect();
        let others = names.iter().enumerate().filter(|(number, _)| *number != at).map(|(_, other)| self.text(*other));
        let others: Vec<String> = others.collect();
        match numbers.as_slice() {
            all if !all.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit())) => {
                "begin the name with a letter".to_owned()
            }
            [low] if at == 0 && *low == others.len().to_string() => format!("write `{low}`"),
            [low] if at == 0 => format!("write `{low}..{}`", others.len()),
            all if at == 0 => format!("write `{}`", all.join("..")),
            all => format!("write the number first: `players {} {}`", all.join(".."), others.join(" ")),
        }
    }

    pub(super) fn players(&mut self) {
        let found = self.file.lines.iter().find_map(|line| match &line.kind {
            LineKind::Players { count, names } => Some((line.span, *count, names.clone())),
            _ => None,
        });
        let Some((line, count, names)) = found else {
            let help = "add a line `players NAME NAME …`";
            self.missing(Code::MissingLine, Span::default(), "the `players` line is missing", help);
            return;
        };
        for (at, span) in names.iter().copied().enumerate() {
            let name = self.text(span);
            self.declares(DeclaredKind::Player, span, line);
            if name.starts_with(|first: char| first.is_ascii_digit()) {
                let help = self.in_place_of_number(&name, at, &names);
                self.advise(Code::WrongPlayers, span, format!("`{name}` is not a name"), help);
                continue;
            }
            self.name(&name, span);
            self.schema.players.push(name);
        }
        let all = self.schema.players.len();
        if all == 0 || all > 64 {
            self.advise(
                Code::WrongPlayers,
                line,
                format!("a game has 1 to 64 players, not {all}"),
                "name each player: `players NAME NAME …`",
            );
        }
        let (low, high) = count.map_or((all, all), |count| {
            (usize::try_from(count.node.0).unwrap_or(0), usize::try_from(count.node.1).unwrap_or(0))
        });
        if let Some(count) = count.filter(|_| low < 1 || high < low || high != all) {
            let count_words = match count.node {
                (1, 1) => "1 player".to_owned(),
                (low, high) if low == high => format!("{low} players"),
                (low, high) => format!("{low} to {high} players"),
            };
            let fits = match low.min(high).clamp(1, all.max(1)) {
                least if least == all || low == high => all.to_string(),
                least => format!("{least}..{all}"),
            };
            let help = format!("name as many players as can play, or write `{fits}`");
            self.advise(Code::WrongPlayers, count.span, format!("{count_words}, but {all} names"), help);
        }
        self.schema.player_count = (low, high);
    }
}
