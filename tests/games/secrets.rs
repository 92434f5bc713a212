//! Games made at random in which a secret travels by every channel there is. No policy, no hint and no odds may know more
//! of it than a blind player: whoever guesses one of two equally likely numbers is right in half of the games. Channels
//! that all players see (a property, a flag, an event, the options of the guesser, a decision) may say it.

use referee_diagnostic::Code;
use std::collections::BTreeMap;

use num_rational::BigRational;
use referee_play::{Deals, Ending, Follower, Horizon, Playouts, Random, StrategyProfile};
use referee_scenario::{
    Loader, LoaderOptions, OddsFlags, OddsRequest, Origin, Players, SetUp, SetUpFlags, Stage, StrategyFlags, sit,
};
use referee_source::MemoryHost;
use referee_table::Outcome;
use referee_trace::{Answer, Question};

const GAME: &str = "game g \"G\"\nplayers 2 red blue\nrules \"rules.rhai\"\nboard grid 2x2\nzone deck hidden\n\
zone hand for each player secret\nzone heap pile\nzone pot open\ncard trick from \"cards.yaml\" in deck\ncounter score for each player\n\
counter step\nflag mark\nask guess NUMBER\nask pass\nask show PIECE\nevent shows NUMBER\n";
const CARDS: &str = "printed: {v: NUMBER}\ncards:\n  - {name: ace, v: 0, count: 2}\n  - {name: bat, v: 1, count: 2}\n";

/// Where the secret comes from. The second part says whether the variable `c` is the card; otherwise `n` is its number.
const SOURCES: [(&str, bool, &str); 11] = [
    ("drawn into a hand", true, "let c = draw(deck, hand(red));"),
    ("in no zone", true, "let c = draw(deck);"),
    ("back in the deck", false, "let d = draw(deck); let n = d.v; put_card(d, deck); shuffle(deck);"),
    ("held since the set-up", true, "let c = cards(hand(red))[0];"),
    (
        "a refusal",
        false,
        "draw(deck, hand(red)); let n = 1; try { take_card(piece(\"ace\"), hand(red)); \
put_card(piece(\"ace\"), hand(red)); n = 0; } catch { }",
    ),
    ("face down", true, "deal_face_down(deck, cell(0, 0)); let c = look_at(cell(0, 0), red);"),
    // One card of each name is left in the deck when the secret is drawn; the card that comes into view may be equal.
    (
        "drawn before an earlier card comes into view",
        true,
        "let e = draw(deck, hand(red)); move_card(piece(if e.v == 0 { \"bat\" } else { \"ace\" }), deck, hand(red)); \
let c = draw(deck, hand(red)); move_card(e, hand(red), heap);",
    ),
    (
        "in no place while an earlier card comes into view",
        true,
        "let e = draw(deck); move_card(piece(if e.v == 0 { \"bat\" } else { \"ace\" }), deck, hand(red)); \
let c = draw(deck); put_card(e, hand(blue)); put_card(c, hand(red));",
    ),
    (
        "how many cards are drawn",
        true,
        "let c = draw(deck, hand(red)); if c.v == 1 { put_card(draw(deck), deck); shuffle(deck); }",
    ),
    (
        BEFORE_VIEW,
        true,
        "let c = draw(deck, hand(red)); move_card(piece(if c.v == 0 { \"bat\" } else { \"ace\" }), deck, hand(red)); \
if c.v == 0 { put_card(draw(deck), deck); shuffle(deck); } draw(deck, heap);",
    ),
    ("on top of the deck", true, "shuffle(deck); let c = draw(deck); put_card(c, deck);"),
];

const BEFORE_VIEW: &str = "how many cards are drawn before one comes into view";
const ORDER: &str = "the order of the deck";

