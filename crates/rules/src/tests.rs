//! The places of names and expressions, in all scripts of the bundled games.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails may panic")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::host::{Link, Role};
use super::layers::{Layers, Reading, ScriptTokenKind, Tokens, rules_place};
use super::program::build;
use super::script::{Function, Meaning, Node, Script, WORDS, What, Within};
use super::scripts::Scripts;
use referee_source::{Source, Span};
use referee_table::Schema;

/// Returns the scripts in the folder of each game: the rules first, then the house rules.
fn scripts() -> Vec<Vec<Arc<Source>>> {
    fn listed(folder: &Path) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        Arc::new(Source::new(path.strip_prefix(&root).unwrap().to_string_lossy(), text))
    };
    let is_script = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "rhai");
    let games = listed(&root.join("games")).into_iter();
    let own = |folder: &Path| listed(folder).into_iter().filter(is_script).map(read).collect::<Vec<_>>();
    games.map(|game| [own(&game), own(&game.join("house"))].concat()).filter(|all| !all.is_empty()).collect()
}

fn read(sources: &[Arc<Source>]) -> (Layers, Script) {
    let schema = Arc::new(Schema::empty());
    let built = build(&Link::default(), &schema);
    // House rules have errors alone.
    let (layers, _) = Layers::read(&Reading { mends: true, ..built.reading() }, &[sources.to_vec(), Vec::new()]);
    assert!(layers.left_out.is_empty());
    let script = Script::read(&layers, &built.of_game, &schema);
    (layers, script)
}

/// Returns the place of a node and checks that the places of its parts are within it, in order and apart.
fn nested(spans: Within<'_>, node: &Node, count: &mut usize) -> Option<Span> {
    let own = spans.whole(node);
    let mut parts = Vec::new();
    // The texts between the expressions in a string have no places of their own.
    let is_text = |part: &Node| matches!((&node.what, &part.what), (What::Interpolated(_), What::Text(_)));
    node.for_each_part(&mut |part| parts.extend(if is_text(part) { None } else { nested(spans, part, count) }));
    // `value in range` is a call on the range.
    let is_range = |node: &Node| matches!(&node.what, What::Operator(sign, _) if sign.starts_with(".."));
    let is_in = node.call().and_then(|call| call.args.first()).is_some_and(is_range);
    if is_in || matches!(node.what, What::Assign(_)) {
        parts.sort();
    }
    let shown = || own.map(|own| spans.text.source().slice(own).to_owned());
    if let Some(own) = own {
        *count += 1;
        for part in &parts {
            assert!(own.start <= part.start && part.end <= own.end, "{:?} {part:?} in {:?}", node.what, shown());
        }
    }
    for pair in parts.windows(2) {
        assert!(pair[0].end <= pair[1].start, "{:?}: {pair:?} in {:?}", node.what, shown());
    }
    own.or_else(|| Some(parts.first()?.to(*parts.last()?)))
}

#[test]
fn places_nest_like_the_tree() {
    let mut count = 0;
    for sources in scripts() {
        for source in &sources {
            let (layers, script) = read(std::slice::from_ref(source));
            let spans = Within { text: &layers.texts.all()[0] };
            for function in script.functions.iter().filter(|function| function.layer == 0) {
                nested(spans, &function.body, &mut count);
                parameters(&layers, function);
            }
        }
    }
    assert!(count > 8_000, "{count}");
}

/// Each variable is declared where its name stands.
fn parameters(layers: &Layers, function: &Function) {
    for local in &function.locals {
        let label = layers.texts.label(rules_place(local.at)).unwrap();
        assert_eq!(label.source.slice(label.span), local.name, "{local:?} in {}", function.name);
    }
}

/// Every word of a script that is none of the language is a name, and is where it is said to be.
#[test]
fn each_name_is_found_where_it_is() {
    let mut count = 0;
    for sources in scripts() {
        let schema = Arc::new(Schema::empty());
        let (rules, houses) = sources.split_at(1);
        for house in houses.iter().map(Some).chain([None]) {
            let scripts = Scripts::read(&schema, rules, house);
            let source = house.unwrap_or(&rules[0]);
            let names = scripts.names(source.name());
            for name in names {
                assert_eq!(referee_source::unescaped(source.slice(name.span)), name.name);
            }
            let all = Tokens::of(source.text(), Span::new(0..source.text().len()));
            for token in all.all().iter().filter(|token| token.kind == ScriptTokenKind::Word) {
                let word = source.slice(token.span);
                let is_found = names.iter().any(|name| name.span.end == token.span.end);
                let at = source.position(token.span.start);
                assert!(
                    is_found || word == "_" || WORDS.contains(&word),
                    "{}:{}:{}: {word}",
                    source.name(),
                    at.line,
                    at.column
                );
                count += 1;
            }
        }
    }
    assert!(count > 7_000, "{count}");
}

