//! Positions as pictures: well-formed, complete, and without what players must not see.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use referee_draw::{Picture, picture_file};
use referee_scenario::{Loader, LoaderOptions};
use referee_table::{Cell, Drawing, Lying, Shape};
use referee_trace::Scene;
use roxmltree::{Document, Node};

use super::Project;
use crate::suite::traces::Package;

/// A cell of a picture: its outermost points.
struct Extent {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

/// The cells of a picture in reading order, by the outlines of all cells: `M8 8h40v40h-40z…`, `M20 0L40 12…z…`.
fn extents(svg: &Document<'_>) -> Vec<Extent> {
    let Some(path) = svg.descendants().find(|node| node.attribute("class") == Some("cells")) else { return Vec::new() };
    let number = |text: &str| text.trim().parse::<i32>().unwrap();
    let one = |outline: &str| {
        let points: Vec<(i32, i32)> = match outline.split_once('h') {
            Some((corner, side)) => {
                let (x, y) = corner.split_once(' ').unwrap();
                let side = number(side.split('v').next().unwrap());
                vec![(number(x), number(y)), (number(x) + side, number(y) + side)]
            }
            None if let Some((left, round)) = outline.split_once('a') => {
                let (x, y) = left.split_once(' ').unwrap();
                let (x, y, radius) = (number(x), number(y), number(round.split(' ').next().unwrap()));
                vec![(x, y - radius), (x + 2 * radius, y + radius)]
            }
            None => outline
                .split('L')
                .map(|point| point.split_once(' ').unwrap())
                .map(|(x, y)| (number(x), number(y)))
                .collect(),
        };
        let (xs, ys) = (points.iter().map(|point| point.0), points.iter().map(|point| point.1));
        Extent {
            left: xs.clone().min().unwrap(),
            right: xs.max().unwrap(),
            top: ys.clone().min().unwrap(),
            bottom: ys.max().unwrap(),
        }
    };
    path.attribute("d").unwrap().split('M').skip(1).map(|outline| one(outline.trim_end_matches('z'))).collect()
}

/// The symbols of a picture with their places.
fn symbols<'d>(svg: &'d Document<'_>) -> Vec<(i32, i32, &'d str)> {
    let is_symbol = |node: &Node<'_, '_>| node.attribute("class").is_some_and(|class| class.starts_with("symbol"));
    let at = |node: &Node<'_, '_>, name: &str| node.attribute(name).unwrap().parse().unwrap();
    svg.descendants()
        .filter(is_symbol)
        .map(|node| (at(&node, "x"), at(&node, "y"), node.text().unwrap_or_default()))
        .collect()
}

/// Checks that a picture has the symbol of each piece within the cells that it covers; returns the number of pieces.
fn complete(board: &Drawing, svg: &Document<'_>) -> usize {
    let cells: Vec<_> = board.rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.cell.is_some()).collect();
    let extents = extents(svg);
    assert_eq!(cells.len(), extents.len());
    let symbols = symbols(svg);
    // The cells of each piece: one that covers several has its symbol in the middle of them.
    let mut pieces: BTreeMap<(Option<_>, Option<Cell>), Vec<usize>> = BTreeMap::new();
    for (at, cell) in cells.iter().enumerate() {
        let Some(piece) = &cell.piece else {
            assert!(cell.text == "." || cell.text == cell.name, "{} without a piece", cell.text);
            continue;
        };
        let own = piece.whole.is_none().then_some(cell.cell).flatten();
        pieces.entry((piece.whole, own)).or_default().push(at);
    }
    for covered in pieces.values() {
        let first = cells[covered[0]];
        let within = |(x, y, _): &&(i32, i32, &str)| {
            covered
                .iter()
                .map(|at| &extents[*at])
                .any(|cell| (cell.left..=cell.right).contains(x) && (cell.top..=cell.bottom).contains(y))
        };
        let hidden = first.piece.as_ref().is_some_and(|piece| piece.lying == Lying::FaceDown);
        let text: String = symbols.iter().filter(within).map(|(_, _, text)| *text).collect();
        let wanted = if hidden { "?".to_owned() } else { first.text.clone() };
        // Pieces that stand on each other have a symbol each, or one with its number beside it.
        let wanted = match wanted.split_once(['/', 'x']) {
            Some((top, under)) if !top.is_empty() && !under.is_empty() => top.to_owned(),
            _ => wanted,
        };
        assert!(text.contains(&wanted), "`{text}` instead of `{wanted}` at {}", first.name);
    }
    pieces.len()
}

fn drawn(scene: &Scene) -> String {
    let Scene { board, players, zones, moves, off, .. } = scene;
    picture_file(&Picture { id: "p", title: "a <title> & more", board, players, zones, moves, off })
}