/// How the secret `n` goes from one phase to the next, `NEXT`, which begins with `n` again. The second part is more
/// functions, the third says whether the guesser learns it.
const CARRIERS: [(&str, &str, &str, bool); 15] = [
    ("an argument", "then(\"NEXT\", n);", "", false),
    ("the agenda", "then(\"wait\"); then(\"NEXT\", n);", "", false),
    ("a later phase", "then(\"wait\"); then(\"quiet\"); then(\"wait\"); then(\"NEXT\", n);", "", false),
    (
        "which phase follows",
        "if n == 1 { then(\"NEXT_one\"); } else { then(\"NEXT_zero\"); }",
        "fn NEXT_one() { NEXT(1); }\nfn NEXT_zero() { NEXT(0); }\n",
        false,
    ),
    ("how many phases follow", "if n == 1 { then(\"quiet\"); }\n    then(\"NEXT\", n);", "", false),
    (
        "a text",
        "then(\"NEXT_text\", if n == 1 { \"bat\" } else { \"ace\" });",
        "fn NEXT_text(word) { NEXT(if word == \"bat\" { 1 } else { 0 }); }\n",
        false,
    ),
    (
        "the name of a card",
        "then(\"NEXT_card\", piece(if n == 1 { \"bat\" } else { \"ace\" }));",
        "fn NEXT_card(card) { NEXT(card.v); }\n",
        false,
    ),
    (
        ORDER,
        "let top = piece(if n == 1 { \"bat\" } else { \"ace\" });\n    if has(deck, top) { move_card(top, deck, deck); \
then(\"NEXT_order\"); } else { then(\"NEXT\", n); }",
        "fn NEXT_order() { let top = draw(deck, hand(red)); NEXT(top.v); }\n",
        false,
    ),
    (
        "a list and a closure",
        "let kept = [n]; let read = || kept[0]; let other = choose(red, \"guess\", 0..=1); then(\"NEXT\", read.call());",
        "",
        false,
    ),
    ("a map", "let kept = #{n: n}; let other = choose(red, \"guess\", 0..=1); then(\"NEXT\", kept.n);", "", false),
    ("a property", "game.step = n; then(\"NEXT_step\");", "fn NEXT_step() { NEXT(game.step); }\n", true),
    (
        "a flag",
        "game.mark = n == 1; then(\"NEXT_mark\");",
        "fn NEXT_mark() { NEXT(if game.mark { 1 } else { 0 }); }\n",
        true,
    ),
    ("an event", "event(\"shows\", n); then(\"NEXT\", n);", "", true),
    ("a list of options", "let other = choose(blue, \"guess\", [n, 5]); then(\"NEXT\", n);", "", true),
    ("a decision", "let other = choose(red, \"guess\", [n, n + 10]); then(\"NEXT\", n);", "", true),
];

/// How the guess is asked and compared.
const GUESSES: [(&str, &str); 5] = [
    ("a number", "let x = choose(blue, \"guess\", 0..=1); if x == n { win(blue); } win(red);"),
    (
        "a kept list",
        "let kept = [n, 7]; let x = choose(blue, \"guess\", 0..=1); if x == kept[0] { win(blue); } win(red);",
    ),
    (
        "a kept map",
        "let kept = #{n: n}; let x = choose(blue, \"guess\", 0..=1); if x == kept.n { win(blue); } win(red);",
    ),
    (
        "a closure",
        "let fits = |x| x == n; let x = choose(blue, \"guess\", 0..=1); if fits.call(x) { win(blue); } win(red);",
    ),
    ("the order of options", "let x = choose(blue, \"guess\", [n, 1 - n]); if x == n { win(blue); } win(red);"),
];

struct Made {
    rules: String,
    informs: bool,
    channels: Vec<&'static str>,
}

