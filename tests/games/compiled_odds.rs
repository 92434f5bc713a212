//! Odds that compiled rules find are those of the machine: the same states in the same order, and so the same bounds.

use std::sync::Arc;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};

use referee_play::{DEFAULT_BYTES, Follower, Horizon, Inquiry, Machine, Policy, Stop, StrategyProfile, explore};
use referee_rules::{Engine, Program};
use referee_source::{Source, Span};
use referee_table::{PlayerId, State};

use super::compiled::{GAME, TRIED, begun, game_of};
use super::playing::{Playable, silent};
use super::playouts::{first_turn, set_up};

/// What is known of a state at an end.
type End = (String, Vec<u8>);

/// What came of a question: the states, what was found at the ends, in that order, and the chances of the first ones.
fn told(by: Follower, machine: &Machine<'_>, inquiry: &Inquiry) -> (String, bool) {
    let mut ends: Vec<End> = Vec::new();
    let mut class = |state: &State| {
        let end =
            (format!("{:?} {:?} {:?}", state.outcome, state.turn, state.next_turn), state.part_in_bytes().to_vec());
        Ok(ends.iter().position(|other| *other == end).unwrap_or_else(|| {
            ends.push(end);
            ends.len() - 1
        }))
    };
    match explore(machine, &Inquiry { by, ..inquiry.clone() }, &mut class) {
        Ok(graph) => {
            let some = (0..ends.len()).step_by(ends.len() / 6 + 1);
            let chances: Vec<_> = some.map(|wanted| graph.chance(|class| class == wanted)).collect();
            let (states, endless, met) = (graph.states(), graph.endless(), &graph.met().policies);
            (
                format!("{states} states, {endless} endless, {met:?}, {chances:?}, {ends:?}"),
                graph.is_by_compiled_rules(),
            )
        }
        Err(error) => (format!("{error:?}"), false),
    }
}

/// Returns the policies of the players, each a word: `random`, or an expression by which they are greedy.
pub(super) fn strategy(policies: &[&str]) -> StrategyProfile {
    let policy = |text: &str| match text {
        "random" => Policy::Random,
        expression => {
            let source = Arc::new(Source::new("(command line)", format!("{{ {expression} }}")));
            let span = Span::new(0..source.text().len());
            Policy::Greedy(source, span)
        }
    };
    let policies = policies.iter().enumerate().map(|(at, text)| (PlayerId::at(at), policy(text))).collect();
    StrategyProfile { policies, ..StrategyProfile::default() }
}

/// Compares both ways; returns how many engines have answered the question, and of how many.
fn compare(what: &str, machine: &Machine<'_>, turns: Option<u32>, states: usize, policies: &[&str]) -> (usize, usize) {
    let horizon = turns.map_or(Horizon::Game, Horizon::Turns);
    let (strategy, bytes) = (strategy(policies), DEFAULT_BYTES);
    compare_inquiry(what, machine, &Inquiry { horizon, strategy, states, bytes, by: Follower::Machine })
}

fn compare_inquiry(what: &str, machine: &Machine<'_>, inquiry: &Inquiry) -> (usize, usize) {
    let (expected, _) = told(Follower::Machine, machine, inquiry);
    let mut compiled = 0;
    for engine in Engine::ALL {
        let (found, by_compiled) = told(Follower::Compiled(*engine), machine, inquiry);
        let (name, policies) = (engine.name(), &inquiry.strategy.policies);
        assert!(found == expected, "{what}, {policies:?}, {name}\nmachine: {expected}\ncompiled: {found}");
        compiled += usize::from(by_compiled);
    }
    (compiled, Engine::ALL.len())
}

/// Games without cards, each with how many turns are followed, and what a player may like.
const GAMES: &[(&str, u32, &str)] = &[
    ("pig", 1, "hold_at(20)"),
    ("royal-game-of-ur", 2, "count(cells(me))"),
    ("breakthrough", 2, "count(cells(me)) - count(cells(after(me)))"),
    ("hex-squish", 1, "count(cells(me))"),
    ("draughts", 2, "count(cells(me))"),
    ("lines-of-action", 1, "count(cells(me))"),
];

#[test]
fn compiled_rules_find_the_odds_of_games() {
    for (id, turns, liked) in GAMES {
        let rules = Playable::load(id, &[]);
        let machine = begun(&rules, &rules.program.schema().variants[0], 2);
        for policies in [["random", "random"], [liked, "random"], [liked, liked]] {
            let (compiled, of) = compare(id, &machine, Some(*turns), 20_000, &policies);
            assert_eq!(compiled, of, "{id}, {policies:?}");
        }
        // Limits are those of the machine.
        compare(id, &machine, None, 100, &["random", "random"]);
    }
}

