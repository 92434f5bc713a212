//! The bundled games on boards of other sizes than their own: their rules adapt to the board, or say which one they need.

use std::fmt::Write;

use super::Project;

/// Boards of a grid: smaller, larger, and not square.
const GRIDS: [(usize, usize); 5] = [(4, 4), (5, 7), (9, 6), (10, 10), (12, 9)];

/// Returns the name of the cell in a column and a row, both from 0.
fn cell(column: usize, row: usize) -> String {
    format!("{}{}", char::from(b'a' + u8::try_from(column).unwrap()), row + 1)
}

/// Each game with the lines of a position on a board, or of a set-up, and the beginning of the message with which the rules
/// refuse a board.
fn positions() -> Vec<(String, String, Option<&'static str>)> {
    let mut all = Vec::new();
    let mut add = |game: &str, lines: String, refusal| all.push((game.to_owned(), lines, refusal));
    for (columns, rows) in GRIDS {
        let board = format!("  board {columns}x{rows}\n");
        for (game, first, second) in
            [("breakthrough", "white", "black"), ("lines-of-action standard", "black", "white")]
        {
            let mut lines = board.clone();
            for column in 0..columns {
                let _ =
                    writeln!(lines, "  place {first} at {}, {second} at {}", cell(column, 0), cell(column, rows - 1));
            }
            let _ = writeln!(lines, "  turn {first}");
            add(game, lines, None);
        }
        let mut lines = board.clone();
        for column in (0..columns).step_by(2) {
            let top = cell(column + rows % 2 * usize::from(column + 1 < columns), rows - 1);
            let _ = writeln!(lines, "  place black at {}, white at {top}", cell(column, 0));
        }
        add("draughts", format!("{lines}  turn black\n"), None);
        let own = (columns, rows) == (8, 3);
        let refusal = Some("this game has one board: board 8x3").filter(|_| !own);
        add("royal-game-of-ur", format!("{board}  turn light\n"), refusal);
        if columns >= 9 && rows >= 9 {
            add(
                "squish-board simple",
                format!("{board}  place red at a1, blue at c1, large at b2\n  turn red\n"),
                None,
            );
        }
        add("squish-board advanced", format!("{board}  setup\n"), Some("the advanced game has one board: board 16x16"));
        let square = format!("  players ann bob\n  board {columns}x{rows} margin 1\n  setup\n");
        if (columns, rows) == (4, 4) {
            add("squish-blocks square-4", square, None);
        }
    }
    for side in [3, 5, 6] {
        add("hex-squish squish", format!("  board hex {side}\n  setup\n"), None);
        add("hex-squish flowish", format!("  board hex {side}\n  setup\n"), None);
    }
    for cells in [10, 30, 100] {
        let lines = format!("  players red blue\n  board track {cells}\n  turn red\n");
        add("evil-squash plain", lines, None);
    }
    all
}

#[test]
fn bundled_games_adapt_to_the_board_or_refuse_it() {
    let project = Project::new();
    let mut wrong = String::new();
    for (number, (game, lines, refusal)) in positions().into_iter().enumerate() {
        let file = format!("{number}.scenario");
        let text = format!("use {game}\n\nscenario \"Another board\"\n{lines}");
        std::fs::write(project.path().join(&file), &text).unwrap();
        let id = game.split(' ').next().unwrap();
        let ran = project.run(&["simulate", id, "--from", &file, "--count", "2", "--max-plies", "150"]).all();
        let fits = match refusal {
            Some(refusal) => ran.contains(refusal),
            None => !ran.contains("error") && !ran.contains("×") && ran.contains("games 1 to 2"),
        };
        if !fits {
            let _ = writeln!(wrong, "{text}\n{ran}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A man is crowned where the board ends ahead of it, and nowhere else.
#[test]
fn men_are_crowned_on_the_last_row_of_any_board() {
    let mut text = "use draughts\n".to_owned();
    for (columns, rows) in GRIDS {
        for (player, other, from, to, crowned) in [
            ("black", "white", rows - 2, rows - 1, true),
            ("black", "white", rows - 3, rows - 2, false),
            ("white", "black", 1, 0, true),
            ("white", "black", 2, 1, false),
        ] {
            let (at, far) = (cell(1, from), cell(columns - 1, if player == "black" { 0 } else { rows - 1 }));
            let king = if crowned { " king" } else { "" };
            let _ = writeln!(
                text,
                "\nscenario \"{player} to {to} of {columns}x{rows}\"\n  board {columns}x{rows}\n  place {player} at {at}, {other} \
                 at {far}\n  turn {player}\n  {player} move {at}-{}\n  expect {player}{king} at {}",
                cell(0, to),
                cell(0, to),
            );
        }
    }
    let ran = Project::new().file("a.scenario", &text).run(&["test", "a.scenario"]);
    assert!(ran.all().contains("20 passed, 0 failed"), "{}", ran.all());
}
