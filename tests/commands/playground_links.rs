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

    let own = referee::game::built_in_files("pig").unwrap();
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
