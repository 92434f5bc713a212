//! `referee play`: people and policies play a game at one terminal.

mod input;

use std::path::{Path, PathBuf};

use clap::Args;

use self::input::{Input, Prompted};
use super::Exit;
use super::deals::DealsArguments;
use super::disk::{Disk, write_all};
use super::flags::STRATEGY;
use super::output::{colour, print, print_error, print_errors, remark};
use super::stage::{StageArguments, not_begun};
use super::workers::spread;
use referee_diagnostic::{Renderer, did_you_mean, one_line, one_of, printable};
use referee_play::StrategyProfile;
use referee_report::seat;
use referee_scenario::{Loader, NoAnswer, NoStage, Sitting, Stage, resigning_is_an_answer};
use referee_source::{Host, shell_word};
use referee_table::PlayerId;
use referee_trace::{Answer, Ask, Decision, Question};

/// The number of playouts of a hint.
const HINT: u32 = 400;

/// The words that are no answers.
const COMMANDS: [(&str, &str); 9] = [
    ("options", "list the options"),
    ("show", "show the position again"),
    ("why WORDS", "say why something is no option, or which options have a cell in them: `why e5`"),
    ("hint", "an option that does well in playouts"),
    ("undo", "take back the last answer of a person"),
    ("resign", "give the game up, if its rules say what follows"),
    ("save FILE", "write the game so far as a scenario"),
    ("help", "list these words"),
    ("quit", "stop"),
];

#[derive(Debug, Args)]
pub(super) struct PlayArguments {
    #[command(flatten)]
    pub(super) stage: StageArguments,
    /// Who does not play by hand: `blue=random`, `blue=mcts:500`, `blue=greedy:EXPRESSION`; may be given several times
    #[arg(long = "policy", value_name = "PLAYER=POLICY")]
    policies: Vec<String>,
    #[command(flatten)]
    deals: DealsArguments,
    /// Random seed; the same seed and the same answers give the same game
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Type in what dice and cards at a real table show, instead of leaving it to the seed; throws that others must not see
    /// are left to it
    #[arg(long)]
    chance_by_hand: bool,
    /// Write the game as a scenario to this new file, after each answer of a person
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// The next step after a typed line.
enum Next {
    /// The question is still open.
    Again,
    /// The answer was given, or taken back.
    Play,
    Stop,
}

/// Plays a game.
pub(super) fn run(arguments: &PlayArguments) -> Exit {
    let (origin, options) = arguments.stage.origin();
    // A thread of its own, whose stack holds the rules.
    let played = spread(
        1,
        1,
        || Loader::new(&Disk, options.clone()),
        |loader, _| -> Result<Exit, NoStage> {
            let stage = referee_scenario::stage(loader, &origin)?;
            let mut strategy = stage.strategy(STRATEGY, &arguments.policies)?;
            strategy.deals = arguments.deals.of();
            Ok(referee_scenario::sit(&stage, |sitting| {
                let is_person = |player: &PlayerId| strategy.policy(*player).is_none();
                let people = stage.players.iter().copied().filter(is_person).collect();
                let (stage, strategy, input) = (&stage, &strategy, Input::new());
                Table { arguments, stage, strategy, input, people, viewer: None }.play(sitting)
            }))
        },
    );
    match played.into_iter().next() {
        Some(Ok(exit)) => exit,
        Some(Err(why)) => not_begun(&why),
        None => Exit::Invalid,
    }
}

/// A game between people and policies at the terminal.
struct Table<'t> {
    arguments: &'t PlayArguments,
    stage: &'t Stage,
    strategy: &'t StrategyProfile,
    input: Input,
    /// The players without a policy, in the order of play.
    people: Vec<PlayerId>,
    /// The person who looks at the screen; none before the first of several comes.
    viewer: Option<PlayerId>,
}

