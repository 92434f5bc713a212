//! `referee simulate`: plays many games and prints statistics.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use indicatif::ProgressBar;

use super::Exit;
use super::arguments::{Format, RunBy, run_by};
use super::deals::DealsArguments;
use super::disk::{Disk, write_all};
use super::flags::{SET_UP, STRATEGY};
use super::output::{print, print_error, print_errors, remark};
use super::profile::ProfileArguments;
use super::progress::{bar, speed};
use super::set_up::ALL;
use super::stage::{MAX_GAMES, MAX_TURNS, StageArguments, not_begun};
use super::workers::spread;
use referee_diagnostic::{Code, Diagnostic};
use referee_play::{Ending, Played, Playouts, StrategyProfile, Totals};
use referee_report::{Sampled, Simulation, simulations_human, simulations_json};
use referee_rules::{Engine, Profile};
use referee_scenario::{EndCondition, Loader, LoaderOptions, NoStage, Origin, Stage};
use referee_table::{Board, PlayerId, Schema};

/// The default number of games to record.
const RECORDED: u64 = 10;
/// The default number of games to play.
const GAMES: u64 = 1000;

// The flags of the command. (A doc comment would be its help text.)
#[derive(Debug, Args)]
#[command(mut_arg("players", |players| players.help(
    "Players of a game's set-up: names, as in \"red blue\", or a number; `all` for each number [default: the fewest \
     possible]"
)))]
pub(super) struct SimulateArguments {
    #[command(flatten)]
    pub(super) stage: StageArguments,
    /// Number of games [default: 1000]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    count: Option<u64>,
    /// Number of the first game, to split a run into parts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    first_game: u64,
    /// Random seed; the same seed gives the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How players decide: `random`, `greedy:EXPRESSION`, `mcts:PLAYOUTS`, or an action: "hold if { game.pot >= 20 }";
    /// for one player, `PLAYER=POLICY` [default: random]
    #[arg(long = "policy", value_name = "POLICY")]
    policies: Vec<String>,
    #[command(flatten)]
    deals: DealsArguments,
    /// Estimate the chance that this condition holds at the end of a game: "winner red", "{ red.score > 3 }"
    #[arg(long, value_name = "CONDITION")]
    chance: Option<String>,
    /// Stop a game after N turns
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MAX_TURNS))]
    max_plies: u64,
    /// Write games to this folder as scenario files
    #[arg(long, value_name = "DIR", value_parser = super::arguments::new_folder)]
    record: Option<PathBuf>,
    /// With `--record`: numbers of the games to write, as in "1,5,20-29" [default: the first 10]
    #[arg(long, value_name = "LIST", requires = "record", value_parser = numbers)]
    record_games: Option<Numbers>,
    /// What runs the rules: `machine`, or the name of an engine
    #[arg(long, value_name = "NAME", value_parser = run_by, hide = true)]
    engine: Option<RunBy>,
    #[command(flatten)]
    profile: ProfileArguments,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::arguments::threads)]
    jobs: Option<NonZeroUsize>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl SimulateArguments {
    /// Returns the number of games to play.
    fn count(&self) -> u64 {
        self.count.or_else(|| self.stage.games()).unwrap_or(GAMES)
    }

    /// Returns the number of the last game to play.
    fn last_game(&self) -> u64 {
        self.first_game.saturating_add(self.count() - 1)
    }

    /// Returns the message for games to record that are not played.
    fn unplayed(&self) -> Option<String> {
        let (first, last) = (self.first_game, self.last_game());
        let beyond = |(from, to): &&(u64, u64)| *from < first || *to > last;
        let (from, to) = self.record_games.as_ref()?.0.iter().find(beyond)?;
        let wanted = if from == to { from.to_string() } else { format!("{from}-{to}") };
        let help = match *from < first {
            true => format!("write `--first-game {from}`, or name games from {first} on"),
            false => format!("play more games, `--count {}`, or name games up to {last}", to - first + 1),
        };
        Some(format!("`--record-games {wanted}`: the games of this run are {first} to {last}\n{help}"))
    }
}

