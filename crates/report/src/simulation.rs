//! Statistics of simulated games as text, computed from counts; those of games with each number of players in one table.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use std::fmt::Write as _;

use serde::Serialize;

use super::intervals::{Mean, RatioSums, Share, mean, mean_of, of_sums, percent, ratio_of, rounded, share};
use super::profile::profile_human;
use super::remarks::{Sampled, shared_in_games, shared_in_some_games};
use super::tables::{shown, table};
use referee_diagnostic::{one_line, printable};
use referee_play::Totals;
use referee_rules::Profile;
use referee_table::{Board, Names, Owner, PlayerId, Schema, Value};

/// A simulation: its settings and its counts. Its report is made from this alone.
#[derive(Debug)]
pub struct Simulation {
    /// The game.
    pub schema: Arc<Schema>,
    /// The board of the position from which the games begin.
    pub board: Arc<Board>,
    /// The variant, if one was named.
    pub variant: Option<String>,
    /// The house rules, in order.
    pub houses: Vec<String>,
    /// The options and their values.
    pub options: Vec<(String, String)>,
    /// The players, in the order of play.
    pub players: Vec<PlayerId>,
    /// Why these players took part, if the user did not choose them and others were possible.
    pub why_these: Option<String>,
    /// The flag that chooses the players.
    pub players_flag: &'static str,
    /// The policy of each player, as written on the command line.
    pub policies: Vec<String>,
    /// The condition whose chance is estimated, if there is one.
    pub chance: Option<String>,
    /// The seed.
    pub seed: u64,
    /// The number of the first game.
    pub first: u64,
    /// The number of turns after which a game is stopped.
    pub max_plies: u64,
    /// The counts.
    pub totals: Totals,
    /// The decisions that were made by a sample of deals.
    pub sampled: Option<Sampled>,
    /// The work of the rules, if it was counted.
    pub profile: Option<Profile>,
}

/// Returns the value that at least `part` quarters of the games do not exceed.
pub(super) fn quartile<V: Copy>(values: &BTreeMap<V, u64>, part: u64) -> Option<V> {
    let games: u64 = values.values().sum();
    let wanted = (games * part).div_ceil(4).max(1);
    let mut so_far = 0;
    values.iter().find_map(|(value, games)| {
        so_far += games;
        (so_far >= wanted).then_some(*value)
    })
}

/// A counter of an owner, with the number of games for each final value.
pub(super) struct Counted<'s> {
    pub(super) counter: &'s str,
    pub(super) of: Cow<'s, str>,
    is_piece: bool,
    pub(super) values: &'s BTreeMap<i64, u64>,
}

impl<'s> Counted<'s> {
    /// Returns the sum over all games.
    fn sum(&self) -> i128 {
        self.values.iter().map(|(value, games)| i128::from(*value) * i128::from(*games)).sum()
    }

    pub(super) fn mean(&self) -> Option<f64> {
        let games: u64 = self.values.values().sum();
        (games > 0).then(|| rounded(self.sum() as f64 / games as f64))
    }

    /// Returns the mean with its interval.
    pub(super) fn interval(&self) -> Option<Mean> {
        mean_of(self.values.iter().map(|(value, games)| (*value, *games)))
    }
}

/// The value of a face: a number or a word.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum ShownFace<'s> {
    Number(i64),
    Word(&'s str),
}

impl<'s> ShownFace<'s> {
    pub(super) fn of(face: &'s Value) -> Self {
        match face {
            Value::Int(number) => Self::Number(*number),
            Value::Text(word) => Self::Word(word),
            _ => Self::Word(""),
        }
    }
}

impl std::fmt::Display for ShownFace<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

impl Simulation {
    pub(super) fn wins(&self, player: PlayerId) -> Share {
        share(self.totals.wins.get(player.index()).copied().unwrap_or(0), self.totals.games)
    }

    pub(super) fn held(&self) -> Share {
        share(self.totals.held, self.totals.games)
    }

