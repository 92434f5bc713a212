//! Builds the lines of a game file, and of positions in both kinds of file, from their tokens.
//!
//! Each function returns `None` if a number in the line is unusable.

use super::ast::{BoardShape, Chequered, Faces, FormPart, LineKind, Piece, Placement, Stacks};
use super::grammar::Rule;
use super::tokens::Tokens;
use referee_source::Span;

pub(super) fn game(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Game { id: tokens.place()?, title: tokens.place() })
}

pub(super) fn house(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::House { name: tokens.place()?, title: tokens.place() })
}

pub(super) fn rules(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Rules(tokens.place()?))
}

pub(super) fn rulebook(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Rulebook(tokens.place()?))
}

pub(super) fn arrows(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Arrows(tokens.place()?))
}

pub(super) fn variant(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Variant { name: tokens.place()?, title: tokens.place() })
}

pub(super) fn directions(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let count = tokens.place()?;
    let count = tokens.number(count)?;
    let sense = tokens.place()?;
    tokens.take(Rule::from)?;
    Some(LineKind::Directions { count, sense, from: tokens.place()? })
}

pub(super) fn die(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let name = tokens.take(Rule::name);
    let count = match tokens.take(Rule::dice) {
        Some(count) => Some(tokens.number(count)?),
        None => None,
    };
    let faces = match tokens.take(Rule::range) {
        Some(range) => Faces::Range(tokens.numbers(range)?),
        None => Faces::Listed(tokens.run(&[Rule::face])),
    };
    Some(LineKind::Die { name, count, faces, sight: tokens.take(Rule::die_sight) })
}

pub(super) fn card(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let name = tokens.place()?;
    tokens.take(Rule::from)?;
    let file = tokens.place()?;
    Some(LineKind::Card { name, file, zone: tokens.take(Rule::within).and_then(|_| tokens.place()) })
}

pub(super) fn zone(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Zone { name: tokens.place()?, each: tokens.take(Rule::owner), visibility: tokens.place() })
}

pub(super) fn with(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    if tokens.take(Rule::house).is_some() {
        return Some(LineKind::WithHouse(tokens.place()?));
    }
    let name = tokens.place()?;
    tokens.take(Rule::equals)?;
    Some(LineKind::With { name, value: tokens.place()? })
}

pub(super) fn flag(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let (name, each) = (tokens.place()?, tokens.run(&[Rule::holder]));
    Some(LineKind::Flag { name, each, sight: tokens.take(Rule::sight) })
}

pub(super) fn property(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let (name, each, kind) = (tokens.place()?, tokens.run(&[Rule::holder]), tokens.place()?);
    let (in_drawings, sight) = (tokens.take(Rule::in_drawings), tokens.take(Rule::sight));
    Some(LineKind::Property { name, each, kind, in_drawings, sight })
}

pub(super) fn ask(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Ask { form: form(tokens), sight: tokens.take(Rule::ask_sight), title: tokens.place() })
}

pub(super) fn event(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Event { form: form(tokens), title: tokens.place() })
}

pub(super) fn board(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Board { shape: shape(tokens)?, rows: Vec::new() })
}

pub(super) fn piece(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Piece(piece_parts(tokens)?))
}

pub(super) fn place(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Place(placements(tokens)))
}

pub(super) fn arrow(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Arrow(arrow_pairs(tokens)))
}

pub(super) fn clause(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Clause(tokens.words()))
}

pub(super) fn symmetry(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Symmetry(tokens.words()))
}

pub(super) fn set(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    Some(LineKind::Set(tokens.words()))
}

pub(super) fn shuffle(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let (zone, order) = tokens.words_at_colon();
    Some(LineKind::Shuffle { zone, order })
}

pub(super) fn deal(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let number = tokens.place()?;
    tokens.take(Rule::from)?;
    let from = tokens.run(&[Rule::dealt_word]);
    tokens.take(Rule::to)?;
    Some(LineKind::Deal { number, from, to: tokens.words() })
}

pub(super) fn counter(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let [record, clock] = [Rule::record, Rule::clock].map(|rule| tokens.take(rule).is_some());
    let (name, each) = (tokens.place()?, tokens.run(&[Rule::holder]));
    let initial = match tokens.take(Rule::equals).and_then(|_| tokens.place()) {
        Some(number) => Some(tokens.number(number)?),
        None => None,
    };
    Some(LineKind::Counter { name, each, initial, record, clock, sight: tokens.take(Rule::sight) })
}

pub(super) fn resource(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let (names, each) = (tokens.run(&[Rule::resource_name]), tokens.run(&[Rule::holder]));
    let initial = match tokens.take(Rule::equals).and_then(|_| tokens.place()) {
        Some(number) => Some(tokens.number(number)?),
        None => None,
    };
    let supply = match tokens.take(Rule::supply).and_then(|_| tokens.place()) {
        Some(number) => Some(tokens.number(number)?),
        None => None,
    };
    Some(LineKind::Resource { names, each, initial, supply, sight: tokens.take(Rule::seen_by) })
}

