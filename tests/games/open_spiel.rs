//! Oware and Go against open_spiel: games that it played, with all moves it allowed, boards, captures and results.
//!
//! `open_spiel/play.py` writes the cases and says what their lines mean. Each game becomes a scenario. Other cases are tried in
//! place of those that are kept here with `OPEN_SPIEL=FILE cargo test open_spiel`.

use std::fmt::Write;
use std::path::Path;

use referee_report::Human;
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;
use referee_trace::Status;

const KEPT: [&str; 2] = [include_str!("open_spiel/oware.cases"), include_str!("open_spiel/go.cases")];

/// The digits of numbers of seeds.
const SEEDS: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM";

/// A scenario, and what it expects.
#[derive(Default)]
struct Replay {
    text: String,
    expectations: usize,
}

impl Replay {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "  {line}").unwrap();
    }

    fn expect(&mut self, what: &str) {
        self.expectations += 1;
        self.line(&format!("expect {what}"));
    }

    fn board(&mut self, rows: impl Iterator<Item = Vec<String>>) {
        self.expect("board");
        rows.for_each(|row| self.line(&format!("  | {}", row.join(" "))));
    }

    /// How the game ended, and nothing after it.
    fn end(&mut self, winner: &str) {
        self.expect(&if winner == "none" { "draw".to_owned() } else { format!("winner {winner}") });
    }
}

/// Splits cases into games: the words of the first line, the turns and the end.
fn games(cases: &str) -> Vec<Vec<Vec<&str>>> {
    let mut games = Vec::new();
    for line in cases.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        if ["oware", "go"].contains(&words[0]) {
            games.push(Vec::new());
        }
        games.last_mut().unwrap().push(words);
    }
    assert!(games.iter().all(|game| game.last().unwrap()[0] == "end"), "a game has no end");
    games
}

fn oware(game: &[Vec<&str>]) -> Replay {
    let mut replay =
        Replay { text: format!("use oware\nscenario \"{}\"\n  turn south\n", game[0].join(" ")), expectations: 0 };
    let seeds = |digit: char| match SEEDS.find(digit).unwrap() {
        0 => ".".to_owned(),
        number => number.to_string(),
    };
    let turns = &game[1..game.len() - 1];
    for (at, turn) in turns.iter().enumerate() {
        let (pit, pits, board, south, north) = (turn[0], turn[1], turn[2], turn[3], turn[4]);
        replay.expect(&format!("choices sow = {}", pits.replace(',', ", ")));
        replay.line(&format!("{} sow {pit}", ["south", "north"][at % 2]));
        if at + 1 == turns.len() {
            // The engine always shares the seeds on the board; by our rules a player with more than half has won before.
            for (player, seeds) in [("south", south), ("north", north)] {
                let row = format!("sum(in_order(seeds({player})).map(|pit| height(pit)))");
                replay.expect(&format!("{{ {player}.captured + {row} == {seeds} }}"));
            }
            break;
        }
        let upper = board[6..].chars().rev().map(seeds).collect();
        replay.board([upper, board[..6].chars().map(seeds).collect()].into_iter());
        replay.expect(&format!("south.captured = {south}"));
        replay.expect(&format!("north.captured = {north}"));
    }
    replay.end(game[game.len() - 1][1]);
    replay
}

fn go(game: &[Vec<&str>], superko: &str) -> Replay {
    let size: usize = game[0][1].parse().unwrap();
    let title = format!("{}, {superko}", game[0].join(" "));
    let text =
        format!("use go nine\nscenario \"{title}\"\n  with superko = {superko}\n  board {size}x{size}\n  turn black\n");
    let mut replay = Replay { text, expectations: 0 };
    let name = |at: usize| format!("{}{}", char::from(b'a' + u8::try_from(at % size).unwrap()), at / size + 1);
    let mut stones = vec!['.'; size * size];
    for (turn, words) in game[1..game.len() - 1].iter().enumerate() {
        let lists: Vec<&[&str]> = words[1..].chunk_by(|_, word| !["x", "!", "?"].contains(word)).collect();
        let marked = |mark| lists.iter().find(|list| list[0] == mark).map_or(&[][..], |list| &list[1..]);
        let mut options = vec!["pass".to_owned()];
        for point in (0..stones.len()).filter(|point| stones[*point] == '.').map(name) {
            let is_refused =
                marked("!").contains(&&*point) || superko == "positional" && marked("?").contains(&&*point);
            if !is_refused {
                options.push(format!("play {point}"));
            }
        }
        replay.expect(&format!("choices = {}", options.join(", ")));
        let (player, stone) = [("black", 'X'), ("white", 'O')][turn % 2];
        if words[0] == "pass" {
            replay.line(&format!("{player} pass"));
        } else {
            replay.line(&format!("{player} play {}", words[0]));
        }
        for (at, here) in stones.iter_mut().enumerate() {
            if name(at) == words[0] {
                *here = stone;
            } else if marked("x").contains(&&*name(at)) {
                *here = '.';
            }
        }
        replay.board(stones.chunks(size).rev().map(|row| row.iter().map(char::to_string).collect()));
    }
    let end = &game[game.len() - 1];
    replay.expect(&format!("{{ black.points - (white.points - option(\"komi\")) == {} }}", end[2]));
    replay.end(end[1]);
    replay
}

fn check(replay: &Replay) {
    let host = MemoryHost::default().with("a.scenario", replay.text.clone());
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    let results: Vec<_> = (0..suite.tests.len()).map(|at| referee_scenario::judge(&mut loader, &suite, at)).collect();
    let passed = suite.problems.is_empty() && results.iter().all(|result| result.status == Status::Passed);
    let told =
        if passed { String::new() } else { Human::new(false, false).file(&suite.file, &suite.problems, &results) };
    assert!(passed && results.len() == 1, "{told}");
}

#[test]
fn open_spiel_plays_the_same_games() {
    let other = std::env::var_os("OPEN_SPIEL").map(|file| std::fs::read_to_string(file).unwrap());
    let kept = KEPT.concat();
    let mut counts = [0; 3];
    for game in games(other.as_deref().unwrap_or(&kept)) {
        let replays = match game[0][0] {
            "go" => vec![go(&game, "positional"), go(&game, "situational")],
            _ => vec![oware(&game)],
        };
        for replay in replays {
            check(&replay);
            counts[2] += replay.expectations;
        }
        counts[0] += 1;
        counts[1] += game.len() - 2;
    }
    let [games, turns, expectations] = counts;
    println!("{games} games, {turns} turns, {expectations} expectations");
    assert!(other.is_some() || expectations > 10_000, "{expectations} expectations");
}