    /// Returns the estimated chance of the condition.
    fn chance(&self) -> String {
        let Some(condition) = &self.chance else { return String::new() };
        let Share { games, share, low, high } = self.held();
        let (all, digits) = (self.totals.games, |share: f64| format!("{:.2} %", share * 100.0));
        printable(&format!(
            "\nchance of {condition}: about {} ({games} of {all} games; 95 % interval {} to {})\n",
            digits(share),
            digits(low),
            digits(high)
        ))
    }

    /// Returns the clauses that ended games, the most frequent first; `None` for games that ended without a clause.
    pub(super) fn ended_by(&self) -> Vec<(Option<&str>, u64)> {
        let clauses = self.schema.clauses.iter().zip(&self.totals.clauses);
        let mut ended: Vec<(Option<&str>, u64)> =
            clauses.map(|(clause, applied)| (Some(clause.id.as_str()), applied.ended)).collect();
        ended.push((None, self.totals.ended_without_clause));
        ended.retain(|(_, games)| *games > 0);
        ended.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
        ended
    }

    pub(super) fn plies(&self) -> u64 {
        self.totals.plies.iter().map(|(plies, games)| plies * games).sum()
    }

    /// Returns the mean number of turns of a finished game, with its interval.
    pub(super) fn length(&self) -> Option<Mean> {
        let plies = self.totals.plies.iter().map(|(plies, games)| (i64::try_from(*plies).unwrap_or(i64::MAX), *games));
        mean_of(plies)
    }

    /// Returns the mean number of captures in a game, with its interval.
    pub(super) fn captures(&self) -> Option<Mean> {
        let sum = |number: u128| i128::try_from(number).ok();
        let Totals { games, captures, squares, .. } = &self.totals;
        of_sums(i128::from(*games), i128::from(*captures), sum(squares.captures)?)
    }

    /// Returns the mean number of options at a decision, with its interval.
    pub(super) fn options_at_a_decision(&self) -> Option<Mean> {
        let Totals { games, options, decisions, squares, .. } = &self.totals;
        ratio_of(RatioSums {
            games: *games,
            first: *options,
            second: *decisions,
            first_squares: squares.options,
            second_squares: squares.decisions,
            products: squares.decisions_by_options,
        })
    }

    pub(super) fn finished(&self) -> u64 {
        self.totals.plies.values().sum()
    }

    /// Returns what was played, on one line.
    pub(super) fn head(&self) -> String {
        let last = (self.first + self.totals.games).saturating_sub(1);
        let is_changed = |(name, value): &&(String, String)| {
            let option = self.schema.options.iter().find(|option| option.name == *name);
            option.is_none_or(|option| option.choice.setting(value) != Some(option.choice.default()))
        };
        let options = self.options.iter().filter(is_changed).map(|(name, value)| format!("{name}={value}"));
        let what: Vec<String> = self.variant.iter().chain(&self.houses).cloned().chain(options).collect();
        let what = if what.is_empty() { String::new() } else { format!(" ({})", what.join(", ")) };
        let (title, first, seed) = (&self.schema.title, self.first, self.seed);
        one_line(&format!("{title}{what}: games {first} to {last} of seed {seed}"))
    }

    /// Returns the shares of all results that came up, and of all wins.
    pub(super) fn results(&self) -> Vec<(String, Share)> {
        let Totals { games: all, draws, nobody, unfinished, .. } = &self.totals;
        let wins = self.players.iter().map(|player| {
            let name = format!("{} wins", self.schema.player_name(*player));
            (name, self.wins(*player))
        });
        let others = [("draw", draws), ("nobody wins", nobody), ("unfinished", unfinished)];
        let others = others.into_iter().filter(|(_, games)| **games > 0);
        let others = others.map(|(name, games)| (name.to_owned(), share(*games, *all)));
        let held = self.chance.iter().map(|condition| (one_line(condition), self.held()));
        wins.chain(others).chain(held).collect()
    }

