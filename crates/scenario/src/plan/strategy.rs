//! Reads how players decide: the lines `when` and `at` below a chance, and arguments of the command line.

use std::ops::Range;
use std::sync::Arc;

use crate::plan::absent::absent;
use crate::plan::actions::{action, taking_part};
use crate::plan::model::{Check, Step, StepKind};
use crate::plan::policy::{Place, is_policy, policy, policy_names};
use crate::plan::resolver::{Resolver, names, resolved};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_play::{Condition, Instruction, Policy, StrategyProfile};
use referee_rules::{Placeholders, Program};
use referee_source::{Source, Span, Word};
use referee_syntax::ast::{Line, LineKind, Tail};
use referee_syntax::{parse_when, parse_words};
use referee_table::{Phrase, PlayerId, Table};
use referee_trace::Action;

/// Reads a `when` or `at` line for the chance above it.
pub(crate) fn read_policy_line(
    resolver: &mut Resolver<'_>,
    (table, placeholders): (&Table, &Placeholders),
    program: &Program,
    above: Option<&mut Step>,
    line: &Line,
) {
    let Some(Step { kind: StepKind::Expect(Check::Chance(asked)), .. }) = above else {
        let message = "there is no `expect chance` line above this line";
        let wrong = Diagnostic::unread(Code::MisplacedLine, resolver.source, line.span, message);
        resolver.report(wrong.help("move this line right below an `expect chance` line"));
        return;
    };
    let asked = &mut **asked;
    let strategy = &mut asked.inquiry.strategy;
    match &line.kind {
        LineKind::When { words, tail } => {
            let words = resolver.words(words);
            let words = resolver.phrase(&words, line.span);
            let given = Given { words, tail: *tail, placeholders, line: line.span };
            when(resolver, table, program, strategy, &given);
        }
        LineKind::At { best, player } => {
            let words = resolver.words(&[*player]);
            let policy = if *best { Policy::Best } else { Policy::Worst };
            rule(resolver, table, strategy, &words, policy, line.span);
        }
        _ => return,
    }
    // Records the line of each action and policy that was read.
    asked.actions.resize(strategy.actions.len(), line.span);
    asked.policies.resize(strategy.policies.len(), line.span);
}

/// The words after `when`.
pub(crate) struct Given<'g> {
    /// The words up to a condition or an expression.
    pub(crate) words: Phrase<'g>,
    pub(crate) tail: Option<Tail>,
    /// The placeholders that a condition may use.
    pub(crate) placeholders: &'g Placeholders,
    /// The span of all of it.
    pub(crate) line: Span,
}

/// Reads `red squash evil`, `red squash evil if { … }`, `red policy random`, `red policy greedy:count(cells(me))`.
pub(crate) fn when(
    resolver: &mut Resolver<'_>,
    table: &Table,
    program: &Program,
    strategy: &mut StrategyProfile,
    given: &Given<'_>,
) -> Option<()> {
    let words = given.words;
    if words.keyword(1) == "policy" {
        let policy = line_policy(resolver, program, given)?;
        return rule(resolver, table, strategy, words.words(), policy, given.line);
    }
    let Some(first) = words.first() else {
        return resolver.misread(words.wrong(Code::MissingValue, given.line, "this line does not say who decides"));
    };
    let player = resolver.get(names(table).player(first))?;
    let player = taking_part(resolver, table, player, first.span)?;
    let rest = resolver.phrase(words.from(1).words(), given.line);
    let (action, condition) = instruction(resolver, table, program, &Given { words: rest, ..*given })?;
    let words = resolver.source.slice(given.line).to_owned();
    strategy.actions.push(Instruction::new(player, action, condition, words));
    Some(())
}

