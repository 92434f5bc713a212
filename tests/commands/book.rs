//! `referee book`: a rulebook as a page. Each example is drawn where it is written, each clause names the examples that
//! show it, and nothing is written if one fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{FAILING, GOOD, INVALID, Project};

/// What a page contains.
struct Page {
    html: String,
    ids: BTreeSet<String>,
}

/// Returns the values of an attribute, in order.
fn attributes<'h>(html: &'h str, name: &str) -> Vec<&'h str> {
    let begin = format!(" {name}=\"");
    html.split(begin.as_str()).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// Returns the part of a text between two others.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> &'t str {
    assert!(text.contains(begin), "no {begin}");
    let rest = text.split_once(begin).unwrap().1;
    rest.split_once(end).unwrap_or((rest, "")).0
}

impl Page {
    /// Reads a page; checks that no id occurs twice, that every link within it leads somewhere, that every picture has words,
    /// and that it neither runs nor fetches anything.
    fn read(html: String) -> Self {
        let all = attributes(&html, "id");
        let ids: BTreeSet<String> = all.iter().map(|id| (*id).to_owned()).collect();
        assert_eq!(ids.len(), all.len(), "an id occurs twice");
        for link in attributes(&html, "href").into_iter().filter_map(|link| link.strip_prefix('#')) {
            assert!(ids.contains(link), "#{link} leads nowhere");
        }
        for words in ["aria-labelledby", "aria-describedby"] {
            assert!(attributes(&html, words).iter().all(|id| ids.contains(*id)), "{words} names nothing");
        }
        assert_eq!(html.matches("<svg").count(), html.matches("<desc id=").count());
        for active in ["<script", "<link", "<iframe", " onerror=", "url(", "@import"] {
            assert!(!html.contains(active), "{active}");
        }
        assert!(attributes(&html, "src").iter().all(|address| address.starts_with("data:image/")));
        assert!(html.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:;"));
        Self { html, ids }
    }

    fn of_file(path: &Path) -> Self {
        Self::read(fs::read_to_string(path).unwrap())
    }

    /// The examples by their ids.
    fn examples(&self) -> BTreeMap<String, String> {
        let articles = self.html.split("<article class=\"example\"").skip(1);
        articles
            .map(|rest| {
                let own = rest.split("</article>").next().unwrap();
                (attributes(own, "id")[0].to_owned(), own.to_owned())
            })
            .collect()
    }

    /// The clauses in the order of the text, each with the addresses of its note.
    fn clauses(&self) -> Vec<(String, Vec<String>)> {
        let parts: Vec<&str> = self.html.split("<span class=\"clause\" id=\"Clause-").skip(1).collect();
        let one = |part: &&str| {
            let (id, rest) = part.split_once('"').unwrap();
            assert!(rest.starts_with(&format!(">[{id}]</span>")), "{id}");
            let note = between(rest, "<span class=\"shown\">", "</span></");
            (id.to_owned(), attributes(note, "href").iter().map(|link| (*link).to_owned()).collect())
        };
        parts.iter().map(one).collect()
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// How players decide for a chance belongs to what is written.
#[test]
fn the_decisions_for_a_chance_are_shown() {
    let project = Project::new();
    let out = project.path().join("pig.html");
    let arguments = ["book", "games/pig/RULES.md", "scenarios/pig", "--out", out.to_str().unwrap()];
    assert_eq!(project.command(&arguments).current_dir(root()).output().unwrap().status.code(), Some(0));
    let page = fs::read_to_string(out).unwrap();
    assert!(page.contains("when ann policy") && page.contains("at best for ann"), "{page}");
}

/// Every shipped rulebook becomes a page, those without examples of their own with scenarios about moves.
#[test]
fn every_shipped_rulebook_is_a_page() {
    let project = Project::new();
    let mut pages = 0;
    for entry in fs::read_dir(root().join("games")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(folder.join("RULES.md")).unwrap();
        let rulebook = format!("games/{name}/RULES.md");
        let has_own = text.contains("```scenario");
        let out = project.path().join(format!("{name}.html"));
        let out = out.to_str().unwrap();
        let scenarios = fs::read_dir(root().join("scenarios").join(&name)).unwrap();
        let names = scenarios.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        let moves = names.min_by_key(|name| (!name.starts_with("mov"), name.clone()));
        let moves = moves.map(|file| format!("scenarios/{name}/{file}")).unwrap_or_default();
        let alone = project.command(&["book", &rulebook, "--out", out]).current_dir(root()).output().unwrap();
        assert_eq!(alone.status.code(), Some(if has_own { 0 } else { 4 }), "{name}");
        let mut paths = vec!["test", &rulebook];
        if !has_own {
            assert!(!Path::new(out).exists());
            let scenarios = ["book", &rulebook, &moves, "--out", out];
            let made = project.command(&scenarios).current_dir(root()).output().unwrap();
            assert_eq!(made.status.code(), Some(0), "{name}");
            paths[1] = &moves;
        }
        paths.extend(["--format", "json"]);
        let json = project.command(&paths).current_dir(root()).output().unwrap();
        let json: Value = serde_json::from_slice(&json.stdout).unwrap();
        let tests = json["tests"].as_array().unwrap().len();
        check_shipped(&Page::of_file(Path::new(out)), &text, tests);
        pages += 1;
    }
    assert_eq!(pages, 18);
}

/// Checks the page of a shipped rulebook, with this text and so many tests.
fn check_shipped(page: &Page, text: &str, tests: usize) {
    let examples = page.examples();
    assert!(tests > 0);
    assert_eq!(examples.len(), tests);
    let written: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix('[')?.split_once(']')).map(|pair| pair.0).collect();
    let clauses = page.clauses();
    assert!(!clauses.is_empty());
    assert_eq!(clauses.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), written);
    let list = between(&page.html, "<dl class=\"clauses\">", "</dl>");
    for (id, links) in &clauses {
        assert!(page.ids.contains(&format!("Shown-{id}")));
        let to_clause = format!("href=\"#Clause-{id}\"");
        let showing = examples.iter().filter(|(_, example)| example.contains(&to_clause)).count();
        let row = between(list, &format!("<dt id=\"Shown-{id}\">"), "</dd>");
        if links.is_empty() {
            assert_eq!(showing, 0, "{id}");
            assert!(row.contains("no example shows this clause"));
        } else {
            // The clause leads to all examples that lead to it, and to no other.
            let named: Vec<&str> =
                attributes(row, "href").into_iter().filter(|link| link.starts_with("#Example-")).collect();
            assert_eq!(named.len(), showing, "{id}");
            for link in named.iter().copied().chain(links.iter().map(String::as_str)) {
                let example = examples.get(&link[1..]);
                assert!(
                    example.map_or(link == format!("#Shown-{id}"), |example| example.contains(&to_clause)),
                    "{link}"
                );
            }
        }
    }
    for (id, example) in &examples {
        assert!(example.contains("</span> passed</span>, "), "{id}");
        // These have neither a board nor cards; everything else is drawn, at the start and at the end.
        let drawn = example.matches("<svg").count();
        let has_none = ["# Pig\n", "# Liar's Dice\n"].iter().any(|title| text.starts_with(title));
        assert_eq!(drawn == 0, has_none, "{id}: {drawn} pictures");
    }
}

/// A rulebook of the small game with an example in each of its forms.
const RULEBOOK: &str = "\
# Hop & jump

[R1] Roll the die. You may walk as many squares as it shows.

[R2] A marker never walks onto a piece.

## An example

```scenario
use hop short

scenario \"A <walk> of *two* squares\"
  covers R2
  turn red
  roll distance 2
  red walk to b2
  red walk to c3
  expect red at c3
```

```scenario
use hop short

scenario \"Walks\"
  turn red
  roll distance 1
  red walk to {to}
  expect red at {to}
  examples
    | to |
    | a2 |
    | b1 |
```
";

/// The small game with this rulebook.
fn with(rulebook: &str) -> Project {
    Project::hop().file("games/hop/RULES.md", rulebook)
}

#[test]
fn an_example_stands_where_it_is_written_with_its_lines_and_positions() {
    let project = with(RULEBOOK);
    let ran = project.run(&["book", "games/hop/RULES.md"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let page = Page::read(ran.stdout);
    assert!(page.html.contains("<title>Hop &amp; jump</title>"));
    assert!(page.html.contains("<header><h1 id=\"hop--jump\">Hop &amp; jump</h1>"));
    assert!(page.html.contains("3 examples, all of which the rules pass; they show 2 of 2 clauses."));
    let examples = page.examples();
    assert_eq!(examples.keys().collect::<Vec<_>>(), ["Example-1", "Example-2", "Example-3"]);
    let walk = &examples["Example-1"];
    // Below a heading of level 2.
    assert!(walk.contains("<h3 id=\"Example-1-name\">A &lt;walk&gt; of *two* squares</h3>"));
    assert!(walk.contains("games/hop/RULES.md line 12"));
    assert!(walk.contains("It shows clauses <a href=\"#Clause-R1\">R1</a>, <a href=\"#Clause-R2\">R2</a>"));
    // The start, three lines of play, and the square where the walk ends.
    assert_eq!(walk.matches("<div class=\"step\"").count(), 5);
    assert!(between(walk, "<details>", "</details>").contains("<summary>3 steps between</summary>"));
    assert_eq!(between(walk, "<details>", "</details>").matches("<div class=\"step\"").count(), 3);
    let last = walk.split("</details>").last().unwrap();
    assert!(last.contains("<li value=\"17\"><code>  red walk to c3</code></li>"), "{last}");
    assert!(last.contains("<li value=\"18\"><code>  expect red at c3</code></li>"));
    assert!(last.contains("<li>red moves to c3</li>") && last.contains("red on c3."), "{last}");
    assert!(examples["Example-3"].contains("Walks (row 2)"));
    // The first rows stand in the second block, as the text has it.
    let (first, second) = page.html.split_once("id=\"Example-2\"").unwrap();
    assert!(first.contains("The example as written") && first.contains("The examples as written"));
    assert!(!second.contains("as written</summary>"));
    // The title is no Markdown; that of another row is short.
    let row = between(&page.html, "<dt id=\"Shown-R1\">", "</dd>");
    assert!(
        row.contains(
            ">A &#60;walk&#62; of &#42;two&#42; squares</a>, <a href=\"#Example-2\">Walks &#40;row 1&#41;</a>"
        )
    );
    assert!(row.ends_with(", <a href=\"#Example-3\">&#40;row 2&#41;</a>"), "{row}");
}

#[test]
fn a_clause_without_an_example_is_marked() {
    let rulebook = RULEBOOK.replace("[R2] A marker", "[R3] Nobody rests.\n\n[R2] A marker");
    let project = with(&rulebook);
    let ran = project.run(&["book", "games/hop/RULES.md", "--out", "new/hop.html"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "new/hop.html: 3 examples, 2 of 3 clauses are shown\nno example shows R3\n")
    );
    let page = Page::of_file(&project.path().join("new/hop.html"));
    let clauses = page.clauses();
    let ids: Vec<&str> = clauses.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["R1", "R3", "R2"]);
    assert!(clauses[1].1.is_empty());
    assert_eq!(page.html.matches("no example shows this clause").count(), 2);
    // Again: an earlier page is replaced, and is the same.
    let before = page.html;
    assert_eq!(project.run(&["book", "games/hop/RULES.md", "--out", "new/hop.html", "--jobs", "1"]).code, 0);
    assert_eq!(fs::read_to_string(project.path().join("new/hop.html")).unwrap(), before);
}

#[test]
fn scenarios_of_other_files_follow_the_text_and_show_its_clauses() {
    let rulebook = "# Hop\n\n[R1] Roll the die.\n\n[R2] A marker never walks onto a piece.\n";
    let project = with(rulebook).file("more/good.scenario", GOOD);
    let ran = project.run(&["book", "games/hop/RULES.md"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""));
    assert!(
        ran.stderr.starts_with("error: no examples: `games/hop/RULES.md` has no scenario blocks\n"),
        "{}",
        ran.stderr
    );
    let page = Page::read(project.run(&["book", "games/hop/RULES.md", "more"]).stdout);
    assert_eq!(page.clauses()[0], ("R1".to_owned(), vec!["#Example-1".to_owned()]));
    let further = page.html.split_once("<h2 id=\"Further\">").unwrap().1;
    assert!(further.contains("<h3>more/good.scenario</h3>"));
    let example = &page.examples()["Example-1"];
    assert!(further.contains("id=\"Example-1\"") && example.contains("more/good.scenario line 3"));
    // All lines, and the first and the last position.
    assert!(example.contains("<code>  red walk to b2</code>") && example.contains("<code>  expect red at c3</code>"));
    assert_eq!(example.matches("<svg").count(), 2);
}

/// The folder of the rulebook has its examples again, which are shown once.
#[test]
fn an_example_is_shown_once() {
    let project = with(RULEBOOK).file("games/hop/more.scenario", GOOD);
    let page = Page::read(project.run(&["book", "games/hop/RULES.md", "games", "games/hop/RULES.md:12"]).stdout);
    assert_eq!(page.examples().len(), 4);
    let further = page.html.split_once("<h2 id=\"Further\">").unwrap().1;
    assert_eq!(further.matches("<article").count(), 1);
    assert!(further.contains("<h3>games/hop/more.scenario</h3>"));
}

/// The rulebooks that `referee new` writes become pages.
#[test]
fn every_new_game_has_a_page() {
    for kind in ["grid", "hex", "track", "cards"] {
        let project = Project::new();
        assert_eq!(project.run(&["new", "mine", "--kind", kind]).code, 0);
        let ran = project.run(&["book", "games/mine/RULES.md", "mine"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{kind}");
        let page = Page::read(ran.stdout);
        assert!(page.clauses().len() > 1 && page.examples().len() > 1, "{kind}");
        assert!(page.clauses().iter().any(|(_, links)| !links.is_empty()), "{kind}");
    }
}

/// A text about two games: only the clauses of the game that its examples play are clauses.
#[test]
fn clauses_are_those_of_the_game() {
    let text = "Of two games.\n\n[R1] Of this one.\n\n[X1] Of the other one.\n\n".to_owned() + block(GOOD).as_str();
    let project = Project::hop().file("text.md", text);
    let page = Page::read(project.run(&["book", "text.md"]).stdout);
    assert_eq!(page.clauses().len(), 1);
    assert!(page.html.contains("<p>[X1] Of the other one.</p>"));
    // A text without a title has its name.
    assert!(page.html.contains("<h1>text.md</h1>") && page.html.contains("<title>text.md</title>"));
}

fn block(scenario: &str) -> String {
    format!("```scenario\n{scenario}```\n")
}

#[test]
fn a_failing_example_is_reported_as_by_test_and_nothing_is_written() {
    let project = Project::hop().file("rules.md", format!("# Rules\n\n{}", block(FAILING)));
    let tested = project.run(&["test", "rules.md"]);
    assert_eq!(tested.code, 1);
    let made = project.run(&["book", "rules.md", "--out", "rules.html"]);
    assert_eq!((made.code, made.stdout.as_str()), (1, ""));
    assert_eq!(made.stderr.trim_end(), tested.stdout.trim_end());
    assert!(made.stderr.contains("[rules.md:11:3]") && made.stderr.contains("red at d4"), "{}", made.stderr);
    assert!(!project.path().join("rules.html").exists());
    // On standard output there is no half of a page either.
    assert_eq!(project.run(&["book", "rules.md"]).stdout, "");
    // An earlier page stays as it is.
    let project = project.file("good.md", block(GOOD));
    assert_eq!(project.run(&["book", "good.md", "--out", "page.html"]).code, 0);
    let before = fs::read_to_string(project.path().join("page.html")).unwrap();
    assert_eq!(project.run(&["book", "good.md", "rules.md", "--out", "page.html"]).code, 1);
    assert_eq!(fs::read_to_string(project.path().join("page.html")).unwrap(), before);
}

#[test]
fn what_cannot_be_a_page_is_reported() {
    let project = Project::hop()
        .file("good.md", block(GOOD))
        .file("invalid.md", block(INVALID))
        .file("misspelt.md", "```scenarios\nuse hop\n```\n")
        .file("plain.md", "# No examples\n")
        .file("good.scenario", GOOD)
        .file("notes.html", "<p>mine</p>");
    let lines = [
        "invalid.md",
        "misspelt.md",
        "plain.md",
        "god.md",
        "hop",
        "good.scenario",
        "games",
        "good.md --out notes.html",
        "good.md --out games",
        "good.md good.scenario:99",
        "good.md nowhere",
        "good.md --mdbook",
        "",
    ];
    let mut text = String::new();
    for line in lines {
        let arguments: Vec<&str> = std::iter::once("book").chain(line.split_whitespace()).collect();
        text.push_str(&format!("$ referee book {line}\n{}\n\n", project.run(&arguments).all()));
    }
    insta::assert_snapshot!(text.trim_end());
    assert_eq!(fs::read_to_string(project.path().join("notes.html")).unwrap(), "<p>mine</p>");
}

/// What a text holds of HTML is shown as text, comments are left out, and links lead only to harmless places.
#[test]
fn nothing_of_the_text_becomes_active() {
    let text = "\
# Rules <script>alert(1)</script>

<script>alert(2)</script>

<!-- a remark
over two lines --> <b onclick=\"go()\">bold</b>

A <i>word</i><!-- aside --> and [one](javascript:alert(3)), [two](JaVa&#10;Script:alert), [three](data:text/html,x),
[four](vbscript:x \"a title\"), [five](https://example.org/a?b=\"c\"), [six](other.md#a), [seven](#rules-scriptalert1script).

![A picture](board.png \"its title\") and [![inside](logo.png)](https://example.org).

| | a |
|---|--:|
| <u>x</u> | `<s>` |

    <em>code</em>

";
    let project = Project::hop().file("rules.md", text.to_owned() + block(GOOD).as_str());
    let page = Page::read(project.run(&["book", "rules.md"]).stdout);
    let has = |part: &str| assert!(page.html.contains(part), "{part}\n{}", between(&page.html, "<body>", "<article"));
    has("<h1 id=\"rules-scriptalert1script\">Rules &lt;script&gt;alert(1)&lt;/script&gt;</h1>");
    has("<p>&lt;script&gt;alert(2)&lt;/script&gt;</p>");
    has("<p>&lt;b onclick=\"go()\"&gt;bold&lt;/b&gt;</p>");
    has("A &lt;i&gt;word&lt;/i&gt; and <a>one</a>, <a>two</a>, <a>three</a>,\n<a title=\"a title\">four</a>");
    has("<a href=\"https://example.org/a?b=&quot;c&quot;\">five</a>, <a href=\"other.md#a\">six</a>");
    has(
        "<p><a href=\"board.png\" title=\"its title\">A picture</a> and <a href=\"https://example.org\">inside</a>.</p>",
    );
    has("<td></td><th style=\"text-align: right\">a</th>");
    has("<td>&lt;u&gt;x&lt;/u&gt;</td><td style=\"text-align: right\"><code>&lt;s&gt;</code></td>");
    has("<pre tabindex=\"0\"><code>&lt;em&gt;code&lt;/em&gt;\n</code></pre>");
    assert!(!page.html.contains("remark") && !page.html.contains("aside") && !page.html.contains("javascript"));
}

/// A page is one file: it contains the pictures beside the rulebook, and has links in place of others.
#[test]
fn pictures_are_in_the_page() {
    let text = "![A *board*](img/a%20board.png \"its title\") ![](b.SVG) ![gone](gone.png) ![far](https://example.org/x.png)\n\
        ![](notes.txt) ![out](../secret.png) [![in](img/a%20board.png)](x.md) ![A *board*](img/a%20board.png)\n\n"
        .to_owned();
    let project = Project::hop()
        .file("rules/rules.md", text + block(GOOD).as_str())
        .file("rules/img/a board.png", [0x89, b'P', b'N', b'G', 0xff])
        .file("rules/b.SVG", "<svg/>")
        .file("rules/notes.txt", "mine")
        .file("secret.png", "mine");
    let mut command = project.command(&["book", "rules.md", "--games", "../games"]);
    let output = command.current_dir(project.path().join("rules")).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let page = Page::read(String::from_utf8(output.stdout).unwrap());
    let has = |part: &str| assert!(page.html.contains(part), "{part}\n{}", between(&page.html, "<body>", "<article"));
    has("<p><img src=\"data:image/png;base64,iVBOR/8=\" alt=\"A board\" title=\"its title\"> ");
    has("<img src=\"data:image/svg+xml;base64,PHN2Zy8+\" alt=\"\"> <a href=\"gone.png\">gone</a> ");
    has(
        "<a href=\"https://example.org/x.png\">far</a>\n<a href=\"notes.txt\">notes.txt</a> <a href=\"../secret.png\">out</a> ",
    );
    has("<a href=\"x.md\"><img src=\"data:image/png;base64,iVBOR/8=\" alt=\"in\"></a> ");
    let said = String::from_utf8(output.stderr).unwrap();
    let remarks: Vec<&str> = said.lines().collect();
    assert_eq!(
        remarks,
        [
            "the page has a link in place of the picture `../secret.png`: it is outside the folder of the rulebook and the \
             working folder",
            "the page has a link in place of the picture `gone.png`: no such file",
            "the page has a link in place of the picture `notes.txt`: its extension is none of a picture",
        ]
    );
}

/// A clause has its anchor and its examples wherever it begins a line.
#[test]
fn clauses_in_lists_and_other_places() {
    let text = "\
- [A1] One
  - [A2] two *in it*
- **[A3] strong**
  more

[A4]
[A5] in one paragraph
[A6] [with a link](x.md)

    [A7] code

> A quote

* [A8] a list

  with two paragraphs

";
    let clauses = "[R1] a\n\n[R2] b\n\n".to_owned() + text;
    let project = with(&clauses).file("rules.md", clauses.clone() + block(GOOD).as_str());
    let page = Page::read(project.run(&["book", "rules.md"]).stdout);
    let none = "<span class=\"shown\"><span class=\"status failed\"><span aria-hidden=\"true\">✗</span> no example shows this clause</span></span>";
    let body = page.html.replace(none, "{none}");
    let body = between(&body, "<ul>", "<div class=\"referee\">").replace("<span class=\"clause\" id=\"Clause-", "{");
    insta::assert_snapshot!(body.replace("</span>", "}"));
}

#[test]
fn headings_have_ids_of_their_own() {
    let text = "# Play\n\n## Play\n\n## Play-1\n\n### Play!\n\n## Example 1\n\n## ¿?\n\n## Ödland\n\n".to_owned()
        + block(GOOD).as_str();
    let project = Project::hop().file("rules.md", text);
    let page = Page::read(project.run(&["book", "rules.md"]).stdout);
    let headings: Vec<&str> = page
        .html
        .split("<h")
        .filter(|part| part.starts_with(['1', '2', '3']) && part.contains(" id=\""))
        .map(|part| attributes(part, "id")[0])
        .filter(|id| !id.starts_with(char::is_uppercase))
        .collect();
    assert_eq!(headings, ["play", "play-1", "play-1-1", "play-2", "example-1", "section", "ödland"]);
}
