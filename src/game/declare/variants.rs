//! Declares variants and their set-ups: the pieces on the board, the cards in zones, shuffling and dealing.

use std::sync::Arc;

use super::declaring::{Declaring, MAX_VARIANTS, MOST};
use super::pieces;
use crate::diagnostic::{Diagnostic, MAX_PROBLEMS, did_you_mean};
use crate::game::boards::Boards;
use crate::source::{Span, Spanned, Word};
use crate::syntax::ast::{self, BoardShape, Line, LineKind, Numbers, Words};
use crate::syntax::near_keyword;
use crate::table::{
    Board, BoardSpec, Counts, Dealing, Each, Layout, Listed, Names, Owner, PieceDef, PieceId, PlaceError, Placement,
    Placing, PlayerId, Prefixes, PropertyId, PropertyKind, SetValue, State, Table, Value, Variant, WordError, Zone,
    ZoneId, drawn_players, face_down, placements, read_diagram,
};

/// The lines of a set-up: for all variants, or for one.
#[derive(Clone, Debug, Default)]
struct SetUp {
    variant: Variant,
    /// The placed pieces, each with its location in the file.
    places: Vec<(Placement, Span)>,
    /// The pieces that lines take off the board.
    lifted: Vec<(PieceId, Span)>,
    /// The players before pieces in diagrams and `place` lines, as values to set.
    drawn: Vec<SetValue>,
    /// The players before pieces, to find contradictions.
    prefixes: Prefixes<()>,
    /// The values that lines set, each with the first line.
    set: Vec<((PropertyId, Owner), Span)>,
    /// The line with the diagram.
    drawing: Option<Span>,
    /// The cards in zones, each with its line.
    zones: Vec<(ZoneId, Span, Listed)>,
    /// The lines that shuffle and deal.
    dealt: Vec<Span>,
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
    /// Declares the variants; the cards must already be declared.
    pub(super) fn variants(&mut self, boards: &Boards) {
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
            self.misplaced(lines);
            let Some((spec, board)) = self.variant_board(boards, lines) else { continue };
            // The lines for all variants are read again for the board of each.
            let before = self.wrong.len();
            // The diagram of a variant replaces that for all variants.
            let draws = |line: &Line| matches!(&line.kind, LineKind::Board { rows, .. } if !rows.is_empty());
            let drawn = lines.iter().any(draws);
            let common = self.section(&board, for_all.iter().filter(|line| !drawn || !draws(line)));
            let again = self.wrong.split_off(before);
            again.into_iter().for_each(|wrong| self.once_only(wrong));
            let mut own = self.section(&board, lines.iter());
            own.variant.board = spec;
            if let Some(LineKind::Variant { name, .. }) = lines.first().map(|line| &line.kind)
                && variants.iter().any(|other| other.name == own.variant.name)
            {
                let message = format!("there are two variants `{}`", own.variant.name);
                self.advise("duplicate_name", *name, message, "give each variant a different name");
            }
            let dealt = [&common.dealt[..], &own.dealt].concat();
            let variant = self.whole(&board, &common, own);
            let short = if self.wrong.is_empty() { self.short(&board, &variant, &dealt) } else { None };
            if let Some(wrong) = short {
                self.once_only(wrong);
            }
            variants.push(variant);
        }
        self.schema.variants = variants;
    }

    /// Reports a symbol that could be read as a piece with a player before it.
    fn ambiguous_prefix(&mut self) {
        let Some(text) = self.schema.ambiguous_prefix().map(str::to_owned) else { return };
        let shown = self.file.lines.iter().find_map(|line| match &line.kind {
            LineKind::Property { in_drawings, .. } => *in_drawings,
            _ => None,
        });
        let message = format!("a diagram would read the symbol `{text}` as a player and a piece");
        self.advise("reserved_word", shown.unwrap_or_default(), message, "choose a symbol without a colon");
    }

    /// Returns the board of a variant, and its shape if it is the variant's own; reports it and returns `None` if the
    /// board cannot be built.
    fn variant_board(&mut self, boards: &Boards, lines: &[Line]) -> Option<(Option<BoardSpec>, Arc<Board>)> {
        let own = lines.iter().find_map(|line| match line.kind {
            LineKind::Board { shape: Some(shape), .. } => Some(shape),
            _ => None,
        });
        let Some(own) = own else {
            return Some((None, boards.get(&self.schema, self.schema.board).ok()?));
        };
        let spec = self.own_spec(own)?;
        let board = boards.get(&self.schema, spec).ok()?;
        let pieces = self.schema.pieces.iter().map(|piece| &piece.name);
        let clash = pieces.chain(&self.schema.players).find(|name| board.cell(name).is_some()).cloned();
        if let Some(name) = clash {
            let message = format!("`{name}` is the name of a cell on this board");
            self.advise("duplicate_name", own.span, message, format!("choose another name for the piece `{name}`"));
        }
        Some((Some(spec), board))
    }

    /// Returns the shape of a variant's own board, which must be of the same kind as the game's.
    fn own_spec(&mut self, own: BoardShape) -> Option<BoardSpec> {
        let spec = super::board_spec(&self.file.source, own).map_err(|wrong| self.once_only(*wrong)).ok()?;
        if std::mem::discriminant(&spec) == std::mem::discriminant(&self.schema.board) {
            return Some(spec);
        }
        let message = "a variant needs a board of the same kind as the game";
        let help = "change only the size: all boards are grids, grids with a margin, hexagons or tracks";
        self.advise("wrong_board", own.span, message, help);
        None
    }

    /// Reads the lines for all variants, or the lines of one.
    fn section<'l>(&mut self, board: &Board, lines: impl Iterator<Item = &'l Line>) -> SetUp {
        let mut set_up = SetUp::default();
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
                        self.advise("duplicate_line", line.span, message, "set an option once in a variant");
                    }
                    Ok(setting) if is_variant => set_up.variant.settings.push(setting),
                    Ok(_) => self.advise(
                        "misplaced_line",
                        line.span,
                        "a `with` line must be below a `variant` line",
                        "move it there; to change the default, put the value first in the `option` line",
                    ),
                    Err(wrong) => self.wrong.push(*wrong),
                }
            } else if let (LineKind::Players { count, names }, true) = (&line.kind, is_variant) {
                if set_up.variant.player_count.is_some() {
                    self.advise(
                        "duplicate_line",
                        line.span,
                        "there is already a `players` line for this variant",
                        "keep one of the two",
                    );
                }
                set_up.variant.player_count = self.variant_players(line.span, *count, names);
            } else {
                self.set_up(board, line, &mut set_up);
            }
        }
        set_up
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
            self.advise("wrong_players", *name, "a variant cannot name players: it has those of the game", help);
            return None;
        }
        let Some(count) = count else {
            self.advise("wrong_players", line, "the number of players of this variant is missing", help);
            return None;
        };
        let number = |number: i64| usize::try_from(number).unwrap_or(0);
        let (low, high) = (number(count.node.0), number(count.node.1));
        if low >= least && high <= most {
            return Some((low, high));
        }
        let message = format!("expected {least} to {most} players as in the game, found {low} to {high}");
        self.advise("wrong_players", count.span, message, help);
        None
    }

    /// Adds a line of a set-up to `to`.
    fn set_up(&mut self, board: &Board, line: &Line, to: &mut SetUp) {
        match &line.kind {
            LineKind::Place(placements) => {
                placements.iter().for_each(|placement| self.placement(board, placement, line.span, to));
            }
            LineKind::Board { rows, .. } if !rows.is_empty() => self.drawing(board, rows, line.span, to),
            LineKind::Set(words) => {
                let words = self.words(words);
                let read = Names { schema: &self.schema, board }.setting(&words, line.span);
                if let Some((property, owner, value)) = self.known(read) {
                    self.set_twice((property, owner), line.span, to);
                    self.set_player((property, owner, &value), line.span, to);
                    let kind = self.schema.properties.get(property.index()).map(|property| &property.kind);
                    let names_cells = matches!(kind, Some(PropertyKind::Value(kind)) if kind.names_cells());
                    to.variant.values.push(SetValue { property, owner, value, names_cells });
                }
            }
            LineKind::Clause(words) => {
                for span in words {
                    to.variant.clauses.extend(self.clause(*span, &to.variant.clauses));
                }
            }
            LineKind::Cards { zone, cards } => {
                let read = self.laid(board, zone, cards, line.span);
                if let Some((zone, listed)) = self.known(read) {
                    to.zones.push((zone, line.span, listed));
                }
            }
            LineKind::Shuffle { order: Some(_), .. } => self.advise(
                "wrong_form",
                line.span,
                "a game file cannot give the order after a shuffle",
                "remove the colon and the cards: only a scenario can give the order",
            ),
            LineKind::Shuffle { zone, order: None } => {
                let words = self.words(zone);
                let zone = Names { schema: &self.schema, board }.ordered_zone(&words, end(&words, line.span));
                let shuffled = self.known(zone).map(Dealing::Shuffle);
                to.dealt.extend(shuffled.iter().map(|_| line.span));
                to.variant.dealings.extend(shuffled);
            }
            LineKind::Deal { number, from, to: into } => {
                let (from, into) = (self.words(from), self.words(into));
                let last = end(&into, line.span);
                let number = [self.file.source.word(*number)];
                let dealing = Names { schema: &self.schema, board }.dealing(&number, &from, &into, last);
                let dealing = self.known(dealing);
                to.dealt.extend(dealing.iter().map(|_| line.span));
                to.variant.dealings.extend(dealing);
            }
            _ => {}
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
            self.advise("misplaced_line", line.span, message, "move it up, before the first `variant` line");
        }
    }

    /// Adds one piece of a `place` line.
    fn placement(&mut self, board: &Board, placement: &ast::Placement, line: Span, to: &mut SetUp) {
        let span = placement.piece.first().zip(placement.piece.last());
        let span = span.map_or(line, |(first, last)| first.to(*last));
        match pieces::placement(self.file, &self.schema, board, placement) {
            Ok(Placing { piece, player, cell }) => {
                let cell = cell.map(|(cell, _)| board.name(cell).to_owned());
                self.place((piece, cell, placement.face_down), span, to);
                if let Some(player) = player {
                    self.drawn_player((piece, Some(player.node)), span, to);
                }
            }
            Err(wrong) => self.wrong.push(*wrong),
        }
    }

    /// Adds the place of a piece; reports a second place of a single piece.
    fn place(&mut self, (piece, cell, face_down): (PieceId, Option<String>, bool), span: Span, to: &mut SetUp) {
        let places = to.places.iter().map(|(placed, span)| (placed.piece, *span));
        let first = places.chain(to.lifted.iter().copied()).find(|(other, _)| *other == piece);
        let single = !self.schema.is_many(piece) && self.schema.card(piece).is_none();
        if let Some((_, first)) = first.filter(|_| single) {
            let message = format!("this set-up already places {}", self.schema.piece_name(piece));
            let wrong = Diagnostic::new("placed_twice", &self.file.source, span, message);
            let wrong = wrong.also(&self.file.source, first, "here");
            self.wrong.push(wrong.help("remove one of the two: there is only one such piece"));
            return;
        }
        match cell {
            Some(cell) => {
                to.places.push((Placement { piece, cell, face_down }, span));
            }
            None => to.lifted.push((piece, span)),
        }
    }

    /// Adds the player before a piece that a diagram or a `place` line puts on the board.
    fn drawn_player(&mut self, (piece, player): (PieceId, Option<PlayerId>), span: Span, to: &mut SetUp) {
        let Some(property) = self.schema.drawn_property(piece) else { return };
        let place = (&self.schema, &self.file.source);
        if let Err(wrong) = to.prefixes.report(place, piece, (player, false), ((), span)) {
            return self.wrong.push(*wrong);
        }
        let value = player.map_or(Value::Nothing, Value::Player);
        to.drawn.push(SetValue { property, owner: Owner::Piece(piece), value, names_cells: true });
    }

    /// Reports a value that this set-up has set before.
    fn set_twice(&mut self, place: (PropertyId, Owner), line: Span, to: &mut SetUp) {
        match to.set.iter().find(|(known, _)| *known == place) {
            Some((_, first)) => {
                let name = self.schema.value_name(place.0, place.1);
                let message = format!("this set-up already sets `{name}`");
                let wrong = Diagnostic::new("duplicate_line", &self.file.source, line, message);
                self.wrong.push(wrong.also(&self.file.source, *first, "here").help("remove one of the two lines"));
            }
            None => to.set.push((place, line)),
        }
    }

    /// Adds a value of a `set` line to the players before pieces, if diagrams show it.
    fn set_player(&mut self, (property, owner, value): (PropertyId, Owner, &Value), line: Span, to: &mut SetUp) {
        let Owner::Piece(piece) = owner else { return };
        if self.schema.drawn_property(piece) != Some(property) {
            return;
        }
        let place = (&self.schema, &self.file.source);
        let added = to.prefixes.report(place, piece, (value.player(), true), ((), line));
        self.wrong.extend(added.err().map(|wrong| *wrong));
    }

    /// Adds the pieces of a diagram.
    fn drawing(&mut self, board: &Board, rows: &[Span], line: Span, to: &mut SetUp) {
        if let Some(first) = to.drawing.replace(line) {
            let wrong = Diagnostic::new("duplicate_line", &self.file.source, line, "this set-up already has a diagram");
            let wrong = wrong.also(&self.file.source, first, "the first one");
            self.wrong.push(wrong.help("draw the whole board once, and add `place` lines if necessary"));
            return;
        }
        let words: Vec<Vec<Word<'_>>> = rows.iter().map(|row| self.file.source.tokens(*row)).collect();
        let table = self.table(&Arc::new(board.clone()), self.schema.players.len());
        let drawn = read_diagram(Names { schema: &self.schema, board }, &words, line);
        let read = drawn.and_then(|drawn| Ok((placements(&table, &drawn)?, drawn)));
        match read {
            Ok((placed, drawn)) => {
                for (piece, player, span) in drawn_players(&table, &drawn, &placed) {
                    self.drawn_player((piece, player), span, to);
                }
                for (piece, cell) in placed {
                    self.place((piece, Some(board.name(cell).to_owned()), false), line, to);
                }
                for (cell, card, span) in face_down(&drawn) {
                    match card {
                        Some(card) => self.place((card, Some(board.name(cell).to_owned()), true), span, to),
                        None => self.advise(
                            "not_supported",
                            span,
                            "an unknown card in the diagram of a set-up: not supported yet",
                            "deal it: `deal 1 from ZONE to board face down`, or name the card: `(CARD)`",
                        ),
                    }
                }
            }
            Err(misreads) => {
                let wrong: Vec<Diagnostic> = misreads.into_iter().map(|misread| self.diagnostic(misread)).collect();
                self.wrong.extend(wrong);
            }
        }
    }

    /// Returns the zone of a line with a colon, and the cards in it.
    fn laid(&self, board: &Board, zone: &Words, cards: &Words, line: Span) -> Result<(ZoneId, Listed), WordError> {
        let (zone, cards) = (self.words(zone), self.words(cards));
        let names = Names { schema: &self.schema, board };
        let first = zone.first().copied().filter(|first| !self.schema.is_zone(first.text));
        if let Some(first) = first {
            let zones = self.schema.zones.iter().map(|zone| zone.name.as_str());
            let near = did_you_mean(first.text, zones);
            let keyword = || near_keyword(first.text).map(|keyword| format!("did you mean `{keyword}`?"));
            let message = format!("unknown keyword or zone `{}`", first.text);
            let help = near.or_else(keyword).unwrap_or_else(|| {
                "write `ZONE: CARD …` for the cards in a zone; no other line has a colon after its first word".into()
            });
            return Err(WordError::new("unknown_line", first.span, message).help(help));
        }
        let zone = names.whole_zone(&zone, end(&zone, line), "write the colon after the zone and its player")?;
        Ok((zone, names.cards(&cards, end(&cards, line))?))
    }

    /// Returns the variant, including the lines for all variants.
    fn whole(&mut self, board: &Arc<Board>, common: &SetUp, own: SetUp) -> Variant {
        let places = self.places(board, common, &own);
        let mut variant = own.variant;
        variant.places = places.iter().map(|(placed, _)| placed.clone()).collect();
        // A diagram of the variant replaces the pieces of the lines for all variants, and the players before them.
        let drawn = if own.drawing.is_some() { &[] } else { common.drawn.as_slice() };
        variant.values = [&common.variant.values[..], drawn, &variant.values, &own.drawn].concat();
        variant.clauses = [&common.variant.clauses[..], &variant.clauses].concat();
        variant.dealings = [&common.variant.dealings[..], &variant.dealings].concat();
        let pieces = self.schema.pieces.iter().enumerate();
        let pool: Counts =
            pieces.filter_map(|(at, piece)| Some((PieceId::at(at), piece.card.as_ref()?.copies))).collect();
        let mut layout = Layout::new(&self.schema, pool);
        let mut wrong = Vec::new();
        for (placed, span) in places.iter().filter(|(placed, _)| self.schema.card(placed.piece).is_some()) {
            wrong.extend(layout.take(placed.piece, *span).err().map(|misread| self.diagnostic(misread)));
        }
        for (zone, line, listed) in common.zones.iter().chain(&own.zones) {
            match layout.line_of(*zone) {
                None => {
                    wrong.extend(layout.line(*zone, *line, listed).into_iter().map(|misread| self.diagnostic(misread)))
                }
                Some(first) => {
                    let source = &self.file.source;
                    let message = format!("the cards in {} are already listed", self.schema.zone_name(*zone));
                    let twice = Diagnostic::new("duplicate_line", source, *line, message).also(source, first, "here");
                    wrong.push(twice.help("list all of its cards on one line"));
                }
            }
        }
        wrong.extend(layout.idle_rest().map(|misread| self.diagnostic(misread)));
        variant.laid = layout.laid();
        for wrong in wrong {
            self.once_only(wrong);
        }
        variant
    }

    /// Returns the placed pieces, each with its location: from the variant, otherwise from the lines for all variants.
    /// Reports pieces on the same cell.
    fn places(&mut self, board: &Arc<Board>, common: &SetUp, own: &SetUp) -> Vec<(Placement, Span)> {
        let is_replaced = |piece: PieceId| {
            let placed = own.places.iter().any(|(placed, _)| placed.piece == piece);
            placed && !self.schema.is_many(piece) || own.lifted.iter().any(|(lifted, _)| *lifted == piece)
        };
        // A diagram shows the whole board, so it replaces all other pieces.
        let kept = common.places.iter().filter(|(placed, _)| own.drawing.is_none() && !is_replaced(placed.piece));
        let all: Vec<(Placement, Span)> = kept.chain(&own.places).cloned().collect();
        let mut state = State::new(self.table(board, self.schema.players.len()));
        let mut wrong = Vec::new();
        for (placed, span) in &all {
            let Some(cell) = board.cell(&placed.cell) else { continue };
            if let Err(PlaceError::Occupied(cell, other)) = state.lay(placed.piece, cell, placed.face_down) {
                let (name, other) = (self.schema.piece_name(placed.piece), self.schema.piece_name(other));
                let message = format!("{name} cannot be placed here: {other} is on {}", board.name(cell));
                let twice = Diagnostic::new("occupied", &self.file.source, *span, message);
                wrong.push(twice.help("place one of the two on another cell"));
            }
        }
        wrong.into_iter().for_each(|wrong| self.once_only(wrong));
        all
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
                        let wrong = Diagnostic::new("too_many_cards", &self.file.source, *line, message);
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
                return Some(Diagnostic::new("too_many_cards", &self.file.source, *line, message).help(help));
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
        let place = |wrong: &Diagnostic| wrong.labels.first().map(|label| label.span);
        if !self.wrong.iter().any(|other| other.code == wrong.code && place(other) == place(&wrong)) {
            self.wrong.push(wrong);
        }
    }

    fn diagnostic(&self, misread: WordError) -> Diagnostic {
        let wrong = Diagnostic::new(misread.code, &self.file.source, misread.span, misread.message);
        misread.help.into_iter().fold(wrong, Diagnostic::help)
    }

    /// Returns the value of a result, or adds its error.
    fn known<T>(&mut self, read: Result<T, WordError>) -> Option<T> {
        read.map_err(|misread| {
            let wrong = self.diagnostic(misread);
            self.wrong.push(wrong);
        })
        .ok()
    }

    fn words(&self, spans: &Words) -> Vec<Word<'_>> {
        spans.iter().map(|span| self.file.source.word(*span)).collect()
    }
}

/// Returns the location after the last of some words, or after the line.
fn end(words: &[Word<'_>], line: Span) -> Span {
    let end = words.last().map_or(line.end, |word| word.span.end);
    Span { start: end, end }
}
