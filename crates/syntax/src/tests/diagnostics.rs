//! Each error: its code, its location and its words.

use super::{read, rendered};
use crate::FileKind;
use referee_diagnostic::Code;

fn game(text: &str) -> String {
    rendered(&read(FileKind::Game, text).1)
}

fn scenario(text: &str) -> String {
    rendered(&read(FileKind::Scenario, text).1)
}

#[test]
fn words_that_are_missing() {
    insta::assert_snapshot!(scenario("scenario\nplace block 1 d10\nplace block 1 at\nroll\nroll 5,\nexpect\nexpect turn\nwith rehit\nexpect choices move\nalways\nexpect nobody"), @r#"
    syntax in line 1: this `scenario` line is not complete
        «scenario» a string in quotes is missing after this
        write: scenario "TITLE"
    syntax in line 2: this `place` line is not complete
        «d10» `at`, `off` or a name is missing after this
        write `place block 1 at d10`
    syntax in line 3: this `place` line is not complete
        «at» a word is missing after this
        write `place block 1 at CELL`
    syntax in line 4: this `roll` line is not complete
        «roll» a word is missing after this
        write: roll [DIE] FACE …, …
    syntax in line 5: this `roll` line is not complete
        «5,» a word is missing after this
        write: roll [DIE] FACE …, …
    syntax in line 6: this `expect` line is not complete
        «expect» a word is missing after this
        write: expect WHAT
    syntax in line 7: this `expect turn` line is not complete
        «turn» a word is missing after this
        write: expect turn PLAYER
    syntax in line 8: this `with` line is not complete
        «rehit» `=` is missing after this
        write: with OPTION = VALUE or with house "NAME"
    syntax in line 9: this `expect choices` line is not complete
        «move» `=`, `count`, `excludes` or `includes` is missing after this
        write: expect choices [PLAYER] [VERB] = | includes | excludes OPTION, … or expect choices [PLAYER] [VERB] count NUMBER
    syntax in line 10: this `always` line is not complete
        «always» an expression in braces `{ … }` is missing after this
        write: always [each event | at the end of a turn | at the end of a round] { EXPRESSION }
    syntax in line 11: this `expect nobody` line is not complete
        «nobody» `wins` is missing after this
        write: expect nobody wins
    "#);
}

#[test]
fn lines_of_a_game_that_say_it_in_another_form() {
    let text = "game \"My Game, Too\"\ngame \"2048\"\npiece man, king for each player symbols m M k K\npiece man, king\n\
                resource ore supply\nresource ore supply of 3";
    insta::assert_snapshot!(game(text), @r#"
    syntax in line 1: this `game` line cannot be read
        «"My Game, Too"» expected a name
        write `game my-game-too "My Game, Too"`
    syntax in line 2: this `game` line cannot be read
        «"2048"» expected a name
        write: game NAME ["TITLE"]
    syntax in line 3: this `piece` line cannot be read
        «,» expected a name or a range such as `1..6`
        write `piece man for each player`
        `piece king for each player`
    syntax in line 4: this `piece` line cannot be read
        «,» expected a name or a range such as `1..6`
        write `piece man`
        `piece king`
    syntax in line 5: this `resource` line is not complete
        «supply» a number is missing after this
        write: resource NAME, … [for each OWNER, …] [= NUMBER] [supply NUMBER] [secret|hidden]
        for example: resource ore, wool for each player supply 19
    syntax in line 6: this `resource` line cannot be read
        «of» expected a number
        write: resource NAME, … [for each OWNER, …] [= NUMBER] [supply NUMBER] [secret|hidden]
        for example: resource ore, wool for each player supply 19
    "#);
}

#[test]
fn words_that_are_missing_in_game_files() {
    insta::assert_snapshot!(game("game\ndie\ndie x\noption a\noption a =\nask\nask walk [to\nproperty home for each player\npiece\ndirections 8"), @r#"
    syntax in line 1: this `game` line is not complete
        «game» a name is missing after this
        write: game NAME ["TITLE"]
    syntax in line 2: this `die` line is not complete
        «die» a name or a range such as `1..6` is missing after this
        write: die [NAME] [COUNT of] LOWEST..HIGHEST [secret|hidden], or FACE | FACE | … for the faces
        for example: die 1..6
    syntax in line 3: this `die` line is not complete
        «x» a range such as `1..6` is missing after this
        write: die [NAME] [COUNT of] LOWEST..HIGHEST [secret|hidden], or FACE | FACE | … for the faces
        for example: die 1..6
    syntax in line 4: this `option` line is not complete
        «a» `=` is missing after this
        write: option NAME = VALUE | VALUE … ["TITLE"] or option NAME = NUMBER in LOWEST..HIGHEST ["TITLE"]
    syntax in line 5: this `option` line is not complete
        «=» a number or a value is missing after this
        write: option NAME = VALUE | VALUE … ["TITLE"] or option NAME = NUMBER in LOWEST..HIGHEST ["TITLE"]
    syntax in line 6: this `ask` line is not complete
        «ask» a word is missing after this
        write: ask VERB [WORDS and KINDS] [secret] ["TITLE"]
    syntax in line 7: this `ask` line is not complete
        «[to» `]` is missing after this
        write: ask VERB [WORDS and KINDS] [secret] ["TITLE"]
    syntax in line 8: this `property` line is not complete
        «player» a kind in capitals such as CELL or words such as `calm|angry` is missing after this
        write: property NAME [for each OWNER, …] KIND [in drawings] [secret|hidden] [shared]
    syntax in line 9: this `piece` line is not complete
        «piece» a name is missing after this
        write: piece NAME [FIRST..LAST] [for each OWNER] [size COLUMNSxROWS] [symbols SYMBOL …]
    syntax in line 10: this `directions` line is not complete
        «8» `clockwise` or `anticlockwise` is missing after this
        write: directions COUNT clockwise from NAME
        for example: directions 8 clockwise from north
    "#);
}

#[test]
fn words_that_are_too_many_or_wrong() {
    insta::assert_snapshot!(scenario("setup now\nexpect  over  time\nroll a b c\ncites \"a\" \"b\"\nfrom corner\nred walk,, e5\nred walk} e5\nred say\"x\"\nturn \"red\"x\nexpect not red"), @r#"
    syntax in line 1: this `setup` line cannot be read
        «now» expected the end of the line
        write: setup
    syntax in line 2: this `expect over` line cannot be read
        «time» expected the end of the line
        write: expect over
    syntax in line 4: this `cites` line cannot be read
        «"b"» expected the end of the line
        write: cites "PLACE IN THE RULEBOOK"
    syntax in line 5: this `from` line cannot be read
        «corner» expected a string in quotes
        write: from "NAME OF A POSITION" or from setup
        for example: from "corner"
    syntax in line 6: this line cannot be read
        «,» expected a word
        write an answer: PLAYER VERB WORDS
    syntax in line 7: this line cannot be read
        «}» this has no opening bracket
        write an answer: PLAYER VERB WORDS
    syntax in line 8: this line cannot be read
        «say"x"» expected a word
        write an answer: PLAYER VERB WORDS
        put a space before and after a string in quotes
    syntax in line 9: this `turn` line cannot be read
        «"red"x» expected a word
        write: turn PLAYER
    "#);
}

#[test]
fn words_that_are_too_many_or_wrong_in_game_files() {
    insta::assert_snapshot!(game("die distance 1-6\nboard grid 16\nboard square 4x4\ndirections 8 leftwise from north\nrules rules.rhai\nplayers two..3 = x\nask CELL walk\nvariant “simple”\npiece a size 4\nproperty home cell\nflag a for each"), @r#"
    syntax in line 1: this `die` line cannot be read
        «1-6» expected a range such as `1..6`
        write: die [NAME] [COUNT of] LOWEST..HIGHEST [secret|hidden], or FACE | FACE | … for the faces
        for example: die 1..6
    syntax in line 2: this `board` line cannot be read
        «16» expected a size such as `4x4`
        write: board [grid COLUMNSxROWS | hex SIDE | rhombus COLUMNSxROWS | triangle SIDE | rings RINGSxCELLS | graph from "FILE" | track CELLS | open] [margin WIDTH] [chequered [dark CELL]] [without CELL …] [with corners sides] [stacks [on CELL …]]
        for example: board grid 16x16
    syntax in line 3: this `board` line cannot be read
        «square» expected `graph`, `grid`, `hex`, `open`, `rhombus`, `rings`, `track`, `triangle` or a size such as `4x4`
        write: board [grid COLUMNSxROWS | hex SIDE | rhombus COLUMNSxROWS | triangle SIDE | rings RINGSxCELLS | graph from "FILE" | track CELLS | open] [margin WIDTH] [chequered [dark CELL]] [without CELL …] [with corners sides] [stacks [on CELL …]]
        for example: board grid 16x16
    syntax in line 4: this `directions` line cannot be read
        «leftwise» expected `clockwise` or `anticlockwise`
        write: directions COUNT clockwise from NAME
        for example: directions 8 clockwise from north
    syntax in line 5: this `rules` line cannot be read
        «rules.rhai» expected a string in quotes
        write: rules "FILE"
        for example: rules "rules.rhai"
    syntax in line 6: this `players` line cannot be read
        «=» expected a name
        write: players [FEWEST..MOST] NAME …
    syntax in line 7: this `ask` line cannot be read
        «CELL» expected a word
        write: ask VERB [WORDS and KINDS] [secret] ["TITLE"]
    curly_quote in line 8: `“` is not a straight quote
        «“» 
        use straight quotes: "like this"
    syntax in line 9: this `piece` line cannot be read
        «4» expected a size such as `4x4`
        write: piece NAME [FIRST..LAST] [for each OWNER] [size COLUMNSxROWS] [symbols SYMBOL …]
    syntax in line 10: this `property` line cannot be read
        «cell» expected a kind in capitals such as CELL or words such as `calm|angry`
        write: property NAME [for each OWNER, …] KIND [in drawings] [secret|hidden] [shared]
    syntax in line 11: this `flag` line is not complete
        «each» `player`, `cell` or a kind of pieces is missing after this
        write: flag NAME [for each OWNER, …] [secret|hidden] [shared]
    "#);
}

#[test]
fn lines_of_the_other_file() {
    insta::assert_snapshot!(scenario("game x\nask walk\ncard a"), @r#"
    wrong_file in line 1: `game` belongs in a game file, and this is a scenario file
        «game» 
        write `use x`: this is how a scenario file names its game
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
    unknown_line in line 1: unknown keyword `dice`
        «dice» 
        did you mean `die`?
    unknown_line in line 2: unknown keyword `exepct`
        «exepct» 
        did you mean `expect`? It belongs in a scenario file
    unknown_line in line 3: unknown keyword `foo`
        «foo» 
        begin the line with one of: place, board, arrow, set, with, players, piece, game, rules, arrows, rulebook, directions, die, flag, counter, resource, clock, record, property, ask, event, option, symmetry, clause, variant, card, zone, shuffle, deal
    unknown_line in line 4: expected a keyword at the beginning of this line
        «"x" y» 
        begin the line with one of: place, board, arrow, set, with, players, piece, game, rules, arrows, rulebook, directions, die, flag, counter, resource, clock, record, property, ask, event, option, symmetry, clause, variant, card, zone, shuffle, deal
    "#);
    insta::assert_snapshot!(scenario("winner red\nevents\n > a\nsnapshot"), @r#"
    missing_expect in line 1: `winner` needs `expect` before it
        «winner» `expect` is missing before this
        write: expect winner PLAYER
    missing_expect in line 2: `events` needs `expect` before it
        «events» `expect` is missing before this
        write: expect events [exactly], with > rows below
        for example: expect events
    missing_expect in line 4: `snapshot` needs `expect` before it
        «snapshot» `expect` is missing before this
        write: expect snapshot
    "#);
}

#[test]
fn numbers() {
    insta::assert_snapshot!(game("die 1..99999999999999999999\ndie 6..1\nboard grid 99999999999999999999x1\ncounter a = 9223372036854775808\ncounter b = -9223372036854775808"), @r#"
    number_too_large in line 1: this number is too large
        «1..99999999999999999999» 
        write a number from -9223372036854775808 to 9223372036854775807
    empty_range in line 2: this range contains no number
        «6..1» the first number is larger
        write the smaller number first: `1..6`
    number_too_large in line 3: this number is too large
        «99999999999999999999x1» 
        write a number from -9223372036854775808 to 9223372036854775807
    number_too_large in line 4: this number is too large
        «9223372036854775808» 
        write a number from -9223372036854775808 to 9223372036854775807
    "#);
}

#[test]
fn marks_that_are_not_closed() {
    insta::assert_snapshot!(scenario("cites \"x\nred walk (0,0\nred walk {a b}\nred walk {1}\nred walk {\nexpect { \"\n }\nexpect {\n"), @r#"
    unclosed_quote in line 1: this string is not closed
        «"x» opened here
        close it with `"` on the same line
    unclosed_parenthesis in line 2: this parenthesis is not closed
        «(» opened here
        close it with `)` on the same line, or write it in quotes
    bad_placeholder in line 3: invalid placeholder: expected the name of a column in braces
        «{a b}» not a column name
        write `{COLUMN}` for a column of the `examples` table; expressions `{ … }` are allowed only after `expect`, `always` and `if`
    bad_placeholder in line 4: invalid placeholder: expected the name of a column in braces
        «{1}» not a column name
        write `{COLUMN}` for a column of the `examples` table; expressions `{ … }` are allowed only after `expect`, `always` and `if`
    bad_placeholder in line 5: invalid placeholder: expected the name of a column in braces
        «{» opened here and not closed
        write `{COLUMN}` for a column of the `examples` table; expressions `{ … }` are allowed only after `expect`, `always` and `if`
    unclosed_quote in line 6: this string is not closed
        «"» opened here
        close it with `"` on the same line
    syntax in line 7: this line cannot be read
        «}» this has no opening bracket
        write an answer: PLAYER VERB WORDS
    unclosed_expression in line 8: this brace is not closed
        «{» opened here
        close it with `}`, as in `always { EXPRESSION }`; braces in strings and comments do not count
    "#);
}

#[test]
fn text_behind_an_expression() {
    insta::assert_snapshot!(scenario("expect { a } == 3\nalways { a } b\nexpect {a\n} b\nexpect red { a + 1 }"), @r#"
    syntax in line 2: unexpected words after the closing brace
        «b» expected the end of the line
        end the line after the expression `{ … }`; check whether a brace is closed too early
    syntax in line 4: unexpected words after the closing brace
        «b» expected the end of the line
        end the line after the expression `{ … }`; check whether a brace is closed too early
    syntax in line 5: this `expect` line cannot be read
        «{» expected a word
        write: expect WHAT
    "#);
}

#[test]
fn characters_that_cannot_be_seen() {
    insta::assert_snapshot!(scenario("red\0walk\nred\u{a0}walk\ncites \"a\u{a0}b\"\n# \u{1b}[31m\n| \u{200b}x\nexpect {\n \u{7} }").escape_debug().to_string().replace("\\n", "\n"), @r#"
    invisible_character in line 1: invisible character U+0000 in this line
        «\0» here
        delete it, or replace it by a space; it may come from copied text
    invisible_character in line 2: invisible character U+00A0 in this line
        «\u{a0}» here
        delete it, or replace it by a space; it may come from copied text
    invisible_character in line 4: invisible character U+001B in this line
        «\u{1b}» here
        delete it, or replace it by a space; it may come from copied text
    invisible_character in line 5: invisible character U+200B in this line
        «\u{200b}» here
        delete it, or replace it by a space; it may come from copied text
    invisible_character in line 7: invisible character U+0007 in this line
        «\u{7}» here
        delete it, or replace it by a space; it may come from copied text
    "#);
}

#[test]
fn rows_that_belong_to_nothing() {
    insta::assert_snapshot!(scenario("| x\n| y\nexpect board\n> a\n| ok\nexpect red off\n> b\n> c"), @r#"
    misplaced_row in line 1: this row does not follow a line that takes it
        «x» 
        `|` rows follow `board`, `expect board` or `examples`; the rows of `expect events` begin with `>`
    misplaced_row in line 4: this row does not follow a line that takes it
        «a» 
        `>` rows follow `expect events` or `expect events exactly`
    misplaced_row in line 7: this row does not follow a line that takes it
        «b» 
        `>` rows follow `expect events` or `expect events exactly`
    "#);
}

#[test]
fn a_file_that_is_none_of_ours() {
    let mistakes = read(FileKind::Game, &"nonsense\n".repeat(100_000)).1;
    assert_eq!(mistakes.len(), 501);
    assert_eq!(mistakes.last().unwrap().code, Code::TooManyMistakes);
}