/// Reads `squash evil`, `squash evil if { … }`.
pub(crate) fn instruction(
    resolver: &mut Resolver<'_>,
    table: &Table,
    program: &Program,
    given: &Given<'_>,
) -> Option<(Action, Option<Condition>)> {
    let words = given.words;
    if let Some(from) = words.words().iter().find(|word| word.is("if")).filter(|_| given.tail.is_none()) {
        let condition = resolver.source.slice(Span { start: from.span.end, end: given.line.end }).trim();
        let span = Span { end: given.line.end, ..from.span };
        let misread = words.wrong(Code::WrongForm, span, "a condition must be in braces");
        return resolver.misread(misread.help(format!("write `if {{ {condition} }}`")));
    }
    let action = action(resolver, table, words)?;
    let Some(Tail::If(span)) = given.tail else { return Some((action, None)) };
    let condition = Condition { source: Arc::clone(resolver.source), span, placeholders: given.placeholders.clone() };
    let wrong = match condition.check(program) {
        Ok(()) => absent(program, table, (resolver.source, span), given.placeholders),
        Err(wrong) => wrong,
    };
    if wrong.is_empty() {
        return Some((action, Some(condition)));
    }
    resolver.report_all(wrong);
    None
}

/// Reads the policy after `red policy`.
fn line_policy(resolver: &mut Resolver<'_>, program: &Program, given: &Given<'_>) -> Option<Policy> {
    let words = given.words;
    let (span, taken) = match (given.tail, words.get(2)) {
        (Some(Tail::Greedy(name, expression)), _) => (name.to(expression), 2),
        (Some(Tail::If(span)), _) => {
            let misread = words.wrong(Code::WrongForm, span, "a policy cannot have a condition");
            return resolver.misread(misread.help(
                "write the condition after an answer; the policy, on a line of its own, makes all other decisions",
            ));
        }
        (None, Some(word)) => (word.span, 3),
        (None, None) => {
            let misread = words.missing("the policy is missing here");
            return resolver.misread(misread.help(format!("the policies are {}", policy_names(Place::Line))));
        }
    };
    resolver.get(words.from(taken).finished())?;
    let place = Place::Line;
    policy(program, resolver.source, span, place).map_err(|wrong| resolver.report_all(wrong)).ok()
}

/// Adds a policy for the player that the first word names; it applies to decisions that no action covers.
fn rule(
    resolver: &mut Resolver<'_>,
    table: &Table,
    strategy: &mut StrategyProfile,
    words: &[Word<'_>],
    policy: Policy,
    line: Span,
) -> Option<()> {
    let first = words.first()?;
    let player = resolver.get(names(table).player(first))?;
    let player = taking_part(resolver, table, player, first.span)?;
    if strategy.policies.iter().any(|(other, _)| *other == player) {
        let message = format!("a line above already gives the policy of {}", first.text);
        resolver.report(
            Diagnostic::new(Code::DuplicateLine, resolver.source, line, message)
                .help("remove this line: a player has one policy"),
        );
        return None;
    }
    strategy.policies.push((player, policy));
    Some(())
}

/// The strategy that the command line describes.
pub(crate) struct Flags {
    pub(crate) strategy: StrategyProfile,
    source: Arc<Source>,
    /// For each action and policy of the strategy the argument that must have an effect; `None` for a policy of all
    /// players.
    actions: Vec<Option<Span>>,
    policies: Vec<Option<Span>>,
}

/// A part of a strategy, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StrategyPart {
    Action(usize),
    Policy(usize),
}

impl Flags {
    /// Returns the source of all arguments, and those of which every part is in `parts`; each argument once.
    pub(crate) fn all_of(&self, parts: &[StrategyPart]) -> (&Arc<Source>, Vec<(StrategyPart, Span)>) {
        let mut found: Vec<(StrategyPart, Span)> = Vec::new();
        for part in parts {
            let Some(span) = self.span(*part) else { continue };
            let all = self.actions.iter().chain(&self.policies).filter(|other| **other == Some(span)).count();
            let given = parts.iter().filter(|part| self.span(**part) == Some(span)).count();
            if given == all && found.iter().all(|(_, other)| *other != span) {
                found.push((*part, span));
            }
        }
        (&self.source, found)
    }

    fn span(&self, part: StrategyPart) -> Option<Span> {
        let found = match part {
            StrategyPart::Action(at) => self.actions.get(at),
            StrategyPart::Policy(at) => self.policies.get(at),
        };
        found.copied().flatten()
    }
}

/// The flags of the command line for how players decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrategyFlags {
    /// The flag for an action or a policy in the words of a line `when`.
    pub when: &'static str,
    /// The flag for a policy or an action, of all players or, after `PLAYER=`, of one.
    pub policy: &'static str,
}

