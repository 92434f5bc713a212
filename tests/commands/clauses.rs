//! Numbers of clauses in a rulebook: what begins a clause, and what only looks as if it did.

use super::Project;

const RULEBOOK: &str = "\
# Rules

[A1] Go.

1. [A2] A numbered item.

+ [A3] An item after a plus.

| clause | text |
|---|---|
| [A4] | A table. |

\\[A5\\] Brackets that a converter has escaped.

__[A6]__ Bold.

<a id=\"a7\"></a>[A7] After an anchor.
";

fn project(rulebook: &str) -> Project {
    Project::new()
        .file(
            "games/walk/walk.game",
            "game walk \"Walk\"\nplayers 2 ann ben\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\nask go\n",
        )
        .file("games/walk/rules.rhai", "fn turn(me) { choose(me, \"go\", [may(\"go\")]); clause(\"A1\"); }\n")
        .file("games/walk/RULES.md", rulebook)
        .file("scenarios/a.scenario", "use walk\n\nscenario \"A turn\"\n  covers A1\n  turn ann\n  ann go\n")
}

#[test]
fn clauses_in_lists_tables_and_after_other_marks_count() {
    let covered = project(RULEBOOK).run(&["coverage", "--fail-under", "clauses=100"]);
    assert_ne!(covered.code, 0);
    let said = covered.all();
    assert!(said.contains("1 of 7"), "{said}");
    assert_eq!(project(RULEBOOK).run(&["check"]).code, 0);
}

#[test]
fn a_rulebook_with_a_number_that_begins_no_clause_passes_neither_check_nor_coverage() {
    let project = project(&format!("{RULEBOOK}\n[A8a] A letter.\n\n**Title** [A9] Within a line.\n"));
    let checked = project.run(&["check"]);
    assert_eq!(checked.code, 3);
    assert_eq!(project.run(&["coverage"]).code, 3);
    insta::assert_snapshot!(checked.all());
}

/// A rulebook as a page shows the results at each clause, wherever it begins.
#[test]
fn a_book_marks_clauses_wherever_they_begin() {
    let project = project(RULEBOOK);
    let page = project.run(&["book", "games/walk/RULES.md", "scenarios/a.scenario"]).stdout;
    for number in 1..=7 {
        assert!(page.contains(&format!("id=\"Clause-A{number}\"")), "A{number}: {page}");
    }
}

/// A number without brackets where a clause would begin is reported, if other clauses have its letters; ordinary prose is
/// not.
#[test]
fn numbers_without_brackets_are_reported_where_a_clause_would_begin() {
    let check = |more: &str| {
        let project = super::Project::new()
            .file(
                "games/bare/bare.game",
                "game bare \"Bare\"\nplayers 2 ann ben\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\nask go\n",
            )
            .file("games/bare/rules.rhai", "fn turn(me) { choose(me, \"go\", [may(\"go\")]); clause(\"A1\"); }\n")
            .file("games/bare/RULES.md", format!("# Rules\n\n[A1] Go.\n\n{more}\n"));
        let ran = project.run(&["check", "games"]);
        (ran.code, ran.all())
    };
    let numbers =
        ["A2. Stay.", "A2: Stay.", "A2) Stay.", "**A2** Stay.", "__A2.__ Stay.", "*A2*: Stay.", "## A2 Staying"];
    for more in
        numbers.into_iter().chain(["- A2. Stay.", "1. A2: Stay.", "> A2. Stay.", "A2 — Stay.", "- **A2** Stay."])
    {
        let (code, said) = check(more);
        assert!(code == 3 && said.contains("`A2` begins no clause") && said.contains("`[A2]`"), "{more}: {said}");
    }
    for prose in [
        "A1. It is this.",
        "A2 paper is used for the board.",
        "See A2. It is elsewhere.",
        "D6: roll it.",
        "**E4** is the centre.",
        "- B1: the corner",
        "Q1. What is it?",
        "```\nA2. Stay.\n```",
        "<!--\nA2. Stay.\n-->",
        "A. The first step",
        "a2: a cell",
    ] {
        let (code, said) = check(prose);
        assert_eq!(code, 0, "{prose}: {said}");
    }
}