/// Makes the rules of a game.
fn made(random: &mut Random) -> Made {
    let (source, is_card, first) = SOURCES[random.place(SOURCES.len())];
    let mut channels = vec![source];
    let read = if is_card { "let n = c.v;" } else { "" };
    let mut informs = false;
    let (mut functions, mut body) =
        (String::new(), format!("let other = choose(red, \"guess\", 0..=1); {first} {read}"));
    let hops = random.place(4);
    let mut name = "turn(me)".to_owned();
    for hop in 0..hops {
        let (carrier, code, more, says) = CARRIERS[random.place(CARRIERS.len())];
        channels.push(carrier);
        // One ace and one bat are left, and one of them comes into view: whether the other is drawn says which it is.
        informs |= says || (source, carrier) == (BEFORE_VIEW, ORDER);
        let next = format!("hop{hop}");
        // A card itself is the argument now and then.
        let as_card = hop == 0 && is_card && carrier == "an argument" && random.place(2) == 0;
        let code = if as_card { "then(\"NEXT_read\", c);" } else { code };
        let more = if as_card { "fn NEXT_read(c) { NEXT(c.v); }\n" } else { more };
        functions.push_str(&format!("fn {name} {{\n    {body}\n    {}\n}}\n", code.replace("NEXT", &next)));
        functions.push_str(&more.replace("NEXT", &next));
        (name, body) = (format!("{next}(n)"), String::new());
    }
    let (guess, code) = GUESSES[random.place(GUESSES.len())];
    channels.push(guess);
    functions.push_str(&format!("fn {name} {{\n    {body}\n    {code}\n}}\n"));
    let rules = format!(
        "fn setup() {{ shuffle(deck); {} }}\n{functions}fn wait() {{ let other = choose(red, \"guess\", 0..=1); }}\nfn quiet() {{ }}\n",
        if source == "held since the set-up" { "draw(deck, hand(red));" } else { "" }
    );
    Made { rules, informs, channels }
}

const STRATEGY: StrategyFlags = StrategyFlags { when: "--when", policy: "--policy" };

fn request(policy: &str) -> OddsRequest {
    let flags = OddsFlags {
        chance: "--chance",
        within: "--within",
        states: "--states",
        memory: "--memory",
        strategy: STRATEGY,
    };
    OddsRequest {
        when: Vec::new(),
        policies: vec!["red=random".to_owned(), format!("blue={policy}")],
        chance: None,
        horizon: Horizon::Game,
        states: 10_000,
        bytes: referee_play::DEFAULT_BYTES,
        by: Follower::default(),
        deals: Deals::default(),
        flags,
    }
}

/// What came of a game: the wins of the guesser by policy, of how many games, and the policies that were refused.
#[derive(Default)]
struct Counted {
    refused: BTreeMap<&'static str, u32>,
    blind: BTreeMap<&'static str, (u32, u32)>,
}

const GAMES: u64 = 40;

impl Counted {
    /// Holds odds against the chance that a blind player has.
    fn odds(&mut self, loader: &mut Loader<'_>, made: &Made, policy: &'static str) {
        let set_up = set_up();
        let suite = referee_scenario::plan_set_up(loader, &set_up).unwrap();
        let half = BigRational::new(1.into(), 2.into());
        let one = BigRational::from_integer(1.into());
        let fair = if made.informs && policy != "random" { &one } else { &half };
        match referee_scenario::odds(loader, &suite, 0, &request(policy)) {
            Ok((Some(odds), _)) => {
                let chance = &odds.rows[1].chance;
                assert!(chance.is_exact());
                // An informed player may know less than all: the position is remembered, not what it was before.
                assert_eq!(&chance.low, fair, "{policy} {:?}\n{}", made.channels, made.rules);
            }
            Ok((None, _)) => unreachable!("{policy}: no odds\n{}", made.rules),
            Err(unknown) => {
                let problem = &unknown.problems[0];
                let words = format!("{policy} {:?}: {problem:?}\n{}", made.channels, made.rules);
                assert_eq!((problem.code, policy), (Code::NotSeen, "best"), "{words}");
                *self.refused.entry(policy).or_default() += 1;
            }
        }
    }

    fn play(&mut self, stage: &Stage, made: &Made, policy: &'static str, seed: u64) {
        let texts = [format!("blue={policy}")];
        let strategy = StrategyProfile { deals: Deals::of(20), ..stage.strategy(STRATEGY, &texts).unwrap() };
        let playouts = Playouts {
            rollouts: None,
            program: &stage.program,
            start: &stage.start,
            strategy: &strategy,
            max_plies: 20,
        };
        let wins = (1..=GAMES).filter(|number| match playouts.play(seed, *number, false).ending {
            Ending::Over(Outcome::Won(winners)) => winners[0].index() == 1,
            other => unreachable!("{policy} {:?}: {other:?}\n{}", made.channels, made.rules),
        });
        let wins = u32::try_from(wins.count()).unwrap();
        self.count(made, policy, wins);
    }

