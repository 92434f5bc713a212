//! The words that begin a line: the rule that reads it, the kind of file it belongs in, and its form.

use super::ast::{Condition, LineKind};
use super::grammar::Rule;
use super::tokens::Tokens;
use super::{game_lines, scenario_lines};
use referee_diagnostic::nearest_within;

/// The kinds of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// `ID.game`: the declarations of a game.
    Game,
    /// `NAME.house`: what a house rule declares. It has the lines of a game file, and begins with a line of its own.
    House,
    /// `*.scenario`: worked examples.
    Scenario,
}

impl FileKind {
    /// Returns whether files of this kind may have lines that are limited to another one: a house rule declares with the
    /// lines of a game file.
    pub(super) fn has_lines_of(self, only: Self) -> bool {
        self == only || self == Self::House && only == Self::Game
    }

    /// Returns the name of this kind of file for messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Game => "game file",
            Self::House => "file of a house rule",
            Self::Scenario => "scenario file",
        }
    }
}

/// Builds a line from its tokens; returns `None` if a number in it is unusable.
pub(super) type BuildLine = fn(&mut Tokens<'_>) -> Option<LineKind>;

/// How a line is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading {
    /// By this rule of the grammar, from whose tokens the function builds the line.
    Line(Rule, BuildLine),
    /// `expect`: by the rule that [`EXPECTATIONS`] lists for the next word.
    Expect,
}

/// A word that begins a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keyword {
    /// The word.
    pub(super) word: &'static str,
    /// How the line is read.
    pub(super) reading: Reading,
    /// The kind of file it is limited to; `None` if both may have it.
    pub(super) only_in: Option<FileKind>,
    /// The form of the line, with the variable parts in capitals.
    pub(super) form: &'static str,
    /// A line that is valid in every game; empty if it would need names that only some games have.
    pub(super) example: &'static str,
    /// For an expectation that is a condition: which, and the word that must follow, empty if any may.
    pub(super) condition: Option<(Condition, &'static str)>,
}

/// The kind of a claim that begins with a word after `expect`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A condition that depends only on the position.
    OfPosition {
        /// The condition.
        condition: Condition,
        /// The number of words that name it.
        words: usize,
    },
    /// A claim that is allowed only after `expect`.
    Other,
}

/// Returns the kind of the claim that begins with these two words after `expect`, after `expect chance` or in a
/// question; `None` if the first is not a word of the language, or the second cannot follow it.
#[must_use]
pub fn claim(first: &str, second: &str) -> Option<Claim> {
    let fitting = |keyword: &Keyword| match keyword.condition {
        Some((condition, "")) => Some(Claim::OfPosition { condition, words: 1 }),
        Some((condition, then)) => (then == second).then_some(Claim::OfPosition { condition, words: 2 }),
        None => Some(Claim::Other),
    };
    [&NO_WINNER].into_iter().chain(EXPECTATIONS).filter(|keyword| keyword.word == first).find_map(fitting)
}

/// Returns the word at the beginning of `text`.
pub(super) fn first_word(text: &str) -> &str {
    let ends = |byte: &u8| matches!(byte, b' ' | b'\t' | b',' | b'=' | b':' | b'"' | b'{' | b'(' | b'\r' | b'\n');
    let end = text.as_bytes().iter().position(ends).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// The line with which the file of a house rule begins. In other files `house` is a word like any other, so that a game
/// may have pieces of this name.
pub(super) const HOUSE: Keyword = Keyword {
    word: "house",
    reading: Reading::Line(Rule::house_line, game_lines::house),
    only_in: Some(FileKind::House),
    form: "house NAME [\"TITLE\"]",
    example: "",
    condition: None,
};

/// Words that begin lines of a game file, and that a house rule cannot have.
const NOT_OF_HOUSES: [&str; 8] = ["game", "players", "directions", "symmetry", "arrow", "arrows", "variant", "with"];

/// Returns whether a house rule may have lines with this keyword of game files.
pub(super) fn is_of_houses(keyword: &Keyword) -> bool {
    !NOT_OF_HOUSES.contains(&keyword.word)
}

/// Returns the keyword `word` in a file of this kind.
pub(super) fn keyword_in(word: &str, kind: FileKind) -> Option<&'static Keyword> {
    if kind == FileKind::House && word == HOUSE.word { Some(&HOUSE) } else { keyword(word) }
}

