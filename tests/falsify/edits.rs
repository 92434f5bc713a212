//! The edits that make a line false, as data, and the code that applies them.
//!
//! A pattern describes the words of a line. `A`, `B` and `C` match any number of words, and `V` matches one word. `A'`
//! stands for the same words with one changed to another suitable word, `A-` for the words without one of them.
//! `PIECE`, `CELL`, `CARD`, `PLAYER` and `FLAG` stand for such a word of the game.

use super::lines::{Part, body, parts, row_cells, words};
use super::vocabulary::Vocabulary;

/// The edits of a line that matches a pattern. If it matches several patterns, all rules of the first one apply.
pub(crate) struct Rule {
    line: &'static str,
    /// A line that cannot be true any more.
    falsified: &'static [&'static str],
    /// Pairs of lines of which at most one can be true.
    exclusive: &'static [(&'static str, &'static str)],
}

const fn rule(
    line: &'static str,
    falsified: &'static [&'static str],
    exclusive: &'static [(&'static str, &'static str)],
) -> Rule {
    Rule { line, falsified, exclusive }
}

/// The edits of lines that claim something.
pub(crate) const RULES: &[Rule] = &[
    // What is not decided within the limits fails without these words.
    rule("expect reachable A or undecided", &["expect reachable A"], &[]),
    rule("expect never A or undecided", &["expect never A"], &[]),
    rule("expect cycle A or undecided", &["expect cycle A"], &[]),
    rule("expect no cycle A or undecided", &["expect no cycle A"], &[]),
    rule("expect every line ends A or undecided", &["expect every line ends A"], &[]),
    rule("expect reachable A", &["expect never A"], &[]),
    rule("expect never A", &["expect reachable A"], &[]),
    rule("expect no cycle", &["expect cycle"], &[]),
    rule("expect no cycle A", &["expect cycle A"], &[]),
    rule("expect cycle", &["expect no cycle"], &[]),
    rule("expect cycle A", &["expect no cycle A"], &[]),
    rule("expect every line ends", &["expect cycle"], &[]),
    rule("expect chance A <= V B", &["expect chance A > V B"], &[]),
    rule("expect chance A >= V B", &["expect chance A < V B"], &[]),
    rule("expect chance A < V B", &["expect chance A >= V B"], &[]),
    rule("expect chance A > V B", &["expect chance A <= V B"], &[]),
    rule("expect chance A = V ± B", &["expect chance A = V' ± B"], &[]),
    rule("expect chance A = V B", &["expect chance A = V' B", "expect chance A < V B", "expect chance A > V B"], &[]),
    rule("expect over", &["expect not over"], &[]),
    rule("expect not over", &["expect over", "expect draw", "expect nobody wins", "expect PLAYER loses"], &[]),
    rule("expect no winner", &["expect winner PLAYER"], &[]),
    rule("expect draw", &["expect nobody wins", "expect not over", "expect winner PLAYER", "expect PLAYER loses"], &[]),
    rule("expect nobody wins", &["expect draw", "expect not over", "expect winner PLAYER"], &[]),
    rule(
        "expect winner A",
        &[
            "expect winner A'",
            "expect A loses",
            "expect no winner",
            "expect nobody wins",
            "expect draw",
            "expect not over",
        ],
        &[],
    ),
    rule(
        "expect winners A",
        &["expect winners A'", "expect winners A-", "expect no winner", "expect draw", "expect not over"],
        &[],
    ),
    rule("expect A loses", &["expect winner A", "expect draw", "expect not over"], &[]),
    rule("expect turn A", &["expect turn A'"], &[]),
    rule("expect last turn A", &["expect last turn A'"], &[]),
    rule("expect round V", &["expect round V'"], &[]),
    rule("expect asks A", &["expect asks A'", "expect over"], &[]),
    rule("expect choices A count B", &["expect choices A count B'"], &[]),
    rule(
        "expect choices A includes B",
        &["expect choices A excludes B"],
        &[("expect choices A includes B'", "expect choices A excludes B'")],
    ),
    rule("expect choices A excludes B", &["expect choices A includes B"], &[]),
    rule(
        "expect choices A = B",
        &["expect choices A = B'", "expect choices A = B-", "expect choices A excludes B"],
        &[],
    ),
    rule("expect A at start", &["expect A at CELL"], &[("expect A' at start", "expect A' at CELL")]),
    rule("expect A at B", &["expect A' at B", "expect A at B'", "expect A off"], &[]),
    rule("expect A off", &["expect A at CELL"], &[("expect A' off", "expect A' at CELL")]),
    rule("expect A holds B", &["expect A holds B'", "expect A empty"], &[("expect A' holds B", "expect A' empty")]),
    rule(
        "expect A empty",
        &["expect A holds PIECE", "expect A count 1"],
        &[("expect A' empty", "expect A' holds PIECE")],
    ),
    rule("expect A count B", &["expect A count B'"], &[]),
    rule("expect A has B", &["expect not A has B"], &[]),
    rule("expect A in B", &["expect B empty", "expect B count 0"], &[]),
    rule("expect A = none", &["expect A = CARD", "expect A = CELL", "expect A = PIECE", "expect A = NE"], &[]),
    rule("expect A = B …", &["expect A = B' …", "expect A = B", "expect A = none …"], &[]),
    rule("expect A = B", &["expect A = B'", "expect A = B-"], &[]),
    rule("expect A not face down", &["expect A face down"], &[("expect A' not face down", "expect A' face down")]),
    rule("expect A face down", &["expect A not face down"], &[("expect A' face down", "expect A' not face down")]),
    rule("expect A not FLAG", &["expect A FLAG"], &[("expect A' not FLAG", "expect A' FLAG")]),
    rule("expect A FLAG", &["expect A not FLAG"], &[("expect A' FLAG", "expect A' not FLAG")]),
    rule("expect { A }", &["expect { !(A) }"], &[("expect { A' }", "expect { !(A') }")]),
    rule("always each event { A }", &["always each event { !(A) }"], &[]),
    rule("always { A }", &["always { !(A) }"], &[("always { A' }", "expect { !(A') }")]),
    rule("refuse A because B", &["refuse A because B'"], &[]),
    rule("refuse A", &["refuse A because \"no rule says so\""], &[]),
];

