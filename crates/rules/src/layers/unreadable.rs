//! Translates Rhai's syntax errors into messages for authors of rules.

use rhai::{LexError, ParseErrorType as E};

use referee_diagnostic::{counted, strange_character};

/// Keywords of other languages, each with the help for it.
const FOREIGN: [(&str, &str); 15] = [
    ("and", "write `&&`: `if points > 3 && points < 6 { … }`"),
    ("or", "write `||`: `if points < 3 || points > 6 { … }`"),
    ("not", "write `!`: `if !is_off(piece) { … }`"),
    ("elif", "write `else if`"),
    ("elsif", "write `else if`"),
    ("elseif", "write `else if`"),
    ("function", "begin a function with `fn`: `fn turn(me) { … }`"),
    ("fun", "begin a function with `fn`: `fn turn(me) { … }`"),
    ("def", "begin a function with `fn` and put its body in braces: `fn turn(me) { … }`"),
    ("func", "begin a function with `fn`: `fn turn(me) { … }`"),
    ("var", "declare a variable with `let`: `let points = 3;`"),
    ("int", "declare a variable with `let`: `let points = 3;`"),
    ("then", "put the body of an `if` in braces: `if points > 3 { win(me); }`"),
    ("local", "declare a variable with `let`: `let points = 3;`"),
    ("True", "write `true` and `false` in lower case"),
];

/// Returns the message and the help for a script that can be read up to the end of `before` but not from `rest` on.
pub(crate) fn words(error: &E, before: &str, rest: &str) -> (String, String) {
    let (message, help) = plain(error, before, rest);
    let found = first_word(rest);
    // Here `then` is a call after a statement that is not closed.
    let call = found == "then" && matches!(error, E::MissingToken(sign, _) if sign == ";");
    let foreign = FOREIGN.iter().find(|(word, _)| *word == found || *word == last_word(before)).filter(|_| !call);
    let help = foreign.map_or(help, |(_, help)| (*help).to_owned());
    (message, help)
}

/// Returns whether an unclosed block may be the reason why a script cannot be read from `rest` on.
pub(crate) fn is_about_braces(error: &E, rest: &str) -> bool {
    match error {
        E::UnexpectedEOF | E::WrongFnDefinition => true,
        E::MissingToken(sign, _) => sign == "}" || rest.trim().is_empty() && sign != "{",
        _ => rest.trim().is_empty(),
    }
}

