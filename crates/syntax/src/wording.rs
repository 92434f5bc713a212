//! Explains why a line cannot be read, without terms of the grammar.

use pest::error::{Error, ErrorVariant, InputLocation};

use super::grammar::Rule;
use super::keywords::Keyword;
use super::meant;
use super::mistakes::Mistakes;
use referee_diagnostic::{Code, nearest};
use referee_source::{Span, closing_quote};

/// Returns the form of a line with this keyword.
pub(super) fn form(keyword: &Keyword) -> String {
    worded(keyword.form, keyword.example)
}

fn worded(form: &str, example: &str) -> String {
    match (form, example) {
        (form, "") => format!("write: {form}"),
        (form, example) if form == example => format!("write: {form}"),
        (form, example) => format!("write: {form}\nfor example: {example}"),
    }
}

/// Returns the form of a line with this keyword, in whose example numbers are those of the user's line.
fn form_for(keyword: &Keyword, text: &str) -> String {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = text.split_whitespace();
    let example: Vec<&str> = keyword.example.split(' ').collect();
    let mut own: Vec<&str> = Vec::with_capacity(example.len());
    for word in &example {
        let written = words.next().unwrap_or_default();
        let both = is_number(word) && is_number(written);
        own.push(if both { written } else { word });
    }
    if keyword.form == keyword.example { form(keyword) } else { worded(keyword.form, &own.join(" ")) }
}

/// Reports why the line `text` at `span` cannot be read.
pub(super) fn explain(error: &Error<Rule>, text: &str, span: Span, keyword: Option<&Keyword>, mistakes: &mut Mistakes) {
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
    let wanted = wanted(error);
    // An error at the first byte only says that the line does not fit: point after the keyword instead.
    let at = if at == 0 { keyword.map_or(0, |keyword| opening(keyword, text)) } else { at };
    let rest = text.get(at..).unwrap_or_default().trim_start();
    let name = keyword.map_or_else(|| "this line".to_owned(), |keyword| format!("this `{}` line", name(keyword)));
    let (start, length, message, label) = if rest.is_empty() {
        let last = text.rsplit([' ', '\t']).next().unwrap_or_default();
        let label = match &wanted {
            Some(wanted) => format!("{wanted} is missing after this"),
            None => "something is missing after this".to_owned(),
        };
        (text.len() - last.len(), last.len(), format!("{name} is not complete"), label)
    } else {
        let label = match &wanted {
            _ if rest.starts_with(['}', ')']) => "this has no opening bracket".to_owned(),
            Some(wanted) => format!("expected {wanted}"),
            None => "this is not allowed here".to_owned(),
        };
        (text.len() - rest.len(), chunk(rest), format!("{name} cannot be read"), label)
    };
    let place = span.range().start + start;
    let place = Span::new(place..place + length);
    if holds_placeholder(rest.get(..length).unwrap_or_default()) {
        let help = "write the value itself: a placeholder replaces whole words, not sizes, ranges or titles";
        mistakes.add(Code::BadPlaceholder, place, "a placeholder is not allowed here", label, help);
        return;
    }
    let mut help =
        keyword.map_or_else(|| "write an answer: PLAYER VERB WORDS".to_owned(), |keyword| form_for(keyword, text));
    let found = rest.get(..length).unwrap_or_default();
    if found.find('"').is_some_and(|quote| quote > 0 && quote + 1 < found.len()) {
        help.push_str("\nput a space before and after a string in quotes");
    }
    // A word that cannot be here would not help.
    let fits = |near: &&str| {
        wanted.as_ref().is_none_or(|wanted| !wanted.contains('`') || wanted.contains(&format!("`{near}`")))
    };
    if let Some(near) = keyword.and_then(|keyword| near_word(keyword, found)).filter(fits) {
        help = format!("did you mean `{near}`?\n{help}");
    }
    if found.starts_with('=') && keyword.is_some_and(|keyword| keyword.word == "piece") {
        help = "`=` cannot be a symbol: choose a letter or a short word".to_owned();
    }
    if let Some(advice) = keyword.and_then(|keyword| about_arrows(keyword.word, text)) {
        help = advice.to_owned();
    }
    if let Some(right) = keyword.and_then(|keyword| meant::line(keyword.word, text)) {
        help = format!("write `{right}`");
    }
    if rest.is_empty() && text.rsplit([' ', '\t']).next().is_some_and(holds_placeholder) {
        help = format!("a placeholder stands for words in capitals, and never for the words between them\n{help}");
    }
    mistakes.add(Code::Syntax, place, message, label, help);
}

/// Returns the word of a keyword's form that `found` may be a typo of: `grid` for `gird`.
fn near_word<'k>(keyword: &'k Keyword, found: &str) -> Option<&'k str> {
    let words = || keyword.form.split(|letter: char| !letter.is_ascii_alphabetic());
    let literal = |word: &&str| word.len() > 2 && !word.contains(char::is_uppercase) && *word != keyword.word;
    // Most words of two letters are one typo away from others.
    if found.len() < 3 || words().any(|word| word == found) {
        return None;
    }
    nearest(found, words().filter(literal))
}