impl Table<'_> {
    fn play(mut self, sitting: &mut Sitting<'_>) -> Exit {
        if let Some(file) = self.arguments.record.as_ref().filter(|file| file.exists()) {
            let file = one_line(&file.to_string_lossy());
            print_error(&format!("{file} exists already: name another file, or delete it"));
            return Exit::Usage;
        }
        self.tell(sitting);
        // The first of several comes to the screen when they are asked.
        if !self.is_private() {
            self.viewer = self.people.first().copied();
            self.show(sitting);
        }
        let exit = loop {
            let Some(ask) = sitting.ask().cloned() else { break self.end(sitting) };
            let (answer, by_person) = match self.answer(sitting, &ask) {
                Ok(Some(answer)) => answer,
                Ok(None) => continue,
                Err(exit) => break exit,
            };
            sitting.give(answer, by_person);
            // Whatever stops the program, the game so far is kept.
            if let (true, Some(file)) = (by_person, &self.arguments.record)
                && let Err(message) = Disk.write(file, &self.recorded(sitting))
            {
                print_error(&format!("cannot write {}: {message}", one_line(&file.to_string_lossy())));
                return Exit::Usage;
            }
            if let Some(answer) = sitting.last_answer(self.viewer, self.is_private()) {
                print(&format!("{}\n", one_line(&answer)));
            }
            self.tell(sitting);
            if self.is_shown(sitting) {
                self.show(sitting);
            }
        };
        match &self.arguments.record {
            Some(file) => match Disk.write(file, &self.recorded(sitting)) {
                Ok(()) => {
                    print(&format!("written to {}\n", one_line(&file.to_string_lossy())));
                    exit
                }
                Err(error) => {
                    print_error(&format!("cannot write {}: {error}", one_line(&file.to_string_lossy())));
                    Exit::Usage
                }
            },
            None => exit,
        }
    }

    /// Returns whether several people have cards, values, throws or answers that the others must not see.
    fn is_private(&self) -> bool {
        self.people.len() > 1 && self.stage.schema().is_private()
    }

    /// Returns whether a person types in what chance brings: not a throw that others must not see, or that nobody sees.
    fn is_by_hand(&self, ask: &Ask) -> bool {
        let is_own = || matches!(self.people.as_slice(), [only] if ask.by == Some(*only));
        self.arguments.chance_by_hand && (!ask.is_secret_throw(self.stage.schema()) || is_own())
    }

    /// Prints the events since the last call.
    fn tell(&self, sitting: &mut Sitting<'_>) {
        sitting.events().iter().for_each(|event| print(&format!("  > {}\n", one_line(event))));
    }

    /// Returns whether the position is shown now: to a person who decides, and at the end.
    fn is_shown(&self, sitting: &Sitting<'_>) -> bool {
        let Some(ask) = sitting.ask() else { return true };
        match &ask.question {
            Question::Roll(_) | Question::Draw(_) => false,
            // Somebody who comes to the screen sees the position then.
            Question::Choose(decision) if self.is_private() => self.viewer == Some(decision.player),
            Question::Choose(decision) => self.people.contains(&decision.player),
            Question::ChooseAll(all) => {
                self.people.len() == 1 && all.iter().any(|decision| self.people.contains(&decision.player))
            }
        }
    }

    /// Returns the answer to a question, and whether a person gave it; `None` after `undo`.
    ///
    /// # Errors
    /// Returns the exit code if the game ends here.
    fn answer(&mut self, sitting: &mut Sitting<'_>, ask: &Ask) -> Result<Option<(Answer, bool)>, Exit> {
        match &ask.question {
            Question::Roll(_) | Question::Draw(_) if !self.is_by_hand(ask) => {
                Ok(sitting.chance(self.arguments.seed).map(|answer| (answer, false)))
            }
            question @ (Question::Roll(_) | Question::Draw(_)) => {
                Ok(self.chance(sitting, question)?.map(|answer| (answer, true)))
            }
            Question::Choose(decision) => {
                if self.is_private() && self.people.contains(&decision.player) {
                    self.hand_over(sitting, decision.player)?;
                }
                self.decide(sitting, decision)
            }
            Question::ChooseAll(all) => self.decide_all(sitting, all),
        }
    }

    /// Shows the position to the person at the screen.
    fn show(&self, sitting: &mut Sitting<'_>) {
        print(&seat(&sitting.scene(self.viewer), colour()));
    }

    /// Says how the game ended.
    fn end(&self, sitting: &Sitting<'_>) -> Exit {
        match sitting.fault() {
            Some(wrong) => {
                print(&format!("{}\n", Renderer { colour: colour() }.render(wrong)));
                Exit::Invalid
            }
            None => Exit::Passed,
        }
    }

    /// Lets another person come to the screen, who must not see the cards of the one before.
    ///
    /// # Errors
    /// Returns the exit code if they stop instead.
    fn hand_over(&mut self, sitting: &mut Sitting<'_>, player: PlayerId) -> Result<(), Exit> {
        if self.viewer == Some(player) {
            return Ok(());
        }
        let name = self.stage.schema().player_name(player).to_owned();
        self.input.clear();
        let line = self
            .input
            .line(&Prompted { prompt: format!("{name}, press Enter when nobody else looks "), words: Vec::new() });
        // The end of the input, or `quit`: the hand of the next person is not shown.
        if line.is_none_or(|line| matches!(line.trim(), "quit" | "/quit")) {
            return Err(Exit::Passed);
        }
        self.viewer = Some(player);
        self.show(sitting);
        Ok(())
    }

    /// Returns the answer of a player, and whether a person gave it; `None` after `undo`.
    fn decide(&mut self, sitting: &mut Sitting<'_>, decision: &Decision) -> Result<Option<(Answer, bool)>, Exit> {
        match sitting.decided(self.strategy, decision, self.arguments.seed) {
            Ok(Some(answer)) => return Ok(Some((answer, false))),
            Ok(None) => {}
            Err(wrong) => {
                print_errors(&[*wrong]);
                return Err(Exit::Invalid);
            }
        }
        let options = sitting.options(decision);
        let who = decision.write(sitting.names());
        let forms = decision.open_forms(sitting.names());
        if !forms.is_empty() {
            print(&printable(&format!("  type it: {}\n", forms.join(", or "))));
        }
        let commands = COMMANDS.iter().filter_map(|(form, _)| form.split(' ').next());
        let words = options.iter().cloned().chain(commands.map(str::to_owned)).collect();
        let prompted = Prompted { prompt: format!("{who}> "), words };
        loop {
            let Some(line) = self.input.line(&prompted) else { return Err(Exit::Passed) };
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            if let Some(at) = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1))
                && at < options.len()
                && !options.iter().any(|option| option == line)
            {
                match sitting.take(decision, at) {
                    Ok(answer) => return Ok(Some((answer, true))),
                    Err(why) => say_why(&why, line, &options),
                }
                continue;
            }
            if line.bytes().all(|byte| byte.is_ascii_digit()) && !options.iter().any(|option| option == line) {
                let count = options.len();
                let (are, s) = if count == 1 { ("is", "") } else { ("are", "s") };
                remark(&format!("there {are} {count} option{s}; `options` lists them"));
                continue;
            }
            match self.command(sitting, decision, line) {
                Some(Next::Again) => {}
                Some(Next::Play) => return Ok(None),
                Some(Next::Stop) => return Err(Exit::Passed),
                None => match sitting.read(decision, line) {
                    Ok(answer) => return Ok(Some((answer, true))),
                    Err(why) => say_why(&why, line, &options),
                },
            }
        }
    }

    /// Runs a command; `None` if the line is not a command.
    fn command(&mut self, sitting: &mut Sitting<'_>, decision: &Decision, line: &str) -> Option<Next> {
        let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
        // A verb of the game wins; then the command has a slash before it.
        let is_verb = self.stage.schema().asks.iter().any(|ask| ask.verb == word);
        let word = match word.strip_prefix('/') {
            Some(word) => word,
            None if is_verb => return None,
            None => word,
        };
        // So does an ask that is called like the line of a player who resigns.
        let is_answer = resigning_is_an_answer(self.stage.schema());
        match (word, rest) {
            ("options", "") => {
                let options = sitting.options(decision);
                let mut above = None;
                let lines = options.iter().zip(&decision.options).enumerate().map(|(at, (words, option))| {
                    // Of several options with one card, the first says what is printed on it.
                    let printed = sitting.printed(option);
                    let shown = printed.as_ref().filter(|_| printed != above).map(|printed| format!("  ({printed})"));
                    let suggested = if decision.takes(option.ask) { "  (suggested)" } else { "" };
                    let line = format!("  {:>3}  {words}{}{suggested}\n", at + 1, shown.unwrap_or_default());
                    above = printed;
                    line
                });
                print(&printable(&lines.collect::<String>()));
                let forms = decision.open_forms(sitting.names());
                let forms = forms.iter().map(|form| format!("       {form}, whatever the rules do not refuse\n"));
                print(&printable(&forms.collect::<String>()));
            }
            ("show", "") => self.show(sitting),
            ("why", "") => remark("say what: `why e5`, or an action"),
            ("save", "") => remark("say where: `save game.scenario`"),
            ("why", words) if !words.is_empty() => match sitting.why(decision, words) {
                Ok(None) => print("it is an option\n"),
                Ok(Some(refused)) => print(&refusal(&refused)),
                Err(wrong) => match sitting.options_at(decision, words) {
                    Some(options) if options.is_empty() => print(&format!("no option has {words} in it\n")),
                    Some(options) => print(&printable(&format!("options with {words}: {}\n", options.join(", ")))),
                    None => remark(&wrong.message),
                },
            },
            ("hint", "") => match sitting.hint(decision, HINT, self.arguments.seed) {
                Ok(option) => print(&format!("{}\n", one_line(&option))),
                Err(wrong) => remark(&wrong.message),
            },
            ("undo", "") => {
                if sitting.undo() {
                    self.show(sitting);
                    return Some(Next::Play);
                }
                print("there is no answer to take back\n");
            }
            ("save", file) if !file.is_empty() => {
                self.save(sitting, Path::new(file));
            }
            ("help", "") => {
                let lines = COMMANDS.iter().map(|(form, means)| format!("  {form:10} {means}\n"));
                print(&format!(
                    "answer in the words of a scenario, or with the number of an option; Tab completes\n{}",
                    lines.collect::<String>()
                ));
            }
            ("resign" | "resigns", "") if !is_answer => return Some(self.resign(sitting, decision)),
            (player, "resigns") if !is_answer && sitting.names().schema.player_name(decision.player) == player => {
                return Some(self.resign(sitting, decision));
            }
            ("quit", "") => return Some(Next::Stop),
            _ => return None,
        }
        Some(Next::Again)
    }

    /// Lets the player who is asked resign.
    fn resign(&self, sitting: &mut Sitting<'_>, decision: &Decision) -> Next {
        if !sitting.resign(decision.player) {
            remark("the rules do not say what follows if a player resigns: that is the function `resigned(player)`");
            return Next::Again;
        }
        let name = sitting.names().schema.player_name(decision.player).to_owned();
        print(&format!("{} resigns\n", one_line(&name)));
        self.tell(sitting);
        self.show(sitting);
        Next::Play
    }

    /// Reads the result of dice or draws.
    fn chance(&mut self, sitting: &mut Sitting<'_>, question: &Question) -> Result<Option<Answer>, Exit> {
        let names = sitting.names();
        let possible: Vec<(String, Answer)> = question
            .chances(sitting.state())
            .into_iter()
            .filter_map(|(answer, _)| Some((question.write_chance(names, &answer)?, answer)))
            .collect();
        let what = question.write(names);
        let values: Vec<String> =
            possible.iter().map(|(words, _)| words.strip_prefix(&what).unwrap_or(words).trim().to_owned()).collect();
        // A list of the cards that are left would reveal the cards of others.
        let shown = if matches!(question, Question::Roll(_)) { values.clone() } else { Vec::new() };
        let prompted = Prompted { prompt: format!("{what}> "), words: shown.clone() };
        loop {
            let Some(line) = self.input.line(&prompted) else { return Err(Exit::Passed) };
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            match line.as_str() {
                "" => continue,
                "quit" | "/quit" => return Err(Exit::Passed),
                "undo" | "/undo" => {
                    if sitting.undo() {
                        return Ok(None);
                    }
                    remark("there is no answer to take back");
                    continue;
                }
                _ => {}
            }
            let at = values.iter().position(|value| *value == line);
            let at = at.or_else(|| possible.iter().position(|(words, _)| *words == line));
            if let Some((_, answer)) = at.and_then(|at| possible.get(at)) {
                return Ok(Some(answer.clone()));
            }
            let help = match one_of(shown.iter().map(String::as_str), 12) {
                list if list.is_empty() => "type the name of the card; `undo` and `quit` work here, too".to_owned(),
                list => format!("possible: {list}; `undo` and `quit` work here, too"),
            };
            remark(&format!("`{line}` is not possible; {help}"));
        }
    }

    /// Returns the decisions of several players at once.
    fn decide_all(&mut self, sitting: &mut Sitting<'_>, all: &[Decision]) -> Result<Option<(Answer, bool)>, Exit> {
        let mut chosen = Vec::with_capacity(all.len());
        let mut by_person = false;
        for decision in all {
            let is_person = self.strategy.policy(decision.player).is_none();
            if is_person && self.people.len() > 1 {
                self.hand_over(sitting, decision.player)?;
            }
            let Some((answer, person)) = self.decide(sitting, decision)? else { return Ok(None) };
            by_person |= person;
            // Of several who are asked at once, all choose among options that are listed.
            chosen.extend(if let Answer::Chosen(at) = answer { Some(at) } else { None });
        }
        Ok(Some((Answer::AllChosen(chosen), by_person)))
    }

    /// Returns the game as a scenario.
    fn recorded(&self, sitting: &Sitting<'_>) -> String {
        let words = self.arguments.stage.words();
        let words: Vec<_> = words.iter().map(|word| shell_word(word)).collect();
        let about = vec![one_line(&format!("Played with `referee play {}`.", words.join(" ")))];
        sitting.record(&format!("A game of {}", self.stage.schema().title), &about)
    }

    /// Writes the game as a scenario; returns whether that succeeded.
    fn save(&self, sitting: &Sitting<'_>, file: &Path) -> bool {
        let text = self.recorded(sitting);
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match write_all(folder, &[(file.to_path_buf(), text.as_str())]) {
            Ok(()) => {
                print(&format!("written to {}\n", one_line(&file.to_string_lossy())));
                true
            }
            Err(message) => {
                print_error(&message);
                false
            }
        }
    }
}

/// Says why a line is no answer.
fn say_why(why: &NoAnswer, line: &str, options: &[String]) {
    match why {
        NoAnswer::Wrong(wrong) => {
            let commands = COMMANDS.iter().filter_map(|(form, _)| form.split(' ').next());
            let near = did_you_mean(line, options.iter().map(String::as_str).chain(commands));
            let help = near.or_else(|| wrong.help.clone()).map(|help| format!("; {help}")).unwrap_or_default();
            remark(&format!("{}{help}", wrong.message).replace('\n', " "));
        }
        NoAnswer::Refused(refused) => print(&refusal(refused)),
        NoAnswer::Several(several) => {
            remark(&format!("this may mean: {}", one_of(several.iter().map(String::as_str), 12)));
        }
    }
}

fn refusal(refused: &referee_scenario::Refused) -> String {
    let reason = refused.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    printable(&format!("refused: {}{reason}\n", refused.action))
}
