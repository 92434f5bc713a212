//! The complete examples of the language's design parse without a diagnostic.

use super::{game, scenario};

const GAME: &str = r#"
game squish-board "Squish!"
players 2..8 red blue green yellow orange purple brown white
rules "rules.rhai"
rulebook "RULES.md"

board grid 16x16                           # cells a1 bottom left, letters for columns
directions 8 clockwise from north          # 1 = N, 2 = NE … 8 = NW; a line may say 2 or NE

die direction 0..9
die distance 1..6
die stride 1..6
die block 1..4

piece marker for each player symbols r b g y o p n w   # "red" in lines, r in diagrams
piece block 1..4 size 4x4                  # "block 1" in lines, 1 in diagrams
piece large size 8x8 symbol L
flag squished for each marker

ask walk [to] CELL                         "Move your marker"
ask shove PLAYER                           "Push a marker one square on"
ask collect NUMBER                         "Take your shard from that block"
ask stop
ask direction NUMBER                       "A nine was rolled: choose the direction"

option rehit = ignored | moves             "A block that is hit again after it was resolved"
option hits = first | cumulative           "Several hits on one block before it is resolved"

variant simple "Simple game"
  place large at e5
variant advanced "Advanced game"
  place block 1 at d10, block 2 at j10, block 3 at d4, block 4 at j4
"#;

const SCENARIO: &str = r#"
use squish-board simple

scenario "Direction 2 for 5: a squish and two bounces"
  cites "Examples of Block Movement, 5"
  covers B4 M2                              # clauses of RULES.md; untrue claims fail
  piece large size 3x3
  board 9x8
    | . . . . . . . . .
    | . . . . . . . . .
    | . . . . . . . . r
    | . . . . . L L L .
    | . . . . . L L L .
    | . . . . . L L L .
    | . . . . . . . . .
    | g . . . . . . . .

  turn green
  roll direction 2, distance 5
  expect red squished
  expect red off
  expect large at c4
  expect events
    > large moves NE to g4
    > red squished
    > large bounces NW
    > large moves NW to f5
"#;

/// The lines mentioned in the prose of the design.
const MENTIONED: &str = r#"
position "corner"
  place PIECE at CELL face down
  place PIECE off
  hand ann: R3 B2
  deck: R1 G2 …
  set red.score 3
  players red green
  setup
scenario "prose"
  from "corner"
  with rehit = moves
  with house "soft-walls"
  always { true }
  always each event { true }
  turn red
  resume walk red 3
  do push_block large 5 6
  roll direction 2, distance 5
  roll 5
  roll direction {d}, distance {n}
  red walk to e5
  white move d4-e5
  bob attack Pooga on Pompaduck
  shuffle deck: R1 G2 …
  refuse red walk to h8
  refuse red walk to h8 because "too far"
  agree draw
  expect e5 empty
  expect e5 holds large
  expect b2 face down
  expect hand ann = R3 B2
  expect Pooga in victory of ann
  expect choices move = d4-e5, d4-d5
  expect choices move includes d4-e5
  expect choices move excludes d4-e5
  expect choices move count 12
  expect board
    | ? (R3) ann:Pooga
  expect events exactly
  expect snapshot
  expect { 1 == 1 }
  expect chance red squished = 7/60 within 3 turns
  when red squash bounce
  when red policy random
  at best for red
  at worst for red
  expect reachable winner white within 6 turns
  expect never { false } within 4 turns
  expect cycle up to 100000 states
  expect no cycle up to 100000 states
  expect every line ends within 9 turns
  branch "a harder roll"
  examples
    | d | n |
    | 1 | 2 |
"#;

const COMPONENTS: &str = r#"
board hex 4
board track 64
arrow 7 -> 3
board grid 3x3 margin 1
board grid 8x8 chequered dark b1
board open
card fighter from "cards.yaml"
zone deck hidden
zone hand for each player secret
counter score for each player = 0
counter hits for each fighter = 0
option victory = 3 in 1..9
shuffle deck
deal 2 from deck to hand of each player
deal 9 from deck to board face down
"#;

#[test]
fn games() {
    assert_eq!(game(GAME).lines().count(), 25);
    assert_eq!(game(COMPONENTS).lines().count(), 15);
}

#[test]
fn scenarios() {
    assert_eq!(scenario(SCENARIO).lines().count(), 12);
    assert_eq!(scenario(MENTIONED).lines().count(), 52);
}
