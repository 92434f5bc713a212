//! An independent implementation of Liar's Dice from its rulebook: compares random games answer by answer, and computes odds
//! without the rules.

use referee_table::{Names, Outcome, Owner, PlayerId, Setting, State, Throw, Value};
use referee_trace::{Answer, Question};

use super::playing::{Playable, Random, answer, asked, silent};

const FACES: [&str; 6] = ["ones", "twos", "threes", "fours", "fives", "sixes"];

/// The game between two answers.
struct Liars {
    wild: bool,
    /// What is under each cup, by face.
    cups: Vec<[i64; 6]>,
    dice: Vec<i64>,
    /// The number, the face and the player of the last bid.
    bid: Option<(i64, usize, usize)>,
    mover: usize,
    /// Whose dice are still to be thrown, one player for each die.
    to_throw: Vec<usize>,
    winner: Option<usize>,
}

impl Liars {
    fn begin_round(&mut self) {
        let each = self.dice.iter().enumerate();
        self.to_throw = each.flat_map(|(player, dice)| (0..*dice).map(move |_| player)).collect();
        self.to_throw.reverse();
        self.cups.fill([0; 6]);
        self.bid = None;
    }

    fn options(&self) -> Vec<String> {
        let all: i64 = self.dice.iter().sum();
        let (number, face) = self.bid.map_or((0, 0), |(number, face, _)| (number, face));
        let mut options = Vec::new();
        for more in 1..=all {
            for (at, name) in FACES.iter().enumerate() {
                if (more, at) > (number, face) {
                    options.push(format!("bid {more} {name}"));
                }
            }
        }
        if self.bid.is_some() {
            options.push("doubt".to_owned());
        }
        options
    }

    fn next(&self, player: usize) -> usize {
        let count = self.dice.len();
        (1..=count).map(|far| (player + far) % count).find(|next| self.dice[*next] > 0).unwrap()
    }

    fn choose(&mut self, words: &str) {
        if let Some(bid) = words.strip_prefix("bid ") {
            let (number, face) = bid.split_once(' ').unwrap();
            let face = FACES.iter().position(|name| *name == face).unwrap();
            self.bid = Some((number.parse().unwrap(), face, self.mover));
            self.mover = self.next(self.mover);
            return;
        }
        let (number, face, bidder) = self.bid.unwrap();
        let wild = |cup: &[i64; 6]| if self.wild && face > 0 { cup[0] } else { 0 };
        let found: i64 = self.cups.iter().map(|cup| cup[face] + wild(cup)).sum();
        let loser = if found >= number { self.mover } else { bidder };
        self.dice[loser] -= 1;
        let left: Vec<usize> = (0..self.dice.len()).filter(|player| self.dice[*player] > 0).collect();
        if let [only] = left[..] {
            self.winner = Some(only);
        }
        self.mover = if self.dice[loser] > 0 { loser } else { self.next(loser) };
        self.begin_round();
    }

    /// The dice and cups are those of the game that the rules play.
    fn agrees(&self, state: &State) {
        let number = |name: &str, player: usize| {
            let owner = Owner::Player(PlayerId::at(player));
            match state.value(state.schema().property(name).unwrap(), owner) {
                Some(Value::Int(number)) => number,
                other => unreachable!("{name}: {other:?}"),
            }
        };
        for player in 0..self.dice.len() {
            assert_eq!(number("dice", player), self.dice[player]);
            assert_eq!(FACES.map(|face| number(face, player)), self.cups[player]);
        }
    }
}

fn play(game: &Playable, seed: u64) {
    let random = &mut Random(seed);
    let options = random.settings(game.program.schema());
    let [Setting::Word(ones)] = &options[..] else { unreachable!("{options:?}") };
    let players = 2 + random.below(5);
    let mut liars = Liars {
        wild: &**ones == "wild",
        cups: vec![[0; 6]; players],
        dice: vec![5; players],
        bid: None,
        mover: 0,
        to_throw: Vec::new(),
        winner: None,
    };
    liars.begin_round();
    let start = game.start(&game.program.schema().variants[0], players, options);
    let mut machine = game.begin(start, &silent());
    while let Some(question) = asked(&machine) {
        let state = machine.state();
        assert_eq!((liars.winner, state.turn), (None, Some(PlayerId::at(liars.mover))), "seed {seed}");
        let given = match &question {
            Question::Roll(_) => {
                let (player, face) = (liars.to_throw.pop().unwrap(), random.below(6));
                liars.cups[player][face] += 1;
                Answer::Rolled(Throw::of([face]))
            }
            Question::Choose(decision) => {
                assert!(liars.to_throw.is_empty(), "seed {seed}");
                liars.agrees(state);
                let names = Names { schema: state.schema(), board: state.board() };
                let words: Vec<String> = decision.options.iter().map(|option| option.write(names)).collect();
                assert_eq!(words, liars.options(), "seed {seed}");
                // Low bids, so that rounds have several.
                let chosen = if random.below(4) == 0 { words.len() - 1 } else { random.below(words.len().min(9)) };
                liars.choose(&words[chosen]);
                Answer::Chosen(chosen)
            }
            other => unreachable!("seed {seed}: {other:?}"),
        };
        answer(&mut machine, given);
    }
    let winner = liars.winner.map(|winner| Outcome::Won(vec![PlayerId::at(winner)]));
    assert_eq!(machine.state().outcome, winner, "seed {seed}");
}

#[test]
fn every_game_goes_as_an_independent_reading_says() {
    let game = Playable::load("liars-dice", &[]);
    (0..60).for_each(|seed| play(&game, seed));
}

const ODDS: &str = include_str!("../../scenarios/liars-dice/odds.scenario");

/// Of all falls of `dice` dice, those in which at least `least` of them show one of `faces` faces: counted one by one.
fn falls(dice: u32, faces: usize, least: usize) -> usize {
    let all = 0..6_usize.pow(dice);
    all.filter(|fall| (0..dice).filter(|die| fall / 6_usize.pow(*die) % 6 < faces).count() >= least).count()
}

#[test]
fn odds_are_counted_without_the_rules() {
    for least in 1..=4 {
        let chance = format!("{}/1296", falls(4, 1, least));
        let row = format!("| {least:<5} | {chance:<8} |");
        assert!(ODDS.contains(&row), "{row}");
    }
    assert_eq!(falls(4, 2, 2) * 27, 11 * 1296);
    assert_eq!((falls(4, 1, 1), falls(2, 1, 1)), (671, 11));
    for chance in ["= 11/27 ", "= 671/1296\n", "= 11/36 "] {
        assert!(ODDS.contains(chance), "{chance}");
    }
}
