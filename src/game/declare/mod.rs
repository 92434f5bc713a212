//! The lines of a `.game` file as a schema: names made unique, kinds and values checked.

mod arrows;
mod board;
mod cards;
mod dice;
mod options;
mod pieces;
mod variants;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{File, Line, LineKind};
use crate::table::Schema;

/// The most declarations of a sort: kinds, flags and counters, asks, events, options, zones.
const MOST: usize = 4096;
/// The most variants: each has a set-up of its own.
const MOST_VARIANTS: usize = 256;
/// The most dice.
const MOST_DICE: usize = 256;
/// The most flags, counters and properties of all players and pieces together.
const MOST_VALUES: usize = 65_536;

pub(crate) use arrows::arrows;
pub(crate) use board::board_spec;
pub(super) use cards::add_cards;

/// Words that lines of the language are made of, so that no player, piece, flag or counter can be called so.
const RESERVED: [&str; 34] = [
    "a", "again", "and", "asks", "at", "board", "by", "choices", "count", "down", "draw", "empty", "events", "exactly",
    "face", "holds", "in", "is", "no", "nobody", "none", "not", "of", "off", "on", "over", "snapshot", "to", "turn",
    "winner", "winners", "wins", "with", "game",
];

/// Words that Rhai keeps, so that rules could not read a counter or call a piece of this name.
const KEPT_BY_RULES: [&str; 55] = [
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

/// What a `.game` file declares, and everything that is wrong with it.
///
/// Of a file with lines that could not be read (`unread`) nothing is said that may come of those.
pub(super) fn schema(file: &File, folder: &str, unread: bool) -> (Schema, Vec<Diagnostic>) {
    let mut declaring = Declaring { file, schema: Schema::empty(), wrong: Vec::new(), names: BTreeMap::new() };
    declaring.headline(folder);
    declaring.players();
    declaring.board();
    declaring.dice();
    pieces::declare(&mut declaring);
    declaring.zones();
    declaring.cards();
    declaring.properties();
    declaring.forms();
    declaring.options();
    if unread {
        declaring.wrong.retain(|wrong| !matches!(wrong.code, "missing_line" | "no_board"));
    }
    (declaring.schema, declaring.wrong)
}

/// Declares the variants of a game of which all else is known, its cards too.
pub(super) fn variants(file: &File, schema: &mut Schema, wrong: &mut Vec<Diagnostic>) {
    let schema_so_far = std::mem::replace(schema, Schema::empty());
    let mut declaring = Declaring { file, schema: schema_so_far, wrong: Vec::new(), names: BTreeMap::new() };
    declaring.variants();
    *schema = declaring.schema;
    wrong.append(&mut declaring.wrong);
}

/// The work of declaring.
pub(super) struct Declaring<'f> {
    pub(super) file: &'f File,
    pub(super) schema: Schema,
    pub(super) wrong: Vec<Diagnostic>,
    /// The names of players, pieces, kinds and properties, which share one space.
    names: BTreeMap<String, Span>,
}