/// A change that makes a scenario false.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    /// The first line that changes, from 0, and how many lines do.
    pub(crate) at: usize,
    pub(crate) count: usize,
    /// What they become.
    pub(crate) now: Vec<String>,
    /// If this line is true instead, the edit must be false; without such a line, the edit is always false.
    pub(crate) unless: Option<String>,
    /// Whether another answer may be right too: then the edit must not be one of the options.
    pub(crate) if_not_offered: bool,
}

impl Edit {
    fn line(at: usize, now: String) -> Self {
        Self { at, count: 1, now: vec![now], unless: None, if_not_offered: false }
    }
}

/// Every edit of a scenario's lines.
pub(crate) fn edits(lines: &[String], words_of: &Vocabulary) -> Vec<Edit> {
    let parts = parts(lines);
    let mut edits = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let body = body(&lines[at]);
        match part {
            Part::Claim if body.starts_with("covers ") => covers(at, lines, words_of, &mut edits),
            Part::Claim => claims(at, body, words_of, &mut edits),
            Part::Answer => {
                let changed = changed(body, words_of).into_iter().map(|now| Edit::line(at, format!("  {now}")));
                edits.extend(changed.map(|edit| Edit { if_not_offered: true, ..edit }));
            }
            Part::Roll => edits.extend(rolls(body, words_of).into_iter().map(|now| Edit::line(at, format!("  {now}")))),
            Part::Event { exactly } => events(at, lines, &parts, *exactly, words_of, &mut edits),
            Part::Drawing => drawing(at, lines, &parts, words_of, &mut edits),
            Part::Row(row) if *row > 0 => rows(at, *row, lines, &parts, words_of, &mut edits),
            Part::Row(_) | Part::Other => {}
        }
    }
    edits
}

/// Clauses that are never applied; and the same clauses where nothing is played.
fn covers(at: usize, lines: &[String], words_of: &Vocabulary, edits: &mut Vec<Edit>) {
    let body = body(&lines[at]);
    for word in body.split_whitespace().skip(1) {
        let others = words_of.never_applied.iter().take(2);
        edits.extend(others.map(|other| Edit::line(at, format!("  {}", replaced(body, word, other)))));
    }
    if !body.contains('{') {
        edits.push(Edit { count: lines.len() - at, ..Edit::line(at, lines[at].clone()) });
    }
}

fn claims(at: usize, body: &str, words_of: &Vocabulary, edits: &mut Vec<Edit>) {
    let Some((rule, held)) = RULES.iter().find_map(|rule| Some((rule, matched(rule.line, body, words_of)?))) else {
        return;
    };
    // Other pieces of the kind may be at the other cell.
    let many = held.iter().any(|(slot, text)| *slot == "A" && words_of.many.contains(&(*text).to_owned()));
    for template in rule.falsified.iter().filter(|template| !(many && template.contains("at B'"))) {
        edits.extend(filled(template, &held, words_of).into_iter().map(|now| Edit::line(at, format!("  {now}"))));
    }
    for (now, opposite) in rule.exclusive {
        for (now, opposite) in filled(now, &held, words_of).into_iter().zip(filled(opposite, &held, words_of)) {
            edits.push(Edit { unless: Some(format!("  {opposite}")), ..Edit::line(at, format!("  {now}")) });
        }
    }
}