/// Returns the keyword `word`.
pub(super) fn keyword(word: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.word == word)
}

/// Returns the expectation that begins with `word` after `expect`.
pub(super) fn expectation(word: &str) -> Option<&'static Keyword> {
    EXPECTATIONS.iter().find(|keyword| keyword.word == word)
}

/// Returns whether `word` begins lines or expectations of the language, so that no player or component can have this
/// name.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    keyword(word).is_some() || expectation(word).is_some()
}

/// Returns all words for which [`is_keyword`] returns true; some of them twice.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().chain(EXPECTATIONS).map(|keyword| keyword.word)
}

/// Returns the words that can begin a line of a file, or that can follow `expect`, each with the form of the line.
pub fn forms(kind: FileKind, after_expect: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    let words = if after_expect { EXPECTATIONS } else { KEYWORDS };
    let fits = move |keyword: &&Keyword| keyword.only_in.is_none_or(|only| kind.has_lines_of(only));
    let all = words.iter().filter(fits).filter(move |keyword| kind != FileKind::House || is_of_houses(keyword));
    let first = (kind == FileKind::House && !after_expect).then_some(&HOUSE);
    first.into_iter().chain(all).map(|keyword| (keyword.word, keyword.form))
}

/// Returns the form of the line that a word begins, or of the expectation that begins with it after `expect`.
#[must_use]
pub fn form_of(word: &str, kind: FileKind, after_expect: bool) -> Option<&'static str> {
    forms(kind, after_expect).find(|(other, _)| *other == word).map(|(_, form)| form)
}

/// Returns the keyword that `word` may be a typo of: `expect` for `exepct`.
#[must_use]
pub fn near_keyword(word: &str) -> Option<&'static str> {
    nearest(word, KEYWORDS.iter())
}

/// Returns the word after `expect` that `word` may be a typo of: `events` for `evnts`.
#[must_use]
pub fn near_expectation(word: &str) -> Option<&'static str> {
    nearest(word, EXPECTATIONS.iter())
}

/// Returns the word of `keywords` that `word` may be a typo of.
pub(super) fn nearest<'k>(word: &str, keywords: impl Iterator<Item = &'k Keyword>) -> Option<&'static str> {
    let length = word.chars().count();
    // Two typos in a short word make another word; very long words are never typos of a keyword.
    let typos = match length {
        0..=2 => return None,
        3..=5 => 1,
        6..=20 => 2,
        _ => return None,
    };
    nearest_within(word, keywords.map(|keyword| keyword.word), typos)
}

const fn game(
    word: &'static str,
    (rule, build): (Rule, BuildLine),
    form: &'static str,
    example: &'static str,
) -> Keyword {
    Keyword { word, reading: Reading::Line(rule, build), only_in: Some(FileKind::Game), form, example, condition: None }
}

const fn scenario(
    word: &'static str,
    (rule, build): (Rule, BuildLine),
    form: &'static str,
    example: &'static str,
) -> Keyword {
    Keyword {
        word,
        reading: Reading::Line(rule, build),
        only_in: Some(FileKind::Scenario),
        form,
        example,
        condition: None,
    }
}

const fn both(
    word: &'static str,
    (rule, build): (Rule, BuildLine),
    form: &'static str,
    example: &'static str,
) -> Keyword {
    Keyword { word, reading: Reading::Line(rule, build), only_in: None, form, example, condition: None }
}