/// Numbers of games, as inclusive ranges.
#[derive(Clone, Debug)]
struct Numbers(Vec<(u64, u64)>);

fn numbers(text: &str) -> Result<Numbers, String> {
    let number = |text: &str| text.trim().parse::<u64>().ok().filter(|number| *number > 0);
    let range = |part: &str| match part.split_once('-') {
        Some((first, last)) => number(first).zip(number(last)).filter(|(first, last)| first <= last),
        None => number(part).map(|number| (number, number)),
    };
    let ranges: Option<Vec<(u64, u64)>> = text.split(',').map(range).collect();
    ranges.map(Numbers).ok_or_else(|| "expected numbers of games, such as `1,5` or `20-29`".to_owned())
}

/// The data that all threads share.
struct Task<'a> {
    arguments: &'a SimulateArguments,
    schema: Arc<Schema>,
    board: Arc<Board>,
    variant: Option<String>,
    houses: Vec<String>,
    options: Vec<(String, String)>,
    players: Vec<PlayerId>,
    strategy: StrategyProfile,
    chance: Option<EndCondition>,
    /// The lowest number of a game with a rules error so far.
    faulty: AtomicU64,
    bar: ProgressBar,
}

/// The results of some consecutive games.
#[derive(Default)]
struct Part {
    totals: Totals,
    fault: Option<(u64, Box<Diagnostic>)>,
    recorded: Vec<(u64, String)>,
    /// How many games the machine has played that an engine was to play.
    by_machine: u64,
    profile: Option<Profile>,
}

/// Plays the games and prints the statistics.
pub(super) fn run(arguments: &SimulateArguments) -> Exit {
    if let Some(message) = arguments.unplayed().or_else(|| arguments.unprofiled()) {
        print_error(&message);
        return Exit::Usage;
    }
    if let Some(message) = arguments.profile.replaces() {
        print_error(&message);
        return Exit::Usage;
    }
    let (origin, options) = arguments.stage.origin();
    let options = LoaderOptions { profile: arguments.profile.clock(), ..options };
    if let Some(numbers) = numbers_of_players(arguments, &origin, &options) {
        return each_number(arguments, &origin, &options, numbers).unwrap_or_else(|exit| exit);
    }
    match played(arguments, &origin, &options) {
        Ok((task, parts)) => task.report(parts),
        Err(exit) => exit,
    }
}

/// Returns the numbers of players, if the user asks for each; the games of a player who is called like that are not meant.
fn numbers_of_players(
    arguments: &SimulateArguments,
    origin: &Origin,
    options: &LoaderOptions,
) -> Option<RangeInclusive<usize>> {
    if !arguments.stage.names_all_players() {
        return None;
    }
    let origin = origin.with_fewest_players();
    let loader = || Loader::new(&Disk, options.clone());
    let read = |loader: &mut Loader<'_>, _| {
        let stage = referee_scenario::stage(loader, &origin).ok()?;
        let schema = stage.schema();
        let (least, most) = schema.player_count_of(stage.variant_index());
        (!schema.players.iter().any(|player| player == ALL)).then_some(least..=most)
    };
    spread(1, 1, loader, read).into_iter().next().flatten()
}

/// Plays the games with each number of players, and prints one table.
fn each_number(
    arguments: &SimulateArguments,
    origin: &Origin,
    options: &LoaderOptions,
    numbers: RangeInclusive<usize>,
) -> Result<Exit, Exit> {
    if arguments.record.is_some() {
        print_error("`--record` writes the games of one number of players\nname the number, as in `--players 3`");
        return Err(Exit::Usage);
    }
    if arguments.profile.profile {
        print_error("`--profile` is about the games of one number of players\nname the number, as in `--players 3`");
        return Err(Exit::Usage);
    }
    let mut simulations = Vec::new();
    let mut unused: Option<BTreeSet<String>> = None;
    for number in numbers {
        let (task, parts) = played(arguments, &origin.with_players(number), options)?;
        if parts.iter().any(|part| part.fault.is_some()) {
            print_error(&format!("with {number} players:"));
            return Err(task.report(parts));
        }
        let own: BTreeSet<String> = task.unused_words().into_iter().map(str::to_owned).collect();
        unused = Some(unused.map_or(own.clone(), |unused| unused.intersection(&own).cloned().collect()));
        simulations.push(task.simulation(&parts));
    }
    print(&match arguments.format {
        Format::Human => simulations_human(&simulations),
        Format::Json => simulations_json(&simulations),
    });
    let unused: Vec<Diagnostic> = unused.iter().flatten().map(|words| unused_instruction(words)).collect();
    print_errors(&unused);
    Ok(if unused.is_empty() { Exit::Passed } else { Exit::Usage })
}