/// Returns the words matched by a pattern's slots in a line; `None` if the line does not match.
fn matched<'t>(pattern: &'static str, line: &'t str, words_of: &Vocabulary) -> Option<Vec<(&'static str, &'t str)>> {
    fn go<'t>(
        pattern: &[&'static str],
        line: &'t str,
        tokens: &[(usize, usize)],
        words_of: &Vocabulary,
        held: &mut Vec<(&'static str, &'t str)>,
    ) -> bool {
        let text = |(from, to): (usize, usize)| &line[from..to];
        let Some((first, rest)) = pattern.split_first() else { return tokens.is_empty() };
        if first.len() == 1 && first.chars().all(char::is_uppercase) {
            // The longest first: an `=` that decides is the last one.
            let fewest = usize::from(*first == "V");
            let most = if *first == "V" { tokens.len().min(1) } else { tokens.len() };
            for taken in (fewest..=most).rev() {
                let span = if taken == 0 { "" } else { &line[tokens[0].0..tokens[taken - 1].1] };
                held.push((first, span));
                if go(rest, line, &tokens[taken..], words_of, held) {
                    return true;
                }
                held.pop();
            }
            return false;
        }
        let Some((token, others)) = tokens.split_first() else { return false };
        let fits = if *first == "FLAG" {
            words_of.flags.iter().any(|flag| flag == text(*token))
        } else {
            text(*token) == *first
        };
        if *first == "FLAG" && fits {
            held.push((first, text(*token)));
        }
        fits && go(rest, line, others, words_of, held)
    }
    let tokens: Vec<(usize, usize)> = tokens(line);
    let pattern: Vec<&'static str> = pattern.split(' ').collect();
    let mut held = Vec::new();
    go(&pattern, line, &tokens, words_of, &mut held).then_some(held)
}

