//! What `referee test` writes for other programs and for people: JUnit, TAP, annotations and pages.

use std::fs;

use roxmltree::Document;

use super::{FAILING, GOOD, INVALID, Project};

fn mixed() -> Project {
    Project::hop().file("good.scenario", GOOD).file("bad.scenario", FAILING).file("invalid.scenario", INVALID)
}

const ALL: [&str; 4] = ["test", "bad.scenario", "good.scenario", "invalid.scenario"];

fn read(project: &Project, path: &str) -> String {
    fs::read_to_string(project.path().join(path)).unwrap()
}

#[test]
fn reports_do_not_change_what_is_printed() {
    let project = mixed();
    let plain = project.run(&ALL);
    let reports = ["--report", "junit=j.xml", "--report", "tap=out/t.tap", "--report", "html=pages"];
    assert_eq!(project.run(&[&ALL[..], &reports].concat()), plain);
    assert_eq!(plain.code, 3);
    for file in ["j.xml", "out/t.tap", "pages/index.html", "pages/0001.html", "pages/report.css", "pages/report.js"] {
        assert!(project.path().join(file).is_file(), "{file}");
    }
    // Again into the same files, with the same bytes.
    let before = ["j.xml", "out/t.tap", "pages/index.html", "pages/0001.html"].map(|file| read(&project, file));
    assert_eq!(project.run(&[&ALL[..], &reports, &["--jobs", "1"]].concat()), plain);
    assert_eq!(["j.xml", "out/t.tap", "pages/index.html", "pages/0001.html"].map(|file| read(&project, file)), before);
}

#[test]
fn junit_can_be_read_again() {
    let project = mixed();
    project.run(&[&ALL[..], &["--report", "junit=j.xml"]].concat());
    let text = read(&project, "j.xml");
    let xml = Document::parse(&text).unwrap();
    let root = xml.root_element();
    let counts = ["tests", "failures", "errors"].map(|name| root.attribute(name).unwrap());
    assert_eq!((root.tag_name().name(), counts), ("testsuites", ["3", "1", "1"]));
    let all = |name: &str| xml.descendants().filter(|node| node.has_tag_name(name)).collect::<Vec<_>>();
    assert_eq!((all("testsuite").len(), all("testcase").len()), (3, 3));
    let failure = all("failure")[0];
    assert_eq!(failure.attribute("message"), Some("red is at c3, not at d4"));
    assert_eq!(failure.attribute("type"), Some("referee::expectation_failed"));
    assert!(failure.text().unwrap().contains("bad.scenario:8:3"), "{:?}", failure.text());
    let case = failure.parent().unwrap();
    let about = ["name", "classname", "file", "line"].map(|name| case.attribute(name).unwrap());
    assert_eq!(about, ["A walk that ends elsewhere", "bad.scenario", "bad.scenario", "3"]);
    assert_eq!(all("error")[0].attribute("type"), Some("referee::unknown_die"));
}

#[test]
fn tap_has_a_line_for_each_test() {
    let odd = GOOD.replace("A walk of two squares", "A walk # TODO \\\\ of two");
    let project = mixed().file("odd.scenario", odd);
    project.run(&[&ALL[..], &["odd.scenario", "--report", "tap=t.tap"]].concat());
    insta::assert_snapshot!(read(&project, "t.tap"));
}

#[test]
fn annotations_name_file_line_and_title() {
    let odd = FAILING.replace("A walk that ends elsewhere", "100 %, or: more").replace("d4", "d5");
    let project = mixed().file("odd.scenario", odd);
    let ran = project.run(&[&ALL[..], &["odd.scenario", "--report", "github"]].concat());
    let lines: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("::")).collect();
    insta::assert_snapshot!(lines.join("\n"));
    assert_eq!(ran.code, 3);
}

