//! `referee explore`: looks for holes in the rules of a game.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::arguments::{Format, MEGABYTES, megabytes};
use super::disk::{Disk, write_all};
use super::output::{colour, print, print_error, print_errors};
use super::progress::{Waiting, bar};
use super::stage::{MAX_GAMES, MAX_TURNS, StageArguments, not_begun};
use super::workers::{spread, spread_twice};
use super::{Exit, flags};
use referee_diagnostic::Diagnostic;
use referee_play::{Bounds, MAX_STATES};
use referee_report::{Exploration, FoundHole, Hint, WithSetting};
use referee_rules::Point;
use referee_scenario::{
    Evidence, Extent, Finding, FindingKey, Hunt, Invariant, KnownGames, Loader, LoaderOptions, MEGABYTE, NoStage,
    Origin, Originals, OtherSetting, SettingFault, Shrunk, Stage, Survey, Surveyed,
};
use referee_table::{ClauseId, Schema};

/// The default number of random games.
const GAMES: u64 = 1000;
/// The most games that are played again with another value of an option.
const COMPARED: u64 = 100;
/// The default number of turns after which a game is stopped.
const DEFAULT_TURNS: u64 = 1000;
/// The most games in one piece of work.
const PART: u64 = 100;

// The flags of the command. (A doc comment would be its help text.)
#[derive(Debug, Args)]
#[command(mut_arg("players", |players| players.help(
    "Players of a game's set-up: names, as in \"red blue\", or a number [default: every possible number]"
)))]
pub(super) struct ExploreArguments {
    #[command(flatten)]
    pub(super) stage: StageArguments,
    /// An expression in braces that must be true at every point of play; may be given several times
    #[arg(long, value_name = "EXPRESSION")]
    always: Vec<String>,
    /// Explore only this random game
    #[arg(long = "game", value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    only: Option<u64>,
    /// Random seed; the same seed gives the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// A random game must be over after N turns
    #[arg(long, visible_alias = "turns", value_name = "N", default_value_t = DEFAULT_TURNS, value_parser = clap::value_parser!(u64).range(1..=MAX_TURNS))]
    max_turns: u64,
    /// Also follow all play from the start, the shortest first, up to N states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_STATES as u64), conflicts_with = "only")]
    states: Option<u64>,
    /// Maximum memory for these states, in megabytes
    #[arg(long, value_name = "MB", requires = "states", default_value_t = MEGABYTES, value_parser = megabytes())]
    memory: u64,
    /// Write the scenarios to this folder
    #[arg(long, value_name = "DIR", value_parser = super::arguments::new_folder)]
    write: Option<PathBuf>,
    /// Fail if there are hints or something was not reached, too
    #[arg(long)]
    strict: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = super::arguments::threads)]
    jobs: Option<NonZeroUsize>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// The loader and the start of a thread.
struct Ready {
    loader: Loader<'static>,
    stage: Stage,
    invariants: Vec<Invariant>,
    originals: Originals,
}

/// The loader and the start of a thread, or why the game cannot be loaded.
type Loaded = Result<Ready, NoStage>;

/// The findings of some consecutive games.
#[derive(Default)]
struct Part {
    games: u64,
    seen: BTreeMap<FindingKey, Seen>,
    /// The numbers of the games with which others are compared that have come to their end.
    over: BTreeSet<u64>,
    /// How often each clause was applied.
    clauses: Vec<u64>,
    /// The number of runs of each place in the rules.
    runs: Vec<u64>,
    /// Why the game cannot be loaded.
    wrong: Vec<Diagnostic>,
}

/// A finding in random games.
struct Seen {
    games: u64,
    /// The number of turns of the shortest game with it, and the number of this game.
    shortest: (u64, u64),
    /// The finding as this game shows it.
    finding: Finding,
}

impl Part {
    /// Adds the finding of a game, or the same finding in several games.
    fn saw(&mut self, key: FindingKey, seen: Seen) {
        match self.seen.get_mut(&key) {
            None => {
                self.seen.insert(key, seen);
            }
            Some(known) => {
                known.games += seen.games;
                if seen.shortest < known.shortest {
                    (known.shortest, known.finding) = (seen.shortest, seen.finding);
                }
            }
        }
    }

