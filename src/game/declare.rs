//! The lines of a `.game` file as a schema: names made unique, kinds and values checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::pieces;
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::source::{Span, Spanned};
use crate::syntax::ast::{BoardShape, File, FormPart, LineKind};
use crate::table::{
    Board, BoardError, BoardSpec, Choice, Die, Form, GameOption, Kind, Part, Placement, Property, PropertyEach,
    PropertyKind, Schema, Value, Variant,
};

/// Words that lines of the language are made of, so that no player, piece, flag or counter can be called so.
const RESERVED: [&str; 33] = [
    "a", "again", "and", "asks", "at", "board", "by", "choices", "down", "draw", "empty", "events", "exactly", "face",
    "holds", "in", "is", "no", "nobody", "none", "not", "of", "off", "on", "over", "snapshot", "to", "turn", "winner",
    "winners", "wins", "with", "game",
];

/// What a `.game` file declares, and everything that is wrong with it.
pub(super) fn schema(file: &File, folder: &str) -> (Schema, Vec<Diagnostic>) {
    let mut declaring = Declaring { file, schema: Schema::empty(), wrong: Vec::new(), names: BTreeMap::new() };
    declaring.headline(folder);
    declaring.players();
    declaring.board();
    declaring.dice();
    pieces::declare(&mut declaring);
    declaring.properties();
    declaring.forms();
    declaring.options();
    declaring.variants();
    (declaring.schema, declaring.wrong)
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

    /// Report every line of a kind of which a game file has one, but the first.
    fn once(&mut self, what: &str, pick: impl Fn(&LineKind) -> bool) {
        let again: Vec<Span> =
            self.file.lines.iter().filter(|line| pick(&line.kind)).map(|line| line.span).skip(1).collect();
        for span in again {
            self.advise("duplicate_line", span, format!("there is a line `{what}` already"), "a game file has one");
        }
    }

    fn headline(&mut self, folder: &str) {
        self.once("game", |line| matches!(line, LineKind::Game { .. }));
        self.once("rules", |line| matches!(line, LineKind::Rules(_)));
        self.once("rulebook", |line| matches!(line, LineKind::Rulebook(_)));
        self.once("players", |line| matches!(line, LineKind::Players { .. }));
        self.once("directions", |line| matches!(line, LineKind::Directions { .. }));
        self.once("board", |line| matches!(line, LineKind::Board { .. }));
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
                LineKind::Set(_) => "`set` in a game file",
                LineKind::Board { rows, .. } if !rows.is_empty() => "a diagram in a game file",
                _ => continue,
            };
            let help = match line.kind {
                LineKind::Set(_) => {
                    Some("a counter's line gives its initial value: `counter score for each player = 3`")
                }
                LineKind::Board { .. } => Some("say where pieces stand with `place PIECE at CELL`"),
                _ => None,
            };
            self.say("not_supported", line.span, format!("{what}: not supported yet")).help = help.map(str::to_owned);
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
                "add a line such as `players 2 white black`",
            );
            return;
        };
        for span in names {
            let name = self.text(span);
            self.name(&name, span);
            self.schema.players.push(name);
        }
        let all = self.schema.players.len();
        if all == 0 || all > 64 {
            self.advise(
                "wrong_players",
                line,
                format!("a game has 1 to 64 players, not {all}"),
                "name each player: `players 2 white black`",
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

    fn board(&mut self) {
        let directions = self.file.lines.iter().find_map(|line| match line.kind {
            LineKind::Directions { count, sense, from } => Some((count, sense, from)),
            _ => None,
        });
        self.schema.headings = match directions {
            None => Board::compass(8, true, "north").unwrap_or_default(),
            Some((count, sense, from)) => self.headings(count, sense, from),
        };
        let found = self.file.lines.iter().find_map(|line| match &line.kind {
            LineKind::Board { shape, .. } => Some((line.span, *shape)),
            _ => None,
        });
        match found {
            Some((_, Some(shape))) => {
                if let Some(spec) = self.shape(shape) {
                    self.schema.board = spec;
                }
            }
            Some((span, None)) => {
                self.advise("missing_value", span, "the board has no size", "write for example `board grid 8x8`")
            }
            None => self.advise(
                "missing_line",
                Span::default(),
                "the game file does not say what its board is",
                "add a line such as `board grid 8x8`",
            ),
        }
    }

    fn headings(&mut self, count: Spanned<i64>, sense: Span, from: Span) -> Vec<crate::table::Heading> {
        let clockwise = match self.text(sense).as_str() {
            "clockwise" => true,
            "anticlockwise" | "counterclockwise" => false,
            other => {
                self.advise(
                    "unknown_word",
                    sense,
                    format!("`{other}` is no sense of rotation"),
                    "write `clockwise` or `anticlockwise`",
                );
                true
            }
        };
        let first = self.text(from);
        match Board::compass(count.node, clockwise, &first) {
            Ok(headings) => headings,
            Err(BoardError::DirectionCount) => {
                self.advise(
                    "wrong_directions",
                    count.span,
                    format!("squares do not have {} directions", count.node),
                    "write 4 or 8",
                );
                Vec::new()
            }
            Err(_) => {
                let names = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
                let help = did_you_mean(&first, names).unwrap_or_else(|| {
                    "the first direction is `north`, `east`, `south`, `west`, or between two of them if there are 8"
                        .to_owned()
                });
                self.advise(
                    "unknown_direction",
                    from,
                    format!("`{first}` is none of the {} directions", count.node),
                    help,
                );
                Vec::new()
            }
        }
    }

    fn shape(&mut self, shape: BoardShape) -> Option<BoardSpec> {
        match board_spec(&self.file.source, shape) {
            Ok(spec) => Some(spec),
            Err(wrong) => {
                self.wrong.push(*wrong);
                None
            }
        }
    }

    fn dice(&mut self) {
        for line in &self.file.lines {
            let LineKind::Die { name, faces } = line.kind else { continue };
            let die = Die { name: self.title(name), low: faces.node.0, high: faces.node.1 };
            if die.low > die.high || die.high.saturating_sub(die.low) > 10_000 {
                self.advise(
                    "wrong_die",
                    faces.span,
                    "a die has at least one face, the lowest first, and at most 10000",
                    "write for example `1..6`",
                );
            }
            let nameless = die.name.is_empty() || self.schema.dice.iter().any(|other| other.name.is_empty());
            if nameless && !self.schema.dice.is_empty() {
                self.advise(
                    "duplicate_name",
                    line.span,
                    "only a game's one die may go without a name",
                    "name each die: `die distance 1..6`",
                );
            } else if self.schema.die(&die.name).is_some() {
                self.advise(
                    "duplicate_name",
                    name.unwrap_or(line.span),
                    format!("there are two dice `{}`", die.name),
                    "dice need names of their own",
                );
            }
            self.schema.dice.push(die);
        }
    }

    fn each(&mut self, each: Option<Span>) -> Option<PropertyEach> {
        let Some(span) = each else { return Some(PropertyEach::Game) };
        let name = self.text(span);
        if name == "player" {
            return Some(PropertyEach::Player);
        }
        if let Some(kind) = self.schema.kind(&name) {
            return Some(PropertyEach::Kind(kind));
        }
        let kinds = || std::iter::once("player").chain(self.schema.kinds.iter().map(|kind| kind.name.as_str()));
        let help = did_you_mean(&name, kinds()).unwrap_or_else(|| format!("write {}", one_of(kinds(), 9)));
        self.advise("unknown_kind", span, format!("there is no kind of pieces `{name}`"), help);
        None
    }

    fn properties(&mut self) {
        for line in &self.file.lines {
            let (name, each, kind, initial) = match &line.kind {
                LineKind::Flag { name, each } => (*name, *each, PropertyKind::Flag, Value::Bool(false)),
                LineKind::Counter { name, each, initial, record } => {
                    let initial = initial.map_or(0, |initial| initial.node);
                    (*name, *each, PropertyKind::Counter { record: *record }, Value::Int(initial))
                }
                LineKind::Property { name, each, kind } => {
                    let Some(kind) = self.kind(*kind) else { continue };
                    let initial =
                        if matches!(kind, Kind::Many(_)) { Value::Set(Default::default()) } else { Value::Nothing };
                    (*name, *each, PropertyKind::Value(kind), initial)
                }
                _ => continue,
            };
            let text = self.text(name);
            self.name(&text, name);
            if let Some(each) = self.each(each) {
                self.schema.properties.push(Property { name: text, each, kind, initial });
            }
        }
    }

    fn kind(&mut self, span: Span) -> Option<Kind> {
        let name = self.text(span);
        let kind = Kind::named(&name);
        if kind.is_none() {
            let names: Vec<String> = Kind::all_names().collect();
            let names = || names.iter().map(String::as_str);
            let help = did_you_mean(&name, names()).unwrap_or_else(|| format!("the kinds are {}", one_of(names(), 12)));
            self.advise("unknown_kind", span, format!("there is no kind of values `{name}`"), help);
        }
        kind
    }

    fn forms(&mut self) {
        for line in &self.file.lines {
            let (form, title, is_ask) = match &line.kind {
                LineKind::Ask { form, title } => (form, *title, true),
                LineKind::Event { form, title } => (form, *title, false),
                _ => continue,
            };
            let parts = self.parts(form);
            let verb = parts.iter().find_map(|part| match part {
                Part::Word(word) => Some(word.clone()),
                _ => None,
            });
            let Some(verb) = verb else {
                self.advise(
                    "missing_value",
                    line.span,
                    "this form has no word of its own",
                    "write for example `ask walk [to] CELL`",
                );
                continue;
            };
            let list = if is_ask { &mut self.schema.asks } else { &mut self.schema.events };
            let twice = list.iter().any(|other| other.verb == verb);
            list.push(Form {
                verb: verb.clone(),
                parts,
                title: title.map(|span| self.file.source.word(span).text.to_owned()).unwrap_or_default(),
            });
            if twice {
                let what = if is_ask { "asks" } else { "events" };
                self.advise(
                    "duplicate_name",
                    line.span,
                    format!("there are two {what} `{verb}`"),
                    "each begins with a word of its own",
                );
            }
        }
    }

    fn parts(&mut self, form: &[FormPart]) -> Vec<Part> {
        let mut parts = Vec::new();
        for part in form {
            match part {
                FormPart::Word(span) => {
                    let text = self.text(*span);
                    if text.contains('|') {
                        parts.push(Part::Value(Kind::Word(text.split('|').map(str::to_owned).collect())));
                    } else {
                        parts.push(Part::Word(text));
                    }
                }
                FormPart::Kind(span) => parts.extend(self.kind(*span).map(Part::Value)),
                FormPart::Optional(inner, _) => parts.push(Part::Optional(self.parts(inner))),
            }
        }
        parts
    }

    fn options(&mut self) {
        for line in &self.file.lines {
            let LineKind::Option { name, values, range, title } = &line.kind else { continue };
            let text = self.text(*name);
            if self.schema.option(&text).is_some() {
                self.advise(
                    "duplicate_name",
                    *name,
                    format!("there are two options `{text}`"),
                    "options need names of their own",
                );
                continue;
            }
            let words: Vec<String> = values.iter().map(|span| self.text(*span)).collect();
            let choice = match range {
                None => Some(Choice::Words(words.iter().map(|word| Arc::from(word.as_str())).collect())),
                Some(range) => {
                    let (low, high) = range.node;
                    let default = words
                        .first()
                        .and_then(|word| word.parse::<i64>().ok())
                        .filter(|default| (low..=high).contains(default));
                    default.map(|default| Choice::Numbers(low, high, default))
                }
            };
            match choice {
                Some(choice) => {
                    let title = self.title(*title);
                    self.schema.options.push(GameOption { name: text, choice, title });
                }
                None => self.advise(
                    "wrong_option",
                    line.span,
                    "the default is not among the numbers",
                    "write for example `option victory = 3 in 1..9`",
                ),
            }
        }
    }

    fn variants(&mut self) {
        let mut variants: Vec<Variant> = Vec::new();
        let mut common: Vec<Placement> = Vec::new();
        let board = self.schema.build_board(self.schema.board);
        for line in &self.file.lines {
            match &line.kind {
                LineKind::Variant { name, title } => {
                    let text = self.text(*name);
                    if variants.iter().any(|variant| variant.name == text) {
                        self.advise(
                            "duplicate_name",
                            *name,
                            format!("there are two variants `{text}`"),
                            "variants need names of their own",
                        );
                    }
                    variants.push(Variant { name: text, title: self.title(*title), places: Vec::new() });
                }
                LineKind::Place(placements) => {
                    let Ok(board) = &board else { continue };
                    for placement in placements {
                        match pieces::placement(self.file, &self.schema, board, placement) {
                            Ok(Some(placed)) => {
                                variants.last_mut().map_or(&mut common, |variant| &mut variant.places).push(placed)
                            }
                            Ok(None) => {}
                            Err(wrong) => self.wrong.push(*wrong),
                        }
                    }
                }
                _ => {}
            }
        }
        if variants.is_empty() {
            variants.push(Variant { name: String::new(), title: String::new(), places: Vec::new() });
        }
        for variant in &mut variants {
            variant.places.splice(0..0, common.iter().cloned());
        }
        self.schema.variants = variants;
    }
}

/// The board that a shape describes.
pub(crate) fn board_spec(source: &Arc<crate::source::Source>, shape: BoardShape) -> Result<BoardSpec, Box<Diagnostic>> {
    let wrong = |message: String, help: &str| {
        Err(Box::new(Diagnostic::new("wrong_board", source, shape.span, message).help(help)))
    };
    let kind = shape.kind.map(|span| source.word(span).text);
    match (kind, shape.size) {
        (Some(other @ ("hex" | "track" | "open")), _) => Err(Box::new(Diagnostic::new(
            "not_supported",
            source,
            shape.span,
            format!("{other} boards: not supported yet"),
        ))),
        _ if shape.margin.is_some() => {
            Err(Box::new(Diagnostic::new("not_supported", source, shape.span, "a margin: not supported yet")))
        }
        (Some(other), _) if other != "grid" => {
            let help = did_you_mean(other, ["grid", "hex", "track", "open"])
                .unwrap_or_else(|| "write for example `board grid 8x8`".to_owned());
            wrong(format!("there is no kind of boards `{other}`"), &help)
        }
        (_, Some((columns, Some(rows)))) if (1..=64).contains(&columns) && (1..=64).contains(&rows) => {
            Ok(BoardSpec::Grid(columns, rows))
        }
        (_, Some((_, Some(_)))) => {
            wrong("a board has 1 to 64 columns and 1 to 64 rows".to_owned(), "write for example `8x8`")
        }
        _ => wrong("the size of a grid is its columns and rows".to_owned(), "write for example `board grid 8x8`"),
    }
}
