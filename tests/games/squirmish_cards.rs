//! The cards of Squirmish, read from their printed English text, without the functions that the rules call.
//!
//! An ability is known here by its words: to change them in `cards.yaml` means to write them again here.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

const CARDS: &str = include_str!("../../games/squirmish/cards.yaml");

/// What abilities say.
const ABILITIES: [(&str, Does); 34] = [
    ("1 more damage to cards with fewer hit points than its own.", Does::Bullies),
    ("Attacks on it do 1 damage less.", Does::Softens),
    ("In step 2, heals 1 on a damaged card next to it.", Does::SoothesNeighbour),
    ("A card that does damage to it takes 1 damage.", Does::Stings),
    ("May attack any card in play.", Does::Flies),
    ("In step 2, does 1 damage to a card next to it.", Does::Startles),
    ("Attacks on it do half the damage.", Does::Halves),
    ("May throw the die of its attack again, once.", Does::PecksAgain),
    ("May change places with any card in play.", Does::Flits),
    ("Heals twice as much.", Does::HealsTwice),
    ("When it is knocked out, it does 1 damage to each card next to it.", Does::Bursts(1)),
    ("When it is knocked out, it does 2 damage to each card next to it.", Does::Bursts(2)),
    ("Cannot be attacked by cards with 6 hit points or more.", Does::ShunsLarge),
    ("Does twice the damage to cards that are damaged.", Does::Grinds),
    ("When it is attacked with a 6, the die is thrown again, once.", Does::Jams),
    ("In step 2, heals 1 on itself.", Does::HealsItself),
    ("Takes 1 damage before each of its attacks.", Does::Overheats),
    ("While it is in play, battle cries do not count.", Does::DrownsOut),
    ("When it is placed, it heals 1 on each card next to it.", Does::PlumpsUp),
    ("When it is knocked out, it goes back to the hand of its controller.", Does::GoesHome),
    ("What it knocks out goes to the victory pile of its controller, their own cards too.", Does::TakesAll),
    ("2 more damage on its first attack that has an effect.", Does::Charges),
    ("Damage that is done to it is done to the attacker, too.", Does::Reflects),
    ("In step 2, its controller draws a card.", Does::Whispers),
    ("In step 2, heals 1 on any damaged card in play.", Does::SoothesAny),
    ("May attack a card two places away in a straight line, too.", Does::Lobs),
    ("Attacks on cards next to it do 1 more damage.", Does::Shakes),
    ("Heals 1 on itself whenever a card has been knocked out.", Does::Scavenges),
    ("Does 1 more damage for each card that has been knocked out while it was in play.", Does::Broods),
    ("Its controller may have a 6 of any attack thrown again, once.", Does::Jinxes),
    ("Attacks on cards of its controller next to it do 1 damage less.", Does::Guards),
    ("1 more damage for each other card of its controller next to the target.", Does::GangsUp),
    ("Draws a card when its attack has done damage.", Does::Snatches),
    ("May change places with any card of its controller.", Does::Slinks),
];
const STAYS: (&str, Does) =
    ("When it is knocked out for the first time, its damage is taken off, and it stays.", Does::Rises);

/// What group abilities say behind the condition that the group is active.
const GROUP_ABILITIES: [(&str, Does); 5] = [
    ("While the Puddle Club is active, 1 more damage.", Does::Might),
    ("While the Feather Union is active, attacks on it do 1 damage less.", Does::Softens),
    ("While the Lamp Choir is active, 1 more healing.", Does::Sings),
    ("While the Rust Guild is active, a 1 of its attack is thrown again, once.", Does::ThrowsOnesAgain),
    ("In step 2, while the Pillow League is active, heals 1 on itself.", Does::HealsItself),
];

const SPECIALS: [(&str, Special); 7] = [
    ("1 damage to each other card next to the target", Special::Mudslide),
    ("twice the damage", Special::Scorch),
    ("changes places with the target", Special::Spin),
    ("the target may not attack in its next turn", Special::Lullaby),
    ("takes the target over", Special::Charm),
    ("1 damage to each other card next to Quake", Special::Tremor),
    ("takes 5 damage itself", Special::Boom),
];

/// What an ability does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    Bullies,
    Softens,
    SoothesNeighbour,
    SoothesAny,
    Stings,
    Flies,
    Startles,
    Halves,
    PecksAgain,
    Flits,
    HealsTwice,
    Bursts(i64),
    ShunsLarge,
    Grinds,
    Jams,
    HealsItself,
    Overheats,
    DrownsOut,
    PlumpsUp,
    GoesHome,
    TakesAll,
    Charges,
    Reflects,
    Whispers,
    Lobs,
    Shakes,
    Scavenges,
    Broods,
    Jinxes,
    Guards,
    GangsUp,
    Snatches,
    Slinks,
    Rises,
    Might,
    Sings,
    ThrowsOnesAgain,
}