    /// Adds the findings of other games.
    fn merge(mut self, other: Self) -> Self {
        other.seen.into_iter().for_each(|(key, seen)| self.saw(key, seen));
        self.games += other.games;
        self.over.extend(other.over);
        add(&mut self.clauses, &other.clauses);
        add(&mut self.runs, &other.runs);
        self.wrong.extend(other.wrong);
        self
    }
}

/// Adds counts to sums.
fn add(sums: &mut Vec<u64>, counts: &[u64]) {
    sums.resize(sums.len().max(counts.len()), 0);
    sums.iter_mut().zip(counts).for_each(|(sum, more)| *sum += more);
}

/// A finding in random games, in all play, or in both.
struct Both {
    random: Option<Seen>,
    surveyed: Option<Surveyed>,
}

impl Both {
    /// Returns the finding with its evidence: a shortest line of play, otherwise the shortest game.
    fn evidence(&self) -> Option<(&Finding, Evidence<'_>)> {
        let surveyed = self.surveyed.as_ref().map(|one| (&one.finding, Evidence::Line(&one.line)));
        surveyed.or_else(|| self.random.as_ref().map(|one| (&one.finding, Evidence::Game(one.shortest.1))))
    }

    /// Returns the number of the shortest random game with the finding.
    fn game(&self) -> Option<u64> {
        self.random.as_ref().map(|seen| seen.shortest.1)
    }

    /// Returns the findings of random games and of all play, sorted, each once.
    fn of(seen: BTreeMap<FindingKey, Seen>, surveyed: BTreeMap<FindingKey, Surveyed>) -> Vec<Self> {
        let random = seen.into_iter().map(|(key, seen)| (key, Self { random: Some(seen), surveyed: None }));
        let mut all: BTreeMap<FindingKey, Self> = random.collect();
        for (key, one) in surveyed {
            all.entry(key).or_insert(Self { random: None, surveyed: None }).surveyed = Some(one);
        }
        all.into_values().collect()
    }
}

/// The findings, before they are shrunk.
struct Gathered {
    whole: Part,
    both: Vec<Both>,
    extent: Extent,
}

/// Explores the game and prints the findings.
pub(super) fn run(arguments: &ExploreArguments) -> Exit {
    if let (Some(game), Some(count)) = (arguments.only, arguments.stage.games()) {
        print_error(&format!("`--game {game}` explores one game: leave `--games {count}` out"));
        return Exit::Usage;
    }
    explored(arguments).unwrap_or_else(|exit| exit)
}

/// The data of a game before it is played.
struct About {
    schema: Arc<Schema>,
    /// The hints of its clauses.
    hints: Vec<(ClauseId, Diagnostic)>,
    points: Arc<[Point]>,
    /// Other values of its options.
    others: Vec<OtherSetting>,
    /// Other numbers of players, if the user did not choose the players.
    players: Vec<usize>,
}

/// Returns the data of the game before it is played. If it cannot be loaded, prints the reason.
fn about(arguments: &ExploreArguments, origin: &Origin, options: &LoaderOptions) -> Result<About, Exit> {
    let about = |ready: Ready| {
        let (stage, schema) = (&ready.stage, ready.stage.schema());
        let is_open = !arguments.stage.names_players() && arguments.only.is_none();
        About {
            schema: Arc::clone(schema),
            hints: referee_scenario::clause_hints(&ready.loader, stage),
            points: stage.program.points(),
            others: referee_scenario::other_settings(stage),
            players: if is_open { referee_scenario::other_players(stage) } else { Vec::new() },
        }
    };
    let loaded = spread(1, 1, || (), |(), _| arguments.ready(origin, options).map(about)).into_iter().next();
    loaded.ok_or(Exit::Invalid)?.map_err(|why| not_begun(&why))
}

/// The games with one number of players.
struct Round {
    /// The number of players; `None` for those who take part by default, or whom the user chose.
    players: Option<usize>,
    found: Gathered,
    shrunk: Vec<Option<Shrunk>>,
}

