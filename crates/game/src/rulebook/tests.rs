use std::sync::Arc;

use super::{Source, clauses};

/// Returns the ids of the clauses of a rulebook, and the messages.
fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let (found, wrong) = clauses(&Arc::new(Source::new("RULES.md", text)), &[]);
    (found.into_iter().map(|clause| clause.id).collect(), wrong.into_iter().map(|wrong| wrong.message).collect())
}

#[test]
fn what_is_nearly_a_clause_is_reported_and_a_link_or_a_reference_is_not() {
    let text = "[W1] A walk.\n\n[W2]: A colon.\n\n(W3) Other brackets.\n\n[W4 No second bracket.\n\n[W5.] A point.\n\n\
                As here\n(W1), which is one.\n\n[W6]: https://example.org \"a link\"\n\n[W7](#w1)\n\n(2) An item.\n";
    let (found, told) = read(text);
    assert_eq!(found, ["W1"]);
    let marks = ["`[W2]`", "`(W3)`", "`[W4`", "`[W5.]`"];
    assert_eq!(told, marks.map(|mark| format!("{mark} begins no clause")));
}

/// What may stand before a number at the beginning of a line, and whether a clause begins after it.
const BEFORE: [(&str, bool); 51] = [
    ("", true),
    ("- ", true),
    ("* ", true),
    ("+ ", true),
    ("1. ", true),
    ("23) ", true),
    ("-\t", true),
    ("- - ", true),
    ("- Above\n  - ", true),
    ("1. Above\n   1. ", true),
    ("1. Above\n\n   ", true),
    ("- [ ] ", true),
    ("1. [x] ", true),
    ("| Head | Other |\n|---|---|\n| ", true),
    ("| Head | Other |\n|---|---|\n| One | ", true),
    ("Head | Other\n---|---\nOne | ", true),
    ("Head | Other\n---|---\n", true),
    ("[^1]: ", true),
    ("**", true),
    ("*", true),
    ("__", true),
    ("_", true),
    ("***", true),
    ("- __", true),
    ("<p>", true),
    ("<div class=\"x\">\n", true),
    ("<ul><li>", true),
    ("<ul><li>Above</li><li>", true),
    ("<b>", true),
    ("<a id=\"w\"></a>", true),
    ("<a name=w></a> ", true),
    ("Above<br>", true),
    ("<!-- a note -->", true),
    ("![a man](man.png) ", true),
    ("&nbsp;", true),
    ("\u{a0}", true),
    ("\u{feff}", true),
    ("> ", false),
    ("> - ", false),
    ("- > ", false),
    ("1. > ", false),
    ("## ", false),
    ("<h2>", false),
    ("<blockquote>", false),
    ("• ", false),
    ("a) ", false),
    ("1.2 ", false),
    ("~~", false),
    ("    ", true),
    ("\t", true),
    ("- Above\n\n\t", true),
];

/// How the number `W2` may be written, and whether it is that of a clause.
const WRITTEN: [(&str, bool); 52] = [
    ("[W2]", true),
    ("\\[W2\\]", true),
    ("\\[W2]", true),
    ("[W2\\]", true),
    ("[w2]", false),
    ("[W 2]", false),
    ("[ W2 ]", false),
    ("[W2.]", false),
    ("[W02]", false),
    ("[W2a]", false),
    ("[W2A]", false),
    ("[W2.1]", false),
    ("[W2.1.3]", false),
    ("[W2-1]", false),
    ("[W2']", false),
    ("[W-2]", false),
    ("[W.2]", false),
    ("[W_2]", false),
    ("[**W2**]", false),
    ("[*W2*]", false),
    ("[W2]:", false),
    ("［W2］", false),
    ("【W2】", false),
    ("[W2", false),
    ("[W2)", false),
    ("[\u{200b}W2]", false),
    ("&#91;W2&#93;", false),
    ("&#x5B;W2]", false),
    ("[W2&rsqb;", false),
    ("&lbrack;W2&rbrack;", false),
    ("[&#87;2]", false),
    ("[W&#50;]", false),
    ("[W²]", false),
    ("[W₂]", false),
    ("[W２]", false),
    ("[Ｗ2]", false),
    ("[W②]", false),
    ("[W𝟚]", false),
    ("[W٢]", false),
    ("[W2](", false),
    ("[W2](see", false),
    ("[W2](see below)", false),
    ("[[W2]]", false),
    ("[§W2]", false),
    ("[#W2]", false),
    ("[“W2”]", false),
    ("[`W2`]", false),
    ("[<b>W2</b>]", false),
    ("[W\u{ad}2]", false),
    ("[W2: A walk]", false),
    ("[Rule W2]", false),
    ("⟦W2⟧", false),
];

