//! Boards that the game calls chequered: their dark cells in pictures, on pages and in the terminal.

use referee_report::draw;
use referee_table::{Drawing, DrawnCell, DrawnRow};
use roxmltree::{Document, Node};

use super::Project;

const RULES: &str = "fn turn(me) { draw_game(); }\n";

/// A game with this board, with these lines below its declarations.
fn project(board: &str, more: &str) -> Project {
    let game = format!(
        "game tiles \"Tiles\"\nplayers 2 red blue\nrules \"rules.rhai\"\n\nboard {board}\n\n\
         piece man many for each player symbols r b\n\n{more}"
    );
    Project::new().file("games/tiles/tiles.game", &game).file("games/tiles/rules.rhai", RULES)
}

/// Returns the picture of a scenario with these lines.
fn picture(project: Project, game: &str, lines: &str) -> String {
    let text = format!("use {game}\n\nscenario \"A position\"\n{lines}  turn red\n  expect draw\n");
    let ran = project.file("a.scenario", &text).run(&["show", "a.scenario", "--format", "svg", "--step", "0"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.all());
    ran.stdout
}

/// Returns the corners of the cells in the paths of a class.
fn corners(svg: &str, class: &str) -> Vec<String> {
    let svg = Document::parse(svg).unwrap();
    let is_path = |node: &Node<'_, '_>| node.has_tag_name("path") && node.attribute("class") == Some(class);
    let paths = svg.descendants().filter(is_path).filter_map(|node| node.attribute("d"));
    paths.flat_map(|path| path.split('M').skip(1).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Returns the dark cells of a picture row by row, the top one first: `#` dark, `.` light.
fn pattern(svg: &str, columns: usize) -> Vec<String> {
    let (all, dark) = (corners(svg, "cells"), corners(svg, "dark"));
    assert!(dark.iter().all(|cell| all.contains(cell)));
    let marks: Vec<char> = all.iter().map(|cell| if dark.contains(cell) { '#' } else { '.' }).collect();
    marks.chunks(columns).map(|row| row.iter().collect()).collect()
}

/// Returns the pattern of a board in which the cell at the bottom left is dark, or is not.
fn chequer(columns: usize, rows: usize, corner: bool) -> Vec<String> {
    let mark = |column: usize, row: usize| if (column + row).is_multiple_of(2) == corner { '#' } else { '.' };
    (0..rows).rev().map(|row| (0..columns).map(|column| mark(column, row)).collect()).collect()
}

#[test]
fn a1_is_dark_or_the_cell_that_the_game_names() {
    for (columns, rows) in [(8, 8), (5, 4), (1, 1), (1, 6), (27, 3)] {
        for (words, corner) in [
            ("chequered", true),
            ("chequered dark a1", true),
            ("chequered dark b1", columns == 1),
            ("chequered dark a2", rows == 1),
            ("chequered dark b2", true),
        ] {
            let last = words.rsplit(' ').next().unwrap_or_default();
            if last == "b1" && columns == 1 || last == "a2" && rows == 1 || last == "b2" && columns.min(rows) == 1 {
                continue;
            }
            let svg = picture(project(&format!("grid {columns}x{rows} {words}"), ""), "tiles", "  place red at a1\n");
            assert_eq!(pattern(&svg, columns), chequer(columns, rows, corner), "{columns}x{rows} {words}");
        }
    }
    let svg = picture(project("5x4 margin 1 chequered", ""), "tiles", "  place red at b2\n");
    assert_eq!(pattern(&svg, 7), chequer(7, 6, true));
}

#[test]
fn only_a_game_that_says_so_has_dark_cells() {
    for board in ["grid 8x8", "5x4"] {
        let svg = picture(project(board, ""), "tiles", "  place red at a1\n");
        assert!(corners(&svg, "dark").is_empty());
    }
    // The words of a picture are those of any board.
    let words = |board: &str| {
        let svg = picture(project(board, ""), "tiles", "  place red at a1\n");
        svg.split_once("<desc").unwrap().1.split_once("</desc>").unwrap().0.to_owned()
    };
    assert_eq!(words("5x4"), words("5x4 chequered dark b1"));
}

#[test]
fn variants_scenarios_and_house_rules_have_the_dark_cells_of_the_game() {
    let variants = "variant small \"Small\"\n  board 3x5\n\nvariant usual \"Usual\"\n";
    for (words, corner) in [("chequered", true), ("chequered dark b1", false)] {
        let game = || project(&format!("8x8 {words}"), variants);
        let place = "  place red at a1\n";
        assert_eq!(pattern(&picture(game(), "tiles small", place), 3), chequer(3, 5, corner));
        assert_eq!(pattern(&picture(game(), "tiles usual", place), 8), chequer(8, 8, corner));
        let own = "  board 5x4\n  place red at a1\n";
        assert_eq!(pattern(&picture(game(), "tiles usual", own), 5), chequer(5, 4, corner));
        assert_eq!(pattern(&picture(game(), "tiles small", own), 5), chequer(5, 4, corner));
        let house = game().file("games/tiles/house/wide.rhai", "const BOARD = \"grid 6x2\";\n");
        let lines = "  with house \"wide\"\n  place red at a1\n";
        assert_eq!(pattern(&picture(house, "tiles usual", lines), 6), chequer(6, 2, corner));
    }
}

#[test]
fn pages_have_the_dark_cells() {
    let text = "use tiles\n\nscenario \"A position\"\n  place red at a1\n  turn red\n  expect draw\n";
    let project = project("4x4 chequered", "").file("a.scenario", text);
    let ran = project.run(&["test", "a.scenario", "--report", "html=pages"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
    let pages = std::fs::read_dir(project.path().join("pages")).unwrap().flatten();
    let texts = pages.filter_map(|page| std::fs::read_to_string(page.path()).ok());
    assert!(texts.into_iter().any(|page| page.contains("class=\"dark\"")));
}

/// Returns a board of two columns and two rows, whose last cell is highlighted.
fn small(dark: bool) -> Drawing {
    let cell =
        |text: &str, at: usize| DrawnCell { text: text.to_owned(), dark: dark && at == 0, ..DrawnCell::default() };
    let row = |label: &str, marked: bool, first: usize| DrawnRow {
        label: label.to_owned(),
        cells: vec![cell(".", first), DrawnCell { marked, ..cell("r", 1 - first) }],
        ..DrawnRow::default()
    };
    Drawing {
        rows: vec![row("2", false, 1), row("1", true, 0)],
        columns: vec!["a".to_owned(), "b".to_owned()],
        ..Drawing::default()
    }
}

#[test]
fn the_terminal_has_both_colours_of_cells_where_there_is_colour() {
    let plain = draw(&small(true), false);
    assert_eq!(plain, draw(&small(false), false));
    let coloured = draw(&small(true), true);
    let (light, dark, mark, end) = ("\u{1b}[30;47m", "\u{1b}[97;100m", "\u{1b}[1;33m", "\u{1b}[0m");
    // Highlighted cells have no background, so that they can be seen.
    let rows = [format!(" {light} .{end}{dark} r{end}"), format!(" {dark} .{end}{mark}[r]{end}")];
    for (line, row) in coloured.iter().zip(&rows) {
        assert!(line.ends_with(row), "{line:?}");
    }
    let mut bare = coloured.join("\n");
    for code in [light, dark, mark, "\u{1b}[2m", end] {
        bare = bare.replace(code, "");
    }
    assert_eq!(bare, plain.join("\n"));
    assert!(!draw(&small(false), true).join("\n").contains(light));
}