/// The part of games that the machine may play in place of a named engine is one in so many.
const MOST_BY_MACHINE: u64 = 10;

impl SimulateArguments {
    /// Returns the message for flags that allow no profile.
    fn unprofiled(&self) -> Option<String> {
        let engine = self.engine().filter(|_| self.profile.profile)?;
        let name = engine.name();
        Some(format!("`--profile` counts what the machine does, not `{name}`\nremove `--engine {name}`"))
    }

    /// Returns the engine that runs the rules; `None` for the machine.
    fn engine(&self) -> Option<Engine> {
        match self.engine {
            Some(RunBy::Compiled(engine)) => Some(engine),
            Some(RunBy::Machine) | None => None,
        }
    }
}

/// Plays all games from a start. If they cannot begin, prints the reason.
fn played<'a>(
    arguments: &'a SimulateArguments,
    origin: &Origin,
    options: &LoaderOptions,
) -> Result<(Task<'a>, Vec<Part>), Exit> {
    let loader = || Loader::new(&Disk, options.clone());
    let read = spread(1, 1, loader, |loader, _| -> Result<Task<'_>, NoStage> {
        let stage = referee_scenario::stage(loader, origin)?;
        let mut strategy = stage.strategy(STRATEGY, &arguments.policies)?;
        strategy.deals = arguments.deals.of();
        let chance = arguments.chance.as_ref().map(|words| stage.condition(words)).transpose()?;
        Ok(Task {
            chance,
            arguments,
            schema: Arc::clone(stage.schema()),
            board: Arc::clone(stage.start.board()),
            variant: stage.variant(),
            houses: stage.houses(),
            options: stage.options(),
            players: stage.players,
            strategy,
            faulty: AtomicU64::new(u64::MAX),
            bar: bar(arguments.format, arguments.count(), "games"),
        })
    });
    let task = read.into_iter().next().ok_or(Exit::Invalid)?.map_err(|why| not_begun(&why))?;
    let jobs = arguments
        .profile
        .jobs(arguments.jobs)
        .or_else(|| std::thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get);
    let size = (arguments.count() / (jobs as u64).saturating_mul(32)).clamp(1, 1000);
    let parts = usize::try_from(arguments.count().div_ceil(size)).unwrap_or(usize::MAX);
    // Each thread loads the game itself, so that threads do not contend for the reference count of one board.
    let stage = || referee_scenario::stage(&mut loader(), origin);
    let began = std::time::Instant::now();
    let parts = spread(parts, jobs, stage, |stage, at| match stage {
        Ok(stage) => task.part(stage, at as u64 * size, size),
        // The files have changed since they were loaded above.
        Err(wrong) => {
            let first = arguments.first_game + at as u64 * size;
            Part { fault: wrong.problems().first().map(|wrong| (first, Box::new(wrong.clone()))), ..Part::default() }
        }
    });
    let took = began.elapsed();
    task.bar.finish_and_clear();
    let played: u64 = parts.iter().map(|part| part.totals.games).sum();
    let by_machine: u64 = parts.iter().map(|part| part.by_machine).sum();
    if arguments.engine.is_some() && by_machine * MOST_BY_MACHINE > played {
        print_error(&format!("of {played} games, the machine had to play {by_machine}"));
        return Err(Exit::Invalid);
    }
    if arguments.format == Format::Human && std::io::stderr().is_terminal() {
        remark(&speed(played, "games", took));
    }
    Ok((task, parts))
}

