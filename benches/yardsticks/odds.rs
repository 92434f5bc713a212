//! Computes odds without the rules, by iterating over all states until the values converge.

/// Pig with two players who hold as soon as the pot has this number of points.
const HOLD_AT: usize = 20;
const GOAL: usize = 100;

/// Returns the chance to win of the first player in Pig, if points of the pot count at once.
pub(crate) fn pig() -> f64 {
    let mut wins = vec![[0.5; GOAL]; GOAL];
    loop {
        let mut change: f64 = 0.0;
        for mine in (0..GOAL).rev() {
            for other in (0..GOAL).rev() {
                let chance = throws(&wins, mine, other);
                change = change.max((chance - wins[mine][other]).abs());
                wins[mine][other] = chance;
            }
        }
        if change < 1e-14 {
            return wins[0][0];
        }
    }
}

/// The chance of the player whose turn begins, by the scores.
fn throws(wins: &[[f64; GOAL]], mine: usize, other: usize) -> f64 {
    let mut chances = [0.0; HOLD_AT];
    for pot in (0..HOLD_AT).rev() {
        let shown = |shown: usize| match pot + shown {
            pot if mine + pot >= GOAL => 1.0,
            pot if pot >= HOLD_AT => 1.0 - wins[other][mine + pot],
            pot => chances[pot],
        };
        chances[pot] = (1.0 - wins[other][mine] + (2..=6).map(shown).sum::<f64>()) / 6.0;
    }
    chances[0]
}

/// The squares of the path of Ur: 0 is beside the board, 15 is home.
const HOME: usize = 15;
const SQUARES: usize = HOME + 1;
const ROSETTES: [usize; 3] = [4, 8, 14];
const SAFE: usize = 8;

/// The probability of each throw from 0 to 4.
const THROWS: [f64; 5] = [1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0];

/// Two stones.
type Stones = [usize; 2];

/// The chance to win of the player who throws next, by the squares of their own stones and of the opponent's.
struct Race(Vec<f64>);

impl Race {
    fn at(mine: Stones, other: Stones) -> usize {
        [mine[0].min(mine[1]), mine[0].max(mine[1]), other[0].min(other[1]), other[0].max(other[1])]
            .into_iter()
            .fold(0, |at, square| at * SQUARES + square)
    }

    fn of(&self, mine: Stones, other: Stones) -> f64 {
        self.0[Self::at(mine, other)]
    }

    /// Returns the chance after a throw; a player who can move one of several stones picks one at random.
    fn after(&self, mine: Stones, other: Stones, far: usize) -> f64 {
        let passed = 1.0 - self.of(other, mine);
        let stones = if mine[0] == mine[1] { 0..1 } else { 0..2 };
        let (mut sum, mut count) = (0.0, 0.0);
        for stone in stones {
            let (to, still) = (mine[stone] + far, mine[1 - stone]);
            let meets = (5..=12).contains(&to) && other.contains(&to);
            if far == 0 || mine[stone] == HOME || to > HOME || to < HOME && to == still || meets && to == SAFE {
                continue;
            }
            let other = other.map(|square| if meets && square == to { 0 } else { square });
            count += 1.0;
            sum += match (to, still) {
                (HOME, HOME) => 1.0,
                _ if ROSETTES.contains(&to) => self.of([to, still], other),
                _ => 1.0 - self.of(other, [to, still]),
            };
        }
        if count > 0.0 { sum / count } else { passed }
    }
}

/// Returns the chance to win of the first player in Ur with two stones each, with random choices.
pub(crate) fn ur() -> f64 {
    let pairs: Vec<Stones> = (0..SQUARES)
        .flat_map(|one| (one..SQUARES).map(move |other| [one, other]))
        .filter(|pair| can_be(*pair))
        .collect();
    let mut race = Race(vec![0.5; SQUARES.pow(4)]);
    loop {
        let mut change: f64 = 0.0;
        for mine in pairs.iter().rev() {
            for other in pairs.iter().rev() {
                let chance: f64 = (0..).zip(THROWS).map(|(far, chance)| chance * race.after(*mine, *other, far)).sum();
                let at = Race::at(*mine, *other);
                change = change.max((chance - race.0[at]).abs());
                race.0[at] = chance;
            }
        }
        if change < 1e-13 {
            return race.of([0, 0], [0, 0]);
        }
    }
}

/// Returns whether two stones can be on these squares: not both home, and not both on one square of the board.
fn can_be([one, other]: Stones) -> bool {
    one != other || one == 0
}