fn plain(error: &E, before: &str, rest: &str) -> (String, String) {
    let plain = |message: &str, help: &str| (message.to_owned(), help.to_owned());
    if let Some(words) = misplaced_value(error, before) {
        return words;
    }
    match error {
        E::BadInput(error) => input(error, before, rest),
        E::UnknownOperator(sign) => (format!("unknown operator `{sign}`"), operator(sign)),
        E::MissingToken(sign, _) => missing(sign, before, rest),
        E::UnexpectedEOF => plain("unexpected end of the script", BRACES),
        E::Reserved(word) if word.chars().all(char::is_alphanumeric) => {
            let help = match word.as_str() {
                "null" | "nil" | "void" => "write `()` for no value: `if at(cell) == () { … }`".to_owned(),
                word => format!("choose another name, such as `{word}_`"),
            };
            (format!("`{word}` is a reserved word"), help)
        }
        E::Reserved(sign) => (format!("unexpected `{sign}`"), operator(sign)),
        E::VariableExpected => no_name(before, rest),
        E::PropertyExpected if before.trim_end_matches('.').ends_with(|letter: char| letter.is_ascii_digit()) => {
            plain("numbers must be whole", "multiply before you divide: `points * 3 / 2`")
        }
        E::PropertyExpected => plain("expected a name after the dot", "write for example `me.score`"),
        E::ExprExpected(_) => plain("expected a value", "write a number, a name or a call here"),
        E::AssignmentToConstant(name) => constant(name),
        E::AssignmentToInvalidLHS(_) if sets_a_cell(before, rest) => plain(
            "cannot assign to a cell",
            "write `place(piece, cell)` to put a piece there, or `remove(cell)` to take one off the board",
        ),
        E::AssignmentToInvalidLHS(_) => plain(
            "cannot assign to this",
            "assign to a variable: `let who = owner(piece); who.score += 1;`, or write `set(owner(piece), \"score\", \
             3)`",
        ),
        E::FnDuplicatedDefinition(..)
        | E::FnDuplicatedParam(..)
        | E::FnMissingName
        | E::FnMissingParams(_)
        | E::FnMissingBody(_) => function(error, rest),
        E::WrongFnDefinition => {
            plain("functions cannot be nested", "move the inner function out, or close the outer one with `}`")
        }
        E::LoopBreak => plain(
            "`break` and `continue` must be inside a loop",
            "move it into a `for`, `while` or `loop`, or write `return` to leave a function",
        ),
        E::DuplicatedProperty(name) => (format!("duplicate key `{name}` in this map"), "rename one of them".to_owned()),
        E::DuplicatedVariable(name) | E::VariableExists(name) => {
            (format!("duplicate name `{name}`"), "choose another name".to_owned())
        }
        E::WrongSwitchDefaultCase => {
            plain("`_` must be the last case of a `switch`", "move the line `_ => …` to the end of the `switch`")
        }
        E::WrongSwitchIntegerCase => plain(
            "in a `switch`, a number cannot follow a range",
            "write the numbers first, then the ranges: `switch points { 3 => …, 1..=5 => …, _ => … }`",
        ),
        E::WrongSwitchCaseCondition => {
            plain("the case `_` cannot have a condition", "write `_ => if … { … } else { … }`")
        }
        E::WrongDocComment => {
            plain("this `///` comment is not above a function", "put it directly above a function, or write `//`")
        }
        E::ExprTooDeep => plain("this is nested too deeply", "move parts of it into variables or functions"),
        other => {
            let message = other.to_string();
            let mut letters = message.chars();
            let lower = letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect());
            (lower, "check the syntax: rules are written in Rhai".to_owned())
        }
    }
}

/// Returns the message and the help for something else than a name after `let` or `for`.
fn no_name(before: &str, rest: &str) -> (String, String) {
    let (message, help) = match rest.chars().next() {
        _ if before.trim_end().ends_with("for") => (
            "expected a name",
            "begin the name with a letter, also of a variable that is not used: `for n in 0..3 { … }`",
        ),
        Some('_') => ("expected a name", "begin the name with a letter; without `let … =`, a value is not kept"),
        Some('[') => (
            "one `let` declares one variable",
            "declare the list, and a variable for each value: `let both = [1, 2]; let first = both[0]; let second = \
             both[1];`",
        ),
        _ => ("expected a name", "begin the name with a letter: `let second = 2;`"),
    };
    (message.to_owned(), help.to_owned())
}

/// Returns the message and the help for a value of a wrong kind in a loop, a condition or a case.
fn misplaced_value(error: &E, before: &str) -> Option<(String, String)> {
    let plain = |message: &str, help: &str| (message.to_owned(), help.to_owned());
    Some(match error {
        E::MismatchedType(wanted, _) if wanted.contains("iterable") => plain(
            "a `for` loop cannot run over this value",
            "use a list such as `players()`, a range such as `1..=3`, or `map.keys()` for a map",
        ),
        E::MismatchedType(wanted, found) if wanted.contains("boolean") => (
            format!("expected a condition, found {}", if found == "i64" { "a number" } else { "another value" }),
            "write a comparison on each side: `points == 1 || points == 2`".to_owned(),
        ),
        E::ExprExpected(_) if in_switch(before) => plain(
            "a case must be a number or a string in quotes",
            "compare players, pieces and cells with `if me == … { … } else { … }` instead",
        ),
        _ => return None,
    })
}

