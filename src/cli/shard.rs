//! A part of all tests, for several machines that run one part each.

use super::chosen::Place;
use referee_scenario::Suite;

/// One of several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    /// Its number, from 1.
    pub(super) number: u64,
    /// The number of parts.
    pub(super) of: u64,
}

impl Shard {
    /// Parses `2/4`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let pair = text.split_once('/').and_then(|(number, of)| {
            let shard = Self { number: number.trim().parse().ok()?, of: of.trim().parse().ok()? };
            (1..=shard.of).contains(&shard.number).then_some(shard)
        });
        pair.ok_or_else(|| "expected the number of a part and the number of parts, as in `1/4`".to_owned())
    }

    /// Returns those of these tests that are in the part.
    ///
    /// The file and the title of a scenario alone decide, so that it stays in its part when others are added or removed,
    /// and rows and branches stay together.
    pub(super) fn part(self, suites: &[Suite], mut tests: Vec<Place>) -> Vec<Place> {
        tests.retain(|(suite, test)| {
            suites.get(*suite).is_some_and(|suite| {
                let title = test.and_then(|test| suite.tests.get(test)).map_or("", |test| &test.scenario);
                self.has(&suite.file, title)
            })
        });
        tests
    }

    fn has(self, file: &str, title: &str) -> bool {
        let file = file.replace('\\', "/");
        let bytes = file.trim_start_matches("./").bytes().chain([0]).chain(title.bytes());
        hash(bytes) % self.of == self.number - 1
    }
}

/// Returns the hash FNV-1a with its bits mixed, so that its remainders are even. It is the same on every system, unlike
/// that of the standard library.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    let mixed =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}

#[cfg(test)]
mod tests {
    use super::{Shard, hash};

    #[test]
    fn a_part_is_a_number_of_a_number() {
        assert_eq!(Shard::parse("2/4"), Ok(Shard { number: 2, of: 4 }));
        for wrong in ["0/4", "5/4", "1", "1/0", "a/b", "-1/2", ""] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_scenario_is_in_one_part_and_the_parts_are_about_equal() {
        let mut counts = [0; 5];
        for scenario in 0..1000 {
            let title = format!("Scenario {scenario}");
            let within: Vec<usize> = (0..5)
                .filter(|part| Shard { number: *part + 1, of: 5 }.has("a.scenario", &title))
                .map(|part| usize::try_from(part).unwrap_or(usize::MAX))
                .collect();
            let [part] = within[..] else { unreachable!("{title} is in the parts {within:?}") };
            counts.get_mut(part).into_iter().for_each(|count| *count += 1);
        }
        assert!(counts.iter().all(|count| (150..=250).contains(count)), "{counts:?}");
        // The same on every system, and from now on.
        assert_eq!(hash("a".bytes()), hash("a".bytes()));
        assert!(
            Shard { number: 1, of: 2 }.has("./a.scenario", "x") == Shard { number: 1, of: 2 }.has("a.scenario", "x")
        );
    }
}
