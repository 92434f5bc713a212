//! Declares zones, and the cards in them.

use std::sync::Arc;

use super::declaring::{Declaring, KEPT_BY_RULES, MOST, RESERVED};
use crate::data::{CardData, Deck};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Source, Span, Spanned, unwritable};
use referee_syntax::ast::{File, LineKind};
use referee_table::{
    Card, DeclaredKind, Each, KindId, PieceDef, PieceKind, PlayerId, PrintedDef, Schema, Visibility, ZoneDef,
};

impl Declaring<'_> {
    /// Declares the zones; a line `for each player` declares one zone for each.
    pub(super) fn zones(&mut self) {
        for line in &self.file.lines {
            let LineKind::Zone { name, each, visibility } = line.kind else { continue };
            let more = if each.is_some() { self.schema.players.len() } else { 1 };
            if !self.has_room(self.schema.zones.len() + more.saturating_sub(1), MOST, "zones", line.span) {
                return;
            }
            let text = self.text(name);
            self.declares(DeclaredKind::Zone, name, line.span);
            self.name(&text, name);
            let visibility = visibility.map_or(Visibility::Open, |span| self.visibility(span));
            match each.map(|span| (self.text(span), span)) {
                None if visibility == Visibility::Secret => self.advise(
                    Code::WrongZone,
                    line.span,
                    "a secret zone needs a player who sees it",
                    format!("write `zone {text} for each player secret`, or `zone {text} hidden` for cards that no player sees"),
                ),
                None => self.schema.zones.push(ZoneDef { name: text, owner: None, visibility }),
                Some((each, _)) if each == "player" => {
                    let owners = (0..self.schema.players.len()).map(|at| Some(PlayerId::at(at)));
                    self.schema.zones.extend(owners.map(|owner| ZoneDef { name: text.clone(), owner, visibility }));
                }
                Some((each, span)) => self.advise(
                    Code::UnknownKind,
                    span,
                    format!("expected `player`, found `{each}`"),
                    "write `for each player`",
                ),
            }
        }
    }

    /// Returns who sees the cards of a zone. Reports an unknown word, then assumes `Hidden`.
    fn visibility(&mut self, span: Span) -> Visibility {
        const WORDS: [(&str, Visibility); 4] = [
            ("open", Visibility::Open),
            ("secret", Visibility::Secret),
            ("hidden", Visibility::Hidden),
            ("pile", Visibility::Pile),
        ];
        let text = self.text(span);
        if let Some((_, visibility)) = WORDS.iter().find(|(word, _)| *word == text) {
            return *visibility;
        }
        let words = || WORDS.iter().map(|(word, _)| *word);
        let help = did_you_mean(&text, words()).unwrap_or_else(|| format!("write one of {}", one_of(words(), 4)));
        self.advise(Code::UnknownValue, span, format!("unknown kind of zone `{text}`"), help);
        Visibility::Hidden
    }

    /// Declares the kinds of cards; the cards themselves are in files.
    pub(super) fn cards(&mut self) {
        for line in &self.file.lines {
            let LineKind::Card { name, zone, .. } = line.kind else { continue };
            if !self.has_room(self.schema.kinds.len(), MOST, "kinds of pieces and cards", line.span) {
                return;
            }
            let text = self.text(name);
            self.declares(DeclaredKind::Kind, name, line.span);
            self.name(&text, name);
            let home = zone.map(|span| (self.text(span), span));
            let found = home.as_ref().and_then(|(zone, _)| self.schema.zone(zone, None));
            if let Some((zone, span)) = home.filter(|_| found.is_none()) {
                let shared =
                    || self.schema.zones.iter().filter(|zone| zone.owner.is_none()).map(|zone| zone.name.as_str());
                let help = did_you_mean(&zone, shared()).unwrap_or_else(|| match one_of(shared(), 9) {
                    list if list.is_empty() => format!("declare it: `zone {zone} hidden`"),
                    list => format!("write a zone without an owner: {list}"),
                });
                self.advise(Code::UnknownZone, span, format!("cards cannot be in `{zone}` at the start"), help);
            }
            self.schema.kinds.push(PieceKind { name: text, each: Each::Card, size: (1, 1), home: found });
        }
    }
}

/// Returns the error for a value of cards with the name of a flag, counter or property, which has its own line.
fn same_name(source: &Arc<Source>, declared: &File, name: &str, span: Span) -> Diagnostic {
    let lines = declared.lines.iter();
    let first = lines.filter_map(|line| match &line.kind {
        LineKind::Flag { name, .. } => Some((*name, "flag")),
        LineKind::Counter { name, .. } => Some((*name, "counter")),
        LineKind::Property { name, .. } => Some((*name, "property")),
        LineKind::Resource { names, .. } => {
            let own = names.iter().find(|own| declared.source.word(**own).text == name);
            own.map(|own| (*own, "resource"))
        }
        _ => None,
    });
    let first = first.into_iter().find(|(at, _)| declared.source.word(*at).text == name);
    let what = first.map_or("property", |(_, what)| what);
    let message = format!("`{name}` is already a {what} of the game");
    let help = format!("choose another name for one of them, for example `printed_{name}` here");
    let wrong =
        Diagnostic::new(Code::DuplicateName, source, span, message).label("a value printed on cards").help(help);
    match first {
        Some((at, what)) => wrong.also(&declared.source, at, format!("the {what}")),
        None => wrong,
    }
}

