//! Variants and their set-ups: where pieces stand, what lies in zones, and what is shuffled and dealt.

use std::sync::Arc;

use super::{Declaring, pieces};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::source::{Span, Word};
use crate::syntax::ast::{Line, LineKind, Words};
use crate::syntax::near_keyword;
use crate::table::{
    Board, Counts, Dealing, Layout, Listed, Misread, Names, PieceDef, PieceId, PlayerId, State, Table, Variant, Zone,
    ZoneId,
};

/// The lines of a set-up: for all variants, or for one.
#[derive(Clone, Debug, Default)]
struct SetUp {
    variant: Variant,
    /// Where the cards stand that lines place on the board.
    placed: Vec<(PieceId, Span)>,
    /// What lies in zones, each with its line.
    zones: Vec<(ZoneId, Span, Listed)>,
    /// The lines that shuffle and deal.
    dealt: Vec<Span>,
}

impl Declaring<'_> {
    /// The variants; the cards are known.
    pub(super) fn variants(&mut self) {
        let Ok(board) = self.schema.build_board(self.schema.board) else { return };
        let mut common = SetUp::default();
        let mut own: Vec<SetUp> = Vec::new();
        for line in &self.file.lines {
            if let LineKind::Variant { name, title } = &line.kind {
                let text = self.text(*name);
                if own.iter().any(|set_up| set_up.variant.name == text) {
                    let message = format!("there are two variants `{text}`");
                    self.advise("duplicate_name", *name, message, "variants need names of their own");
                }
                let variant = Variant { name: text, title: self.title(*title), ..Variant::default() };
                own.push(SetUp { variant, ..SetUp::default() });
            } else if let LineKind::With { name, value } = &line.kind {
                match (own.last_mut(), self.setting(*name, *value)) {
                    (Some(set_up), Ok(setting)) => set_up.variant.settings.push(setting),
                    (None, Ok(_)) => self.advise(
                        "misplaced_line",
                        line.span,
                        "this line stands below a variant, for which it sets an option",
                        "the value that holds otherwise is the first one of the line `option`",
                    ),
                    (_, Err(wrong)) => self.wrong.push(*wrong),
                }
            } else {
                self.set_up(&board, line, own.last_mut().unwrap_or(&mut common));
            }
        }
        if own.is_empty() {
            own.push(SetUp::default());
        }
        let board = Arc::new(board);
        let mut variants = Vec::new();
        for own in own {
            let dealt = [&common.dealt[..], &own.dealt].concat();
            let variant = self.whole(&common, own);
            let short = if self.wrong.is_empty() { self.short(&board, &variant, &dealt) } else { None };
            if let Some(wrong) = short {
                self.once_only(wrong);
            }
            variants.push(variant);
        }
        self.schema.variants = variants;
    }

    /// A line of a set-up, added to `to`.
    fn set_up(&mut self, board: &Board, line: &Line, to: &mut SetUp) {
        match &line.kind {
            LineKind::Place(placements) => {
                for placement in placements {
                    match pieces::placement(self.file, &self.schema, board, placement) {
                        Ok(Some(placed)) => {
                            let span = placement.piece.first().copied().unwrap_or(line.span);
                            to.placed.extend(self.schema.card(placed.piece).map(|_| (placed.piece, span)));
                            to.variant.places.push(placed);
                        }
                        Ok(None) => {}
                        Err(wrong) => self.wrong.push(*wrong),
                    }
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
                "a game file does not say what order comes of shuffling",
                "leave out the colon and what follows: a scenario says it, where it wants to",
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

    /// The zone of a line with a colon, and the cards in it.
    fn laid(&self, board: &Board, zone: &Words, cards: &Words, line: Span) -> Result<(ZoneId, Listed), Misread> {
        let (zone, cards) = (self.words(zone), self.words(cards));
        let names = Names { schema: &self.schema, board };
        let first = zone.first().copied().filter(|first| !self.schema.is_zone(first.text));
        if let Some(first) = first {
            let zones = self.schema.zones.iter().map(|zone| zone.name.as_str());
            let near = did_you_mean(first.text, zones);
            let keyword = || near_keyword(first.text).map(|keyword| format!("did you mean `{keyword}`?"));
            let message = format!("no line of a game file begins with `{}`, and no zone is called so", first.text);
            let help = near.or_else(keyword).unwrap_or_else(|| {
                "what lies in a zone is written `ZONE: CARD …`; no other line has a colon behind its first word".into()
            });
            return Err(Misread::new("unknown_line", first.span, message).help(help));
        }
        let zone = names.whole_zone(&zone, end(&zone, line), "a colon follows the zone: `hand red: …`")?;
        Ok((zone, names.cards(&cards, end(&cards, line))?))
    }

    /// The variant with what holds for all.
    fn whole(&mut self, common: &SetUp, own: SetUp) -> Variant {
        let mut variant = own.variant;
        variant.places = [&common.variant.places[..], &variant.places].concat();
        variant.dealings = [&common.variant.dealings[..], &variant.dealings].concat();
        let pieces = self.schema.pieces.iter().enumerate();
        let pool: Counts =
            pieces.filter_map(|(at, piece)| Some((PieceId::at(at), piece.card.as_ref()?.copies))).collect();
        let mut layout = Layout::new(&self.schema, pool);
        let mut wrong = Vec::new();
        for (card, span) in common.placed.iter().chain(&own.placed) {
            wrong.extend(layout.take(*card, *span).err().map(|misread| self.told(misread)));
        }
        for (zone, line, listed) in common.zones.iter().chain(&own.zones) {
            match layout.said(*zone) {
                None => wrong.extend(layout.line(*zone, *line, listed).into_iter().map(|misread| self.told(misread))),
                Some(first) => {
                    let source = &self.file.source;
                    let message = format!("it is said already what lies in {}", self.schema.zone_name(*zone));
                    let twice = Diagnostic::new("duplicate_line", source, *line, message).also(source, first, "here");
                    wrong.push(twice.help("list all of its cards on one line"));
                }
            }
        }
        variant.laid = layout.laid();
        for wrong in wrong {
            self.once_only(wrong);
        }
        variant
    }

    /// The first deal for which there are not enough cards, even if as few play as can.
    fn short(&self, board: &Arc<Board>, variant: &Variant, lines: &[Span]) -> Option<Diagnostic> {
        if variant.dealings.is_empty() {
            return None;
        }
        let schema = Arc::new(self.schema.clone());
        let kind = |piece: &PieceDef| schema.kinds.get(piece.kind.index()).map_or((1, 1), |kind| kind.size);
        let table = Arc::new(Table {
            board: Arc::clone(board),
            sizes: schema.pieces.iter().map(kind).collect(),
            players: (0..schema.player_count.0).map(PlayerId::at).collect(),
            options: Vec::new(),
            arrows: Vec::new(),
            variant: 0,
            schema: Arc::clone(&schema),
        });
        let mut state = State::new(Arc::clone(&table));
        for placed in &variant.places {
            // Whether pieces lie on one another is judged with those who play.
            let _ = board.cell(&placed.cell).map(|cell| state.put(placed.piece, cell));
        }
        state.lay_out(&variant.laid);
        let mut held: Vec<u64> =
            (0..schema.zones.len()).map(|at| state.zone(ZoneId::at(at)).map_or(0, Zone::len)).collect();
        for (dealing, line) in variant.dealings.iter().zip(lines) {
            let Some(Dealing::Deal { number, from, to }) = dealing.at(&table) else { continue };
            let wanted = u64::from(number) * to.len() as u64;
            let there = held.get(from.index()).copied().unwrap_or(0);
            if there < wanted {
                let players = if to.len() > 1 { format!(" for {} players", to.len()) } else { String::new() };
                let message = format!("this is {wanted} cards{players}, and {} has {there}", schema.zone_name(from));
                let help = "how many there are of each card is its `count` in the data file";
                return Some(Diagnostic::new("too_many_cards", &self.file.source, *line, message).help(help));
            }
            for (zone, cards) in to.iter().map(|to| (*to, u64::from(number))) {
                held.get_mut(zone.index()).into_iter().for_each(|held| *held += cards);
            }
            held.get_mut(from.index()).into_iter().for_each(|held| *held -= wanted);
        }
        None
    }

    /// Note a mistake; of a line for all variants it is found in each.
    fn once_only(&mut self, wrong: Diagnostic) {
        let place = |wrong: &Diagnostic| wrong.labels.first().map(|label| label.span);
        if !self.wrong.iter().any(|other| other.code == wrong.code && place(other) == place(&wrong)) {
            self.wrong.push(wrong);
        }
    }

    fn told(&self, misread: Misread) -> Diagnostic {
        let wrong = Diagnostic::new(misread.code, &self.file.source, misread.span, misread.message);
        misread.help.into_iter().fold(wrong, Diagnostic::help)
    }

    /// The value of a result, its mistake noted.
    fn known<T>(&mut self, read: Result<T, Misread>) -> Option<T> {
        read.map_err(|misread| {
            let wrong = self.told(misread);
            self.wrong.push(wrong);
        })
        .ok()
    }

    fn words(&self, spans: &Words) -> Vec<Word<'_>> {
        spans.iter().map(|span| self.file.source.word(*span)).collect()
    }
}

/// The place behind the last of some words, or behind the line.
fn end(words: &[Word<'_>], line: Span) -> Span {
    let end = words.last().map_or(line.end, |word| word.span.end);
    Span { start: end, end }
}
