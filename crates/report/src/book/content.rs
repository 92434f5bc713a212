//! The insertions into a text of a book: its blocks of examples, its clauses, and the examples that show them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use maud::{Markup, PreEscaped, html};

use super::example::{Example, ExampleFrame};
use referee_diagnostic::printable;
use referee_game::{Game, clause_places};
use referee_scenario::is_scenario_block;
use referee_source::{Fence, Source, Span, fences};

/// The most examples that are named after a clause.
const NAMED: usize = 5;

/// A text of a book with its examples.
#[derive(Clone, Copy, Debug)]
pub struct BookText<'b> {
    /// The text, in Markdown.
    pub text: &'b str,
    /// The examples in its blocks.
    pub own: &'b [Example],
    /// All examples that can show its clauses, and where they are.
    pub shown: &'b [ShownExample<'b>],
    /// The clauses of other texts.
    pub elsewhere: &'b [ShownClause],
    /// A prefix that distinguishes its ids from those of other texts on one page.
    pub prefix: &'b str,
}

/// A clause, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownClause {
    /// The id of its game.
    pub game: String,
    /// Its own id.
    pub id: String,
    /// Its address: without a page, if it is in the text itself.
    pub address: String,
}

/// An example, and where it is.
#[derive(Clone, Debug)]
pub struct ShownExample<'b> {
    /// The example.
    pub example: &'b Example,
    /// Its address, seen from the text.
    pub address: String,
    /// Whether it is in the text.
    pub is_own: bool,
}

/// A block of scenarios.
struct Block<'b> {
    /// The index of its end.
    end: usize,
    text: String,
    /// Its examples, with their numbers.
    own: Vec<(usize, &'b Example)>,
}

/// The insertions into a text.
pub(super) struct Content<'b> {
    /// The blocks by the indices of their beginnings.
    blocks: BTreeMap<usize, Block<'b>>,
    /// The ids of the games whose clauses these are.
    games: Vec<&'b str>,
    /// The clauses in the order of the text, each with the examples that show it.
    pub(super) clauses: Vec<(&'b str, Vec<&'b ShownExample<'b>>)>,
    /// Where each clause is in that list.
    places: BTreeMap<&'b str, usize>,
    elsewhere: &'b [ShownClause],
    prefix: &'b str,
}

/// Returns the id of the example with a number, from 1, in the text with a prefix.
#[must_use]
pub fn example_id(prefix: &str, number: usize) -> String {
    format!("Example-{prefix}{number}")
}

/// Returns the games whose rulebook a text is: those with just this text; otherwise those that its own examples play;
/// otherwise the only game that has all of its clauses.
fn games<'b>(given: &BookText<'b>) -> Vec<&'b Arc<Game>> {
    let mut all: BTreeMap<&str, &Arc<Game>> = BTreeMap::new();
    let examples = || given.own.iter().chain(given.shown.iter().map(|shown| shown.example));
    for example in examples() {
        all.entry(&example.game.schema.id).or_insert(&example.game);
    }
    let has_text = |game: &Game| game.rulebook.as_ref().is_some_and(|rulebook| rulebook.text() == given.text);
    let same: Vec<&Arc<Game>> = all.values().copied().filter(|game| has_text(game)).collect();
    if !same.is_empty() {
        return same;
    }
    if !given.own.is_empty() {
        let is_own = |game: &Game| given.own.iter().any(|example| example.game.schema.id == game.schema.id);
        return all.values().copied().filter(|game| is_own(game)).collect();
    }
    let ids = clause_places(given.text);
    // A house rule may add the clauses.
    let fits = |game: &Game| {
        let mut same = examples().filter(|example| example.game.schema.id == game.schema.id);
        same.any(|example| ids.iter().all(|(id, _)| has_clause(&example.game, id)))
    };
    let fitting: Vec<&Arc<Game>> = all.values().copied().filter(|game| fits(game)).collect();
    if fitting.len() == 1 { fitting } else { Vec::new() }
}