/// Returns the message and the help for a wrong head or body of a function.
fn function(error: &E, rest: &str) -> (String, String) {
    let rename = || "rename one of them".to_owned();
    match error {
        E::FnDuplicatedDefinition(name, count) => {
            (format!("duplicate function `{name}` with {}", counted(*count, "parameter")), rename())
        }
        E::FnDuplicatedParam(name, value) => (format!("duplicate parameter `{value}` of `{name}`"), rename()),
        E::FnMissingParams(name) => {
            (format!("`{name}` has no parameter list"), format!("write `fn {name}(me) {{ … }}`"))
        }
        E::FnMissingBody(name) => {
            (format!("`{name}` has no body"), "put the body in braces: `fn turn(me) { … }`".to_owned())
        }
        E::FnMissingName if !first_word(rest).is_empty() && rest.starts_with(char::is_alphabetic) => {
            let word = first_word(rest);
            (format!("`{word}` is a reserved word"), format!("choose another name, such as `{word}_`"))
        }
        _ => ("this function has no name".to_owned(), "write for example `fn turn(me) { … }`".to_owned()),
    }
}

/// Returns whether a `switch` begins in the unreadable statement.
fn in_switch(before: &str) -> bool {
    let start = before.rfind([';', '}']).map_or(0, |at| at + 1);
    let statement = before.get(start..).unwrap_or_default();
    statement.split_once("switch ").is_some_and(|(_, rest)| rest.trim_end().ends_with(['{', ',']))
}

/// Returns whether the unreadable statement assigns to `at(cell)`.
fn sets_a_cell(before: &str, rest: &str) -> bool {
    let start = before.rfind([';', '{', '}', '\n']).map_or(0, |at| at + 1);
    let statement = before.get(start..).unwrap_or_default().trim_start();
    statement.starts_with("at(") || statement.is_empty() && rest.starts_with("at(")
}

const BRACES: &str = "close each `{` with `}`, each `(` with `)` and each `[` with `]`; check the lines above too";

/// Returns the message and the help for an assignment to a constant.
pub(crate) fn constant(name: &str) -> (String, String) {
    (format!("cannot change the constant `{name}`"), "declare it with `let` to change it".to_owned())
}

fn input(error: &LexError, before: &str, rest: &str) -> (String, String) {
    match error {
        LexError::UnterminatedString => {
            ("this string is not closed".to_owned(), "close it with `\"` on the same line".to_owned())
        }
        LexError::MalformedNumber(number) => {
            (format!("`{number}` is not a number"), "write a whole number of at most 18 digits".to_owned())
        }
        LexError::MalformedChar(_) => {
            ("strings need double quotes".to_owned(), "write `\"…\"` instead of `'…'`".to_owned())
        }
        LexError::MalformedIdentifier(name) => {
            (format!("`{name}` is not a valid name"), "use only letters, digits and `_`".to_owned())
        }
        LexError::MalformedEscapeSequence(text) => (
            format!("unknown escape `{text}` in a string"),
            "write a backslash `\\` in a string twice: `\\\\`".to_owned(),
        ),
        LexError::ImproperSymbol(word, why) if why.contains("disabled") => {
            (format!("rules cannot use `{word}`"), "write functions in this file instead".to_owned())
        }
        LexError::UnexpectedInput(sign) | LexError::ImproperSymbol(sign, _) if other_letters(sign) => {
            other_name(sign, before, rest)
        }
        LexError::UnexpectedInput(sign) | LexError::ImproperSymbol(sign, _) => {
            (format!("unexpected `{sign}`"), operator(sign))
        }
        other => (other.to_string().to_lowercase(), "check the syntax here".to_owned()),
    }
}

