//! Dice: their faces, and the weights of their throws.

use smallvec::SmallVec;

use super::{Sight, Value};
use referee_diagnostic::MustBe as _;

/// The maximum number of faces of a die, and of different throws of several dice.
pub const MAX_THROWS: u64 = 10_000;

/// A die, or several equal dice that are thrown at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Die {
    /// Its name; empty for the one die of a game.
    pub name: String,
    /// The number of dice thrown at once.
    pub count: usize,
    /// Its different faces: numbers from the lowest, words in the order of the game file.
    pub faces: Vec<DieFace>,
    /// Who sees its throws.
    pub sight: Sight,
    /// The number of sides of one of the dice. It is asked at every throw.
    sides: u64,
}

/// A face of a die.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DieFace {
    /// A number or a word.
    pub shows: Value,
    /// The number of sides with this face.
    pub sides: u64,
}

/// The faces of one throw: their indices in ascending order. Equal dice are not distinguished.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Throw(SmallVec<[u16; 8]>);

impl Throw {
    /// Returns the throw with these faces, in any order.
    #[must_use]
    pub fn of(faces: impl IntoIterator<Item = usize>) -> Self {
        let mut faces: SmallVec<[u16; 8]> =
            faces.into_iter().map(|face| u16::try_from(face).unwrap_or(u16::MAX)).collect();
        faces.sort_unstable();
        Self(faces)
    }

    /// Returns the throw of one die with this face.
    #[must_use]
    pub fn one(face: usize) -> Self {
        let mut faces = SmallVec::new();
        faces.push(u16::try_from(face).unwrap_or(u16::MAX));
        Self(faces)
    }

    /// Returns the indices of the faces.
    pub fn faces(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().map(|face| usize::from(*face))
    }
}

impl Die {
    /// Returns a die, or several equal ones, with these faces.
    #[must_use]
    pub fn new(name: String, count: usize, faces: Vec<DieFace>) -> Self {
        let sides = faces.iter().fold(0, |sum, face| face.sides.saturating_add(sum));
        Self { name, count, faces, sight: Sight::Open, sides }
    }

    /// Returns the die with these throws seen by these players.
    #[must_use]
    pub fn seen_by(self, sight: Sight) -> Self {
        Self { sight, ..self }
    }

    /// Returns the number of sides of one of the dice.
    #[must_use]
    pub const fn sides(&self) -> u64 {
        self.sides
    }

    /// Returns whether there are few enough throws to list them all and to count the ways to each.
    #[must_use]
    pub fn is_countable(&self) -> bool {
        let ways = u32::try_from(self.count).ok().and_then(|count| self.sides().checked_pow(count));
        if ways.is_none_or(|ways| ways > u64::MAX >> 1) {
            return false;
        }
        // Multisets: n + k - 1 over k. Each step of the product is a whole number.
        let faces = self.faces.len() as u64;
        let mut throws: u64 = 1;
        for dice in 1..=self.count as u64 {
            throws = throws.saturating_mul(faces.saturating_add(dice - 1)) / dice;
            if throws > MAX_THROWS && faces > 1 {
                return false;
            }
        }
        throws <= MAX_THROWS
    }

    /// Returns every throw with the number of ways in which the dice can produce it.
    #[must_use]
    pub fn throws(&self) -> Vec<(Throw, u64)> {
        let mut found = Vec::new();
        self.throws_from(0, self.count, 1, &mut SmallVec::new(), &mut found);
        found
    }

    /// Adds the throws that begin with the faces `so_far` and have `left` more dice with face `at` or a later one.
    fn throws_from(
        &self,
        at: usize,
        left: usize,
        ways: u64,
        so_far: &mut SmallVec<[u16; 8]>,
        found: &mut Vec<(Throw, u64)>,
    ) {
        if left == 0 {
            found.push((Throw(so_far.clone()), ways));
            return;
        }
        for (face, DieFace { sides, .. }) in self.faces.iter().enumerate().skip(at) {
            let begun = so_far.len();
            // The number of ways to choose which of the remaining dice show this face, times its sides.
            let mut more = ways;
            for dice in 1..=left {
                more = more.saturating_mul((left - dice + 1) as u64) / dice as u64;
                more = more.saturating_mul(*sides);
                so_far.push(u16::try_from(face).unwrap_or(u16::MAX));
                self.throws_from(face + 1, left - dice, more, so_far, found);
            }
            so_far.truncate(begun);
        }
    }

    /// Returns the values that the dice of a throw show.
    pub fn shown<'d>(&'d self, throw: &'d Throw) -> impl Iterator<Item = &'d Value> + 'd {
        throw.faces().filter_map(|face| self.faces.get(face)).map(|face| &face.shows)
    }

    /// Returns a throw as a value for the rules: the value of one die, or the list of values of several dice.
    #[must_use]
    pub fn value(&self, throw: &Throw) -> Value {
        let mut shown = self.shown(throw).cloned();
        if self.count == 1 {
            shown.next().or_missing("the face of a die", Value::Nothing)
        } else {
            Value::List(shown.collect())
        }
    }

    /// Returns the first and the last face, if the faces are all whole numbers between them.
    #[must_use]
    pub fn range(&self) -> Option<(i64, i64)> {
        let (Some(Value::Int(low)), Some(Value::Int(high))) =
            (self.faces.first().map(|face| &face.shows), self.faces.last().map(|face| &face.shows))
        else {
            return None;
        };
        (high.abs_diff(*low) + 1 == self.faces.len() as u64).then_some((*low, *high))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Die, DieFace, Throw, Value};

    fn die(count: usize, sides: &[u64]) -> Die {
        let face = |(at, sides): (i64, &u64)| DieFace { shows: Value::Int(at), sides: *sides };
        Die::new("test".to_owned(), count, (0..).zip(sides).map(face).collect())
    }

    /// Counts the ways to each throw by listing every fall of the dice.
    fn one_by_one(count: usize, sides: &[u64]) -> BTreeMap<Throw, u64> {
        let mut falls: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..count {
            let all = sides.iter().enumerate().flat_map(|(face, sides)| (0..*sides).map(move |_| face));
            let all: Vec<usize> = all.collect();
            falls = falls.iter().flat_map(|fall| all.iter().map(|face| [&fall[..], &[*face]].concat())).collect();
        }
        let mut ways = BTreeMap::new();
        for fall in falls {
            *ways.entry(Throw::of(fall)).or_default() += 1;
        }
        ways
    }

    #[test]
    fn the_ways_to_each_throw_are_those_counted_one_by_one() {
        for sides in [&[1, 1][..], &[1, 1, 1, 1, 1, 1], &[3, 2, 1], &[5]] {
            for count in 1..=4 {
                let throws = die(count, sides).throws();
                let found: BTreeMap<Throw, u64> = throws.iter().cloned().collect();
                assert_eq!(found.len(), throws.len(), "a throw is listed twice");
                assert_eq!(found, one_by_one(count, sides), "{count} dice of {sides:?}");
            }
        }
    }

    #[test]
    fn more_throws_than_can_be_listed_are_refused() {
        assert!(die(1, &[1; 10_000]).is_countable());
        assert!(!die(1, &[1; 10_001]).is_countable());
        assert!(die(10, &[1; 6]).is_countable());
        assert!(!die(20, &[1; 6]).is_countable());
        assert!(die(62, &[1; 2]).is_countable());
        assert!(!die(64, &[1; 2]).is_countable());
        assert!(!die(usize::MAX, &[1; 2]).is_countable());
    }
}