/// Limits of memory and work end both at the same state.
#[test]
fn compiled_rules_keep_the_limits_of_odds() {
    for (id, _, liked) in GAMES {
        let rules = Playable::load(id, &[]);
        let machine = begun(&rules, &rules.program.schema().variants[0], 2);
        for bytes in [20_000, 200_000, 2_000_000] {
            let strategy = strategy(&[liked, "random"]);
            let (horizon, states) = (Horizon::Turns(4), 400);
            compare_inquiry(id, &machine, &Inquiry { horizon, strategy, states, bytes, by: Follower::Machine });
        }
    }
    // A turn that lists for long before it asks, so that the least work that is allowed is too little.
    let rules = "fn turn(me) { let all = []; for n in 0..9000 { all.push(n % 3); } \
                 me.sum = (me.sum + choose(me, \"pick\", range(1, 90)) + all.len()) % 1000; }";
    tried("much work before a choice", GAME, rules, None, &["random", "random"]);
    // Phases that ask nothing, each of which does much: the machine ends with an error.
    let rules = "fn much(me, n) { for m in 0..90000 { me.tired = !me.tired; } if n > 0 { then(\"much\", me, n - 1); } } \
                 fn turn(me) { me.sum += choose(me, \"pick\", range(1, 3)); then(\"much\", me, 60); }";
    tried("much work without an ask", GAME, rules, Some(1), &["me.sum", "me.sum"]);
    // More phases to come than compiled rules keep.
    let rules = "fn later(me, n) { me.sum = (me.sum + n) % 5; } \
                 fn more(me, n) { for m in 0..30 { then(\"later\", me, m); } if n > 0 { then(\"more\", me, n - 1); } \
                 me.sum = (me.sum + roll(\"six\")) % 4; } \
                 fn turn(me) { for n in 0..8 { then(\"more\", me, n); } me.sum += choose(me, \"pick\", range(1, 3)) % 3; }";
    tried("many phases to come", GAME, rules, Some(1), &["random", "random"]);
}

#[test]
fn compiled_rules_find_the_odds_for_rules_of_every_kind() {
    let mut whole = (0, 0);
    for (what, deed, _) in TRIED {
        let rules = format!("{deed}\nfn turn(me) {{ deed(me); if me.sum > 40 {{ win(me); }} me.sum = me.sum % 7; }}\n");
        for policies in [["random", "random"], ["me.sum % 5", "-me.sum"]] {
            let (compiled, of) = tried(what, GAME, &rules, Some(1), &policies);
            whole = (whole.0 + compiled, whole.1 + of);
        }
    }
    assert!(whole.0 * 10 > whole.1 * 4, "{whole:?}");
}

/// Compares odds from the first ask of a game on, if there is one.
fn tried(what: &str, game: &str, rules: &str, turns: Option<u32>, policies: &[&str]) -> (usize, usize) {
    let game = game_of(game, &[], rules.to_owned());
    let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]);
    // Some made-up conditions can never hold, which the check tells.
    let Ok(program) = program else { return (0, 0) };
    let machine = first_turn(&program, set_up(&game, 2), &silent());
    match machine.stop() {
        Stop::Paused(_) => compare(what, &machine, turns, 2_000, policies),
        _ => (0, 0),
    }
}

/// Writes turns at random: throws, choices, loops of them, variables that are read later or never, phases to come, and ends.
struct Writer {
    random: ChaCha8Rng,
    /// The variables at the present place.
    variables: Vec<String>,
    /// How many there were so far.
    declared: usize,
}

impl Writer {
    fn below(&mut self, bound: u32) -> u32 {
        self.random.next_u32() % bound
    }

    fn number(&mut self, depth: u32) -> String {
        if !self.variables.is_empty() && self.below(3) == 0 {
            return self.variable();
        }
        match self.below(if depth == 0 { 4 } else { 7 }) {
            0 => "me.sum".to_owned(),
            1 => "game.rounds".to_owned(),
            2 => format!("{}", self.below(5)),
            3 => "roll(\"coin\")".to_owned(),
            4 => format!("({} + {})", self.number(depth - 1), self.number(depth - 1)),
            5 => format!("({} * {} % 5)", self.number(depth - 1), self.number(depth - 1)),
            _ => format!("helped(me, {})", self.number(depth - 1)),
        }
    }

    fn variable(&mut self) -> String {
        let at = self.below(u32::try_from(self.variables.len()).unwrap()) as usize;
        self.variables[at].clone()
    }