/// Returns the message and the help for a name with a letter that no name in rules has, at the beginning of `rest`.
fn other_name(sign: &str, before: &str, rest: &str) -> (String, String) {
    let ends = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let head = before.rfind(ends).map_or(before, |at| before.get(at..).unwrap_or_default().trim_start_matches(ends));
    let tail = rest.find(ends).map_or(rest, |at| rest.get(..at).unwrap_or_default());
    let word = format!("{head}{tail}");
    let point = sign.chars().map(|letter| format!("U+{:04X}", u32::from(letter))).collect::<Vec<_>>().join(" ");
    let letters = format!("names in rules have the letters `a` to `z`, digits and `_`, and `{sign}` is {point}");
    let help = if before.strip_suffix(head).is_some_and(|before| before.ends_with('.')) {
        format!(
            "{letters}: read a property with such a name by `[\"{word}\"]` instead of `.{word}`, and set it by `set`"
        )
    } else {
        format!(
            "{letters}: such a player is `players().find(|one| name(one) == \"{word}\")`, such a piece or card \
             `piece(\"{word}\")`; give variables, zones and kinds of pieces a name without such letters"
        )
    };
    (format!("`{word}` is not a valid name"), help)
}

/// Returns whether a sign is a letter that no name in rules has.
fn other_letters(sign: &str) -> bool {
    !sign.is_empty() && sign.chars().all(|letter| letter.is_alphabetic() && !letter.is_ascii())
}

fn operator(sign: &str) -> String {
    if let Some(note) = strange_character(sign).filter(|_| !sign.starts_with(['‘', '’', '×'])) {
        return format!("remove it, or write it inside a string: {note}");
    }
    match sign {
        "=" => "write `==` to compare, `=` to set a variable",
        "===" => "write `==`",
        "!==" | "<>" => "write `!=`",
        "=>" => "write `>=`",
        "=<" => "write `<=`",
        "#" => "begin a comment with `//`",
        "'" | "“" | "”" | "„" | "«" | "»" | "‘" | "’" => "put a string in straight quotes: `\"…\"`",
        "=+" => "write `+=` to add, or `= +` with a blank to set",
        "=-" => "write `-=` to subtract, or `= -` with a blank to set",
        "=!" => "write `!=`",
        "++" => "write `+= 1`",
        "--" => "write `-= 1`",
        ":=" | "<-" => "write `=`",
        "->" | "::" => "read a property with a dot: `me.score`",
        "×" => "write `*`",
        "÷" => "write `/`",
        "≤" => "write `<=`",
        "≥" => "write `>=`",
        "≠" => "write `!=`",
        "}" | ")" | "]" => BRACES,
        _ => "remove it, or write it inside a string",
    }
    .to_owned()
}

/// Returns the message for a missing sign, and help for the place where authors usually forget it.
fn missing(sign: &str, before: &str, rest: &str) -> (String, String) {
    let message = format!("expected `{sign}` before this");
    let help = match (sign, rest.trim_start().chars().next()) {
        (_, None) => return (format!("expected `{sign}` at the end"), BRACES.to_owned()),
        ("{", Some('=')) => "write `>=` for at least, `<=` for at most".to_owned(),
        ("{", _) => "put the body of a function, an `if` or a loop in braces: `if points > 3 { win(me); }`".to_owned(),
        (";", Some(':')) => "begin a map of names and values with `#{`: `#{ points: 1, squares: 2 }`".to_owned(),
        (";", Some('-')) => "write names without hyphens: `first_roll`".to_owned(),
        (";", Some(_)) if !before.ends_with('\n') && !before.trim_end_matches([' ', '\t']).ends_with('\n') => {
            "end each statement with `;`, or add the missing operator or bracket".to_owned()
        }
        (";", _) => "end each statement with `;`, including the one on the line above".to_owned(),
        ("," | ")" | "]", _) => "separate values with commas and close each bracket: `place(piece, cell)`".to_owned(),
        _ => BRACES.to_owned(),
    };
    (message, help)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn first_word(text: &str) -> &str {
    let text = text.trim_start();
    text.split(|letter| !is_word(letter)).next().unwrap_or_default()
}

fn last_word(text: &str) -> &str {
    text.trim_end().rsplit(|letter| !is_word(letter)).next().unwrap_or_default()
}