    fn count(&mut self, made: &Made, policy: &'static str, wins: u32) {
        let all = u32::try_from(GAMES).unwrap();
        if made.informs && policy != "random" {
            assert_eq!(wins, all, "{policy} {:?}\n{}", made.channels, made.rules);
            return;
        }
        // Five standard deviations from a half.
        let low = f64::from(all) * 0.5 - 5.0 * (f64::from(all) * 0.25).sqrt();
        let fair = low..=f64::from(all) - low;
        assert!(fair.contains(&f64::from(wins)), "{policy} {wins} {:?}\n{}", made.channels, made.rules);
        let (sum, games) = self.blind.entry(policy).or_default();
        (*sum, *games) = (*sum + wins, *games + all);
    }

    fn hints(&mut self, stage: &Stage, made: &Made) {
        let mut wins = 0;
        for seed in 1..=GAMES {
            wins += sit(stage, |sitting| {
                while let Some(ask) = sitting.ask().cloned() {
                    let answer = match &ask.question {
                        Question::Choose(decision) if decision.player.index() == 1 => {
                            let hint = sitting.hint(decision, 20, seed).unwrap();
                            let options = sitting.options(decision);
                            Answer::Chosen(options.iter().position(|option| hint.ends_with(option)).unwrap())
                        }
                        Question::Choose(_) => Answer::Chosen(0),
                        _ => sitting.chance(seed).unwrap(),
                    };
                    sitting.give(answer, true);
                }
                let won = matches!(&sitting.state().outcome, Some(Outcome::Won(winners)) if winners[0].index() == 1);
                u32::from(won)
            });
        }
        self.count(made, "hint", wins);
    }
}

fn set_up() -> SetUp {
    SetUp {
        game: "g".to_owned(),
        variant: None,
        players: Players::default(),
        houses: Vec::new(),
        options: Vec::new(),
        flags: SetUpFlags::default(),
    }
}

fn host(cards: &str, rules: &str) -> MemoryHost {
    let host = MemoryHost::default().with("games/g/g.game", GAME).with("games/g/cards.yaml", cards);
    host.with("games/g/rules.rhai", rules)
}

fn no_policy_knows_a_secret(games: u64) {
    let mut random = Random::of_game(41, 1);
    let mut counted = Counted::default();
    let mut channels: BTreeMap<&str, u32> = BTreeMap::new();
    // A seed for each game: with the same, their wins depend on each other, and their sum has another variance.
    for seed in 1..=games {
        let made = made(&mut random);
        made.channels.iter().for_each(|channel| *channels.entry(channel).or_default() += 1);
        let host = host(CARDS, &made.rules);
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let stage = referee_scenario::stage(&mut loader, &Origin::SetUp(set_up()));
        let stage = stage.unwrap_or_else(|why| unreachable!("{:?}\n{}", why.problems(), made.rules));
        for policy in ["random", "greedy:me.score", "mcts:10"] {
            counted.play(&stage, &made, policy, seed);
        }
        counted.hints(&stage, &made);
        for policy in ["random", "greedy:me.score", "best"] {
            counted.odds(&mut loader, &made, policy);
        }
    }
    println!("games by channel: {channels:#?}");
    println!("refused: {:?}; wins of a blind guesser: {:?}", counted.refused, counted.blind);
    for (policy, (wins, all)) in &counted.blind {
        let (wins, all) = (f64::from(*wins), f64::from(*all));
        assert!((wins - all / 2.0).abs() < 5.0 * (all * 0.25).sqrt(), "{policy}: {wins} of {all}");
    }
    assert!(counted.refused.keys().all(|policy| *policy == "best"), "{:?}", counted.refused);
}

#[test]
fn no_policy_knows_a_secret_that_travels() {
    no_policy_knows_a_secret(25);
}

#[test]
#[ignore = "five hundred games, each forty times with each policy"]
fn no_policy_knows_a_secret_that_travels_in_full() {
    no_policy_knows_a_secret(500);
}

