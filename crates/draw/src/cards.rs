//! The cards beside a board: a row for each zone.

use maud::{Markup, html};

use super::colours::fill;
use super::layout::size;
use referee_diagnostic::one_line;
use referee_table::{DrawnZone, PlayerId};

/// The height of a card, and of a row of cards.
const HIGH: i32 = 34;
const ROW: i32 = 42;
/// The most cards of a zone that are drawn one by one.
const MOST: usize = 40;

/// Something to draw in a row.
enum Shown {
    Card(String),
    Back(u64),
    Words(String),
}

impl Shown {
    /// Returns its width.
    fn wide(&self) -> i32 {
        match self {
            Self::Card(text) => (14 + 7 * size(text.chars().count())).max(26),
            Self::Back(_) => 40,
            Self::Words(text) => 8 + 7 * size(text.chars().count()),
        }
    }
}

/// Returns the rows of all zones below `top`, at most `wide` pixels wide if their cards can be, and the height that they
/// take.
pub(super) fn rows(zones: &[DrawnZone], players: &[String], top: i32, wide: i32) -> (Markup, i32) {
    let mut y = top;
    let mut drawn = Vec::new();
    for zone in zones {
        y += 10;
        let (name, is_empty) = (one_line(&zone.name), zone.cards.is_empty() && zone.hidden == 0);
        let words = if is_empty { format!("{name}: no cards") } else { name };
        drawn.push(html! { text.left.zone x="8" y=(y) font-size="12" { (words) } });
        y += 12;
        if is_empty {
            continue;
        }
        let mut x = 8;
        for one in shown(zone) {
            if x > 8 && x + one.wide() > wide {
                (x, y) = (8, y + ROW);
            }
            drawn.push(draw(&one, players, zone.player, (x, y)));
            x += one.wide() + 4;
        }
        y += ROW;
    }
    (html! { @for one in &drawn { (one) } }, y - top)
}

fn shown(zone: &DrawnZone) -> Vec<Shown> {
    let text = |(name, count): &(String, u64)| {
        let name = one_line(name);
        Shown::Card(if *count == 1 { name } else { format!("{name} ×{count}") })
    };
    let mut all: Vec<Shown> = zone.cards.iter().take(MOST).map(text).collect();
    if zone.cards.len() > MOST {
        all.push(Shown::Words(format!("and {} more", zone.cards.len() - MOST)));
    }
    all.extend((zone.hidden > 0).then_some(Shown::Back(zone.hidden)));
    all
}

fn draw(one: &Shown, players: &[String], player: Option<PlayerId>, (x, y): (i32, i32)) -> Markup {
    let middle = (x + one.wide() / 2, y + HIGH / 2);
    html! {
        @match one {
            Shown::Card(text) => {
                rect.card.(fill(&[], None)) x=(x) y=(y) width=(one.wide()) height=(HIGH) rx="4" {}
                text.on x=(middle.0) y=(middle.1) font-size="12" { (text) }
            }
            Shown::Back(count) => {
                @let paint = fill(players, player);
                rect.card.(paint) x=(x) y=(y) width="24" height=(HIGH) rx="4" {}
                path.back d=(format!("M{} {}h16v{}h-16z", x + 4, y + 4, HIGH - 8)) {}
                text.left x=(x + 28) y=(middle.1) font-size="12" { "×" (count) }
            }
            Shown::Words(text) => {
                text.left.quiet x=(x) y=(middle.1) font-size="12" { (text) }
            }
        }
    }
}