fn explored(arguments: &ExploreArguments) -> Result<Exit, Exit> {
    let (origin, options) = arguments.stage.origin();
    let options = LoaderOptions { counts: true, ..options };
    let About { schema, hints, points, others, players } = about(arguments, &origin, &options)?;
    let mut known = BTreeSet::new();
    let mut rounds = vec![arguments.round(None, (&origin, &options), &mut known)?];
    let mut counts = Vec::new();
    for number in players {
        let origin = origin.with_players(number);
        // Where a game is over at once, there is nothing to explore.
        match spread(1, 1, || (), |(), _| arguments.ready(&origin, &options).map(|_| ())).pop() {
            Some(Err(NoStage::Over(_))) => {}
            Some(Err(why)) => {
                print_error(&format!("with {number} players, no game begins"));
                return Err(not_begun(&why));
            }
            Some(Ok(())) | None => {
                rounds.push(arguments.round(Some(number), (&origin, &options), &mut known)?);
                counts.push(number);
            }
        }
    }
    let (mut clauses, mut runs) = (Vec::new(), Vec::new());
    for round in &rounds {
        add(&mut clauses, &round.found.whole.clauses);
        add(&mut runs, &round.found.whole.runs);
    }
    let in_games = |clause: ClauseId| clauses.get(clause.index()).is_some_and(|times| *times > 0);
    // All play counts no clauses, but runs.
    let applied =
        |clause: ClauseId, hint: &Diagnostic| in_games(clause) || referee_scenario::was_run(&points, &runs, hint);
    let hints = hints.into_iter().filter(|(clause, hint)| !applied(*clause, hint));
    let (faults, idle) = match rounds.first() {
        Some(round) => arguments.other_options((&schema, known), others, &round.found.whole, (&origin, &options))?,
        None => (Vec::new(), Vec::new()),
    };
    let hints = hints.map(|(_, hint)| hint).chain(idle).map(|diagnostic| Hint { diagnostic }).collect();
    let extents = rounds.iter().map(|round| (round.players, round.found.extent.clone())).collect();
    let holes = rounds.into_iter().flat_map(|Round { players, found, shrunk }| {
        let holes = found.both.into_iter().zip(shrunk.into_iter().flatten());
        holes.map(move |(both, shrunk)| arguments.hole(&both, shrunk, players)).collect::<Vec<_>>()
    });
    let holes = holes.chain(faults).collect();
    let unreached = referee_scenario::unreached(&points, &runs);
    let (first, games) = arguments.games();
    Ok(arguments.report(Exploration {
        schema: &schema,
        seed: arguments.seed,
        first,
        games,
        max_turns: arguments.max_turns,
        other_players: counts,
        extents,
        holes,
        hints,
        unreached,
        write_flag: flags::WRITE,
        memory_flag: flags::MEMORY,
    }))
}

impl ExploreArguments {
    /// Returns the number of the first random game, and the number of games.
    fn games(&self) -> (u64, u64) {
        self.only.map_or((1, self.stage.games().unwrap_or(GAMES)), |game| (game, 1))
    }

    /// Returns how many games a thread has about left before it plays one, this one included.
    fn left(&self, number: u64) -> u64 {
        let (first, count) = self.games();
        (first + count).saturating_sub(number) / self.threads() as u64
    }

    fn ready(&self, origin: &Origin, options: &LoaderOptions) -> Loaded {
        let mut loader = Loader::new(&Disk, options.clone());
        let stage = referee_scenario::stage(&mut loader, origin)?;
        let invariants = referee_scenario::invariants(&stage, (flags::ALWAYS, &self.always))?;
        Ok(Ready { loader, stage, invariants, originals: Originals::default() })
    }

    fn hunter<'r>(&self, stage: &'r Stage, invariants: &'r [Invariant]) -> Hunt<'r> {
        let states = self.states.and_then(|states| usize::try_from(states).ok()).unwrap_or(0);
        Hunt {
            stage,
            invariants,
            seed: self.seed,
            max_turns: self.max_turns,
            turns_flag: flags::MAX_TURNS,
            bounds: Bounds { states, bytes: self.memory * MEGABYTE },
            names_players: self.stage.names_players(),
        }
    }

