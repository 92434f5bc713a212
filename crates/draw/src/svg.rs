//! The picture of a position.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};

use super::cards;
use super::colours::{STYLE, fill, text_on};
use super::description::{description, symbol};
use super::layout::{HALF, Layout, Second, UNIT, size};
use super::picture::Picture;
use referee_diagnostic::one_line;
use referee_table::{Cell, DrawnCell, DrawnPiece, Lying, PieceId, Shape, run_in, times};

/// The least width of a picture with cards or words beside the board.
const LEAST: i32 = 320;

/// Returns a picture as a file of its own, with its style.
#[must_use]
pub fn picture_file(picture: &Picture<'_>) -> String {
    let style = html! { style { (PreEscaped(STYLE)) } };
    format!("{}\n", draw(picture, &style).into_string())
}

/// Returns a picture for a page that has [`STYLE`] in its own style.
#[must_use]
pub fn picture(picture: &Picture<'_>) -> Markup {
    draw(picture, &html! {})
}

fn draw(picture: &Picture<'_>, style: &Markup) -> Markup {
    let layout = Layout::of(picture.board);
    let words = beside(picture);
    let narrow = if words.is_empty() && picture.zones.is_empty() { 0 } else { LEAST };
    let width = layout.width.max(narrow);
    let (zones, used) = cards::rows(picture.zones, picture.players, layout.height, width);
    let first = layout.height + used + 10;
    let height = layout.height + used + 18 * size(words.len()) + if words.is_empty() { 0 } else { 8 };
    let (title, desc) = (format!("{}-title", picture.id), format!("{}-desc", picture.id));
    html! {
        svg.board xmlns="http://www.w3.org/2000/svg" width=(width) height=(height.max(1)) viewBox=(format!("0 0 {width} {}", height.max(1)))
            role="img" aria-labelledby=(title) aria-describedby=(desc) {
            title id=(title) { (one_line(picture.title)) }
            desc id=(desc) { (description(picture)) }
            (style)
            rect.paper width=(width) height=(height.max(1)) {}
            (board(&layout, picture))
            (zones)
            @for (at, line) in words.iter().enumerate() {
                text.left.quiet x="8" y=(first + 18 * size(at)) font-size="12" { (one_line(line)) }
            }
        }
    }
}

/// Returns the lines below the board.
fn beside(picture: &Picture<'_>) -> Vec<String> {
    let off = (!picture.off.is_empty()).then(|| format!("off the board: {}", picture.off.join(", ")));
    // The arrows of a track are drawn, and so are the pieces on places of a second kind, and what cells have.
    // A place of a second kind has no room for what it has.
    let beyond = picture.board.places.iter().any(|place| !place.cell.held.is_empty());
    let of_cells = |note: &str| note.starts_with("amounts:") && !beyond;
    let is_drawn = |note: &&String| note.starts_with("arrows:") || note.starts_with("places:") || of_cells(note);
    let notes = picture.board.notes.iter().filter(|note| !is_drawn(note)).cloned();
    notes.chain(off).collect()
}

