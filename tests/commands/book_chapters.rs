//! `referee book --mdbook`: the chapters of an mdBook, as version 0.5 and version 0.4 pass them.

use serde_json::{Value, json};

use super::{FAILING, GOOD, INVALID, Project, Ran};

fn chapter(path: &str, content: &str, sub_items: &[Value]) -> Value {
    let sub_items: Vec<Value> = sub_items.to_vec();
    json!({"Chapter": {
        "name": path, "content": content, "number": [1, 2], "sub_items": sub_items, "path": path.replace("README", "index"),
        "source_path": path, "parent_names": ["a"], "of a later version": {"x": [null, 1.5]}
    }})
}

/// What mdBook passes for these items; the folder is that of the project.
fn passed(project: &Project, name: &str, items: &[Value]) -> Value {
    let context = json!({
        "root": project.path().canonicalize().unwrap(),
        "config": {"book": {"title": "Rules", "src": "text"}, "preprocessor": {"referee": {"command": "referee book --mdbook"}}},
        "renderer": "html", "mdbook_version": "0.5.4"
    });
    let items: Vec<Value> = items.to_vec();
    json!([context, {name: items, "__non_exhaustive": null}])
}

fn run(project: &Project, passed: &Value) -> Ran {
    project.run_with(&["book", "--mdbook"], &passed.to_string())
}

/// Returns the contents of all chapters in order.
fn contents(items: &Value) -> Vec<String> {
    let of = |item: &Value| {
        let own = item["Chapter"]["content"].as_str().map(str::to_owned);
        own.into_iter().chain(contents(&item["Chapter"]["sub_items"])).collect::<Vec<_>>()
    };
    items.as_array().into_iter().flatten().flat_map(of).collect()
}

fn block(scenario: &str) -> String {
    format!("```scenario\n{scenario}```\n")
}

const RULES: &str = "# Hop\n\n[R1] Roll the die.\n\n- [R2] A marker never walks\n  onto a *piece*\n- more\n";

#[test]
fn only_the_renderer_of_pages_is_supported() {
    let project = Project::new();
    let supports = |renderer: &str| project.run(&["book", "--mdbook", "supports", renderer]);
    assert_eq!(supports("html"), Ran { stdout: String::new(), stderr: String::new(), code: 0 });
    assert_eq!(supports("epub").code, 1);
}

#[test]
fn blocks_become_pictures_and_everything_else_stays() {
    for name in ["items", "sections"] {
        let project = Project::hop();
        let quoted: String = block(GOOD).lines().map(|line| format!("> {line}\n")).collect();
        let listed: String =
            block(GOOD).replace("A walk", "Another").lines().map(|line| format!("  {line}\n")).collect();
        let deep = format!("# Deep\n\n{quoted}after the quote\n\n- in a list\n\n{listed}  more of it\n");
        let sub = [chapter("deep/README.md", &deep, &[])];
        let items = [
            chapter("rules.md", RULES, &sub),
            json!("Separator"),
            json!({"PartTitle": "A part"}),
            chapter("plain.md", "# Plain\n\n```text\nscenario\n```\n", &[]),
            json!({"Chapter": {"name": "Draft", "content": "", "number": null, "sub_items": [], "path": null, "source_path": null, "parent_names": []}}),
        ];
        let given = passed(&project, name, &items);
        let ran = run(&project, &given);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        let mut book: Value = serde_json::from_str(&ran.stdout).unwrap();
        let texts = contents(&book[name]);
        assert_eq!(texts.len(), 4);
        // Without examples and clauses, a chapter stays as it is.
        assert_eq!(texts[2], "# Plain\n\n```text\nscenario\n```\n");
        assert_eq!(texts[3], "");
        check_rules(&texts[0]);
        check_deep(&texts[1]);
        // All other fields are as they were.
        let old = given[1][name].clone();
        let put_back = |item: &mut Value, old: &Value| item["Chapter"]["content"] = old["Chapter"]["content"].clone();
        put_back(&mut book[name][0], &old[0]);
        put_back(&mut book[name][0]["Chapter"]["sub_items"][0], &old[0]["Chapter"]["sub_items"][0]);
        assert_eq!(book, given[1]);
    }
}

/// The clauses lead to the examples in the other chapter.
fn check_rules(text: &str) {
    let shown = "shown by <a href=\"deep/index.html#Example-2-1\">A walk of two squares</a>, <a href=\"deep/index.html#Example-2-2\">Another of two squares</a></span>";
    let first = format!(
        "\n<span class=\"clause\" id=\"Clause-1-R1\"></span>[R1] Roll the die. <span class=\"shown\">{shown}\n"
    );
    assert!(text.contains(&first), "{text}");
    let second = format!(
        "\n- <span class=\"clause\" id=\"Clause-1-R2\"></span>[R2] A marker never walks\n  onto a *piece* <span class=\"shown\">{shown}\n- more\n"
    );
    assert!(text.contains(&second), "{text}");
    let style = text.lines().last().unwrap();
    assert!(style.starts_with("<style>.board{") && style.ends_with("</style>"));
}