    /// Returns the statistics as tables.
    #[must_use]
    pub fn human(&self) -> String {
        let totals = &self.totals;
        let name = |player: &PlayerId| self.schema.player_name(*player).to_owned();
        let mut text = format!("{}\n\n", self.head());
        if let Some(why) = &self.why_these {
            let names: Vec<String> = self.players.iter().map(name).collect();
            let play = if let [only] = names.as_slice() {
                format!("{only} plays alone")
            } else {
                format!("{} play", names.join(" and "))
            };
            let _ = writeln!(text, "{play}: {why}; choose players with `{}`\n", self.players_flag);
        }
        let mut results = table(&["", "policy", "games", "share", "95 % interval"], &[2, 3, 4]);
        let mut row = |name: &str, policy: &str, share: Share| {
            let interval = format!("{} to {}", percent(share.low), percent(share.high));
            results.add_row([name, policy, &share.games.to_string(), &percent(share.share), &interval]);
        };
        for (player, policy) in self.players.iter().zip(&self.policies) {
            row(&format!("{} wins", name(player)), &short_policy(policy), self.wins(*player));
        }
        for (name, games) in [("draw", totals.draws), ("nobody wins", totals.nobody), ("unfinished", totals.unfinished)]
        {
            if games > 0 {
                row(name, "", share(games, totals.games));
            }
        }
        text.push_str(&shown(&results));
        text.push_str(&self.sampled.map(|sampled| format!("\n{}", sampled.human())).unwrap_or_default());
        text.push_str(&shared_in_games(totals.shared));
        text.push_str(&self.long_policies());
        text.push_str(&self.chance());
        text.push_str(&self.lengths());
        if let Some(options) = mean(totals.options, totals.decisions) {
            text.push_str(&format!(
                "\noptions at a decision: {options:.2} on average{} ({} decisions)\n",
                within(self.options_at_a_decision()),
                totals.decisions
            ));
        }
        if totals.captures > 0 {
            let captures = mean(totals.captures, totals.games).unwrap_or(0.0);
            text.push_str(&format!("captures in a game: {captures:.2} on average{}\n", within(self.captures())));
        }
        text.push_str(&self.statistics());
        text.push_str(&self.clauses());
        text.push_str(&self.dice());
        if let Some(profile) = &self.profile {
            let _ = write!(text, "\n{}", profile_human(profile));
        }
        text
    }

    /// Returns the policies that are too long for the table, each once.
    fn long_policies(&self) -> String {
        let mut policies: Vec<&String> =
            self.policies.iter().filter(|policy| short_policy(policy) != **policy).collect();
        let mut known: BTreeSet<&String> = BTreeSet::new();
        policies.retain(|policy| known.insert(policy));
        let mut text = String::new();
        for policy in policies {
            let players = self.players.iter().zip(&self.policies).filter(|(_, own)| *own == policy);
            let names: Vec<&str> = players.map(|(player, _)| self.schema.player_name(*player)).collect();
            let _ = writeln!(text, "policy of {}: {}", names.join(", "), one_line(policy));
        }
        if text.is_empty() { text } else { format!("\n{text}") }
    }

    fn lengths(&self) -> String {
        let Some(mean) = mean(self.plies(), self.finished()) else { return String::new() };
        let quarter = |part| quartile(&self.totals.plies, part).unwrap_or(0);
        let (first, median, third) = (quarter(1), quarter(2), quarter(3));
        let interval = within(self.length());
        let mut text =
            format!("\nturns in a game: {mean:.2} on average{interval}; quartiles {first}, {median}, {third}\n");
        let (low, high) = (quarter(0), quarter(4));
        let width = bin(high - low + 1);
        let mut bins: Vec<(u64, u64)> = Vec::new();
        for (plies, games) in &self.totals.plies {
            let start = plies / width * width;
            // Empty bins in between are shown, too.
            while bins.last().is_none_or(|(last, _)| *last < start) {
                let next = bins.last().map_or(start, |(last, _)| last + width);
                bins.push((next, 0));
            }
            if let Some((_, sum)) = bins.last_mut() {
                *sum += games;
            }
        }
        let most = bins.iter().map(|(_, games)| *games).max().unwrap_or(1).max(1);
        let mut histogram = table(&["turns", "games", ""], &[0, 1]);
        for (start, games) in bins {
            let label = if width == 1 { start.to_string() } else { format!("{start} to {}", start + width - 1) };
            let bar = "█".repeat(usize::try_from((games * 40).div_ceil(most)).unwrap_or(0));
            histogram.add_row([label, games.to_string(), bar]);
        }
        text.push_str(&shown(&histogram));
        text
    }

