//! Scripts that cannot be read: Rhai's reasons in the words of people who write rules.

use rhai::{LexError, ParseErrorType as E};

/// Words of other languages, where Rhai has another one.
const FOREIGN: [(&str, &str); 14] = [
    ("and", "`and` is written `&&`: `if points > 3 && points < 6 { … }`"),
    ("or", "`or` is written `||`: `if points < 3 || points > 6 { … }`"),
    ("not", "`not` is written `!`: `if !is_off(piece) { … }`"),
    ("elif", "write `else if`"),
    ("elsif", "write `else if`"),
    ("elseif", "write `else if`"),
    ("function", "a function begins with `fn`: `fn turn(me) { … }`"),
    ("def", "a function begins with `fn`, and what it does stands in braces: `fn turn(me) { … }`"),
    ("func", "a function begins with `fn`: `fn turn(me) { … }`"),
    ("var", "a variable is made by `let`: `let points = 3;`"),
    ("int", "a variable is made by `let`: `let points = 3;`"),
    ("then", "what an `if` does stands in braces: `if points > 3 { win(me); }`"),
    ("local", "a variable is made by `let`: `let points = 3;`"),
    ("True", "write `true` and `false` in small letters"),
];

/// What is wrong, and what to write instead, of a script that can be read up to `before` and not from `rest` on.
pub(crate) fn words(error: &E, before: &str, rest: &str) -> (String, String) {
    let (message, help) = plain(error, before, rest);
    let found = first_word(rest);
    let foreign = FOREIGN.iter().find(|(word, _)| *word == found || *word == last_word(before));
    let help = foreign.map_or(help, |(_, help)| (*help).to_owned());
    (message, help)
}

/// Returns whether a block that is not closed may be why a script cannot be read from `rest` on.
pub(crate) fn is_about_braces(error: &E, rest: &str) -> bool {
    match error {
        E::UnexpectedEOF | E::WrongFnDefinition => true,
        E::MissingToken(sign, _) => sign == "}" || rest.trim().is_empty() && sign != "{",
        _ => rest.trim().is_empty(),
    }
}

fn plain(error: &E, before: &str, rest: &str) -> (String, String) {
    let said = |message: &str, help: &str| (message.to_owned(), help.to_owned());
    match error {
        E::BadInput(error) => input(error),
        E::UnknownOperator(sign) => (format!("rules have no sign `{sign}`"), operator(sign)),
        E::MissingToken(sign, _) => missing(sign, before, rest),
        E::UnexpectedEOF => said("the script ends too early", BRACES),
        E::Reserved(word) if word.chars().all(char::is_alphanumeric) => {
            let help = match word.as_str() {
                "null" | "nil" | "void" => "no value is written `()`: `if at(cell) == () { … }`".to_owned(),
                word => format!("choose another name, such as `{word}_`"),
            };
            (format!("`{word}` is a word that Rhai keeps for itself"), help)
        }
        E::Reserved(sign) => (format!("`{sign}` means nothing here"), operator(sign)),
        E::VariableExpected => said("a name is missing here", "a name begins with a letter: `let second = 2;`"),
        E::PropertyExpected if before.trim_end_matches('.').ends_with(|letter: char| letter.is_ascii_digit()) => {
            said("rules count in whole numbers only", "multiply before you divide: `points * 3 / 2`")
        }
        E::PropertyExpected => said("a name is missing behind the point", "write for example `me.score`"),
        E::ExprExpected(_) => said("a value is missing here", "write a number, a name or a call in this place"),
        E::AssignmentToConstant(name) => constant(name),
        E::AssignmentToInvalidLHS(_) if sets_a_cell(before, rest) => said(
            "what lies on a cell cannot be set in this way",
            "`place(piece, cell)` puts a piece there, `remove(cell)` takes what lies there off the board",
        ),
        E::AssignmentToInvalidLHS(_) => said(
            "nothing can be set in this way",
            "give it a name first: `let who = owner(piece); who.score += 1;`, or write `set(owner(piece), \"score\", 3)`",
        ),
        E::FnDuplicatedDefinition(name, count) => (
            format!("there are two functions `{name}` with {}", values(*count)),
            "give one of them another name".to_owned(),
        ),
        E::FnDuplicatedParam(name, value) => {
            (format!("`{name}` has two values called `{value}`"), "give one of them another name".to_owned())
        }
        E::FnMissingName => said("this function has no name", "write for example `fn turn(me) { … }`"),
        E::FnMissingParams(name) => {
            (format!("`{name}` does not say which values it takes"), format!("write `fn {name}(me) {{ … }}`"))
        }
        E::FnMissingBody(name) => {
            (format!("what `{name}` does is missing here"), "it stands in braces: `fn turn(me) { … }`".to_owned())
        }
        E::WrongFnDefinition => {
            said("a function stands inside of another", "move it out, or close the function before it with `}`")
        }
        E::LoopBreak => said(
            "there is no loop around this",
            "`break` and `continue` belong into a `for`, `while` or `loop`; `return` leaves a function",
        ),
        E::DuplicatedProperty(name) => {
            (format!("this map has two entries `{name}`"), "give one of them another name".to_owned())
        }
        E::DuplicatedVariable(name) | E::VariableExists(name) => {
            (format!("`{name}` is there already"), "choose another name".to_owned())
        }
        E::WrongDocComment => {
            said("this `///` comment describes nothing", "put it right above a function, or write `//`")
        }
        E::ExprTooDeep => said("this is nested too deeply", "put parts of it into variables or functions of their own"),
        other => {
            let message = other.to_string();
            let mut letters = message.chars();
            let lower = letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect());
            (lower, "the rules are written in Rhai, and this place cannot be read".to_owned())
        }
    }
}