#[test]
fn pages_show_each_step_and_what_fails() {
    let project = mixed();
    project.run(&[&ALL[..], &["--report", "html=pages"]].concat());
    let index = read(&project, "pages/index.html");
    for words in [
        "1 passed, 1 failed, 1 errored",
        "href=\"0001.html\"",
        "id=\"failures\"",
        "id=\"clauses\"",
        "A walk of two squares",
    ] {
        assert!(index.contains(words), "{words}");
    }
    let page = read(&project, "pages/0001.html");
    // The start, and a step for each line that is played.
    assert_eq!(page.matches("<section class=\"step").count(), 5, "{page}");
    for words in [
        "Step 4 of 4",
        "expect red at d4",
        "red is at c3, not at d4",
        "class=\"bad\"",
        "<dt>Expected</dt><dd>red at d4</dd>",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let errors = read(&project, "pages/0003.html");
    assert!(errors.contains("unknown die") && !errors.contains("<svg"), "{errors}");
    for name in ["index.html", "0001.html", "0002.html", "0003.html"] {
        let page = read(&project, &format!("pages/{name}"));
        for banned in ["https://", "http://", " src=\"/", "onclick"] {
            let own = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!own.contains(banned), "{name}: {banned}");
        }
    }
}

#[test]
fn a_wrong_board_is_shown_beside_the_expected_one() {
    let board = "use hop short\n\nscenario \"A board\"\n  turn red\n  roll distance 1\n  red walk to b1\n  expect board\n    | . . . . b\n    | . . . . .\n    | . . . . .\n    | . . . . .\n    | . . r . .\n";
    let project = Project::hop().file("board.scenario", board);
    let ran = project.run(&["test", "board.scenario", "--report", "html=pages"]);
    assert_eq!(ran.code, 1, "{}", ran.all());
    let page = read(&project, "pages/0001.html");
    let pair = page.split("<div class=\"pair\">").nth(1).unwrap();
    let boards: Vec<&str> = pair.split("<figure>").skip(1).collect();
    assert!(boards[0].contains("Expected") && boards[0].contains("red on c1") && boards[0].contains("Marked: b1 c1"));
    assert!(boards[1].contains("Reached") && boards[1].contains("red on b1") && boards[1].contains("Marked: b1 c1"));
    assert_eq!(boards[0].matches("class=\"mark\"").count(), 2);
}

#[test]
fn wrong_reports() {
    let project = mixed().file("full/notes.txt", "mine");
    let lines = [
        "--report xml=a.xml",
        "--report juint=a.xml",
        "--report junit",
        "--report html=",
        "--report github=a",
        "--report github --format json",
        "--report junit=a --report tap=a",
        "--report html=a --report html=b",
        "--report html=full",
        "--report junit=games",
        "--report tap=t --accept",
        "--watch --format json",
        "--shard 3/2",
        "--shard 1",
    ];
    let mut text = String::new();
    for line in lines {
        let arguments: Vec<&str> = ["test", "good.scenario"].into_iter().chain(line.split(' ')).collect();
        text.push_str(&format!("$ referee test good.scenario {line}\n{}\n\n", project.run(&arguments).all()));
    }
    insta::assert_snapshot!(text.trim_end());
    // Nothing is left behind, and the files of others are untouched.
    assert_eq!(read(&project, "full/notes.txt"), "mine");
    let inside =
        fs::read_dir(project.path()).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut inside: Vec<String> = inside.collect();
    inside.sort();
    assert_eq!(inside, ["bad.scenario", "full", "games", "good.scenario", "invalid.scenario"]);
}

#[test]
fn reports_of_other_tools_are_kept() {
    const JUNIT: &str = "<?xml version=\"1.0\"?>\n<testsuites name=\"other\"/>\n";
    const TAP: &str = "TAP version 14\n1..1\nok 1 - other\n";
    let project = mixed().file("other.xml", JUNIT).file("other.tap", TAP);
    for (report, path, text) in [("junit=other.xml", "other.xml", JUNIT), ("tap=other.tap", "other.tap", TAP)] {
        let ran = project.run(&["test", "good.scenario", "--report", report]);
        assert!(ran.code == 2 && ran.stderr.contains("is no earlier report"), "{}", ran.all());
        assert_eq!(read(&project, path), text);
    }
    // Its own are replaced.
    for report in ["junit=own.xml", "tap=own.tap"] {
        for _ in 0..2 {
            assert_eq!(project.run(&["test", "good.scenario", "--report", report]).code, 0);
        }
    }
}