pub(super) fn option(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let name = tokens.place()?;
    tokens.take(Rule::equals)?;
    let mut values = tokens.run(&[Rule::value]);
    let mut range = None;
    if let Some(number) = tokens.take(Rule::number) {
        tokens.number(number)?;
        values.push(number);
        tokens.take(Rule::within)?;
        let numbers = tokens.place()?;
        range = Some(tokens.numbers(numbers)?);
    }
    Some(LineKind::Option { name, values, range, title: tokens.place() })
}

pub(super) fn players(tokens: &mut Tokens<'_>) -> Option<LineKind> {
    let count = match tokens.take(Rule::count) {
        Some(count) => Some(tokens.numbers(count)?),
        None => None,
    };
    Some(LineKind::Players { count, names: tokens.run(&[Rule::name]) })
}

/// Returns the shape of a board, if there is one; the outer `None` means an unusable number.
fn shape(tokens: &mut Tokens<'_>) -> Option<Option<BoardShape>> {
    let Some(span) = tokens.span() else { return Some(None) };
    let mut shape = BoardShape {
        span,
        kind: None,
        size: None,
        margin: None,
        chequered: None,
        stacks: None,
        file: None,
        without: Vec::new(),
        with: Vec::new(),
    };
    while let Some((rule, span)) = tokens.next() {
        match rule {
            Rule::size => {
                let (columns, rows) = tokens.size(span)?.node;
                shape.size = Some((columns, Some(rows)));
            }
            Rule::number => shape.size = Some((tokens.number(span)?.node, None)),
            Rule::margin => {
                let width = tokens.place()?;
                shape.margin = Some(tokens.number(width)?.node);
            }
            Rule::chequered => {
                let dark = tokens.take(Rule::dark).and_then(|_| tokens.place());
                shape.chequered = Some(Chequered { span: dark.map_or(span, |dark| span.to(dark)), dark });
            }
            Rule::stacks => {
                let cells = tokens.words();
                let on = cells.first().zip(cells.last()).map(|(first, last)| first.to(*last));
                shape.stacks = Some(Stacks { span: on.map_or(span, |on| span.to(on)), on });
            }
            Rule::from => shape.file = tokens.place(),
            Rule::without => shape.without = tokens.run(&[Rule::hole]),
            Rule::with_places => shape.with = tokens.run(&[Rule::place_kind]),
            _ => shape.kind = Some(span),
        }
    }
    Some(Some(shape))
}

fn piece_parts(tokens: &mut Tokens<'_>) -> Option<Piece> {
    let name = tokens.run(&[Rule::piece_word]);
    let mut piece = Piece { name, numbers: None, each: None, size: None, symbols: Vec::new() };
    while let Some((rule, span)) = tokens.next() {
        match rule {
            Rule::range => piece.numbers = Some(tokens.numbers(span)?),
            Rule::owner => piece.each = Some(span),
            Rule::size => piece.size = Some(tokens.size(span)?),
            _ => piece.symbols = tokens.words(),
        }
    }
    Some(piece)
}

fn placements(tokens: &mut Tokens<'_>) -> Vec<Placement> {
    let mut placements = Vec::new();
    loop {
        let piece = tokens.run(&[Rule::place_word]);
        if piece.is_empty() {
            return placements;
        }
        let at = if tokens.take(Rule::at).is_some() { Some(tokens.run(&[Rule::cell_word])) } else { None };
        tokens.take(Rule::off);
        let face_down = tokens.take(Rule::face_down).is_some();
        tokens.take(Rule::comma);
        placements.push(Placement { piece, at, face_down });
    }
}

fn arrow_pairs(tokens: &mut Tokens<'_>) -> Vec<(Span, Span)> {
    let mut arrows = Vec::new();
    if tokens.take(Rule::no_arrow).is_some() {
        return arrows;
    }
    while let Some(from) = tokens.take(Rule::word) {
        tokens.take(Rule::leads_to);
        arrows.extend(tokens.place().map(|to| (from, to)));
        tokens.take(Rule::comma);
    }
    arrows
}

/// Returns the parts of a form, up to its title or the end of its brackets.
fn form(tokens: &mut Tokens<'_>) -> Vec<FormPart> {
    let mut parts = Vec::new();
    loop {
        if let Some(word) = tokens.take(Rule::form_word) {
            parts.push(FormPart::Word(word));
        } else if let Some(kind) = tokens.take(Rule::kind) {
            parts.push(FormPart::Kind(kind));
        } else if let Some(open) = tokens.take(Rule::open) {
            let inner = form(tokens);
            let close = tokens.take(Rule::close).unwrap_or(open);
            parts.push(FormPart::Optional(inner, open.to(close)));
        } else {
            return parts;
        }
    }
}