#[test]
fn every_number_in_every_place_is_read_or_reported() {
    for (before, is_place) in BEFORE {
        for (written, is_number) in WRITTEN {
            let text = format!("[W1] First.\n\n{before}{written} Second one.\n\n[W3] Third.\n");
            let (found, told) = read(&text);
            let is_read = found.iter().any(|id| id == "W2");
            assert_eq!(is_read, is_place && is_number, "{text:?}: {found:?}, {told:?}");
            let is_told = told.iter().any(|message| message.ends_with(" begins no clause"));
            assert_eq!(is_told, !is_read, "{text:?}: {found:?}, {told:?}");
            let others = found.iter().filter(|id| ["W1", "W3"].contains(&id.as_str())).count();
            assert_eq!(others, 2, "{text:?}: {found:?}");
        }
    }
}

/// Texts that name a clause, or look a little like one, and begin none.
const NEITHER: [&str; 30] = [
    "A man walks, as in [W1].",
    "As in\n[^1] and (W1).",
    "[1] A citation.",
    "[12] Another one.",
    "- [x] A task.",
    "- [ ] A task.",
    "[^1]: [W1] says so.",
    "| Clause | Text |\n|---|---|\n| [W1] | A walk. |\n| [W1] | Again. |",
    "1. [W1]\n2. [W3]",
    "+ [W1], the first.",
    "\\[W1\\] again.",
    "__[W1]__ again.",
    "<p>[W1] again.</p>",
    "• [W1] again.",
    "a) [W1] again.",
    "`[W9]` is code.",
    "A word, `[W9]`, in code.",
    "```\n[W9] A block.\n```",
    "> ```\n> [W9] A block.\n> ```",
    "<!-- [W9] not shown -->",
    "<!--\n[W9] not shown\n-->",
    "[W9](#w9) A link.",
    "1. [W9](#w9)\n",
    "| [W9](#w9) | A link |\n|---|---|\n",
    "See [W9](#w9) and [a word][W1].",
    "[W9]: https://example.org",
    "[Note] A word.",
    "[NB] Two letters.",
    "(a) An item.\n\n(iv) Another.",
    "[W1, W3] apply to both.",
];

#[test]
fn what_only_names_a_clause_is_neither_read_nor_reported() {
    for text in NEITHER {
        let whole = format!("[W1] First.\n\n[W3] Third.\n\n{text}\n");
        assert_eq!(read(&whole), (vec!["W1".to_owned(), "W3".to_owned()], Vec::new()), "{text:?}");
    }
}

#[test]
fn a_number_within_a_line_must_be_that_of_a_clause() {
    let (found, told) = read("[W1] First.\n\n**A title** [W2] Second one.\n\nAs [W1] and [W7] say.\n");
    assert_eq!(found, ["W1"]);
    assert_eq!(told, ["`[W2]` begins no clause", "`[W7]` begins no clause"]);
}

#[test]
fn a_number_within_a_line_is_reported_however_it_is_written() {
    for (written, _) in WRITTEN {
        // Small letters, words and brackets within a sentence are plain text.
        if written.contains('w') || written.contains("(see") || written.starts_with('\\') || written == "[W2" {
            continue;
        }
        for line in ["Rule M A walk.", "Rule M: A walk.", "See M: it is there.", "**A title.** M A walk."] {
            let line = line.replacen('M', written, 1);
            let (found, told) = read(&format!("[W1] First.\n\n{line}\n"));
            assert_eq!((found.len(), told.len()), (1, 1), "{line}: {found:?} {told:?}");
        }
    }
}

#[test]
fn a_number_in_a_heading_with_a_line_below_is_reported_as_in_others() {
    for heading in ["[W2] Walks\n===\n", "[W2] Walks\n---\n", "**[W2]** Walks\nfar\n======\n", "# [W2] Walks\n"] {
        let (found, told) = read(&format!("[W1] First.\n\n{heading}\nA walk.\n"));
        assert_eq!((found, told), (vec!["W1".to_owned()], vec!["`[W2]` begins no clause".to_owned()]), "{heading}");
    }
}

#[test]
fn a_rulebook_of_which_no_clause_is_read_is_reported() {
    for text in ["## [A1] Go.\n", "[a1] Go.\n\n[a2] Stay.\n", "(A1) Go.\n", "> [A1] Go.\n", "[A1a] Go.\n"] {
        let (found, told) = read(text);
        assert!(found.is_empty() && !told.is_empty(), "{text:?}: {found:?}, {told:?}");
    }
}

#[test]
fn two_clauses_with_one_number_are_reported_in_lists_too() {
    for text in ["1. [W1] One.\n2. [W1] Two.\n", "[W1] One.\n\n- [W1] Two.\n"] {
        assert_eq!(read(text).1, ["there are two clauses `W1`"], "{text:?}");
    }
}

#[test]
fn long_lines_and_many_marks_are_read_in_a_time_that_grows_with_their_length() {
    for part in
        ["<a", "![a](b)", "&", "&\n", "[](a)", "<!--", "    <!--\n", "[^a]: ", "- ", "1. ", "|[W1]", "[W1 ", "(", "\\["]
    {
        let text = part.repeat(200_000);
        read(&text);
    }
}
