//! Zones, and the cards that begin in them.

use std::sync::Arc;

use super::{Declaring, MOST, RESERVED};
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::game::data::{CardData, Deck};
use crate::source::{Source, Span, Spanned};
use crate::syntax::ast::LineKind;
use crate::table::{Card, Each, KindId, PieceDef, PieceKind, PlayerId, Schema, Sight, ZoneDef};

impl Declaring<'_> {
    /// The zones; one `for each player` is as many.
    pub(super) fn zones(&mut self) {
        for line in &self.file.lines {
            let LineKind::Zone { name, each, sight } = line.kind else { continue };
            let more = if each.is_some() { self.schema.players.len() } else { 1 };
            if !self.has_room(self.schema.zones.len() + more.saturating_sub(1), MOST, "zones", line.span) {
                return;
            }
            let text = self.text(name);
            self.name(&text, name);
            let sight = sight.map_or(Sight::Open, |span| self.sight(span));
            match each.map(|span| (self.text(span), span)) {
                None if sight == Sight::Secret => self.advise(
                    "wrong_zone",
                    line.span,
                    "a secret zone is seen by its player, and this one has none",
                    format!("write `zone {text} for each player secret`, or `zone {text} hidden` for a pile that nobody sees"),
                ),
                None => self.schema.zones.push(ZoneDef { name: text, owner: None, sight }),
                Some((each, _)) if each == "player" => {
                    let owners = (0..self.schema.players.len()).map(|at| Some(PlayerId::at(at)));
                    self.schema.zones.extend(owners.map(|owner| ZoneDef { name: text.clone(), owner, sight }));
                }
                Some((each, span)) => self.advise(
                    "unknown_kind",
                    span,
                    format!("there can be a zone for each player, not for each `{each}`"),
                    "write `for each player`",
                ),
            }
        }
    }

    /// Who sees the cards of a zone. A word that says it not is reported, and then is as good as any.
    fn sight(&mut self, span: Span) -> Sight {
        const WORDS: [(&str, Sight); 4] =
            [("open", Sight::Open), ("secret", Sight::Secret), ("hidden", Sight::Hidden), ("pile", Sight::Pile)];
        let text = self.text(span);
        if let Some((_, sight)) = WORDS.iter().find(|(word, _)| *word == text) {
            return *sight;
        }
        let words = || WORDS.iter().map(|(word, _)| *word);
        let help = did_you_mean(&text, words()).unwrap_or_else(|| format!("a zone is one of {}", one_of(words(), 4)));
        self.advise("unknown_value", span, format!("no zone is `{text}`"), help);
        Sight::Hidden
    }

    /// The kinds of cards; the cards themselves are in files.
    pub(super) fn cards(&mut self) {
        for line in &self.file.lines {
            let LineKind::Card { name, zone, .. } = line.kind else { continue };
            if !self.has_room(self.schema.kinds.len(), MOST, "kinds of pieces and cards", line.span) {
                return;
            }
            let text = self.text(name);
            self.name(&text, name);
            let home = zone.map(|span| (self.text(span), span));
            let found = home.as_ref().and_then(|(zone, _)| self.schema.zone(zone, None));
            if let Some((zone, span)) = home.filter(|_| found.is_none()) {
                let shared =
                    || self.schema.zones.iter().filter(|zone| zone.owner.is_none()).map(|zone| zone.name.as_str());
                let help = did_you_mean(&zone, shared()).unwrap_or_else(|| match one_of(shared(), 9) {
                    list if list.is_empty() => format!("declare it: `zone {zone} hidden`"),
                    list => format!("the zones that belong to nobody are {list}"),
                });
                self.advise("unknown_zone", span, format!("cards cannot begin in `{zone}`"), help);
            }
            self.schema.kinds.push(PieceKind { name: text, each: Each::Card, size: (1, 1), home: found });
        }
    }
}

/// Adds the cards of a file to a game; every mistake goes to `wrong`.
pub(in crate::game) fn add_cards(
    schema: &mut Schema,
    kind: KindId,
    source: &Arc<Source>,
    deck: Deck,
    wrong: &mut Vec<Diagnostic>,
) {
    let mut say = |code, span: Span, message: String, help: &str| {
        wrong.push(Diagnostic::new(code, source, span, message).help(help.to_owned()));
    };
    for Spanned { node: name, span } in deck.printed {
        if schema.property(&name).is_some() {
            let message = format!("`{name}` is a flag, counter or property of the game already");
            say("duplicate_name", span, message, "what is printed on cards needs names of its own");
        }
        if !schema.printed.contains(&name) {
            schema.printed.push(name);
        }
    }
    let board = schema.build_board(schema.board);
    for CardData { name, copies, symbol, printed } in deck.cards {
        let Spanned { node: name, span } = name;
        let symbol_span = symbol.as_ref().map_or(span, |symbol| symbol.span);
        let symbol = symbol.map_or_else(|| name.clone(), |symbol| symbol.node);
        let is_cell = |name: &str| board.as_ref().is_ok_and(|board| board.cell(name).is_some());
        if name.is_empty() || name.contains(['"', '{', '}', '\n', ',', '=', ':', '|', '#']) {
            say(
                "wrong_piece",
                span,
                format!("a card cannot be called `{name}`"),
                "a name is made of words, with blanks between them",
            );
        } else if RESERVED.contains(&name.as_str()) || crate::syntax::is_keyword(&name) || name == "…" || name == "..."
        {
            say("reserved_word", span, format!("`{name}` is a word of the language"), "choose another name");
        } else if is_cell(&name) {
            say("duplicate_name", span, format!("`{name}` is the name of a cell"), "choose another name");
        } else if schema.piece(&name).is_some() || schema.player(&name).is_some() || schema.is_zone(&name) {
            say(
                "duplicate_name",
                span,
                format!("something else is called `{name}`"),
                "cards, pieces, players and zones need names of their own; equal cards are one entry with a `count`",
            );
        } else if symbol.is_empty()
            || symbol == "."
            || symbol == "?"
            || symbol.starts_with('(')
            || (symbol != name && symbol.contains(' '))
        {
            say("reserved_word", symbol_span, format!("`{symbol}` cannot be a symbol in drawings"), "choose one word");
        } else if schema.pieces.iter().any(|piece| piece.symbol == symbol) {
            say(
                "duplicate_symbol",
                symbol_span,
                format!("something else has the symbol `{symbol}`"),
                "each card needs a symbol of its own",
            );
        } else if schema.pieces.len() >= MOST {
            say("too_many", span, format!("a game has {MOST} sorts of cards and pieces at most"), "leave some out");
            return;
        } else {
            let card = Some(Card { copies, printed });
            schema.pieces.push(PieceDef { kind, name, symbol, owner: None, number: None, many: copies > 1, card });
        }
    }
}
