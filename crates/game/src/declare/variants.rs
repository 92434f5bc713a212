//! Declares variants and their set-ups: the pieces on the board, the cards in zones, shuffling and dealing.

use std::sync::Arc;

use super::declaring::{Declaring, MAX_VARIANTS, MOST};
use crate::boards::Boards;
use crate::lines::Lines;
use crate::position::{Complete, Kind, Position, dealing, shuffled};
use referee_diagnostic::{Code, Diagnostic, MAX_PROBLEMS};
use referee_source::{Source, Span, Spanned, Word};
use referee_syntax::ast::{BoardShape, Line, LineKind, Numbers, Words};
use referee_table::{
    Board, BoardSpec, Dealing, DeclaredKind, Each, PieceDef, Placement, Places, PlayerId, State, Table, TurnRules,
    Variant, Zone, ZoneId,
};

/// The section of a line of a set-up. A line for one variant may override a line for all variants, and one of a house rule
/// both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    AllVariants,
    Variant,
    House,
}

/// The lines of a set-up: those for all variants, then those of one.
struct SetUp {
    variant: Variant,
    position: Position<Section>,
    table: Arc<Table>,
    /// The lines that shuffle and deal.
    dealt: Vec<Span>,
    /// The number of clauses for all variants.
    common_clauses: usize,
}

/// Returns whether a line declares something for the whole game.
const fn is_for_all_variants(line: &LineKind) -> bool {
    !matches!(
        line,
        LineKind::Variant { .. }
            | LineKind::With { .. }
            | LineKind::Players { .. }
            | LineKind::Board { .. }
            | LineKind::Place(_)
            | LineKind::Set(_)
            | LineKind::Clause(_)
            | LineKind::Cards { .. }
            | LineKind::Shuffle { .. }
            | LineKind::Deal { .. }
    )
}