fn board(layout: &Layout<'_>, picture: &Picture<'_>) -> Markup {
    let real = || layout.spots.iter().filter(|spot| spot.cell.cell.is_some());
    let edges: String = real().map(|spot| layout.outline((spot.x, spot.y), 0)).collect();
    let dark: String = real().filter(|spot| spot.cell.dark).map(|spot| layout.outline((spot.x, spot.y), 0)).collect();
    let arrows = picture.board.arrows.iter();
    html! {
        @if matches!(layout.shape, Shape::Rings | Shape::Graph) && !layout.ways.is_empty() {
            path.track d=(layout.ways.join("")) {}
        }
        @if !edges.is_empty() {
            path.cells d=(edges) {}
        }
        @if !dark.is_empty() {
            path.dark d=(dark) {}
        }
        @if layout.shape == Shape::Track {
            path.track d=(layout.way()) {}
        }
        @for label in &layout.labels {
            text.quiet x=(label.x) y=(label.y) font-size="13" { (one_line(label.text)) }
        }
        @if layout.shape != Shape::Squares {
            @for spot in real() {
                @let (x, y) = match layout.shape {
                    Shape::Hexagons => (spot.x, spot.y + 16),
                    Shape::Rings | Shape::Graph => (spot.x, spot.y + 22),
                    Shape::Squares | Shape::Track => (spot.x - 11, spot.y - 13),
                };
                text.quiet.name x=(x) y=(y) font-size="9" { (one_line(&spot.cell.name)) }
            }
        }
        @for (from, to) in arrows {
            (arrow(layout, &[*from], &[*to], ("fixed", "tip")))
        }
        (pieces(layout, picture))
        @for spot in real().filter(|spot| !spot.cell.held.is_empty()) { (held(spot.cell, (spot.x, spot.y), layout.shape)) }
        @for second in &layout.seconds { (on_second(second, picture.players)) }
        @for spot in real().filter(|spot| spot.cell.marked) {
            path.mark d=(layout.outline((spot.x, spot.y), 2)) {}
            path.corner d=(format!("M{} {}h9l-9 9z", spot.x - HALF + 3, spot.y - if layout.shape == Shape::Hexagons { 10 } else { HALF - 3 })) {}
        }
        @for second in layout.seconds.iter().filter(|second| second.cell.marked) {
            path.mark d=(second.outline()) {}
        }
        @for one in picture.moves {
            (arrow(layout, &one.from, &one.to, ("way", "head")))
        }
    }
}

/// A piece: the cells that it covers, as the box about them.
struct Lain<'d> {
    piece: &'d DrawnPiece,
    text: String,
    cells: Vec<(i32, i32)>,
    /// The middles of its leftmost, topmost, rightmost and lowest cells.
    bounds: [i32; 4],
}

impl<'d> Lain<'d> {
    fn new(piece: &'d DrawnPiece, text: String, (x, y): (i32, i32)) -> Self {
        Self { piece, text, cells: vec![(x, y)], bounds: [x, y, x, y] }
    }

    fn add(&mut self, (x, y): (i32, i32)) {
        let [left, top, right, bottom] = self.bounds;
        self.cells.push((x, y));
        self.bounds = [left.min(x), top.min(y), right.max(x), bottom.max(y)];
    }

    /// Returns whether the cells fill the box about them. A wrong diagram may draw them apart.
    fn is_whole(&self) -> bool {
        let [left, top, right, bottom] = self.bounds;
        // A margin between cells adds less than a cell.
        size(self.cells.len()) == ((right - left) / UNIT + 1) * ((bottom - top) / UNIT + 1)
    }
}

fn pieces(layout: &Layout<'_>, picture: &Picture<'_>) -> Markup {
    let mut single = Vec::new();
    let mut large: BTreeMap<PieceId, Lain<'_>> = BTreeMap::new();
    // A hole of the board has nothing on it.
    for spot in layout.spots.iter().filter(|spot| spot.cell.cell.is_some() || spot.cell.text != "-") {
        let Some(piece) = spot.cell.piece.as_deref() else {
            // A diagram without a position has only texts.
            single.extend(bare(&spot.cell.text, &spot.cell.name).then(|| {
                html! {
                    text x=(spot.x) y=(spot.y) font-size="16" { (one_line(&spot.cell.text)) }
                }
            }));
            continue;
        };
        let (text, at) = (symbol(&spot.cell.text, piece.lying), (spot.x, spot.y));
        if !spot.cell.below.is_empty() {
            single.push(stack((piece, &spot.cell.below), &text, at, (layout.shape, picture.players)));
            continue;
        }
        match piece.whole {
            Some(id) => match large.get_mut(&id) {
                Some(lain) => lain.add(at),
                None => drop(large.insert(id, Lain::new(piece, text, at))),
            },
            None => single.push(lone(piece, &text, at, (layout.shape, picture.players))),
        }
    }
    html! {
        @for one in large.values() { (whole(layout, one, picture.players)) }
        @for one in &single { (one) }
    }
}

