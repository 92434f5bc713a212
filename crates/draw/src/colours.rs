//! Colours: those of Okabe and Ito, which people with any kind of colour vision can distinguish.

use referee_table::PlayerId;

/// The names of the colours, in the order of the classes `c0`, `c1` …
const NAMES: [&[&str]; 9] = [
    &["red"],
    &["blue"],
    &["green"],
    &["yellow"],
    &["orange"],
    &["purple", "pink"],
    &["cyan", "sky"],
    &["black", "dark"],
    &["white", "light"],
];

/// The style of pictures. In a page it is given once.
pub const STYLE: &str = "\
.board{--paper:#fff;--cell:#f4f1ea;--dark:#d2c6ad;--line:#6b6b6b;--ink:#1a1a1a;--quiet:#565656;--arrow:#005a8f;--plain:#c4c4c4;\
--back:#5c5c5c;font-family:sans-serif;max-width:100%;height:auto}\
.board .paper{fill:var(--paper)}.board .cells{fill:var(--cell);stroke:var(--line)}\
.board .dark{fill:var(--dark);stroke:var(--line)}.board .edge{fill:none;\
stroke:var(--ink);stroke-width:2}\
.board text{fill:var(--ink);text-anchor:middle;dominant-baseline:central}.board .quiet{fill:var(--quiet)}\
.board .left{text-anchor:start}\
.board .piece{stroke:var(--ink);stroke-width:1.5}.board .card{stroke:var(--ink);stroke-width:1.5}\
.board .back{fill:var(--back);stroke:var(--ink);stroke-width:1.5}.board .weave{fill:none;stroke:#fff;stroke-opacity:.4}\
.board text.on{fill:#000}.board text.over{fill:#fff}\
.board .mark{fill:none;stroke:var(--ink);stroke-width:3;stroke-dasharray:6 3}.board .corner{fill:var(--ink)}\
.board .halo{fill:none;stroke:var(--paper);stroke-width:7;stroke-linejoin:round}.board .way{fill:none;\
stroke:var(--arrow);stroke-width:3}.board .head{fill:var(--arrow);stroke:var(--paper)}\
.board .track{fill:none;stroke:var(--line);stroke-width:6;stroke-opacity:.35}\
.board .fixed{fill:none;stroke:var(--quiet);stroke-width:2;stroke-dasharray:2 3}.board .tip{fill:var(--quiet)}\
.board .plain{fill:var(--plain)}.board .c0{fill:#d55e00}.board .c1{fill:#0072b2}.board .c2{fill:#009e73}\
.board .c3{fill:#f0e442}.board .c4{fill:#e69f00}.board .c5{fill:#cc79a7}.board .c6{fill:#56b4e9}.board .c7{fill:#000}\
.board .c8{fill:#fff}\
@media (prefers-color-scheme:dark){.board{--paper:#16181c;--cell:#2a2e35;--dark:#0b0d10;--line:#8b93a1;--ink:#f4f4f4;--quiet:#bcc2cc;\
--arrow:#7cc7f2;--plain:#9a9a9a;--back:#6a6a6a}}";

/// Returns the class of each player's colour. A player who is named like a colour has it; the others take those that
/// are left, in their order.
fn classes(players: &[String]) -> Vec<usize> {
    let named = |player: &String| NAMES.iter().position(|names| names.contains(&player.to_lowercase().as_str()));
    let mut taken: Vec<Option<usize>> = players.iter().map(named).collect();
    let mut left = (0..NAMES.len()).filter(|at| !taken.contains(&Some(*at))).collect::<Vec<_>>().into_iter();
    let mut more = (0..NAMES.len()).cycle();
    for slot in &mut taken {
        *slot = slot.or_else(|| left.next()).or_else(|| more.next());
    }
    taken.into_iter().map(Option::unwrap_or_default).collect()
}

/// Returns the class of a player's pieces: `c0`; `plain` for pieces without a player.
pub(super) fn fill(players: &[String], player: Option<PlayerId>) -> String {
    let class = player.and_then(|player| classes(players).get(player.index()).copied());
    class.map_or_else(|| "plain".to_owned(), |class| format!("c{class}"))
}

/// Returns the class of the text on such a fill: dark, or light on a dark one.
pub(super) fn text_on(fill: &str) -> &'static str {
    if matches!(fill, "c1" | "c7") { "over" } else { "on" }
}

#[cfg(test)]
mod tests {
    use super::classes;

    fn of(players: &[&str]) -> Vec<usize> {
        classes(&players.iter().map(|player| (*player).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn players_have_the_colours_of_their_names_and_others_those_that_are_left() {
        assert_eq!(of(&["red", "blue", "green"]), [0, 1, 2]);
        assert_eq!(of(&["white", "black"]), [8, 7]);
        assert_eq!(of(&["ann", "red", "bob"]), [1, 0, 2]);
        // Ten players share nine colours.
        assert_eq!(of(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 0]);
    }
}