/// Each example is one line of HTML with an empty line after it, in a quote and in a list.
fn check_deep(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let html = |line: &&&str| line.contains("<article class=\"example\"");
    assert_eq!(lines.iter().filter(html).count(), 2);
    assert!(!text.contains("```"));
    let quote = lines.iter().position(|line| line.starts_with("> <div class=\"referee\">")).unwrap();
    assert!(lines[quote].ends_with("</article></div>") && lines[quote + 1].is_empty());
    assert!(lines[quote].contains("id=\"Example-2-1\"") && lines[quote].matches("<svg").count() > 1);
    assert!(lines[quote].contains("text/deep/README.md line 6"), "{}", lines[quote]);
    assert!(lines[quote].contains("use hop short&#10;&#10;scenario"));
    assert!(lines[quote].contains("<a href=\"../rules.html#Clause-1-R1\">R1</a>"));
    assert_eq!(lines[quote..].iter().find(|line| line.contains("quote")), Some(&"after the quote"));
    let list = lines.iter().position(|line| line.starts_with("  <div class=\"referee\">")).unwrap();
    assert!(lines[list + 1].is_empty());
    assert!(lines[list..].contains(&"  more of it"));
}

#[test]
fn a_failing_chapter_breaks_the_build_at_its_line() {
    let project = Project::hop();
    let bad = format!("# Bad\n\nText.\n\n{}", block(FAILING));
    let items = [chapter("good.md", &block(GOOD), &[]), chapter("bad.md", &bad, &[])];
    let ran = run(&project, &passed(&project, "items", &items));
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.starts_with("FAIL text/bad.md:8 A walk that ends elsewhere\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("[text/bad.md:13:3]"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("good.md"), "{}", ran.stderr);
    let items = [chapter("bad.md", &block(INVALID), &[])];
    let ran = run(&project, &passed(&project, "items", &items));
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
    assert!(
        ran.stderr.contains("unknown die `distanse`") && ran.stderr.contains("[text/bad.md:6:8]"),
        "{}",
        ran.stderr
    );
}

/// The text of a chapter is that of the book, not that of its file: another preprocessor may have changed it.
#[test]
fn the_text_is_that_of_the_book() {
    let project = Project::hop().file("text/good.md", block(FAILING));
    let ran = run(&project, &passed(&project, "items", &[chapter("good.md", &block(GOOD), &[])]));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("A walk of two squares"));
}

#[test]
fn games_are_found_where_the_book_says() {
    let project = Project::new();
    let project =
        crate::suite::HOP.iter().fold(project, |project, (path, text)| project.file(&format!("my/{path}"), text));
    let mut given = passed(&project, "items", &[chapter("good.md", &block(GOOD), &[])]);
    assert_eq!(run(&project, &given).code, 3);
    given[0]["config"]["preprocessor"]["referee"]["games"] = json!("my/games");
    assert_eq!(run(&project, &given).code, 0);
    assert_eq!(project.run_with(&["book", "--mdbook", "--games", "my/games"], &given.to_string()).code, 0);
    given[0]["config"]["preprocessor"]["referee"]["games"] = json!("none");
    let ran = run(&project, &given);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with("error: no such folder of games: `none`"), "{}", ran.stderr);
    let wrong = [
        (
            "gmaes",
            json!("my/games"),
            "error: unknown key `gmaes` in `[preprocessor.referee]` of `book.toml`\ndid you mean `games`?\n",
        ),
        (
            "games",
            json!(3),
            "error: `games` in `[preprocessor.referee]` of `book.toml` is no folder\nwrite `games = \"games\"`\n",
        ),
    ];
    for (key, value, message) in wrong {
        given[0]["config"]["preprocessor"]["referee"] = json!({ "command": "referee book --mdbook", key: value });
        let ran = run(&project, &given);
        assert_eq!((ran.code, ran.stderr.as_str()), (2, message));
    }
}

#[test]
fn what_is_no_book_is_reported() {
    let project = Project::new();
    for (input, message) in [
        ("", "this is no JSON: EOF while parsing a value at line 1 column 0"),
        ("[1, 2", "this is no JSON: EOF while parsing a list at line 1 column 5"),
        ("{}", "this JSON is no book of mdBook"),
        ("[{}, {}]", "this JSON is no book of mdBook"),
        ("[{}, {\"items\": []}, {}]", "this JSON is no book of mdBook"),
    ] {
        let ran = project.run_with(&["book", "--mdbook"], input);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert_eq!(ran.stderr, format!("error: cannot read the book on standard input: {message}\n"));
    }
    assert_eq!(project.run_with(&["book", "--mdbook"], "[{}, {\"items\": []}]").stdout, "{\"items\":[]}\n");
}