    /// Plays the first random games again with each other value of each option. Returns the errors of the rules in them
    /// that are not `known`, and hints about the options that make no difference. A single game shows nothing of that.
    fn other_options(
        &self,
        (schema, known): (&Schema, BTreeSet<FindingKey>),
        others: Vec<OtherSetting>,
        hunted: &Part,
        (origin, options): (&Origin, &LoaderOptions),
    ) -> Result<(Vec<FoundHole>, Vec<Diagnostic>), Exit> {
        if self.only.is_some() || others.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let look = |ready: Ready| {
            let is_read = |other: &OtherSetting| other.may_have_been_read(&ready.stage, &hunted.runs);
            others.iter().map(is_read).collect::<Vec<_>>()
        };
        let looked = spread(1, 1, || (), |(), _| self.ready(origin, options).map(look)).pop();
        let have_read = looked.ok_or(Exit::Invalid)?.map_err(|why| not_begun(&why))?;
        // Rules whose runs are counted take longer.
        let options = LoaderOptions { counts: false, ..options.clone() };
        let (ready, jobs) = (|| self.ready(origin, &options), self.threads());
        let bar = bar(self.format, others.len() as u64, "options");
        let (first, count) = self.games();
        let count = count.min(COMPARED);
        let look = |ready: &mut Loaded, at: usize| {
            let (Ok(Ready { loader, stage, originals, .. }), Some(other)) = (ready, others.get(at)) else {
                return None;
            };
            let hunt = self.hunter(stage, &[]);
            let of_games = KnownGames { have_read: have_read.get(at).is_none_or(|read| *read), over: &hunted.over };
            let faults = referee_scenario::setting_faults(loader, origin, &hunt, (first, count), (other, of_games));
            let effect =
                referee_scenario::setting_effect(loader, origin, (&hunt, originals), (first, count), (other, of_games));
            bar.inc(1);
            Some(((other.clone(), effect), faults))
        };
        let merge = |found: Vec<Option<_>>| {
            let (effects, faults): (Vec<_>, Vec<Vec<SettingFault>>) = found.into_iter().flatten().unzip();
            let mut known = known;
            let mut faults: Vec<SettingFault> = faults.into_iter().flatten().collect();
            faults.retain(|fault| known.insert(fault.finding.key.clone()));
            let count = faults.len();
            ((effects, faults), count)
        };
        let shrink = |ready: &mut Loaded, (_, faults): &(_, Vec<SettingFault>), at: usize| {
            let (Ok(Ready { loader, stage, .. }), Some(fault)) = (ready, faults.get(at)) else { return None };
            let again = self.again_with(&fault.other.written(schema), fault.shortest.1);
            let (hunt, comment) = (self.hunter(stage, &[]), format!("Found by `{again}`."));
            let shrunk =
                referee_scenario::shrink_setting(loader, (origin, &self.stage.file()), &hunt, fault, &comment)?;
            Some(self.hole_with(schema, fault, shrunk, again))
        };
        let ((effects, _), holes) = spread_twice(others.len(), jobs, ready, look, merge, shrink);
        bar.finish_and_clear();
        Ok((holes.into_iter().flatten().collect(), referee_scenario::setting_hints(schema, count, &effects)))
    }