/// The forms of an argument.
#[derive(Clone, Copy)]
enum Form {
    /// `red squash evil`, `red policy random`
    When,
    /// `random`, `red=random`
    Policy,
}

/// Reads arguments in the words of a line `when`, and policies: `POLICY` or an action for all players, `PLAYER=…` for one.
/// An argument for one player takes precedence over an argument for all players.
///
/// # Errors
/// Returns all errors in the arguments.
pub(crate) fn flags(
    program: &Program,
    table: &Table,
    named: StrategyFlags,
    (when, policies): (&[String], &[String]),
    place: Place,
) -> Result<Flags, Vec<Diagnostic>> {
    let argument =
        |form: Form, flag: &'static str| move |words: &String| (form, flag, words.replace(['\n', '\r'], " "));
    let when = when.iter().map(argument(Form::When, named.when));
    let arguments: Vec<(Form, &str, String)> =
        when.chain(policies.iter().map(argument(Form::Policy, named.policy))).collect();
    let lines: Vec<String> = arguments.iter().map(|(_, flag, words)| format!("{flag} {words}")).collect();
    let source = Arc::new(Source::command_line(lines.join("\n")));
    let mut reader = FlagReader { program, table, place, flags: Flags::of(&source), general: Vec::new() };
    let mut wrong = Vec::new();
    let mut start = 0;
    for (form, flag, words) in &arguments {
        start += flag.len() + 1;
        let span = Span::new(start..start + words.len());
        start = span.range().end + 1;
        let read = match form {
            Form::When => reader.when(span),
            Form::Policy => reader.policy(span),
        };
        wrong.extend(read.err().into_iter().flatten());
    }
    reader.flags.strategy.policy_flag = named.policy;
    if wrong.is_empty() { Ok(reader.finish()) } else { Err(wrong) }
}

/// A reader of flags, with what was read so far.
struct FlagReader<'r> {
    program: &'r Program,
    table: &'r Table,
    place: Place,
    flags: Flags,
    /// The directives for all players.
    general: Vec<(Directive, Span)>,
}

/// The value of an argument of the form `Policy`.
enum Directive {
    Policy(Policy),
    Action(Instruction),
}

