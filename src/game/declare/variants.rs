//! Variants and their set-ups: where pieces stand, what lies in zones, and what is shuffled and dealt.

use super::{Declaring, pieces};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::source::{Span, Word};
use crate::syntax::ast::{Line, LineKind, Words};
use crate::syntax::near_keyword;
use crate::table::{Board, Counts, Layout, Listed, Misread, Names, PieceId, Placement, Variant, ZoneId};

/// The lines of a set-up: for all variants, or for one.
#[derive(Clone, Debug, Default)]
struct SetUp {
    variant: Variant,
    /// Where the cards stand that lines place on the board.
    placed: Vec<(PieceId, Span)>,
    /// What lies in zones, each with its line.
    zones: Vec<(ZoneId, Span, Listed)>,
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
        self.schema.variants = own.into_iter().map(|own| self.whole(&common, own)).collect();
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
                to.variant.dealings.extend(self.known(zone).map(crate::table::Dealing::Shuffle));
            }
            LineKind::Deal { number, from, to: into } => {
                let (from, into) = (self.words(from), self.words(into));
                let last = end(&into, line.span);
                let number = [self.file.source.word(*number)];
                let dealing = Names { schema: &self.schema, board }.dealing(&number, &from, &into, last);
                to.variant.dealings.extend(self.known(dealing));
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
        let join = |common: &[Placement], own: Vec<Placement>| [common, &own].concat();
        variant.places = join(&common.variant.places, variant.places);
        variant.dealings = [&common.variant.dealings[..], &variant.dealings].concat();
        let pieces = self.schema.pieces.iter().enumerate();
        let pool: Counts =
            pieces.filter_map(|(at, piece)| Some((PieceId::at(at), piece.card.as_ref()?.copies))).collect();
        let schema = self.schema.clone();
        let mut layout = Layout::new(&schema, pool);
        let mut misread = Vec::new();
        for (card, span) in common.placed.iter().chain(&own.placed) {
            misread.extend(layout.take(*card, *span).err());
        }
        for (zone, line, listed) in common.zones.iter().chain(&own.zones) {
            match layout.said(*zone) {
                None => misread.extend(layout.line(*zone, *line, listed)),
                Some(first) => {
                    let source = &self.file.source;
                    let message = format!("it is said already what lies in {}", schema.zone_name(*zone));
                    let wrong = Diagnostic::new("duplicate_line", source, *line, message).also(source, first, "here");
                    self.once_only(wrong.help("list all of its cards on one line"));
                }
            }
        }
        for misread in misread {
            let wrong = self.told(misread);
            self.once_only(wrong);
        }
        variant.laid = layout.laid();
        variant
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