/// The secret is the first card of red's hand, and decides what is drawn after it.
const ROUTES: [(&str, &str); 5] = [
    ("draw(deck, heap); draw(deck, hand(red));", "draw(deck, hand(red)); draw(deck, heap);"),
    ("draw(deck, heap); draw(deck, pot);", "draw(deck, pot); draw(deck, heap);"),
    ("draw(deck, hand(blue)); draw(deck, hand(red));", "draw(deck, hand(red)); draw(deck, hand(blue));"),
    (
        "let d = draw(deck); put_card(d, heap); draw(deck, hand(red));",
        "let d = draw(deck); put_card(d, hand(red)); draw(deck, heap);",
    ),
    (
        "put_card(draw(deck), deck); shuffle(deck); draw(deck, heap); draw(deck, hand(red));",
        "draw(deck, hand(red)); draw(deck, heap);",
    ),
];

fn routed(zero: &str, one: &str) -> String {
    format!(
        "fn setup() {{ shuffle(deck); draw(deck, hand(red)); }}\nfn turn(me) {{\n    let n = cards(hand(red))[0].v;\n    \
         if n == 0 {{ {zero} }} else {{ {one} }}\n    let x = choose(blue, \"guess\", 0..=1);\n    \
         if x == n {{ win(blue); }} win(red);\n}}\n"
    )
}

/// Blue sees one card of four. Of the three others two have the other number, and each is as likely as the next to be the
/// secret, whatever was drawn in which order: a blind player wins two of three games.
#[test]
fn which_draw_comes_into_view_says_no_more_than_what_is_seen() {
    for (zero, one) in ROUTES {
        let rules = routed(zero, one);
        let host = host(CARDS, &rules);
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let suite = referee_scenario::plan_set_up(&mut loader, &set_up()).unwrap();
        let request = OddsRequest { policies: vec!["blue=greedy:me.score".to_owned()], ..request("random") };
        let (odds, _) = referee_scenario::odds(&mut loader, &suite, 0, &request).unwrap();
        let chance = odds.unwrap().rows[1].chance.low.clone();
        assert_eq!(chance, BigRational::new(2.into(), 3.into()), "{rules}");
        for policy in ["greedy:me.score", "mcts:40"] {
            let wins = wins_of_blue(&mut loader, policy, 100);
            assert!((43..=90).contains(&wins), "{policy} {wins}\n{rules}");
        }
    }
}

/// The same with too many cards for all deals: of the 47 others 24 have the other number.
#[test]
#[ignore = "2,000 games, each with many deals"]
fn which_of_many_draws_comes_into_view_says_no_more_than_what_is_seen_in_full() {
    let cards: String = (0..24).map(|at| format!("  - {{name: c{at}, v: {}, count: 2}}\n", at % 2)).collect();
    for (zero, one) in ROUTES {
        let rules = routed(zero, one);
        let host = host(&format!("printed: {{v: NUMBER}}\ncards:\n{cards}"), &rules);
        let mut loader = Loader::new(&host, LoaderOptions::default());
        for policy in ["greedy:me.score", "mcts:20"] {
            let wins = wins_of_blue(&mut loader, policy, 200);
            assert!((74..=130).contains(&wins), "{policy} {wins}\n{rules}");
        }
    }
}

fn wins_of_blue(loader: &mut Loader<'_>, policy: &str, games: u64) -> usize {
    let stage = referee_scenario::stage(loader, &Origin::SetUp(set_up())).unwrap();
    let texts = [format!("blue={policy}")];
    let strategy = StrategyProfile { deals: Deals::of(20), ..stage.strategy(STRATEGY, &texts).unwrap() };
    let playouts =
        Playouts { rollouts: None, program: &stage.program, start: &stage.start, strategy: &strategy, max_plies: 20 };
    let wins = (1..=games).filter(|number| match playouts.play(1, *number, false).ending {
        Ending::Over(Outcome::Won(winners)) => winners[0].index() == 1,
        other => unreachable!("{policy}: {other:?}"),
    });
    wins.count()
}