/// Returns an expectation that is also a condition: of a chance, of a question. `then` is the word that must follow its
/// keyword, empty if any may.
const fn of_position(condition: Condition, then: &'static str, expectation: Keyword) -> Keyword {
    Keyword { condition: Some((condition, then)), ..expectation }
}

/// All words that begin a line; those most common in long files come first.
pub(super) const KEYWORDS: &[Keyword] = &[
    Keyword {
        word: "expect",
        reading: Reading::Expect,
        only_in: Some(FileKind::Scenario),
        form: "expect WHAT",
        example: "",
        condition: None,
    },
    scenario("roll", (Rule::roll_line, scenario_lines::roll), "roll [DIE] FACE …, …", ""),
    both("place", (Rule::place_line, game_lines::place), "place PIECE at CELL [face down], … or place PIECE off", ""),
    scenario("turn", (Rule::turn_line, scenario_lines::turn), "turn PLAYER", ""),
    scenario("scenario", (Rule::scenario_line, scenario_lines::scenario), "scenario \"TITLE\"", ""),
    both(
        "board",
        (Rule::board_line, game_lines::board),
        "board [grid COLUMNSxROWS | hex SIDE | rhombus COLUMNSxROWS | triangle SIDE | rings RINGSxCELLS | graph from \"FILE\" | track CELLS | open] [margin WIDTH] [chequered [dark CELL]] [without CELL …] [with corners sides] [stacks [on CELL …]]",
        "board grid 16x16",
    ),
    scenario("covers", (Rule::covers_line, scenario_lines::covers), "covers CLAUSE …", ""),
    scenario("cites", (Rule::cites_line, scenario_lines::cites), "cites \"PLACE IN THE RULEBOOK\"", ""),
    scenario("refuse", (Rule::refuse_line, scenario_lines::refuse), "refuse ANSWER [because \"REASON\"]", ""),
    both("arrow", (Rule::arrow_line, game_lines::arrow), "arrow CELL -> CELL, … or arrow none", "arrow 7 -> 3"),
    both("set", (Rule::set_line, game_lines::set), "set NAME VALUE", ""),
    scenario("use", (Rule::use_line, scenario_lines::use_game), "use GAME [VARIANT]", ""),
    both("with", (Rule::with_line, game_lines::with), "with OPTION = VALUE or with house \"NAME\"", ""),
    scenario("branch", (Rule::branch_line, scenario_lines::branch), "branch \"TITLE\"", "branch \"a harder roll\""),
    scenario("position", (Rule::position_line, scenario_lines::position), "position \"NAME\"", "position \"corner\""),
    scenario(
        "from",
        (Rule::from_line, scenario_lines::from),
        "from \"NAME OF A POSITION\" or from setup",
        "from \"corner\"",
    ),
    scenario("setup", (Rule::setup_line, scenario_lines::setup), "setup", "setup"),
    scenario("resume", (Rule::resume_line, scenario_lines::resume), "resume PHASE ARGUMENT …", ""),
    scenario("do", (Rule::do_line, scenario_lines::do_procedure), "do PROCEDURE ARGUMENT …", ""),
    scenario("agree", (Rule::agree_line, scenario_lines::agree), "agree OUTCOME", ""),
    scenario(
        "always",
        (Rule::always_line, scenario_lines::always),
        "always [each event | at the end of a turn | at the end of a round] { EXPRESSION }",
        "",
    ),
    scenario(
        "examples",
        (Rule::examples_line, scenario_lines::examples),
        "examples, with a table of | rows below",
        "examples",
    ),
    both("players", (Rule::players_line, game_lines::players), "players [FEWEST..MOST] NAME …", ""),
    both(
        "piece",
        (Rule::piece_line, game_lines::piece),
        "piece NAME [FIRST..LAST] [for each OWNER] [size COLUMNSxROWS] [symbols SYMBOL …]",
        "",
    ),
    game("game", (Rule::game_line, game_lines::game), "game NAME [\"TITLE\"]", ""),
    game("rules", (Rule::rules_line, game_lines::rules), "rules \"FILE\"", "rules \"rules.rhai\""),
    game("arrows", (Rule::arrows_line, game_lines::arrows), "arrows \"FILE\"", "arrows \"arrows.yaml\""),
    game("rulebook", (Rule::rulebook_line, game_lines::rulebook), "rulebook \"FILE\"", "rulebook \"RULES.md\""),
    game(
        "directions",
        (Rule::directions_line, game_lines::directions),
        "directions COUNT clockwise from NAME",
        "directions 8 clockwise from north",
    ),
    game(
        "die",
        (Rule::die_line, game_lines::die),
        "die [NAME] [COUNT of] LOWEST..HIGHEST [secret|hidden], or FACE | FACE | … for the faces",
        "die 1..6",
    ),
    game("flag", (Rule::flag_line, game_lines::flag), "flag NAME [for each OWNER, …] [secret|hidden] [shared]", ""),
    game(
        "counter",
        (Rule::counter_line, game_lines::counter),
        "counter NAME [for each OWNER, …] [= NUMBER] [secret|hidden] [shared]",
        "",
    ),
    game(
        "resource",
        (Rule::resource_line, game_lines::resource),
        "resource NAME, … [for each OWNER, …] [= NUMBER] [supply NUMBER] [secret|hidden]",
        "resource ore, wool for each player supply 19",
    ),
    game("clock", (Rule::counter_line, game_lines::counter), "clock counter NAME [for each OWNER, …] [= NUMBER]", ""),
    game("record", (Rule::counter_line, game_lines::counter), "record counter NAME [for each OWNER, …] [= NUMBER]", ""),
    game(
        "property",
        (Rule::property_line, game_lines::property),
        "property NAME [for each OWNER, …] KIND [in drawings] [secret|hidden] [shared]",
        "",
    ),
    game("ask", (Rule::ask_line, game_lines::ask), "ask VERB [WORDS and KINDS] [secret] [\"TITLE\"]", ""),
    game(
        "event",
        (Rule::event_line, game_lines::event),
        "event [WORDS and KINDS] [\"TITLE\"]",
        "event PIECE moves DIRECTION to CELL",
    ),
    game(
        "option",
        (Rule::option_line, game_lines::option),
        "option NAME = VALUE | VALUE … [\"TITLE\"] or option NAME = NUMBER in LOWEST..HIGHEST [\"TITLE\"]",
        "",
    ),
    game(
        "symmetry",
        (Rule::symmetry_line, game_lines::symmetry),
        "symmetry [rotations] [reflections] [left-right] [colours]",
        "",
    ),
    game("clause", (Rule::clause_line, game_lines::clause), "clause CLAUSE …", "clause S1"),
    game("variant", (Rule::variant_line, game_lines::variant), "variant NAME [\"TITLE\"]", ""),
    game("card", (Rule::card_line, game_lines::card), "card NAME from \"FILE\" [in ZONE]", ""),
    game("zone", (Rule::zone_line, game_lines::zone), "zone NAME [for each player] [open|secret|hidden|pile]", ""),
    scenario("draw", (Rule::draw_line, scenario_lines::draw), "draw [ZONE] CARD …", ""),
    both(
        "shuffle",
        (Rule::shuffle_line, game_lines::shuffle),
        "shuffle ZONE, or in a scenario shuffle ZONE: CARD … …",
        "",
    ),
    both("deal", (Rule::deal_line, game_lines::deal), "deal NUMBER from ZONE to ZONE [of PLAYER | of each player]", ""),
    scenario(
        "when",
        (Rule::when_line, scenario_lines::when),
        "when PLAYER ANSWER [if { CONDITION }] or when PLAYER policy random",
        "",
    ),
    scenario("at", (Rule::at_line, scenario_lines::at), "at best for PLAYER or at worst for PLAYER", ""),
];

