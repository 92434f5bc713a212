//! Links from pages to the playground: what they open is what was run.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::read::DeflateDecoder;
use serde_json::{Value, json};

use super::{FAILING, GOOD, Project};

const ADDRESS: &str = "https://example.org/playground/";

/// Returns what the links of a page contain.
fn links(page: &str) -> Vec<Value> {
    let beginning = format!("href=\"{ADDRESS}#1");
    let texts = page.split(&beginning).skip(1).map(|rest| rest.split_once('"').unwrap().0);
    let unpacked = texts.map(|text| {
        let mut json = String::new();
        let packed = URL_SAFE_NO_PAD.decode(text).unwrap();
        DeflateDecoder::new(packed.as_slice()).read_to_string(&mut json).unwrap();
        serde_json::from_str(&json).unwrap()
    });
    unpacked.collect()
}

fn page(project: &Project, path: &str) -> String {
    std::fs::read_to_string(project.path().join(path)).unwrap()
}

#[test]
fn a_link_has_the_files_of_the_game_and_the_place_of_the_test() {
    let project = Project::hop().file("a.scenario", GOOD).file("scenarios/b.scenario", FAILING);
    let ran = project.run(&["test", "a.scenario", "scenarios", "--report", "html=pages", "--playground", ADDRESS]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let all = links(&page(&project, "pages/0001.html"));
    assert_eq!(all.len(), 1, "{all:?}");
    let link = &all[0];
    assert_eq!((&link["v"], &link["game"]), (&json!(env!("CARGO_PKG_VERSION")), &Value::Null));
    assert_eq!((&link["at"], &link["line"]), (&json!("a.scenario"), &json!(3)));
    let files = link["files"].as_object().unwrap();
    assert_eq!(files["a.scenario"], GOOD);
    for (path, text) in crate::suite::HOP {
        if !path.ends_with(".scenario") {
            assert_eq!(files[path], text, "{path}");
        }
    }
    // A test that fails has one, too.
    let failing = links(&page(&project, "pages/0002.html"));
    assert_eq!((&failing[0]["at"], &failing[0]["line"]), (&json!("scenarios/b.scenario"), &json!(3)));
    // Without an address there is none.
    project.run(&["test", "a.scenario", "--report", "html=pages"]);
    assert!(!page(&project, "pages/0001.html").contains("playground"));
}

/// The page has the bundled games: a link to one of their examples is short, and one to a changed game has what differs.
#[test]
fn bundled_files_are_left_out() {
    let scenario = "use pig\n\nscenario \"A throw\"\n  turn ann\n  roll 4\n  expect game.pot = 4\n";
    let project = Project::new().file("throw.scenario", scenario);
    let address = ["--playground", ADDRESS, "--report", "html=pages"];
    project.run(&[&["test", "throw.scenario"], address.as_slice()].concat());
    let all = links(&page(&project, "pages/0001.html"));
    assert_eq!(all[0]["game"], "pig");
    assert_eq!(all[0]["files"], json!({ "throw.scenario": scenario }));

    let own = referee_game::built_in_files("pig").unwrap();
    let mut changed = Project::new().file("throw.scenario", scenario);
    let (mut edited, mut gone) = (String::new(), String::new());
    for (path, text) in own {
        let place = format!("games/pig/{path}");
        if path.starts_with("house/") && gone.is_empty() {
            gone = place;
        } else if path == "rules.rhai" {
            edited = format!("// changed\n{text}");
            changed = changed.file(&place, &edited);
        } else {
            changed = changed.file(&place, &text);
        }
    }
    let ran = changed.run(&[&["test", "throw.scenario"], address.as_slice()].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    let all = links(&page(&changed, "pages/0001.html"));
    let mut expected = json!({ "throw.scenario": scenario, "games/pig/rules.rhai": edited });
    if !gone.is_empty() {
        expected[&gone] = Value::Null;
    }
    assert_eq!(all[0]["files"], expected);
}

#[test]
fn each_example_of_a_book_has_one() {
    let rulebook = format!("# Hop\n\nAn example:\n\n```scenario\n{GOOD}```\n");
    let project = Project::hop().file("book.md", &rulebook);
    let ran = project.run(&["book", "book.md", "--out", "book.html", "--playground", ADDRESS]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let all = links(&page(&project, "book.html"));
    assert_eq!(all.len(), 1);
    assert_eq!((&all[0]["at"], &all[0]["line"]), (&json!("book.md"), &json!(8)));
    assert_eq!(all[0]["files"]["book.md"], rulebook);
}

/// Compressed text of this length that no compression makes shorter.
fn noise(bytes: usize) -> String {
    let mut state = 1_u64;
    let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(letters[(state >> 33) as usize % letters.len()])
    };
    (0..bytes).map(|at| if at % 80 == 79 { '\n' } else { letter() }).collect()
}

/// Noise as a remark at the end of a file.
fn with_noise(text: &str, bytes: usize) -> String {
    format!("{text}\n# {}\n", noise(bytes).replace('\n', "\n# "))
}

#[test]
fn links_that_are_too_long_are_remarked_on() {
    let two = format!("{GOOD}\nscenario \"Again\"\n  turn red\n");
    let project = Project::hop().file("a.scenario", with_noise(&two, 40_000)).file("b.scenario", GOOD);
    let ran = project.run(&["test", "a.scenario", "b.scenario", "--report", "html=pages", "--playground", ADDRESS]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let remark = ran.stderr.lines().find(|line| line.starts_with("no link to the playground")).unwrap();
    assert!(remark.starts_with("no link to the playground for a.scenario:3 \""), "{remark}");
    assert!(remark.contains(" and 1 example below it: it would have ") && remark.contains("than 32000 are written"));
    assert!(remark.contains("the largest file in it is a.scenario with "), "{remark}");
    assert!(remark.ends_with(": put its examples into several files"), "{remark}");
    assert_eq!(ran.stderr.matches("no link").count(), 1, "{}", ran.stderr);
    assert!(!page(&project, "pages/0001.html").contains("playground"));
    let others = (1..=3).filter(|number| !links(&page(&project, &format!("pages/000{number}.html"))).is_empty());
    assert_eq!(others.count(), 1);

    // In a book, and where a file of the game is the large one.
    let rulebook = format!("# Hop\n\n```scenario\n{GOOD}```\n");
    let project = Project::hop().file("book.md", &rulebook).file("games/hop/NOTES.md", noise(60_000));
    let rules = std::fs::read_to_string(project.path().join("games/hop/rules.rhai")).unwrap();
    let project = project.file("games/hop/rules.rhai", format!("{rules}/*{}*/\n", noise(60_000)));
    let ran = project.run(&["book", "book.md", "--out", "book.html", "--playground", ADDRESS]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.contains("no link to the playground for book.md:6 \""), "{}", ran.stderr);
    assert!(ran.stderr.contains("the largest file in it is games/hop/rules.rhai with "), "{}", ran.stderr);
    assert!(ran.stderr.contains("`referee playground`"), "{}", ran.stderr);
}

#[test]
fn each_example_of_a_chapter_has_one() {
    let chapter = |path: &str, text: &str| json!({"Chapter": {"name": path, "content": text, "number": null, "sub_items": [], "path": path, "source_path": path, "parent_names": []}});
    let project = Project::hop().file("a.scenario", GOOD);
    let text = format!("# Hop\n\n```scenario\n{GOOD}```\n");
    let book = |settings: Value| {
        let context = json!({
            "root": project.path().canonicalize().unwrap(),
            "config": {"book": {"src": "text"}, "preprocessor": {"referee": settings}},
            "renderer": "html", "mdbook_version": "0.5.2",
        });
        json!([context, {"items": [chapter("hop.md", &text), chapter("none.md", "# Nothing\n")]}]).to_string()
    };
    let found = |stdout: &str| {
        let book: Value = serde_json::from_str(stdout).unwrap();
        links(book["items"][0]["Chapter"]["content"].as_str().unwrap())
    };
    // The text is that of the book, which no file needs to have.
    let ran = project.run_with(&["book", "--mdbook"], &book(json!({ "playground": ADDRESS })));
    assert_eq!(ran.code, 0, "{ran:?}");
    let all = found(&ran.stdout);
    assert_eq!(all.len(), 1);
    assert_eq!(
        (&all[0]["at"], &all[0]["line"], &all[0]["files"]["text/hop.md"]),
        (&json!("text/hop.md"), &json!(6), &json!(text))
    );
    // The command line goes before `book.toml`.
    let ran = project.run_with(
        &["book", "--mdbook", "--playground", ADDRESS],
        &book(json!({ "playground": "https://example.org/other/" })),
    );
    assert_eq!(found(&ran.stdout).len(), 1, "{ran:?}");
    let ran = project.run_with(&["book", "--mdbook"], &book(json!({})));
    assert!(ran.code == 0 && !ran.stdout.contains("in the playground"), "{ran:?}");
    for (wrong, message) in [
        (json!(1), "is no address\nwrite `playground = "),
        (json!("example"), "is no address\nexpected the address of a page"),
    ] {
        let ran = project.run_with(&["book", "--mdbook"], &book(json!({ "playground": wrong })));
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(
            ran.stderr.contains("`playground` in `[preprocessor.referee]` of `book.toml`")
                && ran.stderr.contains(message),
            "{}",
            ran.stderr
        );
    }
    // What would be too long is said.
    let long = with_noise("", 40_000).replace('#', "");
    let text = format!("{text}\n{long}");
    let context = json!({"root": project.path().canonicalize().unwrap(), "config": {"book": {"src": "text"}, "preprocessor": {"referee": {"playground": ADDRESS}}}, "renderer": "html"});
    let input = json!([context, {"items": [chapter("hop.md", &text)]}]).to_string();
    let ran = project.run_with(&["book", "--mdbook"], &input);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.starts_with("no link to the playground for text/hop.md:6 \""), "{}", ran.stderr);
}

#[test]
fn what_is_no_address_is_refused() {
    let project = Project::hop().file("a.scenario", GOOD);
    for wrong in ["", "playground", "javascript:alert(1)", "https://", "https://a b", "https://a\"b", "https://a/#x"] {
        let ran = project.run(&["test", "a.scenario", "--report", "html=pages", "--playground", wrong]);
        assert_eq!(ran.code, 2, "{wrong}");
        assert!(ran.stderr.contains("https://example.org/playground/"), "{}", ran.stderr);
    }
    let ran = project.run(&["test", "a.scenario", "--report", "junit=a.xml", "--playground", ADDRESS]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("`--report html=DIR`"), "{}", ran.stderr);
}