/// Draws the piece on a place of a second kind.
fn on_second(second: &Second<'_>, players: &[String]) -> Markup {
    let Some(piece) = second.cell.piece.as_deref() else { return html! {} };
    let paint = fill(players, piece.player);
    html! {
        g {
            path.piece.(paint) d=(second.outline()) {}
            (inscribed(&symbol(&second.cell.text, piece.lying), second.at, 12, 10, text_on(&paint)))
        }
    }
}

/// Returns whether a text without a piece is worth writing: neither an empty cell nor its number.
fn bare(text: &str, name: &str) -> bool {
    !text.is_empty() && text != "." && text != name
}

/// Draws a piece that may cover several cells.
fn whole(layout: &Layout<'_>, one: &Lain<'_>, players: &[String]) -> Markup {
    if one.cells.len() == 1 || layout.shape == Shape::Hexagons || !one.is_whole() {
        return html! { @for at in &one.cells { (lone(one.piece, &one.text, *at, (layout.shape, players))) } };
    }
    let [left, top, right, bottom] = one.bounds;
    let (wide, high) = (right - left + UNIT - 6, bottom - top + UNIT - 6);
    let paint = fill(players, one.piece.player);
    let middle = (left.midpoint(right), top.midpoint(bottom));
    html! {
        g {
            rect.piece.(paint) x=(left - HALF + 3) y=(top - HALF + 3) width=(wide) height=(high) rx="8" {}
            (inscribed(&one.text, middle, (wide - 8).min(120), 32, text_on(&paint)))
        }
    }
}

/// Draws the piece on one cell.
fn lone(piece: &DrawnPiece, text: &str, (x, y): (i32, i32), (shape, players): (Shape, &[String])) -> Markup {
    let paint = fill(players, piece.player);
    // The name of a hexagon has its lower corner.
    let (y, radius) = if shape == Shape::Hexagons { (y - 4, 14) } else { (y, 15) };
    html! {
        @match piece.lying {
            Lying::Piece => g {
                circle.piece.(paint) cx=(x) cy=(y) r=(radius) {}
                (inscribed(text, (x, y), 24, 18, text_on(&paint)))
            },
            Lying::Card => g {
                rect.card.(paint) x=(x - 17) y=(y - 17) width="34" height="34" rx="4" {}
                (inscribed(text, (x, y), 32, 16, text_on(&paint)))
            },
            Lying::FaceDown => g {
                rect.card.(paint) x=(x - 17) y=(y - 17) width="34" height="34" rx="4" {}
                rect.back x=(x - 13) y=(y - 13) width="26" height="26" {}
                path.weave d=(format!("M{0} {1}l26 26M{0} {2}l26 -26", x - 13, y - 13, y + 13)) {}
                (inscribed(text, (x, y), 24, 16, "over"))
            },
        }
    }
}

/// The most pieces of a stack below the top one that are drawn.
const MOST_BELOW: usize = 4;

/// Draws pieces on each other, each a little higher than the one below it: the top one with its symbol, and the number of all.
fn stack(
    (top, below): (&DrawnPiece, &[(DrawnPiece, usize)]),
    text: &str,
    (x, y): (i32, i32),
    (shape, players): (Shape, &[String]),
) -> Markup {
    let total: usize = 1 + below.iter().map(|(_, count)| count).sum::<usize>();
    let all = below.iter().flat_map(|(piece, count)| std::iter::repeat_n(piece, *count));
    let mut lower: Vec<&DrawnPiece> = all.take(MOST_BELOW).collect();
    lower.reverse();
    let (y, radius) = if shape == Shape::Hexagons { (y - 4, 12) } else { (y, 13) };
    let lowest = y + 2 * size(lower.len());
    let paint = fill(players, top.player);
    let (first, is_number) = (top_symbol(text), text.parse::<usize>().is_ok());
    let middle = (x, lowest - 4 * size(lower.len()));
    html! {
        g {
            @for (level, piece) in lower.iter().enumerate() {
                circle.piece.(fill(players, piece.player)) cx=(x) cy=(lowest - 4 * size(level)) r=(radius) {}
            }
            circle.piece.(paint) cx=(middle.0) cy=(middle.1) r=(radius) {}
            (inscribed(first, middle, 22, 16, text_on(&paint)))
            @if !is_number {
                text.quiet.count x=(x + 14) y=(y + 15) font-size="9" { (total) }
            }
        }
    }
}

