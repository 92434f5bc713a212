//! Reads the lines of a position: those of a set-up in a game file, and those of a scenario.
//!
//! [`Position::read`] takes one line after another and reports contradictions between them. [`Position::laid`] then puts
//! the pieces on the board and the cards into zones.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::joined::report_joined;
use super::lines::Lines;
use super::prefixes::Prefixes;
use referee_diagnostic::{Code, Diagnostic, did_you_mean};
use referee_source::{Span, Spanned, Word, span_of};
use referee_syntax::ast::{self, Line, LineKind, Words};
use referee_syntax::near_keyword;
use referee_table::{
    Cell, Counts, Dealing, Drawn, Face, Laid, Layout, Listed, OrderError, Owner, Phrase, PieceId, PlaceError, Placing,
    PlayerId, PropertyId, PropertyKind, SUPPLY, SetValue, State, Table, Token, TurnsPart, Value, Zone, ZoneId,
    drawn_players, face_down, placements, read_diagram,
};

/// The file whose lines these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A set-up in a game file.
    SetUp,
    /// A position of a scenario.
    Scenario,
}

impl Kind {
    /// Returns the word for it in messages.
    const fn word(self) -> &'static str {
        match self {
            Self::SetUp => "set-up",
            Self::Scenario => "position",
        }
    }
}

/// What is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Piece(PieceId),
    /// A card face down.
    Down(PieceId),
    /// A face-down card of this zone that no player has seen.
    Unknown(ZoneId),
}

impl What {
    const fn piece(self) -> Option<PieceId> {
        match self {
            Self::Piece(piece) | Self::Down(piece) => Some(piece),
            Self::Unknown(_) => None,
        }
    }
}

/// A piece and where a line places it.
#[derive(Clone, Debug)]
struct Placed<L> {
    what: What,
    /// The cell; `None` for a piece that is off the board.
    cell: Option<Cell>,
    level: L,
    /// The location of the piece in a `place` line, or of the line with the diagram.
    span: Span,
    /// The location of the cell, or of the token or the line of a diagram.
    at: Span,
}

/// The lines that place one piece.
#[derive(Clone, Copy, Debug)]
struct Places<L> {
    /// The level of the last one, and its location.
    last: Option<(L, Span)>,
    /// The index of the last one, and the latest level of one.
    any: Option<(usize, L)>,
    /// The same of those that take the piece off the board.
    off: Option<(usize, L)>,
}

impl<L> Default for Places<L> {
    fn default() -> Self {
        Self { last: None, any: None, off: None }
    }
}

/// The lines of a position. `L` orders them: a line of a later level may override those of earlier levels.
pub struct Position<L> {
    kind: Kind,
    table: Arc<Table>,
    placed: Vec<Placed<L>>,
    places: BTreeMap<PieceId, Places<L>>,
    /// The line of the last diagram.
    drawing: Option<Span>,
    /// The line of the last diagram or `place` line.
    last: Span,
    /// The values that lines set, and those of the players before pieces.
    values: Vec<SetValue>,
    /// The values of `set` lines, each with the last line.
    assigned: BTreeMap<(PropertyId, Owner), (L, Span)>,
    prefixes: Prefixes<L>,
    /// The cells with face-down cards that players have seen.
    seen: Vec<(PlayerId, Cell, Span)>,
    zones: Vec<(ZoneId, Listed, Span)>,
    /// What lines say about the order of turns.
    turns: Vec<(TurnsPart, Span)>,
    /// The contents of zones in the set-up that the lines change.
    laid: Vec<Laid>,
    /// The cells that `place none at CELL` empties of pieces of earlier levels.
    emptied: Vec<(Cell, L, Span)>,
}

/// A set-up that the lines of a position change.
#[derive(Clone, Debug, Default)]
pub struct SetUpOf {
    /// The pieces on the board, each with its cell and whether it is face down.
    pub places: Vec<(PieceId, Cell, bool)>,
    /// The values.
    pub values: Vec<SetValue>,
    /// The contents of zones.
    pub laid: Vec<Laid>,
}

/// A position that is complete.
pub struct Complete {
    /// The state with the pieces, the values and the cards.
    pub state: State,
    /// The pieces on the board, in the order of the lines, each with its cell and whether it is face down.
    pub(crate) placed: Vec<(PieceId, Cell, bool)>,
    /// The values in the order of the lines.
    pub(crate) values: Vec<SetValue>,
    /// The cards of the zones that lines list.
    pub(crate) laid: Vec<Laid>,
}

impl<L: Copy + Ord> Position<L> {
    /// Returns an empty position.
    pub const fn new(kind: Kind, table: Arc<Table>) -> Self {
        Self {
            kind,
            table,
            placed: Vec::new(),
            places: BTreeMap::new(),
            drawing: None,
            last: Span { start: 0, end: 0 },
            values: Vec::new(),
            assigned: BTreeMap::new(),
            prefixes: Prefixes::new(),
            seen: Vec::new(),
            zones: Vec::new(),
            laid: Vec::new(),
            emptied: Vec::new(),
            turns: Vec::new(),
        }
    }