/// What a special attack does beside its damage or healing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Mudslide,
    Scorch,
    Spin,
    Lullaby,
    Charm,
    Tremor,
    Boom,
}

/// When an ability works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Attack,
    Defence,
    Weird,
}

/// A row of a basic attack.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Row {
    #[serde(rename = "none")]
    pub(crate) no_effect: bool,
    pub(crate) damage: Option<i64>,
    pub(crate) heal: Option<i64>,
    pub(crate) special: Option<String>,
    says: Option<String>,
    #[serde(skip)]
    pub(crate) does: Option<Special>,
}

#[derive(Deserialize)]
struct Text {
    /// The group.
    of: Option<String>,
    says: String,
    attack: Option<serde::de::IgnoredAny>,
    defence: Option<serde::de::IgnoredAny>,
    weird: Option<serde::de::IgnoredAny>,
}

impl Text {
    /// When the ability works: what is written for one kind only.
    fn kind(&self) -> Kind {
        match (&self.attack, &self.defence, &self.weird) {
            (Some(_), None, None) => Kind::Attack,
            (None, Some(_), None) => Kind::Defence,
            (None, None, Some(_)) => Kind::Weird,
            _ => unreachable!("one kind for each ability: {}", self.says),
        }
    }
}

#[derive(Deserialize)]
struct Printed {
    name: String,
    hp: i64,
    attack: BTreeMap<String, Row>,
    ability: Text,
    group: Option<Text>,
}

#[derive(Deserialize)]
struct File {
    cards: Vec<Printed>,
}

/// A card as it is printed.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) name: String,
    pub(crate) hp: i64,
    pub(crate) group: Option<String>,
    /// The row of each face of the die.
    pub(crate) rows: Vec<Row>,
    pub(crate) ability: (Kind, Does),
    pub(crate) group_ability: Option<(Kind, Does)>,
}

impl Card {
    /// The abilities that can make a difference: a card that only heals gains nothing by a group that does more damage.
    pub(crate) fn abilities_that_count(&self) -> Vec<String> {
        let counts = |does: &Does| match does {
            Does::Might => self.rows.iter().any(|row| row.damage.is_some()),
            Does::Sings => self.rows.iter().any(|row| row.heal.is_some()),
            _ => true,
        };
        let all = std::iter::once(self.ability).chain(self.group_ability).map(|(_, does)| does);
        all.filter(counts).map(|does| format!("{} {does:?}", self.name)).collect()
    }

    /// The special attacks.
    pub(crate) fn specials(&self) -> BTreeSet<String> {
        let named = self.rows.iter().filter_map(|row| row.special.as_ref());
        named.map(|special| format!("{} {special}", self.name)).collect()
    }
}

fn find<T: Copy>(said: &str, of: &[(&str, T)]) -> T {
    let known = of.iter().find(|(says, _)| *says == said);
    known.unwrap_or_else(|| unreachable!("a card says something else now, write it again here: {said}")).1
}

fn rows(attack: &BTreeMap<String, Row>) -> Vec<Row> {
    let row = |face: usize| {
        let fits = |faces: &str| {
            let (first, last) = faces.split_once('-').unwrap_or((faces, faces));
            (first.parse::<usize>().unwrap()..=last.parse().unwrap()).contains(&face)
        };
        let (_, row) = attack.iter().find(|(faces, _)| fits(faces)).unwrap();
        Row { does: row.says.as_ref().map(|said| find(said, &SPECIALS)), ..row.clone() }
    };
    (1..=6).map(row).collect()
}

/// All cards, in the order of the file.
pub(crate) fn printed() -> Vec<Card> {
    let abilities = [&ABILITIES[..], &[STAYS]].concat();
    let file: File = serde_yaml::from_str(CARDS).unwrap();
    let card = |card: Printed| Card {
        rows: rows(&card.attack),
        ability: (card.ability.kind(), find(&card.ability.says, &abilities)),
        group_ability: card.group.as_ref().map(|text| (text.kind(), find(&text.says, &GROUP_ABILITIES))),
        name: card.name,
        hp: card.hp,
        group: card.group.and_then(|text| text.of),
    };
    file.cards.into_iter().map(card).collect()
}