/// Returns the symbol of the top piece in the text of a stack: `w` of `wx2/b`.
fn top_symbol(text: &str) -> &str {
    let first = text.split_once('/').map_or(text, |(first, _)| first);
    run_in(first).map_or(first, |(symbol, _)| symbol)
}

/// Returns the size of letters of a text that is to fit into a width.
fn font(text: &str, wide: i32, largest: i32) -> i32 {
    (wide * 10 / (6 * size(text.chars().count()).max(1))).clamp(6, largest)
}

/// Draws what a cell has of resources: at its lower edge, or above a place of a graph, whose name is below it.
fn held(cell: &DrawnCell, (x, y): (i32, i32), shape: Shape) -> Markup {
    let amount = times_sign(&cell.held);
    let letters = font(&amount, UNIT - 2, 9);
    let y = match shape {
        Shape::Rings | Shape::Graph => y - 24,
        // The name of a hexagon has its lower corner.
        Shape::Hexagons => y - 16,
        Shape::Squares | Shape::Track => y + HALF - 6,
    };
    let wide = size(amount.chars().count()) * letters * 6 / 10 + 2;
    html! {
        rect.paper x=(x - wide / 2) y=(y - 5) width=(wide) height="10" rx="2" {}
        text x=(x) y=(y) font-size=(letters) { (one_line(&amount)) }
    }
}

/// Returns an amount, `ore x3 wool`, with the signs of print: `ore ×3, wool`.
fn times_sign(amount: &str) -> String {
    let mut words = String::new();
    for word in amount.split(' ') {
        match times(word) {
            Some(count) => words.push_str(&format!(" ×{count}")),
            None if words.is_empty() => words.push_str(word),
            None => words.push_str(&format!(", {word}")),
        }
    }
    words
}

/// Writes a symbol as large as it fits; a player before a long one has a line of its own.
fn inscribed(text: &str, (x, y): (i32, i32), wide: i32, largest: i32, class: &str) -> Markup {
    let font = |text: &str| font(text, wide, largest);
    let text = one_line(text);
    html! {
        @match text.split_once(':').filter(|_| text.chars().count() > 4) {
            Some((player, symbol)) => {
                text.symbol.(class) x=(x) y=(y - 7) font-size=(font(player).min(10)) { (player) ":" }
                text.symbol.(class) x=(x) y=(y + 6) font-size=(font(symbol)) { (symbol) }
            }
            None => { text.symbol.(class) x=(x) y=(y) font-size=(font(&text)) { (text) } }
        }
    }
}

/// Draws an arrow from the middle of some cells to that of others.
fn arrow(layout: &Layout<'_>, from: &[Cell], to: &[Cell], (line, head): (&str, &str)) -> Markup {
    let (Some(from), Some(to)) = (layout.middle(from), layout.middle(to)) else { return html! {} };
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    // `hypot` may differ in its last bit from system to system; these operations do not.
    let length = (dx * dx + dy * dy).sqrt();
    if length < 1.0 {
        return html! {};
    }
    let (ux, uy) = (dx / length, dy / length);
    // The head ends at the edge of the symbol, so that both can be read.
    let tip = (f64::from(to.0) - ux * 9.0, f64::from(to.1) - uy * 9.0);
    let neck = (tip.0 - ux * 11.0, tip.1 - uy * 11.0);
    let start = (f64::from(from.0) + ux * 6.0, f64::from(from.1) + uy * 6.0);
    let side = |by: f64| (neck.0 - uy * by, neck.1 + ux * by);
    let point = |(x, y): (f64, f64)| format!("{} {}", x.round() as i32, y.round() as i32);
    let shaft = format!("M{}L{}", point(start), point(neck));
    let corners = [tip, side(7.0), side(-7.0)].map(point).join("L");
    html! {
        @if line == "way" { path.halo d=(shaft) {} }
        path.(line) d=(shaft) {}
        path.(head) d=(format!("M{corners}z")) {}
    }
}