/// Returns the ranges of words between spaces. A quoted string is one word, and so is an expression in a chance.
fn tokens(line: &str) -> Vec<(usize, usize)> {
    let mut tokens = Vec::new();
    let (mut start, mut quoted, mut depth) = (None, false, 0);
    let whole = ["expect chance", "expect reachable", "expect never"].iter().any(|begin| line.starts_with(begin));
    for (at, letter) in line.char_indices().chain([(line.len(), ' ')]) {
        quoted ^= letter == '"';
        if whole {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
        }
        match (start, letter == ' ' && !quoted && depth == 0) {
            (None, false) => start = Some(at),
            (Some(from), true) => {
                tokens.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    tokens
}

/// The lines that a template stands for.
fn filled(template: &str, held: &[(&str, &str)], words_of: &Vocabulary) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in template.split(' ') {
        let slot = word.trim_start_matches("!(").trim_end_matches([')', '\'', '-']);
        let is_slot = slot == "FLAG" || slot.len() == 1 && slot.chars().all(char::is_uppercase);
        let options = match slot {
            "PIECE" => vec![words_of.piece.clone()],
            "CELL" => vec![words_of.cell.clone()],
            "CARD" => words_of.card.iter().cloned().collect(),
            "PLAYER" => words_of.players.clone(),
            _ if is_slot => {
                let text = held.iter().find(|(name, _)| *name == slot).map_or("", |(_, text)| *text);
                match word.trim_end_matches(')').chars().last() {
                    Some('\'') => changed(text, words_of),
                    Some('-') => dropped(text),
                    _ => vec![text.to_owned()],
                }
            }
            _ => vec![word.to_owned()],
        };
        let negated = word.starts_with("!(");
        let options = options.into_iter().map(|text| if negated { format!("!({text})") } else { text });
        let options: Vec<String> = options.collect();
        lines = lines.iter().flat_map(|line| options.iter().map(move |option| format!("{line}{option} "))).collect();
    }
    lines.into_iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// The text with one of its words changed, in every way that fits.
fn changed(text: &str, words_of: &Vocabulary) -> Vec<String> {
    let change = |(at, word): (usize, &str)| {
        let (before, after) = (text[..at].to_owned(), text[at + word.len()..].to_owned());
        words_of.others(word).into_iter().map(move |other| format!("{before}{other}{after}")).collect::<Vec<_>>()
    };
    words(text).into_iter().filter(|(_, word)| !word.starts_with('{')).flat_map(change).collect()
}

/// The list with one member left out: between commas, or between blanks.
fn dropped(text: &str) -> Vec<String> {
    let by = if text.contains(',') { "," } else { " " };
    let members: Vec<&str> = text.split(by).map(str::trim).collect();
    if members.len() < 2 || text.contains('{') {
        return Vec::new();
    }
    let without = |at: usize| [&members[..at], &members[at + 1..]].concat().join(if by == "," { ", " } else { " " });
    (0..members.len()).map(without).collect()
}

fn replaced(text: &str, word: &str, other: &str) -> String {
    let swap = |part: &str| if part == word { other.to_owned() } else { part.to_owned() };
    text.split(' ').map(swap).collect::<Vec<_>>().join(" ")
}

/// Another die, and a face that no die has, for each of the dice that are thrown.
fn rolls(body: &str, words_of: &Vocabulary) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, word) in words(body).into_iter().skip(1) {
        let (before, after) = (&body[..at], &body[at + word.len()..]);
        if words_of.dice.iter().any(|die| die == word) {
            let others = words_of.dice.iter().filter(|die| *die != word);
            lines.extend(others.map(|other| format!("{before}{other}{after}")));
        } else {
            lines.push(format!("{before}99999{after}"));
        }
    }
    lines
}

/// A row changed; and, where all events are listed, dropped, doubled, and in another place.
fn events(at: usize, lines: &[String], parts: &[Part], exactly: bool, words_of: &Vocabulary, edits: &mut Vec<Edit>) {
    let row = body(&lines[at]).trim_start_matches('>').trim();
    edits.extend(changed(row, words_of).into_iter().map(|now| Edit::line(at, format!("    > {now}"))));
    if exactly {
        edits.push(Edit { now: Vec::new(), ..Edit::line(at, String::new()) });
        edits.push(Edit { now: vec![lines[at].clone(), lines[at].clone()], ..Edit::line(at, String::new()) });
        swapped(at, lines, parts, edits);
    }
}

/// A row and the one above it in the other order.
fn swapped(at: usize, lines: &[String], parts: &[Part], edits: &mut Vec<Edit>) {
    let bare = |line: &str| body(line).split_whitespace().collect::<Vec<_>>().join(" ");
    if at > 0 && parts[at - 1] == parts[at] && bare(&lines[at - 1]) != bare(&lines[at]) {
        let now = vec![lines[at].clone(), lines[at - 1].clone()];
        edits.push(Edit { count: 2, now, ..Edit::line(at - 1, String::new()) });
    }
}

/// A cell with another symbol; a row dropped, doubled, and in another place.
fn drawing(at: usize, lines: &[String], parts: &[Part], words_of: &Vocabulary, edits: &mut Vec<Edit>) {
    let row = &lines[at];
    let Some(bar) = row.find('|') else { return };
    for (place, token) in words(&row[bar + 1..]).into_iter().filter(|(_, token)| *token != "?") {
        let place = bar + 1 + place;
        let symbols = &words_of.symbols;
        let next = symbols.iter().position(|symbol| symbol == token).map_or(0, |found| (found + 1) % symbols.len());
        for other in [symbols[next].as_str(), "."].into_iter().filter(|other| *other != token) {
            edits.push(Edit::line(at, format!("{}{other}{}", &row[..place], &row[place + token.len()..])));
        }
    }
    edits.push(Edit { now: Vec::new(), ..Edit::line(at, String::new()) });
    edits.push(Edit { now: vec![row.clone(), row.clone()], ..Edit::line(at, String::new()) });
    if at > 0 && !row.contains('?') && !lines[at - 1].contains('?') {
        swapped(at, lines, parts, edits);
    }
}

/// Another value in a column that is used only in expectations.
fn rows(at: usize, row: usize, lines: &[String], parts: &[Part], words_of: &Vocabulary, edits: &mut Vec<Edit>) {
    let values = row_cells(&lines[at]);
    let names = row_cells(&lines[at - row]);
    for (column, name) in names.iter().enumerate() {
        let hole = format!("{{{name}}}");
        let mut users = lines.iter().zip(parts).filter(|(line, _)| line.contains(&hole)).peekable();
        let judged = |(line, part): (&String, &Part)| match part {
            Part::Event { .. } | Part::Drawing => true,
            Part::Claim => is_certain(body(line), &hole, words_of),
            _ => false,
        };
        if users.peek().is_none() || !users.all(judged) {
            continue;
        }
        for now in changed(&values[column], words_of) {
            let mut values = values.clone();
            values[column] = now;
            edits.push(Edit::line(at, format!("    | {} |", values.join(" | "))));
        }
    }
}

/// Whether the line is false as soon as what is in the placeholder changes.
fn is_certain(line: &str, hole: &str, words_of: &Vocabulary) -> bool {
    let Some((rule, held)) = RULES.iter().find_map(|rule| Some((rule, matched(rule.line, line, words_of)?))) else {
        return false;
    };
    let has = |slot: &str| held.iter().any(|(name, text)| *name == slot && text.contains(hole));
    ["A", "B", "C", "V"].into_iter().filter(|slot| has(slot)).all(|slot| {
        let change = format!("{slot}'");
        rule.falsified.iter().any(|template| template.split(' ').any(|word| word == change))
    })
}