/// Adds the cards of a file to a game; adds all errors to `wrong`.
pub(crate) fn add_cards(
    schema: &mut Schema,
    kind: KindId,
    (source, declared): (&Arc<Source>, &File),
    deck: Deck,
    wrong: &mut Vec<Diagnostic>,
) {
    let taken = deck.printed.iter().filter(|(name, _)| schema.property(&name.node).is_some());
    wrong.extend(taken.map(|(name, _)| same_name(source, declared, &name.node, name.span)));
    for (Spanned { node: name, span }, kind) in deck.printed {
        if KEPT_BY_RULES.contains(&name.as_str()) {
            let message = format!("`{name}` is a reserved word of Rhai, so rules could not read it");
            let reserved = Diagnostic::new(Code::ReservedWord, source, span, message);
            wrong.push(reserved.help("choose another name for this value of cards"));
        }
        match schema.printed.iter_mut().find(|other| other.name == name) {
            Some(other) if other.kind != kind => other.kind = None,
            Some(_) => {}
            None => schema.printed.push(PrintedDef { name, kind }),
        }
    }
    let board = schema.build_board(&schema.board);
    for (CardData { name, copies, symbol, printed, .. }, number) in deck.cards.into_iter().flat_map(one_by_one) {
        let Spanned { node: name, span } = name;
        let symbol_span = symbol.as_ref().map_or(span, |symbol| symbol.span);
        let symbol = symbol.map_or_else(|| name.clone(), |symbol| symbol.node);
        let is_cell = board.as_ref().is_ok_and(|board| board.cell(&name).is_some());
        if let Some(name) = wrong_name(schema, &name, is_cell) {
            wrong.push(name.at(source, span));
        } else if let Some(symbol) = wrong_symbol(schema, &name, &symbol) {
            wrong.push(symbol.at(source, symbol_span));
        } else if schema.pieces.len() >= MOST {
            let message = format!("a game has at most {MOST} different cards and pieces");
            wrong.push(Diagnostic::new(Code::TooMany, source, span, message).help("remove some"));
            return;
        } else {
            let card = Some(Card { copies, printed });
            schema.pieces.push(PieceDef { kind, name, symbol, owner: None, number, many: copies > 1, card });
        }
    }
}

/// Returns the cards of an entry of a data file, each with its number: a card for each copy if they are numbered.
fn one_by_one(card: CardData) -> Vec<(CardData, Option<i64>)> {
    if !card.numbered {
        return vec![(card, None)];
    }
    let with = |text: &Spanned<String>, number: u32| Spanned::new(format!("{} {number}", text.node), text.span);
    let symbol = |text: &Spanned<String>, number: u32| Spanned::new(format!("{}{number}", text.node), text.span);
    let numbered = |number: u32| CardData {
        name: with(&card.name, number),
        copies: 1,
        numbered: true,
        symbol: card.symbol.as_ref().map(|text| symbol(text, number)),
        printed: card.printed.clone(),
    };
    (1..=card.copies).map(|number| (numbered(number), Some(i64::from(number)))).collect()
}

/// Returns the error in the name of a card, without its location.
fn wrong_name(schema: &Schema, name: &str, is_cell: bool) -> Option<Diagnostic> {
    let wrong = |code, message: &str, help| Some(Diagnostic::general(code, format!("`{name}` {message}")).help(help));
    if name.is_empty() {
        wrong(Code::WrongPiece, "cannot be the name of a card", "write words with spaces between them")
    } else if let Some(why) = unwritable(name) {
        let is_line = name.contains(['\n', '\r']);
        let help = if is_line {
            "write the name on one line"
        } else {
            "write the name again, by hand: it may come from copied text"
        };
        Some(Diagnostic::general(Code::WrongPiece, format!("this cannot be the name of a card: it {why}")).help(help))
    } else if RESERVED.contains(&name) || referee_syntax::is_keyword(name) || name == "…" || name == ".." {
        wrong(Code::ReservedWord, "is a word of the language", "choose another name")
    } else if is_cell {
        wrong(Code::DuplicateName, "is the name of a cell", "choose another name")
    } else if schema.pieces.iter().any(|piece| piece.name == name)
        || schema.player(name).is_some()
        || schema.is_zone(name)
        || is_long_name(schema, name)
    {
        let help = "choose another name; for equal cards write one entry with a `count`";
        wrong(Code::DuplicateName, "is already the name of something else", help)
    } else {
        None
    }
}

/// Returns the error in the symbol of a card, without its location.
fn wrong_symbol(schema: &Schema, name: &str, symbol: &str) -> Option<Diagnostic> {
    // A name that is not one word is in quotes.
    let is_odd = symbol == "." || symbol == "?" || symbol.starts_with('(') || symbol.contains(' ');
    if symbol.is_empty() || (symbol != name && is_odd) {
        let message = format!("`{symbol}` cannot be a symbol in diagrams");
        Some(Diagnostic::general(Code::ReservedWord, message).help("choose one word"))
    } else if schema.pieces.iter().any(|piece| piece.symbol == symbol) {
        let help = "give each card a different symbol";
        Some(Diagnostic::general(Code::DuplicateSymbol, format!("the symbol `{symbol}` is already in use")).help(help))
    } else {
        None
    }
}

/// Returns whether lines call a piece so, by its player and its kind: `red king`, which may also be `red`.
fn is_long_name(schema: &Schema, name: &str) -> bool {
    schema.pieces.iter().filter(|piece| piece.card.is_none()).any(|piece| {
        let player = piece.owner.map(|player| schema.player_name(player));
        player.and_then(|player| name.strip_prefix(player)?.strip_prefix(' ')) == Some(schema.kind_name(piece.kind))
    })
}