    fn names(&self) -> Names<'_> {
        Names { schema: &self.schema, board: &self.board }
    }

    /// Returns the counters of the game, its pieces and places, and the participating players, with their final values.
    pub(super) fn counters(&self) -> Vec<Counted<'_>> {
        let takes_part = |owner: &Owner| match owner {
            Owner::Player(player) => self.players.contains(player),
            Owner::Game | Owner::Piece(_) | Owner::Place(_) => true,
        };
        let all = self.names().statistics().zip(&self.totals.counters);
        let all = all.filter(|((_, owner), values)| takes_part(owner) && !values.is_empty());
        all.map(|((property, owner), values)| Counted {
            counter: self.schema.property_name(property),
            of: self.names().owner_name(owner),
            is_piece: matches!(owner, Owner::Piece(_) | Owner::Place(_)),
            values,
        })
        .collect()
    }

    /// Returns a table of the counters. Includes only pieces with values other than 0, those with the largest means
    /// first.
    fn statistics(&self) -> String {
        let mut counters = self.counters();
        counters.retain(|counted| !counted.is_piece || counted.values.keys().any(|value| *value != 0));
        // The sort is stable: counters stay in the order of declaration.
        let names: Vec<&str> = counters.iter().map(|counted| counted.counter).collect();
        counters.sort_by(|one, other| {
            let declared = |counted: &Counted<'_>| names.iter().position(|name| *name == counted.counter);
            let pieces = if one.is_piece { other.sum().cmp(&one.sum()) } else { std::cmp::Ordering::Equal };
            declared(one).cmp(&declared(other)).then(pieces)
        });
        if counters.is_empty() {
            return String::new();
        }
        let mut rows =
            table(&["at the end", "of", "mean", "95 % interval", "least", "quartiles", "most"], &[2, 3, 4, 5, 6]);
        for counted in &counters {
            let quarter = |part| quartile(counted.values, part).map_or(String::new(), |value| value.to_string());
            let mean = counted.mean().map_or(String::new(), |mean| format!("{mean:.2}"));
            let quartiles = format!("{}, {}, {}", quarter(1), quarter(2), quarter(3));
            let interval = counted.interval().map_or(String::new(), |one| format!("{:.2} to {:.2}", one.low, one.high));
            rows.add_row([counted.counter, &counted.of, &mean, &interval, &quarter(0), &quartiles, &quarter(4)]);
        }
        format!("\n{}", shown(&rows))
    }

    fn clauses(&self) -> String {
        let mut text = String::new();
        let ended = self.ended_by();
        if ended.iter().any(|(clause, _)| clause.is_some()) {
            let mut ends = table(&["ended by", "games", "share"], &[1, 2]);
            for (clause, games) in ended {
                let all = share(games, self.totals.games);
                ends.add_row([clause.unwrap_or("no clause"), &games.to_string(), &percent(all.share)]);
            }
            text.push_str(&format!("\n{}", shown(&ends)));
        }
        if !self.schema.clauses.is_empty() {
            let mut clauses = table(&["clause", "times", "games", "share"], &[1, 2, 3]);
            for (clause, applied) in self.schema.clauses.iter().zip(&self.totals.clauses) {
                let games = share(applied.games, self.totals.games);
                let numbers = [applied.times.to_string(), applied.games.to_string(), percent(games.share)];
                clauses.add_row(std::iter::once(clause.id.clone()).chain(numbers));
            }
            text.push_str(&format!("\n{}", shown(&clauses)));
        }
        text
    }

    fn dice(&self) -> String {
        let mut text = String::new();
        for (die, faces) in self.schema.dice.iter().zip(&self.totals.dice) {
            let sum: u64 = faces.iter().sum();
            // A die with many faces would fill the screen; the JSON includes it.
            if sum == 0 || faces.len() > 20 {
                continue;
            }
            let each =
                die.faces.iter().zip(faces).map(|(face, times)| format!("{}: {times}", ShownFace::of(&face.shows)));
            let name = if die.name.is_empty() { "die" } else { &die.name };
            let throws = sum / die.count.max(1) as u64;
            let dice = if die.count == 1 { String::new() } else { format!(" of {} dice", die.count) };
            text.push_str(&format!("\n{name}: {throws} throws{dice} ({})", each.collect::<Vec<_>>().join(", ")));
        }
        if text.is_empty() { text } else { text + "\n" }
    }
}