/// Returns the clauses of a text.
#[must_use]
pub fn clauses_of(given: &BookText<'_>) -> Vec<ShownClause> {
    let content = Content::of(given);
    let address = |id: &str| format!("#{}", content.clause_id(id));
    let games = content.games.iter().flat_map(|game| content.clauses.iter().map(move |(id, _)| (*game, *id)));
    games.map(|(game, id)| ShownClause { game: game.to_owned(), id: id.to_owned(), address: address(id) }).collect()
}

fn has_clause(game: &Game, id: &str) -> bool {
    game.schema.clauses.iter().any(|clause| clause.id == id)
}

/// Returns the blocks of scenarios, each with its examples.
fn blocks<'b>(given: &BookText<'b>) -> BTreeMap<usize, Block<'b>> {
    let source = Source::new("", given.text);
    let line = |at: usize| source.line(Span::new(at..at).start);
    let numbered = given.own.iter().enumerate().map(|(at, example)| (example.line, at + 1, example));
    let mut numbered: Vec<(usize, usize, &Example)> = numbered.collect();
    numbered.sort_by_key(|(line, number, _)| (*line, *number));
    let block = |fence: Fence| {
        let (first, last) = (line(fence.range.start), line(fence.range.end));
        let begin = numbered.partition_point(|(line, ..)| *line < first);
        let own = numbered.iter().skip(begin).take_while(|(line, ..)| *line <= last);
        let own = own.map(|(_, number, example)| (*number, *example)).collect();
        let text = fence.content.iter().filter_map(|part| given.text.get(part.clone())).collect();
        (fence.range.start, Block { end: fence.range.end, text, own })
    };
    fences(given.text).into_iter().filter(is_scenario_block).map(block).collect()
}

impl<'b> Content<'b> {
    /// Returns the content of a text.
    pub(super) fn of(given: &BookText<'b>) -> Self {
        let games = games(given);
        let examples = given.own.iter().chain(given.shown.iter().map(|shown| shown.example));
        let of_houses = examples.map(|example| &example.game);
        let of_houses = of_houses.filter(|other| games.iter().any(|game| game.schema.id == other.schema.id));
        let all = games.iter().copied().chain(of_houses);
        let declared: BTreeSet<&str> =
            all.flat_map(|game| &game.schema.clauses).map(|clause| clause.id.as_str()).collect();
        let mut clauses: Vec<(&str, Vec<&ShownExample<'_>>)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (id, _) in clause_places(given.text) {
            if declared.contains(id) && !places.contains_key(id) {
                places.insert(id, clauses.len());
                clauses.push((id, Vec::new()));
            }
        }
        let games: Vec<&str> = games.iter().map(|game| game.schema.id.as_str()).collect();
        for shown in given.shown.iter().filter(|shown| games.contains(&shown.example.game.schema.id.as_str())) {
            for place in shown.example.clauses.iter().filter_map(|id| places.get(id.as_str())) {
                clauses.get_mut(*place).into_iter().for_each(|(_, by)| by.push(shown));
            }
        }
        Self { blocks: blocks(given), games, clauses, places, elsewhere: given.elsewhere, prefix: given.prefix }
    }

    /// Returns whether the text has a clause of its games.
    pub(super) fn has_clause(&self, id: &str) -> bool {
        self.places.contains_key(id)
    }