impl Declaring<'_> {
    /// Declares the variants; the cards must already be declared. `over` are the lines of house rules about the set-up.
    pub(super) fn variants(&mut self, over: &[Line], boards: &Boards) {
        let file = self.file;
        self.ambiguous_prefix();
        let is_variant = |line: &Line| matches!(line.kind, LineKind::Variant { .. });
        let first = file.lines.iter().position(is_variant).unwrap_or(file.lines.len());
        let (for_all, rest) = file.lines.split_at_checked(first).unwrap_or_default();
        let mut sections: Vec<&[Line]> = rest.chunk_by(|_, next| !is_variant(next)).collect();
        if sections.is_empty() {
            sections.push(&[]);
        }
        let mut variants: Vec<Variant> = Vec::new();
        for lines in sections {
            let head = lines.first().map_or(Span::default(), |line| line.span);
            if !self.has_room(variants.len(), MAX_VARIANTS, "variants", head) {
                break;
            }
            if let Some(LineKind::Variant { name, title }) = lines.first().map(|line| &line.kind) {
                self.declares(DeclaredKind::Variant, *name, head).title = *title;
            }
            self.misplaced(lines);
            let Some((spec, board)) = self.variant_board(boards, lines) else { continue };
            let table = self.table(&board, self.schema.players.len());
            let mut set_up = SetUp {
                variant: Variant { board: spec, ..Variant::default() },
                position: Position::new(Kind::SetUp, Arc::clone(&table)),
                table,
                dealt: Vec::new(),
                common_clauses: 0,
            };
            // The lines for all variants are read again for the board of each.
            let before = self.wrong.len();
            // The diagram of a variant replaces that for all variants, and the pieces of their other lines.
            let draws = |line: &Line| matches!(&line.kind, LineKind::Board { rows, .. } if !rows.is_empty());
            let drawn = lines.iter().any(draws);
            self.section(for_all.iter().filter(|line| !drawn || !draws(line)), Section::AllVariants, &mut set_up);
            let again = self.wrong.split_off(before);
            again.into_iter().for_each(|wrong| self.once_only(wrong));
            if drawn {
                set_up.position.clear_board();
            }
            set_up.position.forget_prefixes();
            set_up.common_clauses = set_up.variant.clauses.len();
            self.section(lines.iter(), Section::Variant, &mut set_up);
            self.over(over, &mut set_up);
            if let Some(LineKind::Variant { name, .. }) = lines.first().map(|line| &line.kind)
                && variants.iter().any(|other| other.name == set_up.variant.name)
            {
                let message = format!("there are two variants `{}`", set_up.variant.name);
                self.advise(Code::DuplicateName, *name, message, "give each variant a different name");
            }
            let dealt = std::mem::take(&mut set_up.dealt);
            let variant = self.whole(set_up);
            let short = if self.wrong.is_empty() { self.short(&board, &variant, &dealt) } else { None };
            if let Some(wrong) = short {
                self.once_only(wrong);
            }
            variants.push(variant);
        }
        self.schema.variants = variants;
    }

    /// Reads the lines of house rules about the set-up, which are the same for every variant.
    fn over(&mut self, lines: &[Line], set_up: &mut SetUp) {
        if lines.is_empty() {
            return;
        }
        let before = self.wrong.len();
        if lines.iter().any(|line| matches!(line.kind, LineKind::Board { .. })) {
            set_up.position.clear_board();
        }
        set_up.position.forget_prefixes();
        set_up.common_clauses = set_up.variant.clauses.len();
        self.section(lines.iter(), Section::House, set_up);
        let again = self.wrong.split_off(before);
        again.into_iter().for_each(|wrong| self.once_only(wrong));
    }

    /// Reports a symbol that could be read as a piece with a player before it.
    fn ambiguous_prefix(&mut self) {
        let Some(text) = self.schema.ambiguous_prefix().map(str::to_owned) else { return };
        let shown = self.file.lines.iter().find_map(|line| match &line.kind {
            LineKind::Property { in_drawings, .. } => *in_drawings,
            _ => None,
        });
        let message = format!("a diagram would read the symbol `{text}` as a player and a piece");
        self.advise(Code::ReservedWord, shown.unwrap_or_default(), message, "choose a symbol without a colon");
    }

    /// Returns the board of a variant, and its shape if it is the variant's own; reports it and returns `None` if the
    /// board cannot be built.
    fn variant_board(&mut self, boards: &Boards, lines: &[Line]) -> Option<(Option<BoardSpec>, Arc<Board>)> {
        let own = lines.iter().find_map(|line| match &line.kind {
            LineKind::Board { shape: Some(shape), .. } => Some(shape.clone()),
            _ => None,
        });
        let Some(own) = own else {
            return Some((None, boards.get(&self.schema, &self.schema.board).ok()?));
        };
        let spec = self.own_spec(&own)?;
        let board = boards.get(&self.schema, &spec).ok()?;
        if let Some(message) = self.schema.has_too_many_values(&board) {
            self.advise(
                Code::TooMany,
                own.span,
                message,
                "write a smaller board, or let fewer properties belong to its places",
            );
            return None;
        }
        let pieces = self.schema.pieces.iter().map(|piece| &piece.name);
        let clash = pieces.chain(&self.schema.players).find(|name| board.cell(name).is_some()).cloned();
        if let Some(name) = clash {
            let message = format!("`{name}` is the name of a cell on this board");
            self.advise(Code::DuplicateName, own.span, message, format!("choose another name for the piece `{name}`"));
        }
        Some((Some(spec), board))
    }

    /// Returns the shape of a variant's own board, which must be of the same kind as the game's.
    fn own_spec(&mut self, own: &BoardShape) -> Option<BoardSpec> {
        let spec = super::board_spec(&self.file.source, own, &self.schema.graphs)
            .map_err(|wrong| self.once_only(*wrong))
            .ok()?;
        if spec.is_like(&self.schema.board) {
            return Some(spec);
        }
        let message = "a variant needs a board of the same kind as the game";
        let help = "change only the size: all boards are grids, or all are hexagons, and so on";
        self.advise(Code::WrongBoard, own.span, message, help);
        None
    }

    /// Reads the lines for all variants, or the lines of one.
    fn section<'l>(&mut self, lines: impl Iterator<Item = &'l Line>, section: Section, set_up: &mut SetUp) {
        let mut is_variant = false;
        let mut count = 0;
        for line in lines {
            count +=
                usize::from(matches!(line.kind, LineKind::Place(_) | LineKind::Cards { .. } | LineKind::Deal { .. }));
            // Further errors are not reported.
            if count > MOST && !self.has_room(count - 1, MOST, "lines in a set-up", line.span)
                || self.wrong.len() > MAX_PROBLEMS
            {
                break;
            }
            if let LineKind::Variant { name, title } = &line.kind {
                is_variant = true;
                set_up.variant.name = self.text(*name);
                set_up.variant.title = self.title(*title);
            } else if let LineKind::With { name, value } = &line.kind {
                match self.setting(*name, *value) {
                    Ok((option, _)) if set_up.variant.settings.iter().any(|(other, _)| *other == option) => {
                        let message = format!("the option `{}` is already set", self.text(*name));
                        self.advise(Code::DuplicateLine, line.span, message, "set an option once in a variant");
                    }
                    Ok(setting) if is_variant => set_up.variant.settings.push(setting),
                    Ok(_) => self.advise(
                        Code::MisplacedLine,
                        line.span,
                        "a `with` line must be below a `variant` line",
                        "move it there; to change the default, put the value first in the `option` line",
                    ),
                    Err(wrong) => self.wrong.push(*wrong),
                }
            } else if let (LineKind::Players { count, names }, true) = (&line.kind, is_variant) {
                if set_up.variant.player_count.is_some() {
                    self.advise(
                        Code::DuplicateLine,
                        line.span,
                        "there is already a `players` line for this variant",
                        "keep one of the two",
                    );
                }
                set_up.variant.player_count = self.variant_players(line.span, *count, names);
            } else {
                self.set_up(line, section, set_up);
            }
        }
    }

    /// Returns the minimum and maximum number of players of a variant: `players 2..3` below it.
    fn variant_players(
        &mut self,
        line: Span,
        count: Option<Spanned<Numbers>>,
        names: &Words,
    ) -> Option<(usize, usize)> {
        let (least, most) = self.schema.player_count;
        let help = format!("write only the numbers, for example `players {least}..{most}`");
        if let Some(name) = names.first() {
            self.advise(Code::WrongPlayers, *name, "a variant cannot name players: it has those of the game", help);
            return None;
        }
        let Some(count) = count else {
            self.advise(Code::WrongPlayers, line, "the number of players of this variant is missing", help);
            return None;
        };
        let number = |number: i64| usize::try_from(number).unwrap_or(0);
        let (low, high) = (number(count.node.0), number(count.node.1));
        if low >= least && high <= most {
            return Some((low, high));
        }
        let message = format!("expected {least} to {most} players as in the game, found {low} to {high}");
        self.advise(Code::WrongPlayers, count.span, message, help);
        None
    }

    /// Adds a line of a set-up to `to`.
    fn set_up(&mut self, line: &Line, section: Section, to: &mut SetUp) {
        match &line.kind {
            LineKind::Clause(words) => {
                for span in words {
                    let own = to.variant.clauses.get(to.common_clauses..).unwrap_or_default();
                    to.variant.clauses.extend(self.clause(*span, own));
                }
            }
            LineKind::Shuffle { order: Some(_), .. } => self.advise(
                Code::WrongForm,
                line.span,
                "a game file cannot give the order after a shuffle",
                "remove the colon and the cards: only a scenario can give the order",
            ),
            LineKind::Shuffle { zone, order: None } => {
                let shuffled = shuffled(self, &to.table, zone, line.span).map(Dealing::Shuffle);
                to.dealt.extend(shuffled.iter().map(|_| line.span));
                to.variant.dealings.extend(shuffled);
            }
            LineKind::Deal { number, from, to: into } => {
                let dealing = dealing(self, &to.table, (*number, from, into), line.span);
                to.dealt.extend(dealing.iter().map(|_| line.span));
                to.variant.dealings.extend(dealing);
            }
            _ => to.position.read(self, line, section),
        }
    }

    /// Reports lines below a `variant` line that are for the whole game.
    fn misplaced(&mut self, lines: &[Line]) {
        let Some(LineKind::Variant { name, .. }) = lines.first().map(|line| &line.kind) else { return };
        let variant = self.text(*name);
        for line in lines.iter().skip(1).filter(|line| is_for_all_variants(&line.kind)) {
            let text = self.text(line.span);
            let keyword = text.split_whitespace().next().unwrap_or_default();
            let message =
                format!("`{keyword}` lines are for the whole game, but this one is below the variant `{variant}`");
            self.advise(Code::MisplacedLine, line.span, message, "move it up, before the first `variant` line");
        }
    }

    /// Returns the variant, including the lines for all variants.
    fn whole(&mut self, set_up: SetUp) -> Variant {
        let before = self.wrong.len();
        let Complete { state, placed, values, laid } = set_up.position.complete(self);
        let again = self.wrong.split_off(before);
        again.into_iter().for_each(|wrong| self.once_only(wrong));
        let named =
            |(piece, cell, face_down)| Placement { piece, cell: state.board().name(cell).to_owned(), face_down };
        let places = placed.into_iter().map(named).collect();
        Variant { places, values, laid, ..set_up.variant }
    }

    /// Returns the game with the first `players` of its players.
    fn table(&self, board: &Arc<Board>, players: usize) -> Arc<Table> {
        let schema = Arc::new(self.schema.clone());
        let size = |piece: &PieceDef| schema.kinds.get(piece.kind.index()).map_or((1, 1), |kind| kind.size);
        Arc::new(Table {
            board: Arc::clone(board),
            sizes: schema.pieces.iter().map(size).collect(),
            players: (0..players).map(PlayerId::at).collect(),
            options: Vec::new(),
            arrows: Vec::new(),
            variant: 0,
            turns: TurnRules::default(),
            places: Places::default(),
            schema: Arc::clone(&schema),
        })
    }

    /// Returns an error for the first deal without enough cards, for the smallest number of players that has one.
    fn short(&self, board: &Arc<Board>, variant: &Variant, lines: &[Span]) -> Option<Diagnostic> {
        if variant.dealings.is_empty() {
            return None;
        }
        let (least, most) = variant.player_count.unwrap_or(self.schema.player_count);
        (least..=most).find_map(|players| self.short_for(players, board, variant, lines))
    }

    /// Returns an error for the first deal without enough cards for this number of players.
    fn short_for(&self, players: usize, board: &Arc<Board>, variant: &Variant, lines: &[Span]) -> Option<Diagnostic> {
        let table = self.table(board, players);
        let schema = &table.schema;
        let mut state = State::new(Arc::clone(&table));
        for placed in &variant.places {
            // `places` has already reported occupied cells.
            let _ = board.cell(&placed.cell).map(|cell| state.lay(placed.piece, cell, placed.face_down));
        }
        state.lay_out(&variant.laid);
        let mut held: Vec<u64> =
            (0..schema.zones.len()).map(|at| state.zone(ZoneId::at(at)).map_or(0, Zone::len)).collect();
        let mut free = state.free_inside().len();
        for (dealing, line) in variant.dealings.iter().zip(lines) {
            let (number, from, to) = match dealing.at(&table) {
                Some(Dealing::Deal { number, from, to }) => (number, from, to),
                Some(Dealing::Board { number, from, .. }) => {
                    let room = free.saturating_sub(number as usize);
                    if (number as usize) > free {
                        let message = format!("{number} cards do not fit: {free} cells inside the board are empty");
                        let wrong = Diagnostic::new(Code::TooManyCards, &self.file.source, *line, message);
                        return Some(wrong.help("deal fewer cards; cells of a margin do not count"));
                    }
                    free = room;
                    // As many as one zone would receive.
                    (number, from, vec![from])
                }
                _ => continue,
            };
            let wanted = u64::from(number) * to.len() as u64;
            let there = held.get(from.index()).copied().unwrap_or(0);
            if there < wanted {
                let players = if to.len() > 1 { format!(" for {} players", to.len()) } else { String::new() };
                let message = format!("{wanted} cards are dealt{players}, but {} has {there}", schema.zone_name(from));
                let name = schema.zone_name(from);
                let is_home = schema.kinds.iter().any(|kind| kind.home == Some(from));
                let help = match schema.kinds.iter().find(|kind| kind.each == Each::Card && kind.home.is_none()) {
                    Some(cards) if !is_home => format!(
                        "no cards begin in {name}: add `in {name}` to the line `card {} …`, or list them in a position",
                        cards.name
                    ),
                    _ => "deal fewer cards, or raise the `count` of a card in the data file".to_owned(),
                };
                return Some(Diagnostic::new(Code::TooManyCards, &self.file.source, *line, message).help(help));
            }
            for (zone, cards) in to.iter().filter(|to| **to != from).map(|to| (*to, u64::from(number))) {
                held.get_mut(zone.index()).into_iter().for_each(|held| *held += cards);
            }
            held.get_mut(from.index()).into_iter().for_each(|held| *held -= wanted);
        }
        None
    }

    /// Adds an error once: an error in a line for all variants is found in each of them.
    fn once_only(&mut self, wrong: Diagnostic) {
        let place = |wrong: &Diagnostic| wrong.labels.first().map(|label| (Arc::as_ptr(&label.source), label.span));
        if !self.wrong.iter().any(|other| other.code == wrong.code && place(other) == place(&wrong)) {
            self.wrong.push(wrong);
        }
    }
}

impl<'f> Lines<'f> for Declaring<'f> {
    fn source(&self) -> &'f Arc<Source> {
        &self.file.source
    }

    fn words(&mut self, spans: &[Span]) -> Vec<Word<'f>> {
        spans.iter().map(|span| self.file.source.word(*span)).collect()
    }

    fn tokens(&mut self, row: Span) -> Vec<Word<'f>> {
        self.file.source.tokens(row)
    }

    fn report(&mut self, wrong: Diagnostic) {
        self.wrong.push(wrong);
    }

    fn errors(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.wrong
    }
}