/// An expression goes from its first token to its last.
#[test]
fn brackets_belong_to_their_expression() {
    let text = "fn f(list, a) {\n    let x = ((a + 1) * -2).abs();\n    if !(a > 1) { list[(a)].len() } else { #{ k: [a, (x)], l: () } }\n    \
                list.map(|one| (one)).len() + f(list, (list.len()))\n}\n";
    let source = Arc::new(Source::new("x", text));
    let (layers, script) = read(&[Arc::clone(&source)]);
    let spans = Within { text: &layers.texts.all()[0] };
    let mut found = Vec::new();
    script.functions[0].body.walk(&mut |node| {
        found.extend(spans.whole(node).map(|span| source.slice(span)));
    });
    let body = &text["fn f(list, a) ".len()..text.len() - 1];
    let branch = "if !(a > 1) { list[(a)].len() } else { #{ k: [a, (x)], l: () } }";
    let expected = [
        body,
        "let x = ((a + 1) * -2).abs()",
        "((a + 1) * -2).abs()",
        "((a + 1) * -2)",
        "(a + 1)",
        "a",
        "1",
        "-2",
        branch,
        "!(a > 1)",
        "(a > 1)",
        "a",
        "1",
        "{ list[(a)].len() }",
        "list[(a)].len()",
        "list[(a)]",
        "list",
        "(a)",
        "{ #{ k: [a, (x)], l: () } }",
        "#{ k: [a, (x)], l: () }",
        "[a, (x)]",
        "a",
        "(x)",
        "()",
        "list.map(|one| (one)).len() + f(list, (list.len()))",
        "list.map(|one| (one)).len()",
        "list.map(|one| (one))",
        "list",
        "|one| (one)",
        "(one)",
        "(one)",
        "f(list, (list.len()))",
        "list",
        "(list.len())",
        "list",
    ];
    assert_eq!(found, expected);
}

/// Returns the names of a script, those after `|` alike with a mark for what they stand for.
fn marked(text: &str) -> String {
    let source = Arc::new(Source::new("x", text));
    let scripts = Scripts::read(&Arc::new(Schema::empty()), &[Arc::clone(&source)], None);
    let mut marked = text.to_owned();
    for name in scripts.names("x").iter().rev() {
        let mark = match (&name.meaning, name.declares) {
            (Meaning::Variable(variable), _) => format!("{}:", variable.number),
            (Meaning::Function | Meaning::Constant, true) => "!".to_owned(),
            (Meaning::Function, false) => "fn:".to_owned(),
            (Meaning::Constant, false) => "const:".to_owned(),
            (Meaning::Key, _) => "key:".to_owned(),
            (Meaning::Native, _) => "api:".to_owned(),
            (Meaning::Text(Role::Plain), _) => String::new(),
            (Meaning::Text(role), _) => format!("{role:?}:"),
            (Meaning::Unknown, _) => "?:".to_owned(),
            (other, _) => format!("{other:?}:"),
        };
        marked.insert_str(name.span.range().start, &mark);
    }
    marked
}