fn scenario_files(folder: &Path) -> Vec<PathBuf> {
    let inside = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found = Vec::new();
    for path in inside {
        if path.is_dir() {
            found.extend(scenario_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "scenario") {
            found.push(path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().to_path_buf());
        }
    }
    found.sort();
    found
}

/// The first tests of every file of the bundled games, at each step.
#[test]
fn every_picture_is_complete() {
    let mut loader = Loader::new(&Package, LoaderOptions::default());
    let (mut shapes, mut pieces, mut arrows) = (Vec::new(), 0, 0);
    for file in scenario_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")) {
        let suite = referee_scenario::plan(&mut loader, &file);
        for index in 0..suite.tests.len().min(3) {
            let (scenes, _) = referee_scenario::scenes(&mut loader, &suite, index);
            for scene in &scenes {
                let text = drawn(scene);
                let svg = Document::parse(&text).unwrap();
                assert_eq!(text, drawn(scene));
                for banned in ["<script", "http://", "https://", "url(", "@import", "@font-face"] {
                    let own = text.replace("http://www.w3.org/2000/svg", "");
                    assert!(!own.contains(banned), "{banned}");
                }
                let root = svg.root_element();
                let named = |id: &str| svg.descendants().find(|node| node.attribute("id") == Some(id));
                let title = named(root.attribute("aria-labelledby").unwrap()).unwrap();
                assert_eq!(title.text(), Some("a <title> & more"));
                assert!(named(root.attribute("aria-describedby").unwrap()).is_some());
                pieces += complete(&scene.board, &svg);
                arrows += scene.moves.len();
                let kind = (scene.board.shape, scene.board.rows.is_empty(), scene.board.origin.is_some());
                if !shapes.contains(&kind) {
                    shapes.push(kind);
                }
            }
        }
    }
    // Squares, squares without an edge, hexagons, a track, and a game without a board.
    for kind in [
        (Shape::Squares, false, false),
        (Shape::Squares, false, true),
        (Shape::Hexagons, false, false),
        (Shape::Track, false, false),
        (Shape::Squares, true, false),
    ] {
        assert!(shapes.contains(&kind), "{kind:?}");
    }
    assert!(pieces > 1000 && arrows > 50, "{pieces} pieces, {arrows} arrows");
}

/// The games of the documentation, with their set-ups.
#[test]
fn every_set_up_is_drawn() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["games", "docs/games"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let id = path.file_name().unwrap().to_string_lossy().into_owned();
            let file = path.join(format!("{id}.game"));
            if !file.is_file() {
                continue;
            }
            let project = Project::new();
            let ran = project.run(&["show", file.to_str().unwrap(), "--format", "svg", "--step", "0"]);
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{id}");
            let svg = Document::parse(&ran.stdout).unwrap();
            let json = project.run(&["show", file.to_str().unwrap(), "--format", "json", "--step", "0"]);
            let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
            let rows = json["steps"][0]["board"]["rows"].as_array().cloned().unwrap_or_default();
            let cells = rows.iter().map(|row| row["cells"].as_array().unwrap().len()).sum::<usize>();
            assert_eq!(extents(&svg).len(), cells, "{id}");
        }
    }
}

/// Cards in a hand, a deck in a known order, and a face-down card.
const CARDS: &str = "\
use keep

scenario \"Cards\"
  hand red: \"Old Fox\"
  hand blue: Owl
  deck: Hare Hare
  turn red
";

fn keep() -> Project {
    let game = "game keep\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 2x2\nzone deck hidden\n\
zone discard pile\nzone hand for each player secret\ncard one from \"cards.yaml\" in deck\nask keep yes|no\n";
    Project::new()
        .file("games/keep/keep.game", game)
        .file("games/keep/rules.rhai", "fn turn(me) { choose(me, \"keep\", [\"yes\", \"no\"]); }\n")
        .file(
            "games/keep/cards.yaml",
            "cards:\n  - {name: Old Fox}\n  - {name: Owl}\n  - {name: Hare, count: 2}\n  - {name: Toad}\n",
        )
        .file("scenarios/cards.scenario", CARDS)
}

/// The pictures within a page.
fn pictures(page: &str) -> Vec<&str> {
    page.split("<svg ").skip(1).map(|rest| rest.split("</svg>").next().unwrap()).collect()
}