impl Task<'_> {
    /// Plays up to `size` games after the first `skipped` of the run.
    fn part(&self, stage: &Stage, skipped: u64, size: u64) -> Part {
        // What compiled rules do is not counted by function.
        let profiled = self.arguments.profile.profile;
        let playouts = Playouts {
            rollouts: (self.arguments.engine.is_none() && !profiled).then_some(&stage.rollouts),
            program: &stage.program,
            start: &stage.start,
            strategy: &self.strategy,
            max_plies: self.arguments.max_plies,
        };
        let engine = self.arguments.engine();
        // If the rules cannot be compiled, the machine runs them.
        let is_compiled = engine.is_some_and(|engine| playouts.compile(engine));
        let with_state = self.chance.is_some();
        let mut series = if is_compiled && !with_state { playouts.series() } else { None };
        let mut part = Part::default();
        let first = self.arguments.first_game + skipped;
        let size = size.min(self.arguments.count() - skipped);
        for number in first..first + size {
            // Skip only the games after a faulty one, so that the first faulty game is reported.
            if number > self.faulty.load(Ordering::Relaxed) {
                break;
            }
            let record = self.records(number);
            let left = self.arguments.count() - (number - self.arguments.first_game);
            let mut recorded = None;
            let seed = self.arguments.seed;
            let game = if record {
                let game = playouts.play(seed, number, true);
                recorded = Some(self.scenario(stage, number, &game));
                game.into()
            } else if self.arguments.engine.is_none() && !profiled {
                playouts.count_one_of(left, &stage.quicker, with_state, seed, number)
            } else {
                playouts.count(series.as_mut(), seed, number)
            };
            part.by_machine += u64::from(engine.is_some() && !game.compiled && !record);
            let held = EndCondition::holds(self.chance.as_ref(), stage, &game);
            let ending = match (&game.ending, held) {
                (Ending::Over(_) | Ending::Stopped, Err(wrong)) => Ending::Fault(wrong),
                (ending, held) => {
                    part.totals.held += u64::from(held == Ok(true));
                    ending.clone()
                }
            };
            let outcome = match &ending {
                Ending::Over(outcome) => Some(outcome),
                Ending::Stopped => None,
                Ending::Fault(wrong) | Ending::Endless(wrong) => {
                    self.faulty.fetch_min(number, Ordering::Relaxed);
                    part.fault = Some((number, wrong.clone()));
                    if self.arguments.record.is_some() {
                        let again = playouts.play(self.arguments.seed, number, true);
                        part.recorded.push((number, self.scenario(stage, number, &again)));
                    }
                    break;
                }
            };
            part.totals.add(&game.tally, outcome);
            part.recorded.extend(recorded.map(|scenario| (number, scenario)));
        }
        self.bar.inc(size);
        part.profile = stage.program.take_profile();
        part
    }

    /// Returns whether to record a game.
    fn records(&self, number: u64) -> bool {
        let arguments = self.arguments;
        let named = |numbers: &Numbers| numbers.0.iter().any(|(first, last)| (*first..=*last).contains(&number));
        let first = number - arguments.first_game < RECORDED;
        arguments.record.is_some() && arguments.record_games.as_ref().map_or(first, named)
    }

    fn scenario(&self, stage: &Stage, number: u64, game: &Played) -> String {
        let policies: Vec<String> = self.players().map(|(name, policy)| format!("{name} {policy}")).collect();
        let about = [format!("Played by `referee simulate`: {}", policies.join(", "))];
        stage.record(&self.title(number), &about, game)
    }

    fn title(&self, number: u64) -> String {
        format!("Game {number} of seed {}", self.arguments.seed)
    }

    /// Returns the players with their policies.
    fn players(&self) -> impl Iterator<Item = (&str, String)> {
        self.players.iter().map(|player| (self.schema.player_name(*player), self.strategy.describe(*player)))
    }

    fn report(&self, parts: Vec<Part>) -> Exit {
        let arguments = self.arguments;
        let first = parts.iter().filter_map(|part| part.fault.as_ref()).min_by_key(|(number, _)| *number);
        let last = first.map_or(u64::MAX, |(number, _)| *number);
        let recorded = parts.iter().flat_map(|part| &part.recorded).filter(|(number, _)| *number <= last);
        // A failure to record is printed after the report, which is complete without the records.
        let unrecorded = arguments.record.as_ref().and_then(|folder| self.write(folder, recorded).err());
        if let Some((number, wrong)) = first {
            print_errors(&[(**wrong).clone()]);
            let seed = arguments.seed;
            print_error(&match arguments.record.as_ref().filter(|_| unrecorded.is_none()) {
                Some(folder) => {
                    let file = folder.join(self.file(*number));
                    format!("this is game {number} of seed {seed}; it is recorded in {}", file.display())
                }
                None => format!(
                    "this is game {number} of seed {seed}; add `--first-game {number} --count 1 --record DIR` to record \
                     it as a scenario"
                ),
            });
            unrecorded.iter().for_each(|message| print_error(message));
            return Exit::Invalid;
        }
        let simulation = self.simulation(&parts);
        print(&match arguments.format {
            Format::Human => simulation.human(),
            Format::Json => simulation.json(),
        });
        let unwritten = arguments.profile.write(simulation.profile.as_ref()).err();
        if let Some(message) = unrecorded.or(unwritten) {
            print_error(&message);
            return Exit::Usage;
        }
        let unused: Vec<Diagnostic> = self.unused_words().into_iter().map(unused_instruction).collect();
        print_errors(&unused);
        if unused.is_empty() { Exit::Passed } else { Exit::Usage }
    }

    /// Returns the statistics of all games.
    fn simulation(&self, parts: &[Part]) -> Simulation {
        let arguments = self.arguments;
        let mut totals = Totals::default();
        parts.iter().for_each(|part| totals.merge(&part.totals));
        Simulation {
            schema: Arc::clone(&self.schema),
            board: Arc::clone(&self.board),
            variant: self.variant.clone(),
            houses: self.houses.clone(),
            options: self.options.clone(),
            players: self.players.clone(),
            policies: self.players().map(|(_, policy)| policy).collect(),
            why_these: self.why_these(),
            players_flag: SET_UP.players,
            chance: self.chance.as_ref().map(|chance| chance.words().to_owned()),
            seed: arguments.seed,
            first: arguments.first_game,
            max_plies: arguments.max_plies,
            totals,
            sampled: Sampled::of(&self.strategy.deals),
            profile: parts.iter().filter_map(|part| part.profile.clone()).reduce(Profile::and),
        }
    }

    /// Returns the words of each instruction of a policy that decided nothing in any game.
    fn unused_words(&self) -> BTreeSet<&str> {
        let unused = self.strategy.actions.iter().filter(|instruction| !instruction.is_followed());
        unused.map(|instruction| instruction.words.as_str()).collect()
    }

    /// Returns why these players take part, if the user did not choose them and others were possible.
    fn why_these(&self) -> Option<String> {
        self.schema.why_these_players(self.variant.as_deref(), self.arguments.stage.names_players())
    }

    fn file(&self, number: u64) -> String {
        format!("{}-seed-{}-game-{number}.scenario", self.schema.id, self.arguments.seed)
    }

    fn write<'t>(&self, folder: &Path, recorded: impl Iterator<Item = &'t (u64, String)>) -> Result<(), String> {
        let recorded: Vec<(PathBuf, &str)> =
            recorded.map(|(number, text)| (folder.join(self.file(*number)), text.as_str())).collect();
        // A recorded file may have been edited since.
        write_all(folder, &recorded)
    }
}

/// Returns the error for an instruction of a policy that decided nothing in any game.
pub(super) fn unused_instruction(words: &str) -> Diagnostic {
    let message = format!("`{words}` decided nothing in these games");
    let help = "remove it, or play more games: no player had this option, or its condition never held";
    Diagnostic::general(Code::UnusedLine, message).help(help)
}