    /// Begins with a set-up, named by a line at `span`. The lines that follow must be of a later level.
    pub fn begin_with(&mut self, set_up: SetUpOf, level: L, span: Span) {
        for (piece, cell, face_down) in set_up.places {
            let what = if face_down { What::Down(piece) } else { What::Piece(piece) };
            self.put(Placed { what, cell: Some(cell), level, span, at: span });
        }
        self.values = set_up.values;
        self.laid = set_up.laid;
    }

    /// Forgets the pieces on the board and the players before them, which a later diagram replaces.
    pub(crate) fn clear_board(&mut self) {
        self.drawing = None;
        self.placed.clear();
        self.places.clear();
        let schema = &self.table.schema;
        let assigned = &self.assigned;
        self.values.retain(|set| match set.owner {
            Owner::Piece(piece) => {
                schema.drawn_property(piece) != Some(set.property) || assigned.contains_key(&(set.property, set.owner))
            }
            Owner::Game | Owner::Player(_) | Owner::Place(_) => true,
        });
    }

    /// Lets the following lines write other players before pieces than the lines until now.
    pub(crate) fn forget_prefixes(&mut self) {
        self.prefixes = Prefixes::new();
    }

    /// Reads a line, if it is one about pieces, values or the cards of a zone.
    pub fn read<'f>(&mut self, file: &mut impl Lines<'f>, line: &Line, level: L) {
        match &line.kind {
            LineKind::Board { rows, .. } if !rows.is_empty() => {
                self.last = line.span;
                match self.drawing.replace(line.span) {
                    None => self.diagram(file, rows, level, line.span),
                    Some(first) => self.drawn_twice(file, first, line.span),
                }
            }
            LineKind::Place(list) => {
                self.last = line.span;
                list.iter().for_each(|placement| self.placement(file, placement, level, line.span));
            }
            LineKind::Set(words) => {
                let words = file.words(words);
                if !self.knows(file, &words)
                    && !self.has(file, &words, level, line.span)
                    && !self.turns(file, &words, line.span)
                {
                    self.set(file, &words, level, line.span);
                }
            }
            LineKind::Cards { zone, cards } => self.cards(file, zone, cards, line.span),
            _ => {}
        }
    }

    /// Reports a second diagram: each shows the whole board.
    fn drawn_twice<'f>(&self, file: &mut impl Lines<'f>, first: Span, line: Span) {
        // A game file has only one `board` line in each section.
        if self.kind == Kind::Scenario {
            let wrong =
                Diagnostic::new(Code::DuplicateLine, file.source(), line, "this position already has a diagram");
            let wrong = wrong.also(file.source(), first, "the first one");
            file.report(
                wrong.help("draw the board once, or change it with `place` lines: a diagram shows the whole board"),
            );
        }
    }

    /// Adds the pieces of a diagram.
    fn diagram<'f>(&mut self, file: &mut impl Lines<'f>, rows: &[Span], level: L, line: Span) {
        let table = Arc::clone(&self.table);
        let words: Vec<Vec<Word<'f>>> = rows.iter().map(|row| file.tokens(*row)).collect();
        let drawn = match read_diagram(table.names(), &words, (file.source(), line)) {
            Ok(drawn) => drawn,
            Err(wrong) => return wrong.into_iter().for_each(|wrong| file.report(wrong)),
        };
        if !drawn_take_part(file, &table, &drawn) {
            return;
        }
        let placed = match placements(&table, file.source(), &drawn) {
            Ok(placed) => placed,
            Err(wrong) => return wrong.into_iter().for_each(|wrong| file.report(wrong)),
        };
        for (piece, cell) in &placed {
            if !owner_plays(file, &table, *piece, line) {
                return;
            }
            let placed = Placed { what: What::Piece(*piece), cell: Some(*cell), level, span: line, at: line };
            // In a scenario a diagram may move a piece that a line above it places.
            if self.kind == Kind::SetUp {
                self.once(file, &placed);
            }
            self.put(placed);
        }
        for (cell, card, span) in face_down(&drawn) {
            let what = match card {
                Some(card) => Some(What::Down(card)),
                None => self.unknown(file, span).map(What::Unknown),
            };
            if let Some(what) = what {
                self.put(Placed { what, cell: Some(cell), level, span, at: span });
            }
        }
        for (piece, player, span) in drawn_players(&table, &drawn, &placed) {
            self.put_player(file, (piece, player), level, span);
        }
        let unknown = drawn.iter().find(|(_, token, _)| matches!(token, Token::Down(None, Some(_))));
        if let Some((_, _, span)) = unknown {
            let message = "an unknown card cannot have a player";
            let help = "name the card: `PLAYER:(CARD)`, or remove the player";
            file.report(Diagnostic::new(Code::WrongDiagram, file.source(), *span, message).help(help));
        }
    }

    /// Returns the zone of the unknown card `(?)` at `span`; reports an error if there is none.
    fn unknown<'f>(&self, file: &mut impl Lines<'f>, span: Span) -> Option<ZoneId> {
        if self.kind == Kind::SetUp {
            let message = "an unknown card in the diagram of a set-up: not supported yet";
            let help = "deal it: `deal 1 from ZONE to board face down`, or name the card: `(CARD)`";
            file.report(Diagnostic::new(Code::NotSupported, file.source(), span, message).help(help));
            return None;
        }
        let zone = self.table.schema.unknown_zone();
        if zone.is_none() {
            let message = "the zone of this unknown card is not determined";
            let help = "name the card: `(CARD)`; `(?)` requires exactly one hidden zone that holds cards at the start";
            file.report(Diagnostic::new(Code::WrongDiagram, file.source(), span, message).help(help));
        }
        zone
    }

    /// Adds one piece of a `place` line.
    fn placement<'f>(&mut self, file: &mut impl Lines<'f>, placement: &ast::Placement, level: L, line: Span) {
        let table = Arc::clone(&self.table);
        let words = file.words(&placement.piece);
        let at = placement.at.as_ref().map(|at| file.words(at));
        if let ([none], Some([cell])) = (words.as_slice(), at.as_deref())
            && none.is("none")
        {
            if let Some(found) = file.get(table.names().cell(cell)) {
                self.emptied.push((found, level, none.span.to(cell.span)));
            }
            return;
        }
        let at = at.as_ref().map(|at| Phrase::new(file.source(), at, line));
        let read = table.names().placing(Phrase::new(file.source(), &words, line), at);
        let Some(Placing { piece, player, cell, count }) = file.get(read) else { return };
        let span = span_of(&words).unwrap_or(line);
        if placement.face_down && table.schema.card(piece).is_none() {
            let message = format!("only a card can be face down, and {} is not a card", table.schema.piece_name(piece));
            return file
                .report(Diagnostic::new(Code::WrongPiece, file.source(), span, message).help("remove `face down`"));
        }
        if let Some(Spanned { node: player, span }) = player {
            if file.get(table.taking_part(player, file.source(), span)).is_none() {
                return;
            }
            self.put_player(file, (piece, Some(player)), level, span);
        }
        if cell.is_some() && !owner_plays(file, &table, piece, span) {
            return;
        }
        let what = if placement.face_down { What::Down(piece) } else { What::Piece(piece) };
        let (cell, at) = cell.map_or((None, span), |(cell, at)| (Some(cell), at));
        let placed = Placed { what, cell, level, span, at };
        self.once(file, &placed);
        (0..count).for_each(|_| self.put(placed.clone()));
    }

    /// Reports a second place of a piece of which there is one.
    fn once<'f>(&self, file: &mut impl Lines<'f>, placed: &Placed<L>) {
        let Some(piece) = placed.what.piece().filter(|piece| !self.table.schema.is_many(*piece)) else { return };
        let earlier = self.places.get(&piece).and_then(|places| places.last);
        let Some((_, first)) = earlier.filter(|(level, _)| *level >= placed.level) else { return };
        let name = self.table.schema.piece_name(piece);
        let message = format!("this {} already says where {name} is", self.kind.word());
        let wrong = Diagnostic::new(Code::PlacedTwice, file.source(), placed.span, message);
        let wrong = wrong.also(file.source(), first, "here");
        file.report(wrong.help("remove one of the two: there is only one such piece"));
    }

    /// Adds a piece on a cell or off the board.
    fn put(&mut self, placed: Placed<L>) {
        if let Some(piece) = placed.what.piece() {
            let at = self.placed.len();
            let places = self.places.entry(piece).or_default();
            places.last = Some((placed.level, placed.span));
            let latest = |before: Option<(usize, L)>| {
                Some((at, before.map_or(placed.level, |(_, level)| level.max(placed.level))))
            };
            places.any = latest(places.any);
            if placed.cell.is_none() {
                places.off = latest(places.off);
            }
        }
        self.placed.push(placed);
    }

    /// Adds the player that a diagram or a `place` line writes before a piece.
    fn put_player<'f>(
        &mut self,
        file: &mut impl Lines<'f>,
        (piece, player): (PieceId, Option<PlayerId>),
        level: L,
        span: Span,
    ) {
        let Some(property) = self.table.schema.drawn_property(piece) else { return };
        let place = (&*self.table.schema, file.source());
        match self.prefixes.report(place, piece, (player, false), (level, span)) {
            Ok(()) => {
                let value = player.map_or(Value::Nothing, Value::Player);
                self.values.push(SetValue { property, owner: Owner::Piece(piece), value, names_cells: true });
            }
            Err(wrong) => file.report(*wrong),
        }
    }

    /// Adds the value of a `set` line: `red.score 3`, `red squished`.
    fn set<'f>(&mut self, file: &mut impl Lines<'f>, words: &[Word<'f>], level: L, line: Span) {
        let table = Arc::clone(&self.table);
        let before = file.errors().len();
        let source = file.source();
        let setting = |words: &[Word<'f>]| table.names().setting(Phrase::new(source, words, line));
        let Some((property, owner, value)) = file.get(setting(words)) else {
            return report_joined(file, before, ("set", words), |_, part| setting(part).is_ok());
        };
        let plays = match owner {
            Owner::Game | Owner::Place(_) => true,
            Owner::Player(player) => {
                let first = words.first().map_or(line, |word| word.span);
                let named = first.of_start(table.schema.player_name(player));
                file.get(table.taking_part(player, source, named)).is_some()
            }
            Owner::Piece(piece) => owner_plays(file, &table, piece, line),
        };
        if !plays || !self.may_set(file, (property, owner, &value), words.last(), level, line) {
            return;
        }
        let first = self.assigned.get(&(property, owner)).copied();
        if let Some((_, first)) = first.filter(|(first, _)| *first >= level) {
            let name = table.names().value_name(property, owner);
            let message = format!("this {} already sets `{name}`", self.kind.word());
            let wrong = Diagnostic::new(Code::DuplicateLine, file.source(), line, message);
            let wrong = wrong.also(file.source(), first, "here");
            file.report(wrong.help("remove one of the two lines"));
        }
        self.assigned.insert((property, owner), (level, line));
        let kind = table.schema.properties.get(property.index()).map(|property| &property.kind);
        let names_cells =
            matches!(owner, Owner::Place(_)) || matches!(kind, Some(PropertyKind::Value(kind)) if kind.names_cells());
        self.values.push(SetValue { property, owner, value, names_cells });
    }

    /// Returns whether a `set` line may set a value. For a property that diagrams show, the value must be a player who
    /// takes part, and must not contradict a diagram. `last` is the word with the value.
    fn may_set<'f>(
        &mut self,
        file: &mut impl Lines<'f>,
        (property, owner, value): (PropertyId, Owner, &Value),
        last: Option<&Word<'_>>,
        level: L,
        line: Span,
    ) -> bool {
        let amount = self.table.schema.properties.get(property.index()).filter(|property| property.resource);
        if let (Some(amount), Value::Int(..0), Some(word)) = (amount, value, last) {
            let message = format!("nobody can have {} of `{}`", word.text, amount.name);
            let wrong = Diagnostic::new(Code::WrongProperty, file.source(), word.span, message);
            file.report(wrong.help("write a number from 0"));
            return false;
        }
        let Owner::Piece(piece) = owner else { return true };
        if self.table.schema.drawn_property(piece) != Some(property) {
            return true;
        }
        if let Some((player, word)) = value.player().zip(last)
            && file.get(self.table.taking_part(player, file.source(), word.span)).is_none()
        {
            return false;
        }
        let place = (&*self.table.schema, file.source());
        let reported = self.prefixes.report(place, piece, (value.player(), true), (level, line));
        reported.map_err(|wrong| file.report(*wrong)).is_ok()
    }

    /// Reads `red knows b2 c3`: the face-down cards that a player has seen. Returns whether the words have this form.
    fn knows<'f>(&mut self, file: &mut impl Lines<'f>, words: &[Word<'f>]) -> bool {
        let table = Arc::clone(&self.table);
        let [who, verb, cells @ ..] = words else { return false };
        if !verb.is("knows") || cells.is_empty() || table.schema.property("knows").is_some() {
            return false;
        }
        let Some(player) = file.get(table.names().player(who)) else { return true };
        if self.kind == Kind::SetUp {
            let message = "only a scenario can say which face-down cards a player has seen";
            let help = "remove this line: in the rules, `look_at` shows a card to a player";
            file.report(Diagnostic::new(Code::MisplacedLine, file.source(), verb.span, message).help(help));
            return true;
        }
        for word in cells {
            if let Some(cell) = file.get(table.names().cell(word)) {
                self.seen.push((player, cell, word.span));
            }
        }
        true
    }

    /// Reads `red has ore x3 wool`: all that an owner has. Returns whether the words have this form.
    fn has<'f>(&mut self, file: &mut impl Lines<'f>, words: &[Word<'f>], level: L, line: Span) -> bool {
        let table = Arc::clone(&self.table);
        let schema = &table.schema;
        let phrase = Phrase::new(file.source(), words, line);
        let Some((owner, mut rest)) = table.names().holder(phrase) else {
            return table.names().no_holder(phrase).map(|wrong| file.report(wrong)).is_some();
        };
        let first = words.first().map_or(line, |word| word.span);
        let plays = match owner {
            Owner::Game | Owner::Place(_) => true,
            Owner::Player(player) => file.get(table.taking_part(player, file.source(), first)).is_some(),
            Owner::Piece(piece) => owner_plays(file, &table, piece, line),
        };
        if !plays {
            return true;
        }
        let Some(amount) = file.get(table.names().amount(&mut rest)) else { return true };
        if let Some(extra) = rest.extra() {
            file.report(extra.help("write each resource once, with its number: `ore x3 wool`"));
            return true;
        }
        let Value::Map(amount) = amount else { return true };
        let of = |name: &str| amount.iter().find(|(own, _)| **own == *name).map(|(_, count)| count.clone());
        for resource in &schema.resources {
            let count = of(&resource.name);
            if !table.names().holds(owner, resource) {
                if count.is_some() {
                    let message = format!("{} cannot have `{}`", table.names().owner_name(owner), resource.name);
                    let wrong = Diagnostic::new(Code::UnknownOwner, file.source(), line, message);
                    file.report(wrong.help("name what the game file declares for it: `resource NAME for each …`"));
                }
                continue;
            }
            let first = self.assigned.get(&(resource.held, owner)).copied();
            if let Some((_, first)) = first.filter(|(first, _)| *first >= level) {
                let name = table.names().value_name(resource.held, owner);
                let message = format!("this {} already sets `{name}`", self.kind.word());
                let wrong = Diagnostic::new(Code::DuplicateLine, file.source(), line, message);
                file.report(wrong.also(file.source(), first, "here").help("remove one of the two lines"));
            }
            self.assigned.insert((resource.held, owner), (level, line));
            let value = count.unwrap_or(Value::Int(0));
            let names_cells = matches!(owner, Owner::Place(_));
            self.values.push(SetValue { property: resource.held, owner, value, names_cells });
        }
        true
    }

    /// Puts into the supplies what is left of resources, where no line says how much that is.
    fn supply<'f>(&mut self, file: &mut impl Lines<'f>, state: &mut State) {
        let schema = Arc::clone(&self.table.schema);
        for resource in &schema.resources {
            let (Some(supply), Some(left)) = (resource.supply, state.left_of(resource)) else { continue };
            // A line says it, or the set-up.
            if self.values.iter().any(|set| set.property == supply) {
                continue;
            }
            let last = self.assigned.iter().filter(|((property, _), _)| *property == resource.held);
            if let (true, Some((_, span))) = (left < 0, last.map(|(_, line)| *line).max_by_key(|(_, span)| *span)) {
                let name = &resource.name;
                let message = format!("there is {} of `{name}` more in this position than there is in all", -left);
                let help = format!("give them less, or say how much is in the supply: `set game.{name}{SUPPLY} 0`");
                file.report(Diagnostic::new(Code::TooManyCards, file.source(), span, message).help(help));
            }
            let value = Value::Int(left.max(0));
            if state.value(supply, Owner::Game).as_ref() != Some(&value) {
                state.set_value(supply, Owner::Game, value.clone());
                // What is left of a set-up depends on who plays, so it is found at each table.
                if self.kind == Kind::Scenario {
                    self.values.push(SetValue { property: supply, owner: Owner::Game, value, names_cells: false });
                }
            }
        }
    }

    /// Reads `set turns extra red`: what is known of the order of turns. Returns whether it is such a line.
    fn turns<'f>(&mut self, file: &mut impl Lines<'f>, words: &[Word<'f>], line: Span) -> bool {
        let table = Arc::clone(&self.table);
        let schema = &table.schema;
        let [first, rest @ ..] = words else { return false };
        let is_component =
            schema.player("turns").is_some() || schema.property("turns").is_some() || schema.piece("turns").is_some();
        if !first.is("turns") || is_component {
            return false;
        }
        if self.kind == Kind::SetUp {
            let message = "only a scenario can say how far the turns are";
            let help = "remove this line: in the rules, `set_order` in `setup` sets the order of play";
            file.report(Diagnostic::new(Code::MisplacedLine, file.source(), first.span, message).help(help));
            return true;
        }
        let [player, other] = schema.example_players();
        let (what, rest) = match rest {
            [next, order, rest @ ..] if next.is("next") && order.is("order") => ("next order", rest),
            [what, rest @ ..] => (what.text, rest),
            [] => ("", rest),
        };
        let number = |rest: &[Word<'f>]| match rest {
            [number] => number.text.parse::<u64>().ok().filter(|number| *number <= 1_000_000_000),
            _ => None,
        };
        let wrong =
            |message: String, help: String| Diagnostic::new(Code::WrongForm, file.source(), line, message).help(help);
        let part = match what {
            "round" | "number" => match number(rest) {
                Some(number) if what == "round" => TurnsPart::Round(number),
                Some(number) => TurnsPart::Number(number),
                None => {
                    let wrong = wrong(
                        format!("`turns {what}` takes a number"),
                        format!("write for example `set turns {what} 3`"),
                    );
                    file.report(wrong);
                    return true;
                }
            },
            "order" | "next order" | "had" | "extra" | "skip" | "after" | "last" => {
                if rest.is_empty() || matches!(what, "after" | "last") && rest.len() > 1 {
                    let (takes, example) = match what {
                        "after" | "last" => ("one player", player.to_owned()),
                        _ => ("players", format!("{player} {other}")),
                    };
                    let wrong = wrong(
                        format!("`turns {what}` takes {takes}"),
                        format!("write for example `set turns {what} {example}`"),
                    );
                    file.report(wrong);
                    return true;
                }
                let mut players = Vec::new();
                for word in rest {
                    let Some(player) = file.get(table.names().player(word)) else { return true };
                    if file.get(table.taking_part(player, file.source(), word.span)).is_none() {
                        return true;
                    }
                    players.push(player);
                }
                match (what, players.as_slice()) {
                    ("order", _) => TurnsPart::Order(players),
                    ("next order", _) => TurnsPart::NextOrder(players),
                    ("had", _) => TurnsPart::Had(players),
                    ("extra", _) => TurnsPart::Extra(players),
                    ("skip", _) => TurnsPart::Skip(players),
                    ("after", [player, ..]) => TurnsPart::After(*player),
                    (_, [player, ..]) => TurnsPart::Last(*player),
                    _ => return true,
                }
            }
            _ => {
                const WORDS: [&str; 9] = ["order", "next", "had", "extra", "skip", "after", "round", "number", "last"];
                let message = "this does not say what is known of the order of turns";
                let help = did_you_mean(what, WORDS).unwrap_or_else(|| {
                    format!("write for example `set turns order {other} {player}`, `set turns extra {player}`, or `set turns round 3`")
                });
                file.report(wrong(message.to_owned(), help));
                return true;
            }
        };
        self.turns.push((part, line));
        true
    }

    /// Puts what lines say about the order of turns into a state.
    fn lay_turns<'f>(&self, file: &mut impl Lines<'f>, state: &mut State) {
        let table = Arc::clone(&self.table);
        for (part, line) in &self.turns {
            let name = |player| table.schema.player_name(player);
            let message = match state.turns.take(part.clone(), &table) {
                Ok(()) => continue,
                Err(OrderError::Empty) => "an order of play has at least 1 player".to_owned(),
                Err(OrderError::Twice(player)) => format!("{} is in the order of play twice", name(player)),
                Err(OrderError::Elsewhere(player)) => format!("{} does not take part", name(player)),
            };
            file.report(
                Diagnostic::new(Code::ListedTwice, file.source(), *line, message).help("name each player once"),
            );
        }
    }

    /// Adds the cards of a zone: `hand red: ace`.
    fn cards<'f>(&mut self, file: &mut impl Lines<'f>, zone: &Words, cards: &Words, line: Span) {
        let table = Arc::clone(&self.table);
        let (name, cards) = (file.words(zone), file.words(cards));
        let mut rest = Phrase::new(file.source(), &name, line);
        let found = table.zone(&mut rest).map_err(|misread| not_a_zone(&table, &name, misread));
        let Some(zone) = file.get(found) else { return };
        if let Some(extra) = rest.extra() {
            return file.report(extra.help("write the colon after the zone and its player"));
        }
        if let Some((_, _, first)) = self.zones.iter().find(|(other, _, _)| *other == zone) {
            let message =
                format!("this {} already lists the cards of {}", self.kind.word(), table.schema.zone_name(zone));
            let wrong = Diagnostic::new(Code::DuplicateLine, file.source(), line, message);
            let wrong = wrong.also(file.source(), *first, "here");
            let place = match self.kind {
                Kind::SetUp => "",
                Kind::Scenario => ", in the shared position or in the scenario",
            };
            return file.report(wrong.help(format!("list all of its cards on one line{place}")));
        }
        if let Some(listed) = file.get(table.names().cards(Phrase::new(file.source(), &cards, line))) {
            self.zones.push((zone, listed, line));
        }
    }

    /// Puts the pieces on the board and the cards into zones; reports what does not fit.
    pub fn complete<'f>(mut self, file: &mut impl Lines<'f>) -> Complete {
        let mut state = State::new(Arc::clone(&self.table));
        let schema = Arc::clone(&self.table.schema);
        let copies = schema.pieces.iter().enumerate();
        let pool: Counts =
            copies.filter_map(|(at, piece)| Some((PieceId::at(at), piece.card.as_ref()?.copies))).collect();
        let mut layout = Layout::new(&schema, file.source(), pool);
        let mut placed = Vec::new();
        self.idle_empties(file);
        for (at, put) in self.placed.iter().enumerate() {
            let Some(cell) = put.cell.filter(|_| !self.is_replaced(at, put)) else { continue };
            let laid = match put.what {
                What::Piece(piece) => state.lay(piece, cell, false),
                What::Down(card) => state.lay(card, cell, true),
                What::Unknown(zone) => state.lay_face_down(cell, Face::Unknown(zone)),
            };
            if let Err(error) = laid {
                file.report(refused(&self.table, put.what.piece(), error).at(file.source(), put.at));
                continue;
            }
            let Some(piece) = put.what.piece() else { continue };
            placed.push((piece, cell, matches!(put.what, What::Down(_))));
            if schema.card(piece).is_some() {
                file.get(layout.take(piece, put.span));
            }
        }
        for SetValue { property, owner, value, .. } in &self.values {
            state.set_value(*property, *owner, value.clone());
        }
        self.supply(file, &mut state);
        self.lay_turns(file, &mut state);
        for (player, cell, span) in &self.seen {
            see(file, &mut state, *player, *cell, *span);
        }
        for laid in self.laid.iter().filter(|laid| self.zones.iter().all(|(zone, _, _)| *zone != laid.zone)) {
            layout.begin_with(laid);
        }
        for (zone, listed, line) in &self.zones {
            layout.line(*zone, *line, listed).into_iter().for_each(|wrong| file.report(wrong));
        }
        layout.idle_rest().into_iter().for_each(|wrong| file.report(wrong));
        let laid = layout.laid();
        state.lay_out(&laid);
        self.too_many_unknown(file, &state);
        Complete { state, placed, values: self.values, laid }
    }

    /// Reports the lines `place none at CELL` for a cell that is empty without them.
    fn idle_empties<'f>(&self, file: &mut impl Lines<'f>) {
        for emptied @ (cell, _, span) in &self.emptied {
            if !self.placed.iter().any(|placed| self.is_emptied(placed, emptied)) {
                let name = self.table.board.name(*cell);
                let message = format!("no piece of the set-up is on {name}");
                let wrong = Diagnostic::new(Code::WrongPiece, file.source(), *span, message);
                file.report(wrong.help("remove this: it takes a piece off the board that is there after `from setup`"));
            }
        }
    }

    /// Returns whether a line `place none at CELL` takes this piece of an earlier level off the board.
    fn is_emptied(&self, placed: &Placed<L>, (cell, level, _): &(Cell, L, Span)) -> bool {
        let size = placed.what.piece().map_or((1, 1), |piece| self.table.size(piece));
        let covered = placed.cell.and_then(|at| self.table.board.footprint(at, size));
        *level > placed.level && covered.is_some_and(|covered| covered.contains(*cell))
    }

    /// Returns whether another line places a piece elsewhere or takes it off the board.
    fn is_replaced(&self, at: usize, placed: &Placed<L>) -> bool {
        if self.emptied.iter().any(|emptied| self.is_emptied(placed, emptied)) {
            return true;
        }
        let Some(piece) = placed.what.piece() else { return false };
        let Some(places) = self.places.get(&piece) else { return false };
        let other = if self.table.schema.is_many(piece) { places.off } else { places.any };
        other.is_some_and(|(last, level)| last > at || level > placed.level)
    }

    /// Reports a zone with fewer unknown cards than are face down on the board and in other zones.
    fn too_many_unknown<'f>(&self, file: &mut impl Lines<'f>, state: &State) {
        for (at, zone) in self.table.schema.zones.iter().enumerate() {
            let down = state.faces().values().filter(|face| face.unknown() == Some(ZoneId::at(at))).count() as u64;
            let unknown = state.zone(ZoneId::at(at)).map_or(0, Zone::unknown);
            let elsewhere = state.lent_from(ZoneId::at(at));
            if elsewhere > 0 && down + elsewhere > unknown {
                let mut spans = self.zones.iter().filter_map(|(_, listed, _)| listed.unknown.map(|(_, span)| span));
                let span = spans.next_back().unwrap_or(self.last);
                let also = if down > 0 { format!(" and {down} on the board") } else { String::new() };
                let message = format!(
                    "{elsewhere} unknown cards are in zones{also}, but only {unknown} cards of {} are in no other place",
                    zone.name
                );
                let wrong = Diagnostic::new(Code::TooManyCards, file.source(), span, message);
                file.report(wrong.help("write a smaller number: each unknown card is one that no line names"));
            } else if down > unknown {
                let message = format!("{down} unknown cards are on the board, but {} has only {unknown}", zone.name);
                let wrong = Diagnostic::new(Code::TooManyCards, file.source(), self.last, message);
                file.report(wrong.help("write fewer `(?)`: each is a card that no line names"));
            }
        }
    }
}