impl Declaring<'_> {
    pub(super) fn text(&self, span: Span) -> String {
        self.file.source.word(span).text.to_owned()
    }

    fn title(&self, span: Option<Span>) -> String {
        span.map(|span| self.text(span)).unwrap_or_default()
    }

    pub(super) fn say(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.wrong.push(Diagnostic::new(code, &self.file.source, span, message));
        let last = self.wrong.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "pushed just above")]
        &mut self.wrong[last]
    }

    fn advise(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.say(code, span, message).help = Some(help.into());
    }

    /// A name that nothing else has and that the language leaves free.
    pub(super) fn name(&mut self, name: &str, span: Span) {
        if RESERVED.contains(&name) || crate::syntax::is_keyword(name) {
            self.advise("reserved_word", span, format!("`{name}` is a word of the language"), "choose another name");
        } else if KEPT_BY_RULES.contains(&name) {
            let message = format!("`{name}` is a word that Rhai keeps, so that no rules could name it");
            self.advise("reserved_word", span, message, format!("choose another name, such as `{name}_`"));
        } else if let Some(first) = self.names.get(name).copied() {
            let source = Arc::clone(&self.file.source);
            let wrong = self.say("duplicate_name", span, format!("`{name}` is declared twice"));
            *wrong = wrong
                .clone()
                .also(&source, first, "declared here first")
                .help("players, pieces, flags, counters and properties need names of their own");
        } else {
            self.names.insert(name.to_owned(), span);
        }
    }

    /// Returns whether one more may be declared where there are `count` already; if not, it is reported at the line.
    fn has_room(&mut self, count: usize, most: usize, what: &str, line: Span) -> bool {
        let room = count < most;
        if !room {
            self.advise("too_many", line, format!("a game has {most} {what} at most"), "leave some out");
        }
        room
    }

    /// Reports every line of a kind of which a game file has one, but the first.
    fn once(&mut self, what: &str, pick: impl Fn(&Line) -> bool) {
        let again: Vec<Span> = self.file.lines.iter().filter(|line| pick(line)).map(|line| line.span).skip(1).collect();
        for span in again {
            self.advise("duplicate_line", span, format!("there is a line `{what}` already"), "a game file has one");
        }
    }

    /// A game file has one board, and each variant may have one of its own.
    fn one_board_each(&mut self) {
        let mut before = None;
        for line in &self.file.lines {
            match (&line.kind, before) {
                (LineKind::Variant { .. }, _) => before = None,
                (LineKind::Board { .. }, None) => before = Some(line.span),
                (LineKind::Board { .. }, Some(first)) => {
                    let source = Arc::clone(&self.file.source);
                    let wrong = self.say("duplicate_line", line.span, "there is a line `board` already");
                    let help = "a game has one board; a variant may have another, below its line `variant`";
                    *wrong = wrong.clone().also(&source, first, "the first one").help(help);
                }
                _ => {}
            }
        }
    }

    fn headline(&mut self, folder: &str) {
        self.once("game", |line| matches!(line.kind, LineKind::Game { .. }));
        self.once("rules", |line| matches!(line.kind, LineKind::Rules(_)));
        self.once("rulebook", |line| matches!(line.kind, LineKind::Rulebook(_)));
        self.once("arrows", |line| matches!(line.kind, LineKind::Arrows(_)));
        let variant = self.file.lines.iter().find(|line| matches!(line.kind, LineKind::Variant { .. }));
        // Below a variant such a line says how many play it.
        let end = variant.map_or(u32::MAX, |line| line.span.start);
        self.once("players", |line| matches!(line.kind, LineKind::Players { .. }) && line.span.start < end);
        self.once("directions", |line| matches!(line.kind, LineKind::Directions { .. }));
        self.one_board_each();
        let found = self.file.lines.iter().find_map(|line| match line.kind {
            LineKind::Game { id, title } => Some((id, title)),
            _ => None,
        });
        let Some((id, title)) = found else {
            self.advise(
                "missing_line",
                Span::default(),
                "the file does not begin with the name of the game",
                format!("begin it with `game {folder} \"Its title\"`"),
            );
            return;
        };
        self.schema.id = self.text(id);
        self.schema.title = self.title(title);
        if self.schema.id != folder {
            self.advise(
                "wrong_id",
                id,
                format!("the file is called `{folder}.game`, the game `{}`", self.schema.id),
                format!("write `game {folder}`, or rename the file and its folder"),
            );
        }
        for line in &self.file.lines {
            let what = match &line.kind {
                LineKind::NotYet(what) => what,
                LineKind::WithHouse(_) => "house rules in a game file",
                _ => continue,
            };
            self.say("not_supported", line.span, format!("{what}: not supported yet"));
        }
    }

    fn players(&mut self) {
        let found = self.file.lines.iter().find_map(|line| match &line.kind {
            LineKind::Players { count, names } => Some((line.span, *count, names.clone())),
            _ => None,
        });
        let Some((line, count, names)) = found else {
            self.advise(
                "missing_line",
                Span::default(),
                "the game file does not say who plays",
                "add a line `players NAME NAME …`",
            );
            return;
        };
        for span in names {
            let name = self.text(span);
            if name.starts_with(|first: char| first.is_ascii_digit()) {
                let help = match name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
                    true => format!("how many play comes first: `players {name} {}`", self.schema.players.join(" ")),
                    false => "a name begins with a letter".to_owned(),
                };
                self.advise("wrong_players", span, format!("`{name}` is no name"), help);
                continue;
            }
            self.name(&name, span);
            self.schema.players.push(name);
        }
        let all = self.schema.players.len();
        if all == 0 || all > 64 {
            self.advise(
                "wrong_players",
                line,
                format!("a game has 1 to 64 players, not {all}"),
                "name each player: `players NAME NAME …`",
            );
        }
        let (low, high) = count.map_or((all, all), |count| {
            (usize::try_from(count.node.0).unwrap_or(0), usize::try_from(count.node.1).unwrap_or(0))
        });
        if let Some(count) = count.filter(|_| low < 1 || high < low || high > all) {
            self.advise(
                "wrong_players",
                count.span,
                format!("{low} to {high} players, but {all} are named"),
                format!("name as many players as can play; here at most `1..{all}` can"),
            );
        }
        self.schema.player_count = (low, high);
    }
}