    /// Writes what is done with variables.
    fn with_variables(&mut self) -> String {
        match self.below(if self.variables.is_empty() { 1 } else { 4 }) {
            0 => {
                let value = self.number(2);
                self.declared += 1;
                let name = format!("kept{}", self.declared);
                self.variables.push(name.clone());
                format!("let {name} = {value};")
            }
            1 => format!("{} = {};", self.variable(), self.number(1)),
            2 => {
                let (round, name) = (self.statement(0), self.variable());
                format!("while {name} > 0 {{ {name} = if {name} > 3 {{ 2 }} else {{ {name} - 1 }}; {round} }}")
            }
            _ => format!("if {} > {} {{ return {}; }}", self.variable(), self.below(4), self.number(1)),
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        match self.below(3) {
            0 => format!("{} > {}", self.number(depth), self.number(depth)),
            1 => format!("{} % 2 == 0 && {} < 4", self.number(depth), self.number(depth)),
            _ => format!("{} == {} || me.tired", self.number(depth), self.number(depth)),
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        if self.below(4) == 0 {
            return self.with_variables();
        }
        match self.below(if depth == 0 { 8 } else { 12 }) {
            0 => format!("me.sum = {} % 6;", self.number(2)),
            1 => format!("game.rounds = (game.rounds + {}) % 4;", self.number(1)),
            2 => "me.sum += roll(\"two\").filter(|face| face > 1).len();".to_owned(),
            3 => "me.sum = (me.sum + choose(me, \"pick\", range(1, 4))) % 8;".to_owned(),
            4 => "if choose(me, \"stay\", [may(\"stay\"), may(\"go\")]).verb == \"go\" { me.tired = !me.tired; }"
                .to_owned(),
            5 => {
                "me.sum += choose(after(me), \"pick\", [may(\"pick\", 1), may(\"pick\", me.sum % 3)]).value;".to_owned()
            }
            6 => format!("then(\"later\", me, {});", self.number(0)),
            7 => "if me.sum > 9 { win(me); }".to_owned(),
            8 => format!("if {} {{ {} }}", self.truth(1), self.statements(depth - 1)),
            9 => format!("for n in 0..{} {{ {} }}", self.below(3), self.statements(depth - 1)),
            10 => format!(
                "if {} {{ {} }} else {{ {} }}",
                self.truth(1),
                self.statements(depth - 1),
                self.statement(depth - 1)
            ),
            _ => match self.below(3) {
                0 => "next_turn(me);".to_owned(),
                1 => "if me.tired { return; }".to_owned(),
                _ => "if me.sum < 0 { lose(me); }".to_owned(),
            },
        }
    }

    fn statements(&mut self, depth: u32) -> String {
        let before = self.variables.len();
        let statements = (0..=self.below(2)).map(|_| self.statement(depth)).collect::<Vec<_>>().join(" ");
        self.variables.truncate(before);
        statements
    }

    fn rules(&mut self) -> String {
        let [turn, later, helped] = [2, 1, 0].map(|depth| self.statements(depth));
        format!(
            "fn turn(me) {{ me.sum = (me.sum + roll(\"coin\")) % 9; {turn} }}\n\
             fn later(me, n) {{ me.sum = (me.sum + n) % 7; {later} }}\n\
             fn helped(me, n) {{ {helped} (me.sum + n) % 3 }}\n"
        )
    }
}

/// Returns rules of a game [`MADE`].
pub(super) fn made_rules(seed: u64) -> String {
    Writer { random: ChaCha8Rng::seed_from_u64(seed), variables: Vec::new(), declared: 0 }.rules()
}

/// The game of rules that are written at random.
pub(super) const MADE: &str = "game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    die coin 1..2\ndie two 2 of 1..3\ncounter sum for each player = 0\ncounter rounds\n\
                    flag tired for each player\nask pick NUMBER\nask stay\nask go\n";

fn compare_made(seeds: std::ops::Range<u64>) {
    let (mut whole, mut all) = (0, 0);
    for seed in seeds {
        let rules = made_rules(seed);
        for policies in
            [["random", "random"], ["me.sum - 2 * me.tired.to_int()", "random"], ["me.sum % 4", "me.sum % 4"]]
        {
            let policies = policies.map(|text| text.replace("me.tired.to_int()", "if me.tired { 1 } else { 0 }"));
            let policies: Vec<&str> = policies.iter().map(String::as_str).collect();
            let (compiled, of) = tried(&format!("seed {seed}:\n{rules}"), MADE, &rules, Some(2), &policies);
            whole += compiled;
            all += of;
        }
    }
    assert!(whole * 10 >= all * 4, "{whole} of {all}");
}

#[test]
fn compiled_rules_find_the_odds_of_made_up_turns() {
    compare_made(0..60);
}

#[test]
#[ignore = "takes minutes"]
fn compiled_rules_find_the_odds_of_many_made_up_turns() {
    compare_made(60..1_500);
}
