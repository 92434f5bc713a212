//! Each mistake: its code, its place and its words.

use super::{read, told};
use crate::syntax::FileKind;

fn game(text: &str) -> String {
    told(&read(FileKind::Game, text).1)
}

fn scenario(text: &str) -> String {
    told(&read(FileKind::Scenario, text).1)
}

#[test]
fn words_that_are_missing() {
    insta::assert_snapshot!(scenario("scenario\nplace block 1 d10\nplace block 1 at\nroll\nroll 5,\nexpect\nexpect turn\nwith rehit\nexpect choices move\nalways\nexpect nobody"), @r#"
    syntax in line 1: this `scenario` line is not complete
        «scenario» a text in quotes is missing behind this
        write: scenario "TITLE"
    syntax in line 2: this `place` line is not complete
        «d10» `at`, `off` or a name is missing behind this
        write: place PIECE at CELL [face down], … or place PIECE off
    syntax in line 3: this `place` line is not complete
        «at» a word is missing behind this
        write: place PIECE at CELL [face down], … or place PIECE off
    syntax in line 4: this `roll` line is not complete
        «roll» a word is missing behind this
        write: roll [DIE] FACE …, …
    syntax in line 5: this `roll` line is not complete
        «5,» a word is missing behind this
        write: roll [DIE] FACE …, …
    syntax in line 6: this `expect` line is not complete
        «expect» a word is missing behind this
        write: expect WHAT
    syntax in line 7: this `expect turn` line is not complete
        «turn» a word is missing behind this
        write: expect turn PLAYER
    syntax in line 8: this `with` line is not complete
        «rehit» `=` is missing behind this
        write: with OPTION = VALUE or with house "NAME"
    syntax in line 9: this `expect choices` line is not complete
        «move» `=`, `count`, `excludes` or `includes` is missing behind this
        write: expect choices [VERB] = | includes | excludes OPTION, … or expect choices [VERB] count NUMBER
    syntax in line 10: this `always` line is not complete
        «always» a script in braces `{ … }` is missing behind this
        write: always [each event] { EXPRESSION }
    syntax in line 11: this `expect nobody` line is not complete
        «nobody» `wins` is missing behind this
        write: expect nobody wins
    "#);
    insta::assert_snapshot!(game("game\ndie\ndie x\noption a\noption a =\nask\nask walk [to\nproperty home for each player\npiece\ndirections 8"), @r#"
    syntax in line 1: this `game` line is not complete
        «game» a name is missing behind this
        write: game NAME ["TITLE"]
    syntax in line 2: this `die` line is not complete
        «die» a name or a range such as `1..6` is missing behind this
        write: die [NAME] [COUNT of] LOWEST..HIGHEST, or FACE | FACE | … for the faces
        for example: die 1..6
    syntax in line 3: this `die` line is not complete
        «x» a range such as `1..6` is missing behind this
        write: die [NAME] [COUNT of] LOWEST..HIGHEST, or FACE | FACE | … for the faces
        for example: die 1..6
    syntax in line 4: this `option` line is not complete
        «a» `=` is missing behind this
        write: option NAME = VALUE | VALUE … ["TITLE"] or option NAME = NUMBER in LOWEST..HIGHEST ["TITLE"]
    syntax in line 5: this `option` line is not complete
        «=» a number or a value is missing behind this
        write: option NAME = VALUE | VALUE … ["TITLE"] or option NAME = NUMBER in LOWEST..HIGHEST ["TITLE"]
    syntax in line 6: this `ask` line is not complete
        «ask» a word is missing behind this
        write: ask VERB [WORDS and KINDS] ["TITLE"]
    syntax in line 7: this `ask` line is not complete
        «[to» `]` is missing behind this
        write: ask VERB [WORDS and KINDS] ["TITLE"]
    syntax in line 8: this `property` line is not complete
        «player» a kind in capitals such as CELL is missing behind this
        write: property NAME [for each OWNER] KIND [in drawings]
    syntax in line 9: this `piece` line is not complete
        «piece» a name is missing behind this
        write: piece NAME [FIRST..LAST] [for each OWNER] [size COLUMNSxROWS] [symbols SYMBOL …]
    syntax in line 10: this `directions` line is not complete
        «8» `clockwise` or `anticlockwise` is missing behind this
        write: directions COUNT clockwise from NAME
        for example: directions 8 clockwise from north
    "#);
}

#[test]
fn words_that_are_too_many_or_wrong() {
    insta::assert_snapshot!(scenario("setup now\nexpect  over  time\nroll a b c\ncites \"a\" \"b\"\nfrom corner\nred walk,, e5\nred walk} e5\nred say\"x\"\nturn \"red\"x\nexpect not red"), @r#"
    syntax in line 1: this `setup` line cannot be read
        «now» nothing more was expected here
        write: setup
    syntax in line 2: this `expect over` line cannot be read
        «time» nothing more was expected here
        write: expect over
    syntax in line 4: this `cites` line cannot be read
        «"b"» nothing more was expected here
        write: cites "WHERE IT STANDS"
    syntax in line 5: this `from` line cannot be read
        «corner» a text in quotes was expected here
        write: from "NAME OF A POSITION"
        for example: from "corner"
    syntax in line 6: this line cannot be read
        «,» a word was expected here
        an answer is written: PLAYER VERB WORDS
    syntax in line 7: this line cannot be read
        «}» this closes nothing
        an answer is written: PLAYER VERB WORDS
    syntax in line 8: this line cannot be read
        «say"x"» a word was expected here
        an answer is written: PLAYER VERB WORDS
        put a blank before and behind a text in quotes
    syntax in line 9: this `turn` line cannot be read
        «"red"x» a word was expected here
        write: turn PLAYER
    syntax in line 10: this `expect not` line cannot be read
        «red» `over` was expected here
        write: expect not over
    "#);
    insta::assert_snapshot!(game("die distance 1-6\nboard grid 16\nboard square 4x4\ndirections 8 leftwise from north\nrules rules.rhai\nplayers two..3 = x\nask CELL walk\nvariant “simple”\npiece a size 4\nproperty home cell\nflag a for each"), @r#"
    syntax in line 1: this `die` line cannot be read
        «1-6» a range such as `1..6` was expected here
        write: die [NAME] [COUNT of] LOWEST..HIGHEST, or FACE | FACE | … for the faces
        for example: die 1..6
    syntax in line 2: this `board` line cannot be read
        «16» a size such as `4x4` was expected here
        write: board [grid COLUMNSxROWS | hex SIDE | track CELLS | open] [margin WIDTH]
        for example: board grid 16x16
    syntax in line 3: this `board` line cannot be read
        «square» `grid`, `hex`, `open`, `track` or a size such as `4x4` was expected here
        write: board [grid COLUMNSxROWS | hex SIDE | track CELLS | open] [margin WIDTH]
        for example: board grid 16x16
    syntax in line 4: this `directions` line cannot be read
        «leftwise» `clockwise` or `anticlockwise` was expected here
        write: directions COUNT clockwise from NAME
        for example: directions 8 clockwise from north
    syntax in line 5: this `rules` line cannot be read
        «rules.rhai» a text in quotes was expected here
        write: rules "FILE"
        for example: rules "rules.rhai"
    syntax in line 6: this `players` line cannot be read
        «=» a name was expected here
        write: players [FEWEST..MOST] NAME …
    syntax in line 7: this `ask` line cannot be read
        «CELL» a word was expected here
        write: ask VERB [WORDS and KINDS] ["TITLE"]
    curly_quote in line 8: `“` is no quote here
        «“» 
        write texts in straight quotes: "like this"
    syntax in line 9: this `piece` line cannot be read
        «4» a size such as `4x4` was expected here
        write: piece NAME [FIRST..LAST] [for each OWNER] [size COLUMNSxROWS] [symbols SYMBOL …]
    syntax in line 10: this `property` line cannot be read
        «cell» a kind in capitals such as CELL was expected here
        write: property NAME [for each OWNER] KIND [in drawings]
    syntax in line 11: this `flag` line is not complete
        «each» the name of what has one is missing behind this
        write: flag NAME [for each OWNER]
    "#);
}

#[test]
fn lines_of_the_other_file() {
    insta::assert_snapshot!(scenario("game x\nask walk\ncard a"), @r#"
    wrong_file in line 1: `game` belongs in a game file, and this is a scenario file
        «game» 
        move this line to a game file
    wrong_file in line 2: `ask` belongs in a game file, and this is a scenario file
        «ask» 
        move this line to a game file
    wrong_file in line 3: `card` belongs in a game file, and this is a scenario file
        «card» 
        move this line to a game file
    "#);
    insta::assert_snapshot!(game("scenario \"x\"\nexpect red off\n  | x\nturn red"), @r#"
    wrong_file in line 1: `scenario` belongs in a scenario file, and this is a game file
        «scenario» 
        move this line to a scenario file
    wrong_file in line 2: `expect` belongs in a scenario file, and this is a game file
        «expect» 
        move this line to a scenario file
    wrong_file in line 4: `turn` belongs in a scenario file, and this is a game file
        «turn» 
        move this line to a scenario file
    "#);
}

#[test]
fn first_words_that_are_none() {
    insta::assert_snapshot!(game("dice a 1..6\nexepct x\nfoo bar\n\"x\" y"), @r#"
    unknown_line in line 1: no line of a game file begins with `dice`
        «dice» 
        did you mean `die`?
    unknown_line in line 2: no line of a game file begins with `exepct`
        «exepct» 
        did you mean `expect`? It belongs in a scenario file
    unknown_line in line 3: no line of a game file begins with `foo`
        «foo» 
        its lines begin with one of: place, board, arrow, set, with, players, piece, game, rules, arrows, rulebook, directions, die, flag, counter, record, property, ask, event, option, clause, variant, card, zone, shuffle, deal
    unknown_line in line 4: no line of a game file begins like this
        «"x" y» 
        its lines begin with one of: place, board, arrow, set, with, players, piece, game, rules, arrows, rulebook, directions, die, flag, counter, record, property, ask, event, option, clause, variant, card, zone, shuffle, deal
    "#);
    insta::assert_snapshot!(scenario("winner red\nevents\n > a\nsnapshot"), @r#"
    missing_expect in line 1: `winner` is something to expect
        «winner» `expect` is missing before this
        write: expect winner PLAYER
    missing_expect in line 2: `events` is something to expect
        «events» `expect` is missing before this
        write: expect events [exactly], with > rows below
        for example: expect events
    missing_expect in line 4: `snapshot` is something to expect
        «snapshot» `expect` is missing before this
        write: expect snapshot
    "#);
}

#[test]
fn numbers() {
    insta::assert_snapshot!(game("die 1..99999999999999999999\ndie 6..1\nboard grid 99999999999999999999x1\ncounter a = 9223372036854775808\ncounter b = -9223372036854775808"), @r#"
    number_too_large in line 1: this number is too large
        «1..99999999999999999999» 
        numbers go from -9223372036854775808 to 9223372036854775807
    empty_range in line 2: there is no number in this range
        «6..1» from a larger to a smaller
        write the smaller number first: `1..6`
    number_too_large in line 3: this number is too large
        «99999999999999999999x1» 
        numbers go from -9223372036854775808 to 9223372036854775807
    number_too_large in line 4: this number is too large
        «9223372036854775808» 
        numbers go from -9223372036854775808 to 9223372036854775807
    "#);
}

#[test]
fn marks_that_are_not_closed() {
    insta::assert_snapshot!(scenario("cites \"x\nred walk (0,0\nred walk {a b}\nred walk {1}\nred walk {\nexpect { \"\n }\nexpect {\n"), @r#"
    unclosed_quote in line 1: this text in quotes is not closed
        «"x» opened here
        close it with `"` on the same line
    unclosed_parenthesis in line 2: this parenthesis is not closed
        «(» opened here
        close it with `)` on the same line, or write it in quotes
    bad_hole in line 3: these braces do not hold the name of a column
        «{a b}» no name of a column
        `{distance}` is filled from a table below `examples`; scripts `{ … }` stand behind `expect`, `always` and `if` only
    bad_hole in line 4: these braces do not hold the name of a column
        «{1}» no name of a column
        `{distance}` is filled from a table below `examples`; scripts `{ … }` stand behind `expect`, `always` and `if` only
    bad_hole in line 5: these braces do not hold the name of a column
        «{» opened here and not closed
        `{distance}` is filled from a table below `examples`; scripts `{ … }` stand behind `expect`, `always` and `if` only
    unclosed_quote in line 6: this text in quotes is not closed
        «"» opened here
        close it with `"` on the same line
    syntax in line 7: this line cannot be read
        «}» this closes nothing
        an answer is written: PLAYER VERB WORDS
    unclosed_island in line 8: this brace is not closed
        «{» opened here
        every `{` needs a `}`, except in texts and comments; for example `always { EXPRESSION }`
    "#);
}

#[test]
fn text_behind_an_island() {
    insta::assert_snapshot!(scenario("expect { a } == 3\nalways { a } b\nexpect {a\n} b\nexpect red { a + 1 }"), @r#"
    syntax in line 2: there is something behind the closing brace
        «b» nothing more was expected here
        the script `{ … }` is the last thing in its line; was a brace closed too early?
    syntax in line 4: there is something behind the closing brace
        «b» nothing more was expected here
        the script `{ … }` is the last thing in its line; was a brace closed too early?
    syntax in line 5: this `expect` line cannot be read
        «{» a word was expected here
        write: expect WHAT
    "#);
}

#[test]
fn characters_that_cannot_be_seen() {
    insta::assert_snapshot!(scenario("red\0walk\nred\u{a0}walk\ncites \"a\u{a0}b\"\n# \u{1b}[31m\n| \u{200b}x\nexpect {\n \u{7} }").escape_debug().to_string().replace("\\n", "\n"), @r#"
    invisible_character in line 1: a character that cannot be seen (U+0000) stands in this line
        «\0» here
        delete it, or write a blank in its place; it may have come with a copied text
    invisible_character in line 2: a character that cannot be seen (U+00A0) stands in this line
        «\u{a0}» here
        delete it, or write a blank in its place; it may have come with a copied text
    invisible_character in line 4: a character that cannot be seen (U+001B) stands in this line
        «\u{1b}» here
        delete it, or write a blank in its place; it may have come with a copied text
    invisible_character in line 5: a character that cannot be seen (U+200B) stands in this line
        «\u{200b}» here
        delete it, or write a blank in its place; it may have come with a copied text
    invisible_character in line 7: a character that cannot be seen (U+0007) stands in this line
        «\u{7}» here
        delete it, or write a blank in its place; it may have come with a copied text
    "#);
}

#[test]
fn rows_that_belong_to_nothing() {
    insta::assert_snapshot!(scenario("| x\n| y\nexpect board\n> a\n| ok\nexpect red off\n> b\n> c"), @r#"
    misplaced_row in line 1: this row belongs to no line
        «x» 
        `|` rows follow `board`, `expect board` or `examples`; the rows of `expect events` begin with `>`
    misplaced_row in line 4: this row belongs to no line
        «a» 
        `>` rows follow `expect events` or `expect events exactly`
    misplaced_row in line 7: this row belongs to no line
        «b» 
        `>` rows follow `expect events` or `expect events exactly`
    "#);
}

#[test]
fn a_file_that_is_none_of_ours() {
    let mistakes = read(FileKind::Game, &"nonsense\n".repeat(100_000)).1;
    assert_eq!(mistakes.len(), 501);
    assert_eq!(mistakes.last().unwrap().code, "too_many_mistakes");
}