    fn threads(&self) -> usize {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// Plays the games with one number of players, and follows all play if requested. Of the findings, those that are not
    /// `known` yet are shrunk; then they are.
    fn round(
        &self,
        players: Option<usize>,
        (origin, options): (&Origin, &LoaderOptions),
        known: &mut BTreeSet<FindingKey>,
    ) -> Result<Round, Exit> {
        let ready = || self.ready(origin, options);
        let (first, count) = self.games();
        let bar = bar(self.format, count, "games");
        let jobs = self.threads();
        let size = (count / (jobs as u64).saturating_mul(32)).clamp(1, PART);
        let parts = usize::try_from(count.div_ceil(size)).unwrap_or(usize::MAX);
        let hunt = |ready: &mut Loaded, at: usize| match ready {
            Ok(ready) => {
                let skipped = at as u64 * size;
                let part = self.hunt(ready, first + skipped, size.min(count - skipped));
                bar.inc(part.games);
                part
            }
            // The files have changed since they were loaded above.
            Err(why) => Part { wrong: why.problems().to_vec(), ..Part::default() },
        };
        let merge = |parts: Vec<Part>| {
            let whole = parts.into_iter().fold(Part::default(), Part::merge);
            bar.finish_and_clear();
            let mut gathered = self.gathered(whole, ready);
            gathered.both.retain(|both| {
                let key = both.evidence().map(|(finding, _)| finding.key.clone());
                key.is_some_and(|key| known.insert(key))
            });
            let count = gathered.both.len();
            (gathered, count)
        };
        let shrink = |ready: &mut Loaded, gathered: &Gathered, at: usize| {
            self.shrunk(ready.as_mut().ok()?, gathered.both.get(at)?, players)
        };
        let (found, shrunk) = spread_twice(parts, jobs, ready, hunt, merge, shrink);
        if found.whole.wrong.is_empty() {
            return Ok(Round { players, found, shrunk });
        }
        print_errors(&found.whole.wrong);
        Err(Exit::Invalid)
    }

    /// Plays some consecutive random games.
    fn hunt(&self, ready: &Ready, first: u64, count: u64) -> Part {
        let hunt = self.hunter(&ready.stage, &ready.invariants);
        let mut part = Part { games: count, ..Part::default() };
        for number in first..first + count {
            let game = hunt.game(number, self.left(number));
            add(&mut part.clauses, &game.tally.clauses);
            part.over.extend((game.is_over && number - self.games().0 < COMPARED).then_some(number));
            if let Some(finding) = game.finding {
                let seen = Seen { games: 1, shortest: (game.tally.plies, number), finding };
                part.saw(seen.finding.key.clone(), seen);
            }
        }
        part.runs = ready.stage.program.take_counts();
        part
    }

    /// Follows all play, if requested, and merges its findings with those of random games.
    fn gathered(&self, mut whole: Part, ready: impl Fn() -> Loaded + Sync) -> Gathered {
        let mut survey = Survey::default();
        if self.states.is_some() && whole.wrong.is_empty() {
            let _waiting = Waiting::new(self.format, "states");
            // A thread of its own, whose stack holds the rules.
            let followed = spread(1, 1, ready, |ready, _| ready.as_ref().map(|ready| self.survey(ready)).ok());
            if let Some((found, runs)) = followed.into_iter().flatten().next() {
                survey = found;
                add(&mut whole.runs, &runs);
            }
        }
        let both = Both::of(std::mem::take(&mut whole.seen), survey.found);
        Gathered { whole, both, extent: survey.extent }
    }

    /// Follows all play. Returns its findings, and the number of runs of each point in the rules.
    fn survey(&self, ready: &Ready) -> (Survey, Vec<u64>) {
        let survey = referee_scenario::survey(&self.hunter(&ready.stage, &ready.invariants));
        (survey, ready.stage.program.take_counts())
    }

    /// Returns the shortest scenario for a finding.
    fn shrunk(&self, ready: &mut Ready, both: &Both, players: Option<usize>) -> Option<Shrunk> {
        let hunt = self.hunter(&ready.stage, &ready.invariants);
        let comment = format!("Found by `{}`.", self.again(both, players));
        Some(referee_scenario::shrink(&mut ready.loader, &self.stage.file(), &hunt, both.evidence()?, &comment))
    }

    /// Returns the command that finds it again: that follows all play, or that explores only one random game.
    fn again(&self, both: &Both, players: Option<usize>) -> String {
        let players = players.map(|number| (flags::SET_UP.players, number.to_string()));
        self.command(
            players,
            match (&both.surveyed, both.game()) {
                (None, Some(number)) => format!("--game {number}"),
                // No command follows all play without any random game.
                _ if self.memory == MEGABYTES => format!("--games 1 --states {}", self.states.unwrap_or(0)),
                _ => {
                    let (states, memory) = (self.states.unwrap_or(0), self.memory);
                    format!("--games 1 --states {states} {} {memory}", flags::MEMORY)
                }
            },
        )
    }

    /// Returns the command that explores only one random game, with an option set to another value. At a scenario no flag
    /// sets options, so the same games are explored again.
    fn again_with(&self, setting: &str, game: u64) -> String {
        match self.stage.is_set_up() {
            true => self.command(Some((flags::SET_UP.option, setting.to_owned())), format!("--game {game}")),
            false => self.command(None, format!("--games {}", self.games().1)),
        }
    }

    /// Returns the command that explores the same game, with one more flag of the set-up and with these games.
    fn command(&self, more: Option<(&str, String)>, games: String) -> String {
        let mut words = self.stage.words();
        words.extend(more.into_iter().flat_map(|(flag, value)| [flag.to_owned(), value]));
        words.extend(self.always.iter().flat_map(|always| [flags::ALWAYS.to_owned(), always.clone()]));
        words.push(format!("--seed {}", self.seed));
        words.push(games);
        if self.max_turns != DEFAULT_TURNS {
            words.push(format!("{} {}", flags::MAX_TURNS, self.max_turns));
        }
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=./,:\\".contains(letter);
        let flagged = |word: &String| word.starts_with("--") && word.contains(' ');
        let quoted = words.iter().map(|word| match word.chars().all(plain) || flagged(word) {
            true => word.clone(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        });
        format!("referee explore {}", quoted.collect::<Vec<_>>().join(" "))
    }

    fn hole(&self, both: &Both, shrunk: Shrunk, players: Option<usize>) -> FoundHole {
        FoundHole {
            diagnostic: shrunk.diagnostic,
            games: both.random.as_ref().map_or(0, |seen| seen.games),
            game: both.game(),
            answers: both.surveyed.as_ref().map(|one| one.line.len()),
            again: self.again(both, players),
            scenario: shrunk.text,
            shows: shrunk.shows,
            file: None,
            with: None,
            players,
        }
    }

    /// Returns the hole for an error of the rules with another value of an option.
    fn hole_with(&self, schema: &Schema, fault: &SettingFault, shrunk: Shrunk, again: String) -> FoundHole {
        FoundHole {
            diagnostic: shrunk.diagnostic,
            games: fault.games,
            game: Some(fault.shortest.1),
            answers: None,
            again,
            scenario: shrunk.text,
            shows: shrunk.shows,
            file: None,
            with: Some(WithSetting { setting: fault.other.written(schema), games: fault.searched }),
            players: None,
        }
    }

    /// Writes the scenarios, if asked to, and prints the report.
    fn report(&self, mut found: Exploration<'_>) -> Exit {
        if let Some(folder) = &self.write
            && let Err(message) = write(folder, &mut found)
        {
            // The report is complete without the files.
            print(&self.shown(&found));
            print_error(&message);
            return Exit::Usage;
        }
        print(&self.shown(&found));
        let failed = !found.holes.is_empty() || self.strict && !(found.hints.is_empty() && found.unreached.is_empty());
        if failed { Exit::Failed } else { Exit::Passed }
    }

    fn shown(&self, found: &Exploration<'_>) -> String {
        match self.format {
            Format::Human => found.human(colour()),
            Format::Json => found.json(),
        }
    }
}

/// Writes the scenario of each hole to a file of its own, all or none.
fn write(folder: &Path, found: &mut Exploration<'_>) -> Result<(), String> {
    let mut names: Vec<String> = Vec::new();
    for hole in &found.holes {
        let place = hole.diagnostic.labels.first().filter(|label| label.source.is_file()).map(|label| {
            let at = label.source.position(label.span.start);
            format!("-line-{}", at.line)
        });
        let name = format!("{}-{}{}", found.schema.id, hole.diagnostic.code, place.unwrap_or_default());
        let same = |name: &str| names.iter().any(|other| other == name);
        let more = (2..).map(|number| format!("{name}-{number}.scenario"));
        names.extend(std::iter::once(format!("{name}.scenario")).chain(more).find(|name| !same(name)));
    }
    let files: Vec<(PathBuf, &str)> =
        names.iter().map(|name| folder.join(name)).zip(found.holes.iter().map(|hole| hole.scenario.as_str())).collect();
    if !files.is_empty() {
        write_all(folder, &files)?;
    }
    for (hole, name) in found.holes.iter_mut().zip(names) {
        hole.file = Some(folder.join(name).to_string_lossy().into_owned());
    }
    Ok(())
}