/// Returns the results and the lengths of games with each number of players, as tables.
#[must_use]
pub fn simulations_human(simulations: &[Simulation]) -> String {
    let Some(first) = simulations.first() else { return String::new() };
    let mut text = format!("{}, with each number of players\n\n", first.head());
    let mut results = table(&["players", "", "games", "share", "95 % interval"], &[0, 2, 3]);
    let mut lengths = table(&["players", "turns in a game", "95 % interval", "unfinished"], &[0, 1, 3]);
    for one in simulations {
        let number = one.players.len().to_string();
        for (at, (name, games)) in one.results().into_iter().enumerate() {
            let players = if at == 0 { number.as_str() } else { "" };
            results.add_row([players, &name, &games.games.to_string(), &percent(games.share), &interval(games)]);
        }
        let length = one.length();
        let mean = length.map_or_else(String::new, |mean| format!("{:.2}", mean.mean));
        let ends = length.map_or_else(String::new, |mean| format!("{:.2} to {:.2}", mean.low, mean.high));
        lengths.add_row([number, mean, ends, percent(share(one.totals.unfinished, one.totals.games).share)]);
    }
    text.push_str(&format!("{}\n{}", shown(&results), shown(&lengths)));
    if simulations.iter().any(|one| one.totals.shared > 0) {
        text.push_str(shared_in_some_games());
    }
    text
}

fn interval(share: Share) -> String {
    format!("{} to {}", percent(share.low), percent(share.high))
}

/// The most columns of a policy in a table.
const POLICY: usize = 50;

/// Returns a policy as the table shows it: its beginning, if it is long.
fn short_policy(policy: &str) -> String {
    let policy = one_line(policy);
    if policy.chars().count() <= POLICY {
        return policy;
    }
    policy.chars().take(POLICY - 2).collect::<String>().trim_end().to_owned() + " …"
}

/// Returns the interval of a mean in parentheses; nothing for none.
fn within(mean: Option<Mean>) -> String {
    mean.map_or_else(String::new, |mean| format!(" (95 % interval {:.2} to {:.2})", mean.low, mean.high))
}

/// Returns the width of the bins of a histogram: 1, 2 or 5 times a power of ten, so that there are at most twelve.
fn bin(span: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for width in [power, power.saturating_mul(2), power.saturating_mul(5)] {
            if span.div_ceil(width) <= 11 {
                return width;
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::{Totals, bin, quartile};

    #[test]
    fn quartiles_are_lengths_of_games() {
        let totals = Totals { plies: [(3, 1), (5, 2), (9, 1)].into(), ..Totals::default() };
        assert_eq!([0, 1, 2, 3, 4].map(|part| quartile(&totals.plies, part)), [3, 3, 5, 5, 9].map(Some));
        assert_eq!(quartile(&Totals::default().plies, 2), None);
    }

    #[test]
    fn a_histogram_has_a_dozen_bins_at_most() {
        for span in 1..5000 {
            let width = bin(span);
            assert!(span.div_ceil(width) <= 11, "{span}: {width}");
            assert!(width == 1 || span.div_ceil(width) > 3, "{span}: {width}");
        }
    }
}