/// Returns the error, without its location, for a piece that cannot be on its cell; `None` for an unknown card.
pub fn refused(table: &Table, piece: Option<PieceId>, error: PlaceError) -> Diagnostic {
    let name = piece.map_or("this card", |piece| table.schema.piece_name(piece));
    match error {
        PlaceError::DoesNotFit => {
            let (columns, rows) = piece.map_or((1, 1), |piece| table.size(piece));
            let message = format!("{name} is {columns}x{rows} and does not fit on the board here");
            Diagnostic::general(Code::DoesNotFit, message).help("place a piece by its cell nearest `a1`")
        }
        PlaceError::NoStack(cell) => {
            let message = format!("only one piece can be on {}", table.board.name(cell));
            Diagnostic::general(Code::Occupied, message).help("place one of the two elsewhere, or `off`")
        }
        PlaceError::Occupied(cell, other) => {
            let (other, cell) = (table.schema.piece_name(other), table.board.name(cell));
            let message = format!("{name} cannot be placed here: {other} is on {cell}");
            Diagnostic::general(Code::Occupied, message)
                .help("place one of the two elsewhere, or `off`: a cell holds one piece")
        }
    }
}

/// Lets a player know the face-down card on a cell.
fn see<'f>(file: &mut impl Lines<'f>, state: &mut State, player: PlayerId, cell: Cell, span: Span) {
    let name = || state.board().name(cell);
    let (message, help) = match state.face(cell) {
        Some(Face::Card { .. }) => return state.see_face(cell, player),
        Some(_) => (format!("the card on {} is unknown", name()), "name the card: `place CARD at CELL face down`"),
        None => (
            format!("there is no face-down card on {}", name()),
            "put one there, in a diagram or with `place CARD at CELL face down`",
        ),
    };
    file.report(Diagnostic::new(Code::WrongPiece, file.source(), span, message).help(help));
}