/// Returns whether the statement that cannot be read gives `at(cell)` a value.
fn sets_a_cell(before: &str, rest: &str) -> bool {
    let start = before.rfind([';', '{', '}', '\n']).map_or(0, |at| at + 1);
    let statement = before.get(start..).unwrap_or_default().trim_start();
    statement.starts_with("at(") || statement.is_empty() && rest.starts_with("at(")
}

const BRACES: &str = "each `{` needs a `}`, each `(` a `)` and each `[` a `]`; look above this place, too";

/// What never changes.
pub(crate) fn constant(name: &str) -> (String, String) {
    (format!("`{name}` is a constant, which never changes"), "make it with `let` if it is to change".to_owned())
}

fn input(error: &LexError) -> (String, String) {
    match error {
        LexError::UnterminatedString => {
            ("this text is not closed".to_owned(), "close it with `\"` on the same line".to_owned())
        }
        LexError::MalformedNumber(number) => {
            (format!("`{number}` is no number"), "write a whole number; the largest has 18 digits".to_owned())
        }
        LexError::MalformedChar(_) => {
            ("a text stands in double quotes".to_owned(), "write `\"…\"` instead of `'…'`".to_owned())
        }
        LexError::MalformedIdentifier(name) => {
            (format!("`{name}` is no name"), "names are made of letters, digits and `_`".to_owned())
        }
        LexError::MalformedEscapeSequence(text) => (
            format!("`{text}` means nothing in a text"),
            "a backslash `\\` in a text is written twice: `\\\\`".to_owned(),
        ),
        LexError::ImproperSymbol(word, why) if why.contains("disabled") => {
            (format!("rules may not use `{word}`"), "rules are functions in one file".to_owned())
        }
        LexError::UnexpectedInput(sign) | LexError::ImproperSymbol(sign, _) => {
            (format!("`{sign}` means nothing here"), operator(sign))
        }
        other => (other.to_string().to_lowercase(), "this place cannot be read".to_owned()),
    }
}

fn operator(sign: &str) -> String {
    match sign {
        "=" => "`==` compares, `=` sets a variable",
        "===" => "write `==`",
        "!==" | "<>" => "write `!=`",
        "=>" => "write `>=`",
        "=<" => "write `<=`",
        "#" => "a comment begins with `//`",
        "'" | "“" | "”" | "„" | "«" | "»" | "‘" | "’" => "a text stands in straight quotes: `\"…\"`",
        "++" => "write `+= 1`",
        "--" => "write `-= 1`",
        ":=" | "<-" => "write `=`",
        "->" | "::" => "a value of something is written `me.score`",
        "×" => "write `*`",
        "÷" => "write `/`",
        "≤" => "write `<=`",
        "≥" => "write `>=`",
        "≠" => "write `!=`",
        "}" | ")" | "]" => BRACES,
        _ => "leave it out, or write it inside of a text",
    }
    .to_owned()
}

/// What is missing, and where it usually was forgotten.
fn missing(sign: &str, before: &str, rest: &str) -> (String, String) {
    let message = format!("`{sign}` is missing before this");
    let help = match (sign, rest.trim_start().chars().next()) {
        (_, None) => return (format!("a `{sign}` is missing at the end"), BRACES.to_owned()),
        ("{", Some('=')) => "at least is written `>=`, at most `<=`".to_owned(),
        ("{", _) => "what a function, an `if` or a loop does stands in braces: `if points > 3 { win(me); }`".to_owned(),
        (";", Some(':')) => "a map of names and values begins with `#{`: `#{ points: 1, squares: 2 }`".to_owned(),
        (";", Some('-')) => "a name has no hyphen: write `first_roll`".to_owned(),
        (";", Some(_)) if !before.ends_with('\n') && !before.trim_end_matches([' ', '\t']).ends_with('\n') => {
            "every statement ends in `;`; is a sign or a bracket missing between these two?".to_owned()
        }
        (";", _) => "every statement ends in `;`, also the one in the line above".to_owned(),
        ("," | ")" | "]", _) => {
            "values are separated by commas, and each bracket is closed: `place(piece, cell)`".to_owned()
        }
        _ => BRACES.to_owned(),
    };
    (message, help)
}

fn values(count: usize) -> String {
    format!("{count} value{}", if count == 1 { "" } else { "s" })
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