/// Pictures are for the author of the examples; a view is that of a player.
#[test]
fn the_author_sees_all_cards_and_a_player_their_own() {
    let project = keep();
    let shown = |view: &[&str]| {
        let ran = project.run(&[&["show", "scenarios/cards.scenario", "--format", "svg"], view].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.all());
        ran.stdout
    };
    let has = |picture: &str| ["Fox", "Owl", "Hare", "Toad"].map(|card| picture.contains(card));
    assert_eq!(has(&shown(&["--view", "red"])), [true, false, false, false]);
    assert_eq!(has(&shown(&["--view", "blue"])), [false, true, false, false]);
    for words in ["hand blue: 1 hidden card", "deck: ", "discard: no cards"] {
        assert!(shown(&["--view", "red"]).contains(words), "{words}");
    }
    let ran_test = project.run(&["test", "--report", "html=report"]);
    assert_eq!(ran_test.code, 0, "{}", ran_test.all());
    let page = std::fs::read_to_string(project.path().join("report/0001.html")).unwrap();
    let drawn = pictures(&page);
    assert_eq!(drawn.len(), 2);
    for picture in drawn.into_iter().chain([shown(&[]).as_str()]) {
        // A card that is out of the game is in no picture.
        assert_eq!(has(picture), [true, true, true, false], "{picture}");
    }
}

#[test]
fn a_picture_is_of_one_position() {
    let project = Project::hop().file("good.scenario", super::GOOD);
    let ran = project.run(&["show", "good.scenario", "--format", "svg", "--all"]);
    insta::assert_snapshot!(ran.all());
    let step = |step: &str| project.run(&["show", "good.scenario", "--format", "svg", "--step", step]).stdout;
    assert!(step("0").contains("red on a1") && step("4").contains("red on c3"));
    // The way of the last step is drawn.
    assert!(!step("0").contains("class=\"way\"") && step("4").contains("class=\"way\""));
}

/// Pages pause after each line; that must not change what is judged, or where play ends.
fn line_by_line_comes_to_the_same_end(tests_of_a_file: usize) {
    let mut loader = Loader::new(&Package, LoaderOptions::default());
    let (mut lines, mut tests) = (0, 0);
    for file in scenario_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")) {
        let suite = referee_scenario::plan(&mut loader, &file);
        for index in 0..suite.tests.len().min(tests_of_a_file) {
            let plain = referee_scenario::judge(&mut loader, &suite, index);
            let judged = referee_scenario::judge_watched(&mut loader, &suite, index);
            assert_eq!(judged.result, plain);
            let (scenes, _) = referee_scenario::scenes(&mut loader, &suite, index);
            let end = |scenes: &[Scene]| scenes.last().map(Scene::text).unwrap_or_default();
            // The events since the step before depend on the steps.
            let position =
                |text: String| text.lines().filter(|line| !line.starts_with('>')).collect::<Vec<_>>().join("\n");
            assert_eq!(position(end(&judged.scenes)), position(end(&scenes)), "{}", plain.scenario);
            let events = |scenes: &[Scene]| scenes.iter().flat_map(|scene| scene.events.clone()).collect::<Vec<_>>();
            assert_eq!(events(&judged.scenes), events(&scenes), "{}", plain.scenario);
            assert!(judged.scenes.len() >= scenes.len(), "{}", plain.scenario);
            lines += judged.scenes.iter().map(|scene| scene.written.len()).sum::<usize>();
            tests += 1;
        }
    }
    assert!(tests > 50 * tests_of_a_file && lines > 5 * tests, "{lines} lines of {tests} tests");
}

#[test]
fn play_line_by_line_comes_to_the_same_end() {
    line_by_line_comes_to_the_same_end(1);
}

#[test]
#[ignore = "twice as many scenarios"]
fn play_line_by_line_comes_to_the_same_end_in_full() {
    line_by_line_comes_to_the_same_end(2);
}

/// The pictures of docs/reports.md: a file, and the scenario whose last position it shows.
const SHOWN: [(&str, &str, &str); 4] = [
    ("board-squares.svg", "scenarios/draughts/captures.scenario", ""),
    ("board-hexagons.svg", "scenarios/hex-squish/moves.scenario", ""),
    ("board-track.svg", "scenarios/evil-squash/squashing.scenario", ""),
    ("board-cards.svg", "scenarios/squirmish/attack.scenario", ""),
];

#[test]
fn the_pictures_of_the_documentation_are_what_the_program_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, file, title) in SHOWN {
        let file = root.join(file);
        let ran = Project::new().run(&["show", file.to_str().unwrap(), "--scenario", title, "--format", "svg"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{name}");
        let page = root.join("docs").join(name);
        if std::fs::read_to_string(&page).is_ok_and(|known| known == ran.stdout) {
            continue;
        }
        let writing = std::env::var_os("REFEREE_WRITE").is_some_and(|value| !value.is_empty());
        assert!(writing, "docs/{name} is stale: run `REFEREE_WRITE=1 cargo test pictures`");
        std::fs::write(&page, ran.stdout).unwrap();
    }
}
