//! Bad lines are skipped, and everything around them is read.

use super::{lines, read, rendered};
use crate::FileKind;

fn both(kind: FileKind, text: &str) -> String {
    let (file, mistakes) = read(kind, text);
    format!("{}\n----\n{}", lines(&file), rendered(&mistakes))
}

#[test]
fn three_bad_lines_are_three_diagnostics() {
    let text = "use a\nscenario no quotes\nboard 9x\n  | . .\n\nturn red\nroll \"a\nexpect red off\nrefuse";
    insta::assert_snapshot!(both(FileKind::Scenario, text), @r#"
    Use { game: «a», variant: None }
    Turn([«red»])
    Expect(Words([«red», «off»]))
    ----
    syntax in line 2: this `scenario` line cannot be read
        «no» expected a string in quotes
        write: scenario "TITLE"
    syntax in line 3: this `board` line cannot be read
        «9x» expected `graph`, `grid`, `hex`, `open`, `rhombus`, `rings`, `track`, `triangle` or a size such as `4x4`
        write: board [grid COLUMNSxROWS | hex SIDE | rhombus COLUMNSxROWS | triangle SIDE | rings RINGSxCELLS | graph from "FILE" | track CELLS | open] [margin WIDTH] [chequered [dark CELL]] [without CELL …] [with corners sides] [stacks [on CELL …]]
        for example: board grid 16x16
    unclosed_quote in line 7: this string is not closed
        «"a» opened here
        close it with `"` on the same line
    syntax in line 9: this `refuse` line is not complete
        «refuse» a word is missing after this
        write: refuse ANSWER [because "REASON"]
    "#);
}

#[test]
fn an_unclosed_expression_costs_one_line() {
    let text = "turn red\nexpect { a {\nexpect red of\nalways { b }\nexpect { \"x }\nturn blue\nexpect over now";
    insta::assert_snapshot!(both(FileKind::Scenario, text), @r#"
    Turn([«red»])
    Expect(Words([«red», «of»]))
    Always { each_event: false, at_end: None, expression: «{ b }» }
    Turn([«blue»])
    ----
    unclosed_expression in line 2: this brace is not closed
        «{» opened here
        close it with `}`, as in `always { EXPRESSION }`; braces in strings and comments do not count
    unclosed_quote in line 5: this string is not closed
        «"x }» opened here
        close it with `"` on the same line
    syntax in line 7: this `expect over` line cannot be read
        «now» expected the end of the line
        write: expect over
    "#);
}

#[test]
fn a_bad_row_leaves_the_others() {
    let text = "expect events\n > a \"b\n > c d\n | x\n | y\n > e f\nturn red\n | z";
    insta::assert_snapshot!(both(FileKind::Scenario, text), @r#"
    Expect(Events { exactly: false, rows: [«c d», «e f»] })
    Turn([«red»])
    ----
    unclosed_quote in line 2: this string is not closed
        «"b» opened here
        close it with `"` on the same line
    misplaced_row in line 4: this row does not follow a line that takes it
        «x» 
        `|` rows follow `board`, `expect board` or `examples`; the rows of `expect events` begin with `>`
    misplaced_row in line 8: this row does not follow a line that takes it
        «z» 
        `|` rows follow `board`, `expect board` or `examples`; the rows of `expect events` begin with `>`
    "#);
}

#[test]
fn line_ends_of_all_kinds() {
    let unix = "use a\nboard\n  | x .\n\t|  . y # b\nexpect {\n 1 }\nroll 5";
    let (file, mistakes) = read(FileKind::Scenario, &format!("\u{feff}{}\r\n", unix.replace('\n', "\r\n")));
    assert_eq!(rendered(&mistakes), "");
    assert_eq!(lines(&file).replace("\\r", "").replace('\r', ""), super::scenario(unix));
    assert!(file.trivia.blanks.is_empty());
    let (_, mistakes) = read(FileKind::Scenario, "use a\rturn red");
    assert_eq!(mistakes.len(), 1);
}

#[test]
fn empty_files() {
    for text in ["", "\n", "\u{feff}", "   ", "# only this", "\r\n"] {
        assert_eq!(super::scenario(text), "", "{text:?}");
        assert_eq!(super::game(text), "", "{text:?}");
    }
}