/// A number before a name is that of a variable in its function.
#[test]
fn names_mean_what_is_visible_at_their_place() {
    let marks = [
        "const !far = 2; fn !turn(0:me) { fn:run(0:me, const:far) } fn !run(0:me, 1:far) { 1:far + 1 } fn !end() { const:far }",
        "fn !f() { ?:far; let 0:far = ?:far + 1; { 0:far; let 1:far = 0:far; 1:far } ?:near; 0:far }",
        "fn !f() { if ?:far > 1 { let 0:far = 3; 0:far } else { ?:far } ?:far }",
        "fn !f(0:list) { for 1:far in ?:far..=9 { 1:far; } ?:far; for (3:far, 2:near) in 0:list { 3:far + 2:near; } ?:near }",
        "fn !f(0:list) { 0:list.api:map(|1:far| 1:far + ?:near).api:filter(|2:near| { 2:near > ?:far }) }",
        "fn !f(0:list) { 0:list.api:reduce(|1:far, 2:near| [1:far, 2:near].api:len(), ?:far); ?:near | ?:far; ?:far || ?:near }",
        "fn !f(0:a) { 0:a.api:map(|1:x| 1:x.api:filter(|2:far| 2:far > 1:x)); ?:far; ?:x }",
        "fn !f() { try { ?:far } catch (0:far) { 0:far; } ?:far }",
        "private fn !f(0:far) { fn:f(`a ${0:far} and ${?:near + 0:far}`); ?:owner.Property:far; #{ key:far: 0:far, key:near: fn:f(1) } }",
        "fn !f() { const 0:far = 1; 0:far } const !near = #{ key:far: ?:far }; fn !g() { ?:far }",
        "fn !f() { switch ?:far { 1 => { let 0:far = 2; 0:far }, _ => ?:far } let 1:g = || ?:far; 1:g }",
        "fn !f(0:me) { api:then(\"Phase:f\", 0:me); api:roll(\"Die:d\") + 0:me.api:choose(\"Ask:a\", [\"f\"]); Fn(\"Phase:f\") }",
    ];
    for marks in marks {
        let mut text = marks.replace('!', "");
        for mark in ["?:", "api:", "key:", "fn:", "const:", "Property:", "Phase:", "Die:", "Ask:"] {
            text = text.replace(mark, "");
        }
        for digit in '0'..='9' {
            for before in [' ', '(', '{', '|', '.', '['] {
                for letter in 'a'..='z' {
                    text = text.replace(&format!("{before}{digit}:{letter}"), &format!("{before}{letter}"));
                }
            }
        }
        assert_eq!(marked(&text), marks);
    }
}

/// What is left of a script with errors keeps its meaning, and what cannot be read has the meaning that its place tells.
#[test]
fn names_of_broken_scripts_are_found() {
    let broken = [
        (
            "fn f(me) {\n    let goals = around(me.\n    let n = 2;\n    g(n, goals);\n}\nfn g(a, b) { a }\n",
            "fn !f(0:me) {\n    let 1:goals = api:around(0:me.\n    let 2:n = 2;\n    fn:g(2:n, 1:goals);\n}\nfn !g(0:a, 1:b) { 0:a }\n",
        ),
        (
            "fn f(me) {\n    if me. {\n        let n = me;\n        n\n    }\n}\nfn g() { f(1) }\n",
            "fn !f(0:me) {\n    if 0:me. {\n        let 1:n = 0:me;\n        1:n\n    }\n}\nfn !g() { fn:f(1) }\n",
        ),
        (
            "const FAR = 2;\nfn f(me) {\n    g(me, FAR\n\nfn g(a, b) {\n    [a, b].map(|x| { x + a });\n}\n",
            "const !FAR = 2;\nfn !f(0:me) {\n    fn:g(0:me, const:FAR\n\nfn !g(0:a, 1:b) {\n    [0:a, 1:b].api:map(|2:x| { 2:x + 0:a });\n}\n",
        ),
        (
            "fn f(a) {\n    a.map(|x| { x + ; g(x) });\n    g(a)\n}\nfn g(a) { a }\n",
            "fn !f(0:a) {\n    0:a.api:map(|1:x| { 1:x + ; fn:g(1:x) });\n    fn:g(0:a)\n}\nfn !g(0:a) { 0:a }\n",
        ),
    ];
    for (text, marks) in broken {
        assert_eq!(marked(text), marks);
    }
}

/// A script that is cut off anywhere has all its words as names.
#[test]
fn any_part_of_a_script_has_names() {
    let text = "const FAR = #{ a: [1, 2] };\nfn f(me) {\n    let goals = around(me.x).filter(|one| one[0] > `${me} \\`);\n    \
                for (a, b) in goals { if a == b { g(a, \"b\"); } else { switch a { 1 => b, _ => me } } }\n}\n\nprivate fn g(a, b) { try { a } catch (e) { b } }\n";
    for end in (0..=text.len()).step_by(3) {
        for part in [&text[..end], &text[end..]] {
            let source = Arc::new(Source::new("x", part));
            let scripts = Scripts::read(&Arc::new(Schema::empty()), &[Arc::clone(&source)], None);
            for name in scripts.names("x") {
                assert_eq!(source.slice(name.span), name.name, "{part}");
            }
        }
    }
}