/// Returns whether all players of a diagram take part; reports those who do not.
pub fn drawn_take_part<'f>(file: &mut impl Lines<'f>, table: &Table, drawn: &[Drawn]) -> bool {
    let mut all = true;
    for (_, token, span) in drawn {
        let Some(player) = token.player() else { continue };
        let named = span.of_start(table.schema.player_name(player));
        all &= file.get(table.taking_part(player, file.source(), named)).is_some();
    }
    all
}

/// Returns whether the player whose piece this is takes part; reports it otherwise.
fn owner_plays<'f>(file: &mut impl Lines<'f>, table: &Table, piece: PieceId, span: Span) -> bool {
    let owner = table.schema.pieces.get(piece.index()).and_then(|piece| piece.owner);
    let Some(owner) = owner.filter(|owner| !table.players.contains(owner)) else { return true };
    let (piece, owner) = (table.schema.piece_name(piece), table.schema.player_name(owner));
    let message = format!("{piece} cannot be in this position: `{owner}` does not take part in this scenario");
    file.report(Diagnostic::new(Code::NotPlaying, file.source(), span, message).help(table.those_who_play()));
    false
}

/// Returns the error for a line with a colon that does not begin with a zone: its first word may be a misspelt keyword.
fn not_a_zone(table: &Table, words: &[Word<'_>], misread: Diagnostic) -> Diagnostic {
    let schema = &table.schema;
    let Some(first) = words.first().filter(|first| !schema.is_zone(first.text)) else { return misread };
    // A player before the zone, or a zone with another spelling.
    if schema.player(first.text).is_some()
        || did_you_mean(first.text, schema.zones.iter().map(|zone| zone.name.as_str())).is_some()
    {
        return misread;
    }
    let help = match (near_keyword(first.text), &misread.help) {
        (Some(keyword), _) => format!("did you mean `{keyword}`?"),
        (None, Some(zones)) if !schema.zones.is_empty() => {
            format!("a colon follows a zone and its player, `ZONE: CARD …`: {zones}")
        }
        (None, _) => return misread,
    };
    Diagnostic::on(Code::UnknownLine, first, format!("unknown keyword or zone `{}`", first.text)).help(help)
}

/// Returns the zone that a line `shuffle ZONE` shuffles.
pub fn shuffled<'f>(file: &mut impl Lines<'f>, table: &Table, zone: &Words, line: Span) -> Option<ZoneId> {
    let zone = file.words(zone);
    file.get(table.names().ordered_zone(Phrase::new(file.source(), &zone, line)))
}

/// Returns the dealing of a line `deal 2 from deck to hand of each player`, for all players of the game.
pub fn dealing<'f>(
    file: &mut impl Lines<'f>,
    table: &Table,
    (number, from, to): (Span, &Words, &Words),
    line: Span,
) -> Option<Dealing> {
    let (number, from, to) = (file.words(&[number]), file.words(from), file.words(to));
    let mut to = Phrase::new(file.source(), &to, line);
    let [number, mut from] = [&number, &from].map(|words| to.with(words));
    let dealing = file.get(table.names().dealing(number, from, to))?;
    if matches!(&dealing, Dealing::Deal { to: zones, .. } if zones.len() == 1) {
        file.get(table.zone(&mut to))?;
    }
    file.get(table.zone(&mut from))?;
    Some(dealing)
}