    /// Returns whether there are no insertions.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.clauses.is_empty()
    }

    /// Returns the id of a clause.
    pub(super) fn clause_id(&self, id: &str) -> String {
        format!("Clause-{}{id}", self.prefix)
    }

    /// Returns the address of a clause that an example shows, if a text has it.
    pub(super) fn clause_address(&self, example: &Example, id: &str) -> Option<String> {
        let game = example.game.schema.id.as_str();
        if self.games.contains(&game) && self.has_clause(id) {
            return Some(format!("#{}", self.clause_id(id)));
        }
        let mut others = self.elsewhere.iter().filter(|clause| clause.game == game && clause.id == id);
        others.next().map(|clause| clause.address.clone())
    }

    /// Returns an example as a part of the page.
    pub(super) fn example(&self, number: usize, example: &Example, level: u8) -> Markup {
        let id = example_id(self.prefix, number);
        example.shown(&ExampleFrame { id: &id, level, clause: &|example, clause| self.clause_address(example, clause) })
    }

    /// Returns the replacement of the block of scenarios that begins at an index, and the end of that block.
    pub(super) fn block(&self, start: usize, level: u8) -> Option<(Markup, usize)> {
        let block = self.blocks.get(&start)?;
        let shown = html! {
            div.referee {
                @if block.own.is_empty() {
                    pre tabindex="0" { (printable(block.text.trim_end())) }
                } @else {
                    details {
                        summary { @if block.own.len() == 1 { "The example" } @else { "The examples" } " as written" }
                        pre tabindex="0" { (printable(block.text.trim_end())) }
                    }
                }
                @for (number, example) in &block.own { (self.example(*number, example, level)) }
            }
        };
        Some((shown, block.end))
    }

    /// Returns the examples that show a clause, for the end of its text. `all` is the address of the whole list.
    pub(super) fn note(&self, id: &str, all: Option<&str>) -> Markup {
        let own = self.places.get(id).and_then(|place| self.clauses.get(*place));
        let shown = own.map(|(_, shown)| shown.as_slice()).unwrap_or_default();
        let more = shown.len().saturating_sub(NAMED);
        html! {
            span.shown {
                @if shown.is_empty() {
                    span.status.failed { span aria-hidden="true" { "✗" } " no example shows this clause" }
                } @else {
                    "shown by "
                    @for (at, one) in best(id, shown).into_iter().take(NAMED).enumerate() {
                        @if at > 0 { ", " }
                        (link_after(None, one))
                    }
                    @if more > 0 {
                        " and "
                        @if let Some(all) = all { a href=(all) { (more) " more" } } @else { (more) " more" }
                    }
                }
            }
        }
    }
}

/// Returns the examples that show a clause, the best ones first: those of the text itself, those whose lines name the
/// clause, and of the rows and branches of one scenario the first.
fn best<'s, 'b>(id: &str, shown: &'s [&'b ShownExample<'b>]) -> Vec<&'s ShownExample<'b>> {
    let mut sorted: Vec<(bool, bool, bool, &ShownExample<'_>)> = Vec::new();
    let mut seen = BTreeSet::new();
    for one in shown {
        let is_named = one.example.covers.iter().any(|named| named == id);
        let is_repeated = !seen.insert(one.example.scenario());
        sorted.push((!one.is_own, is_repeated, !is_named, one));
    }
    sorted.sort_by_key(|(further, repeated, unnamed, _)| (*further, *repeated, *unnamed));
    sorted.into_iter().map(|(.., one)| one).collect()
}

/// Returns a link to an example that follows another one: of a row or branch of the same scenario, only their names.
pub(super) fn link_after(before: Option<&ShownExample<'_>>, shown: &ShownExample<'_>) -> Markup {
    let example = shown.example;
    let is_next = before.is_some_and(|before| before.example.scenario() == example.scenario());
    let name = if is_next { example.own_name() } else { &example.title };
    html! { a href=(shown.address) { (literal(name)) } }
}

/// Returns a text that is the same in HTML and between the tags of Markdown: no mark of Markdown has a meaning in it.
fn literal(text: &str) -> PreEscaped<String> {
    let mut written = String::new();
    for letter in printable(text).chars() {
        if letter.is_ascii_punctuation() {
            written.push_str(&format!("&#{};", u32::from(letter)));
        } else {
            written.push(if letter.is_whitespace() { ' ' } else { letter });
        }
    }
    PreEscaped(written)
}