impl FlagReader<'_> {
    /// Reads `red squash evil if { … }`, `red policy random`.
    fn when(&mut self, span: Span) -> Result<(), Vec<Diagnostic>> {
        let source = Arc::clone(&self.flags.source);
        let placeholders = Placeholders::default();
        let (spans, tail) = parse_when(&source, span);
        let strategy = &mut self.flags.strategy;
        resolved(&source, |resolver| {
            let words = resolver.words(&spans);
            let words = resolver.phrase(&words, span);
            let given = Given { words, tail, placeholders: &placeholders, line: span };
            when(resolver, self.table, self.program, strategy, &given)
        })?;
        self.flags.actions.resize(self.flags.strategy.actions.len(), Some(span));
        self.flags.policies.resize(self.flags.strategy.policies.len(), Some(span));
        Ok(())
    }

    /// Reads `random`, `red=greedy:me.score`, `red=squash evil if { … }`.
    fn policy(&mut self, whole: Span) -> Result<(), Vec<Diagnostic>> {
        let source = Arc::clone(&self.flags.source);
        let text = source.slice(whole);
        // An expression may contain `=` as well.
        let owner = text.split_once('=').map(|(player, _)| player.len()).filter(|end| {
            let player = text.get(..*end);
            player.is_some_and(|player| !player.contains([':', '{']))
        });
        let begin = whole.range().start;
        let player = owner.map(|end| self.player(Span::new(begin..begin + end))).transpose()?;
        let span = trimmed(&source, begin + owner.map_or(0, |end| end + 1)..whole.range().end);
        let directive = self.directive(span)?;
        let Some(player) = player else {
            let twice = |(other, _): &(Directive, Span)| {
                matches!((other, &directive), (Directive::Policy(_), Directive::Policy(_)))
            };
            if self.general.iter().any(twice) {
                return Err(vec![duplicate(&source, whole)]);
            }
            self.general.push((directive, whole));
            return Ok(());
        };
        let Flags { strategy, actions, policies, .. } = &mut self.flags;
        match directive {
            Directive::Policy(_) if strategy.policy(player).is_some() => return Err(vec![duplicate(&source, whole)]),
            Directive::Policy(policy) => {
                strategy.policies.push((player, policy));
                policies.push(Some(whole));
            }
            Directive::Action(instruction) => {
                strategy.actions.push(instruction.of_player(player));
                actions.push(Some(whole));
            }
        }
        Ok(())
    }

    fn player(&self, span: Span) -> Result<PlayerId, Vec<Diagnostic>> {
        let spans = parse_words(&self.flags.source, span);
        resolved(&self.flags.source, |resolver| {
            let words = resolver.words(&spans);
            let Some(first) = words.first() else {
                let missing =
                    Diagnostic::new(Code::MissingValue, resolver.source, span, "the player is missing before `=`");
                return resolver.misread(missing);
            };
            let player = resolver.get(names(self.table).player(first))?;
            taking_part(resolver, self.table, player, first.span)
        })
    }

    /// Reads a policy or an action.
    fn directive(&self, span: Span) -> Result<Directive, Vec<Diagnostic>> {
        let Flags { source, .. } = &self.flags;
        let text = source.slice(span);
        let verb = text.split_whitespace().next().unwrap_or_default();
        let asks = &self.table.schema.asks;
        let verbs = || asks.iter().map(|ask| ask.verb.as_str());
        if verbs().any(|other| other == verb) {
            let (action, condition) = read_instruction(self.program, self.table, source, span)?;
            return Ok(Directive::Action(Instruction::new(PlayerId(0), action, condition, text.to_owned())));
        }
        let name = text.split(':').next().unwrap_or_default();
        if is_policy(name) {
            return policy(self.program, source, span, self.place).map(Directive::Policy);
        }
        let known = self.place.names().chain(verbs());
        let help = did_you_mean(name, known).unwrap_or_else(|| match one_of(verbs(), 9) {
            asks if asks.is_empty() => format!("the policies are {}", policy_names(self.place)),
            asks => format!("the policies are {}; an action begins with {asks}", policy_names(self.place)),
        });
        let begin = span.range().start;
        let at = Span::new(begin..begin + name.len());
        Err(vec![
            Diagnostic::new(Code::UnknownPolicy, source, at, format!("unknown policy or action `{name}`"))
                .help(help)
                .with_strange_character(),
        ])
    }

    /// Adds the directives for all players after those for one.
    fn finish(self) -> Flags {
        let Self { mut flags, table, general, .. } = self;
        for (directive, span) in general {
            for player in table.players.iter().copied() {
                match &directive {
                    Directive::Policy(policy) if flags.strategy.policy(player).is_none() => {
                        flags.strategy.policies.push((player, policy.clone()));
                        flags.policies.push(None);
                    }
                    Directive::Policy(_) => {}
                    Directive::Action(instruction) => {
                        flags.strategy.actions.push(instruction.of_player(player));
                        flags.actions.push(Some(span));
                    }
                }
            }
        }
        flags
    }
}

impl Flags {
    fn of(source: &Arc<Source>) -> Self {
        let strategy = StrategyProfile::default();
        Self { strategy, source: Arc::clone(source), actions: Vec::new(), policies: Vec::new() }
    }
}

/// Returns the span without the spaces at its ends.
fn trimmed(source: &Source, range: Range<usize>) -> Span {
    let text = source.slice(Span::new(range.clone()));
    let start = range.start + (text.len() - text.trim_start().len());
    Span::new(start..start + text.trim().len())
}

fn duplicate(source: &Arc<Source>, span: Span) -> Diagnostic {
    let wrong = Diagnostic::new(Code::DuplicateName, source, span, "duplicate policy");
    wrong.help("name one policy for each player, or one for all others")
}

/// Reads an action with an optional condition at `span` of the command line.
fn read_instruction(
    program: &Program,
    table: &Table,
    source: &Arc<Source>,
    span: Span,
) -> Result<(Action, Option<Condition>), Vec<Diagnostic>> {
    let (spans, tail) = parse_when(source, span);
    let placeholders = Placeholders::default();
    resolved(source, |resolver| {
        let words = resolver.words(&spans);
        let words = resolver.phrase(&words, span);
        let given = Given { words, tail, placeholders: &placeholders, line: span };
        instruction(resolver, table, program, &given)
    })
}