/// Returns the help for a line about arrows that confuses `arrow` with `arrows`, or has no spaces around `->`.
fn about_arrows(word: &str, text: &str) -> Option<&'static str> {
    let glued = || {
        text.match_indices("->").any(|(at, _)| {
            let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 2..).unwrap_or_default());
            !before.ends_with([' ', '\t']) || !after.starts_with([' ', '\t'])
        })
    };
    match word {
        "arrow" if text.contains('"') => Some("name a file with arrows on a line of its own: arrows \"arrows.yaml\""),
        "arrow" if glued() => Some("put a space before and after `->`: arrow 7 -> 3"),
        "arrows" if text.contains("->") => {
            Some("`arrows` names a file; for arrows on this line write: arrow 7 -> 3, 12 -> 20")
        }
        _ => None,
    }
}

/// Returns whether a text contains a placeholder `{name}`.
fn holds_placeholder(text: &str) -> bool {
    let inner = text.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(inner, _)| inner.trim());
    inner.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

/// Returns the name of a keyword, with the `expect` that belongs before it.
fn name(keyword: &Keyword) -> String {
    let expected = keyword.form.strip_prefix("expect ").is_some_and(|form| form.starts_with(keyword.word));
    if expected { format!("expect {}", keyword.word) } else { keyword.word.to_owned() }
}

/// Returns the length in bytes of the keyword at the beginning of its line, including an `expect` before it.
fn opening(keyword: &Keyword, text: &str) -> usize {
    text.find(keyword.word).map_or(0, |at| at + keyword.word.len())
}

/// Returns the length of the beginning of `rest` to underline: a word or a quoted string.
fn chunk(rest: &str) -> usize {
    let quoted = rest.strip_prefix('"').and_then(closing_quote);
    let start = quoted.map_or(0, |length| length + 2);
    let tail = rest.get(start..).unwrap_or_default();
    let end = tail.find([' ', '\t', ',', '\n', '\r']).map_or(rest.len(), |length| start + length);
    if end == 0 { 1 } else { end }
}

/// Returns the tokens that the grammar expected, as a phrase.
fn wanted(error: &Error<Rule>) -> Option<String> {
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else { return None };
    let mut phrases: Vec<&str> = positives.iter().filter_map(|rule| phrase(*rule)).collect();
    phrases.sort_unstable();
    phrases.dedup();
    match phrases.as_slice() {
        [] if positives.contains(&Rule::comma) => Some("a comma".to_owned()),
        [] if positives.contains(&Rule::EOI) => Some("the end of the line".to_owned()),
        [] if positives.contains(&Rule::equals) => Some("`=`".to_owned()),
        [] => None,
        [one] => Some((*one).to_owned()),
        [first @ .., last] => Some(format!("{} or {last}", first.join(", "))),
    }
}

/// Returns a rule in words; `None` for rules that are always possible and would only lengthen the list.
fn phrase(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::word | Rule::solid | Rule::cell_word | Rule::form_word => "a word",
        Rule::name | Rule::piece_word | Rule::place_word | Rule::dealt_word => "a name",
        Rule::value => "a value",
        Rule::title | Rule::quoted => "a string in quotes",
        Rule::number | Rule::count => "a number",
        Rule::range => "a range such as `1..6`",
        Rule::size => "a size such as `4x4`",
        Rule::kind | Rule::one_kind => "a kind in capitals such as CELL",
        Rule::choice | Rule::choice_word => "words such as `calm|angry`",
        Rule::owner => "`player` or a kind of pieces",
        Rule::holder => "`player`, `cell` or a kind of pieces",
        Rule::close => "`]`",
        Rule::expression => "an expression in braces `{ … }`",
        Rule::sense => "`clockwise` or `anticlockwise`",
        Rule::from => "`from`",
        Rule::to => "`to`",
        Rule::within => "`in`",
        Rule::in_drawings => "`in drawings`",
        Rule::at => "`at`",
        Rule::off => "`off`",
        Rule::exact => "`=`",
        Rule::wins => "`wins`",
        Rule::over => "`over`",
        Rule::exactly => "`exactly`",
        Rule::includes => "`includes`",
        Rule::excludes => "`excludes`",
        Rule::counted => "`count`",
        Rule::grid => "`grid`",
        Rule::hex => "`hex`",
        Rule::rhombus => "`rhombus`",
        Rule::triangle => "`triangle`",
        Rule::rings => "`rings`",
        Rule::graph => "`graph`",
        Rule::track => "`track`",
        Rule::without => "`without`",
        Rule::with_places => "`with`",
        Rule::hole => "a cell",
        Rule::place_kind => "`corners` or `sides`",
        Rule::open_board => "`open`",
        Rule::dark => "`dark`",
        Rule::because => "`because`",
        Rule::best => "`best`",
        Rule::worst => "`worst`",
        _ => return None,
    })
}
