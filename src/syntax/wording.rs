//! What a line that cannot be read should have been, in words for people who do not know the grammar.

use pest::error::{Error, ErrorVariant, InputLocation};

use super::grammar::Rule;
use super::keywords::Keyword;
use super::mistakes::Mistakes;
use crate::source::Span;

/// Returns how a line with this keyword is written; only expectations have no form (yet).
pub(super) fn form(keyword: &Keyword) -> String {
    match (keyword.form, keyword.example) {
        ("", _) => format!("write: expect {} …", keyword.word),
        (form, "") => format!("write: {form}"),
        (form, example) if form == example => format!("write: {form}"),
        (form, example) => format!("write: {form}\nfor example: {example}"),
    }
}

/// Notes why the line `text` at `span` could not be read.
pub(super) fn explain(error: &Error<Rule>, text: &str, span: Span, keyword: Option<&Keyword>, mistakes: &mut Mistakes) {
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
    let wanted = wanted(error);
    // An error at the very beginning says no more than that the line does not fit.
    let at = if at == 0 { keyword.map_or(0, |keyword| opening(keyword, text)) } else { at };
    let rest = text.get(at..).unwrap_or_default().trim_start();
    let name = keyword.map_or_else(|| "this line".to_owned(), |keyword| format!("this `{}` line", name(keyword)));
    let (start, length, message, label) = if rest.is_empty() {
        let last = text.rsplit([' ', '\t']).next().unwrap_or_default();
        let label = match wanted {
            Some(wanted) => format!("{wanted} is missing behind this"),
            None => "something is missing behind this".to_owned(),
        };
        (text.len() - last.len(), last.len(), format!("{name} is not complete"), label)
    } else {
        let label = match wanted {
            _ if rest.starts_with(['}', ')']) => "this closes nothing".to_owned(),
            Some(wanted) => format!("{wanted} was expected here"),
            None => "this does not fit here".to_owned(),
        };
        (text.len() - rest.len(), chunk(rest), format!("{name} cannot be read"), label)
    };
    let place = span.range().start + start;
    let place = Span::new(place..place + length);
    if holds_hole(rest.get(..length).unwrap_or_default()) {
        let help = "write the value itself: a hole stands for whole words, and not for sizes, ranges and titles";
        mistakes.add("bad_hole", place, "a hole cannot stand here", label, help);
        return;
    }
    let mut help = keyword.map_or_else(|| "an answer is written: PLAYER VERB WORDS".to_owned(), form);
    let found = rest.get(..length).unwrap_or_default();
    if found.find('"').is_some_and(|quote| quote > 0 && quote + 1 < found.len()) {
        help.push_str("\nput a blank before and behind a text in quotes");
    }
    if let Some(advice) = keyword.and_then(|keyword| about_arrows(keyword.word, text)) {
        help = advice.to_owned();
    }
    mistakes.add("syntax", place, message, label, help);
}

/// What to write in place of a line about arrows that takes one form for the other, or glues its words together.
fn about_arrows(word: &str, text: &str) -> Option<&'static str> {
    let glued = || {
        text.match_indices("->").any(|(at, _)| {
            let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at + 2..).unwrap_or_default());
            !before.ends_with([' ', '\t']) || !behind.starts_with([' ', '\t'])
        })
    };
    match word {
        "arrow" if text.contains('"') => {
            Some("a file with arrows is named by a line of its own: arrows \"arrows.yaml\"")
        }
        "arrow" if text.starts_with("arrow:") => Some("no colon follows `arrow`; write for example: arrow 7 -> 3"),
        "arrow" if glued() => Some("put a blank before and behind `->`: arrow 7 -> 3"),
        "arrows" if text.contains("->") => Some("for arrows that are no file write: arrow 7 -> 3, 12 -> 20"),
        _ => None,
    }
}

/// Returns whether a text holds a hole `{name}`.
fn holds_hole(text: &str) -> bool {
    let inner = text.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(inner, _)| inner.trim());
    inner.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

/// Returns the keyword with the `expect` before it.
fn name(keyword: &Keyword) -> String {
    let expected = keyword.form.strip_prefix("expect ").is_some_and(|form| form.starts_with(keyword.word));
    if expected { format!("expect {}", keyword.word) } else { keyword.word.to_owned() }
}

/// Returns how many bytes the keyword takes at the beginning of its line, with the `expect` before it.
fn opening(keyword: &Keyword, text: &str) -> usize {
    text.find(keyword.word).map_or(0, |at| at + keyword.word.len())
}

/// Returns the length of what stands at the beginning of `rest` and is to be underlined.
fn chunk(rest: &str) -> usize {
    let quoted = rest.strip_prefix('"').and_then(|inner| inner.find('"'));
    let start = quoted.map_or(0, |length| length + 2);
    let tail = rest.get(start..).unwrap_or_default();
    let end = tail.find([' ', '\t', ',', '\n', '\r']).map_or(rest.len(), |length| start + length);
    if end == 0 { 1 } else { end }
}

/// What the rules wanted, as a phrase.
fn wanted(error: &Error<Rule>) -> Option<String> {
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else { return None };
    let mut phrases: Vec<&str> = positives.iter().filter_map(|rule| phrase(*rule)).collect();
    phrases.sort_unstable();
    phrases.dedup();
    match phrases.as_slice() {
        [] if positives.contains(&Rule::comma) => Some("a comma".to_owned()),
        [] if positives.contains(&Rule::EOI) => Some("nothing more".to_owned()),
        [] if positives.contains(&Rule::equals) => Some("`=`".to_owned()),
        [] => None,
        [one] => Some((*one).to_owned()),
        [first @ .., last] => Some(format!("{} or {last}", first.join(", "))),
    }
}

/// One rule in words; nothing for what may always stand there and would only make the list long.
fn phrase(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::word | Rule::solid | Rule::cell_word | Rule::form_word => "a word",
        Rule::name | Rule::piece_word | Rule::place_word | Rule::dealt_word => "a name",
        Rule::value => "a value",
        Rule::title | Rule::quoted => "a text in quotes",
        Rule::number | Rule::count => "a number",
        Rule::range => "a range such as `1..6`",
        Rule::size => "a size such as `4x4`",
        Rule::kind => "a kind in capitals such as CELL",
        Rule::owner => "the name of what has one",
        Rule::close => "`]`",
        Rule::island => "a script in braces `{ … }`",
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
        Rule::track => "`track`",
        Rule::open_board => "`open`",
        Rule::because => "`because`",
        Rule::best => "`best`",
        Rule::worst => "`worst`",
        _ => return None,
    })
}