/// The form of `expect no` that is not a question.
pub(super) const NO_WINNER: Keyword = of_position(
    Condition::NoWinner,
    "winner",
    scenario("no", (Rule::expect_no_winner, scenario_lines::expect_no_winner), "expect no winner", "expect no winner"),
);

/// The keywords after `expect`, each with its own form. What is not `of_position` is refused as a condition.
pub(super) const EXPECTATIONS: &[Keyword] = &[
    of_position(
        Condition::Turn,
        "",
        scenario("turn", (Rule::expect_turn, scenario_lines::expect_turn), "expect turn PLAYER", ""),
    ),
    scenario("asks", (Rule::expect_asks, scenario_lines::expect_asks), "expect asks PLAYER [VERB]", ""),
    of_position(
        Condition::Winners,
        "",
        scenario("winner", (Rule::expect_winners, scenario_lines::expect_winners), "expect winner PLAYER", ""),
    ),
    of_position(
        Condition::Winners,
        "",
        scenario("winners", (Rule::expect_winners, scenario_lines::expect_winners), "expect winners PLAYER …", ""),
    ),
    of_position(
        Condition::NobodyWins,
        "wins",
        scenario(
            "nobody",
            (Rule::expect_nobody, scenario_lines::expect_nobody),
            "expect nobody wins",
            "expect nobody wins",
        ),
    ),
    of_position(
        Condition::Draw,
        "",
        scenario("draw", (Rule::expect_draw, scenario_lines::expect_draw), "expect draw", "expect draw"),
    ),
    of_position(
        Condition::Over,
        "",
        scenario("over", (Rule::expect_over, scenario_lines::expect_over), "expect over", "expect over"),
    ),
    of_position(
        Condition::NotOver,
        "over",
        scenario("not", (Rule::expect_not, scenario_lines::expect_not), "expect not over", "expect not PIECE at CELL"),
    ),
    scenario(
        "choices",
        (Rule::expect_choices, scenario_lines::expect_choices),
        "expect choices [PLAYER] [VERB] = | includes | excludes OPTION, … or expect choices [PLAYER] [VERB] count NUMBER",
        "",
    ),
    scenario(
        "board",
        (Rule::expect_board, scenario_lines::expect_board),
        "expect board, with a diagram of | rows below",
        "expect board",
    ),
    scenario(
        "events",
        (Rule::expect_events, scenario_lines::expect_events),
        "expect events [exactly], with > rows below",
        "expect events",
    ),
    scenario(
        "snapshot",
        (Rule::expect_snapshot, scenario_lines::expect_snapshot),
        "expect snapshot",
        "expect snapshot",
    ),
    scenario(
        "chance",
        (Rule::expect_chance, scenario_lines::expect_chance),
        "expect chance WHAT = | < | > | <= | >= FRACTION [± FRACTION] [within N turns | to the end of the game] [over N deals]",
        "",
    ),
    scenario(
        "reachable",
        (Rule::expect_reachable, scenario_lines::expect_reachable),
        "expect reachable WHAT [within N turns] [up to N states]",
        "",
    ),
    scenario(
        "never",
        (Rule::expect_never, scenario_lines::expect_never),
        "expect never WHAT [within N turns] [up to N states]",
        "",
    ),
    scenario(
        "cycle",
        (Rule::expect_cycle, scenario_lines::expect_cycle),
        "expect cycle [up to N states]",
        "expect cycle",
    ),
    scenario(
        "no",
        (Rule::expect_no_cycle, scenario_lines::expect_no_cycle),
        "expect no cycle [up to N states] or expect no winner",
        "expect no cycle",
    ),
    scenario(
        "perft",
        (Rule::expect_perft, scenario_lines::expect_perft),
        "expect perft N = NUMBER [up to N states]",
        "",
    ),
    scenario(
        "every",
        (Rule::expect_every, scenario_lines::expect_every),
        "expect every line ends [within N turns] [up to N states]",
        "expect every line ends",
    ),
];
