//! Random rules of card games: compiled rules must play them as the machine does.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};

use super::compiled::play_tried;
use referee_rules::Engine;

const GAME: &str = "game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    board grid 3x3\nzone deck hidden\nzone bag hidden\nzone heap pile\nzone offer\n\
                    zone hand for each player secret\ncard trick from \"cards.yaml\" in deck\n\
                    piece king for each player symbols K Q\ncounter sum for each player = 0\ncounter rounds\n\
                    record counter kept for each player\nproperty last CELL\nproperty top PIECE\nask pick NUMBER\nask go CELL\nask play PIECE\n\
                    ask lay PIECE on CELL\nask stop\nevent told NUMBER\nevent PLAYER plays PIECE\n";

/// Cards without copies, and with some; more than 64 cards of a kind each.
fn cards(copies: &[usize], count: usize) -> String {
    let suit = |at: usize| if at.is_multiple_of(3) { "long" } else { "short" };
    let card = |at: usize| {
        let copies = copies[at % copies.len()];
        format!("  - {{name: k{at}, value: {}, suit: {}, count: {copies}}}\n", at % 13, suit(at))
    };
    let head = "printed: {needs: [value, suit], value: NUMBER, suit: long|short}\ncards:\n";
    (0..count).fold(head.to_owned(), |all, at| all + card(at).as_str())
}

/// What a turn may do. `$z` is any zone, `$d` any number; the same in all places are a zone `$q`, one
/// whose cards are seen, `$v`, and a card `$c`.
const DEEDS: &[&str] = &[
    "if !is_empty($q) { let card = draw($q, $z); me.sum += card.value; }",
    "if !is_empty($q) { let card = draw($q); put_card(card, $z); me.sum += card.value; }",
    "if !is_empty($q) { let card = draw($q); let free = all_cells() - occupied(); \
     if free.is_empty() { put_card(card, $z); } else { place(card, choose(me, \"go\", free)); } }",
    "if count(deck) > 2 * $d { deal($d, deck, \"hand\"); }",
    "for card in cards($v) { if card.value > $d { move_card(card, $v, $z); break; } }",
    "let all = cards($v); if !all.is_empty() { let card = choose(me, \"play\", all); take_card(card, $v); \
     event(\"plays\", me, card); put_card(card, $z); }",
    "let all = cards($v); if !all.is_empty() { let card = all[0]; move_card(card, $v, $z); game.top = card; }",
    "let long = cards($v).filter(|card| card.suit == \"long\"); me.sum += long.len();",
    "let all = cards($v); all.sort(|one, other| one.value - other.value); \
     if all.len() > 1 && all[0].value <= all[-1].value { me.sum += 1; }",
    "me.sum += count($z) * 3 + count($v);",
    "if face_down().is_empty() { me.sum += count($z, $c); if has($z, $c) { me.sum += 5; } }",
    "if face_down().is_empty() { shuffle($z); }",
    "if face_down().is_empty() && has($v, $c) { move_card($c, $v, $z); }",
    "let sum = 0; for card in cards($v) { sum += card.value; } me.sum += sum;",
    "let free = all_cells() - occupied(); if !free.is_empty() && !is_empty(deck) { \
     deal_face_down(deck, choose(me, \"go\", free)); }",
    "let down = face_down(); if !down.is_empty() { let card = pick_up(choose(me, \"go\", down), hand(me)); \
     if card != () { me.sum += card.value; } }",
    "let down = face_down(); if !down.is_empty() { let card = turn_up(choose(me, \"go\", down)); me.sum += card.value; }",
    "let free = all_cells() - occupied(); let all = cards($v); if !free.is_empty() && !all.is_empty() { \
     let options = []; for card in all { for cell in free.in_order() { options.push(may(\"lay\", card, cell)); } } \
     options.push(may(\"stop\")); let chosen = choose(me, \"lay\", options); if chosen.verb == \"lay\" { \
     take_card(chosen.values[0], $v); place(chosen.values[0], chosen.values[1]); game.last = chosen.values[1]; } }",
    "let all = occupied() - face_down() - cells(king(red)) - cells(king(blue)); if !all.is_empty() { \
     put_card(remove(choose(me, \"go\", all)), $z); }",
    "let free = all_cells() - occupied(); if !free.is_empty() { place(king(me), choose(me, \"go\", free)); } \
     else if cell(king(me)) != () { lift(king(me)); }",
    "let all = cards(hand(me)); let free = all_cells() - occupied(); if !free.is_empty() && !all.is_empty() { \
     take_card(all[0], hand(me)); place_face_down(all[0], choose(me, \"go\", free), me); }",
    "me.sum += choose(me, \"pick\", $d..=9); me.sum += choose(me, \"pick\", 0..count($z) + 1);",
    "let all = choose_all(players(), \"pick\", |player| 0..=player.sum % 7); me.sum += all[0] * 2 + all[1];",
    "if !is_empty(deck) { let card = draw(deck, offer); if card.value > $d { move_card(card, offer, hand(me)); } }",
    "if me.sum > 500 { me.sum -= 400; }",
    "let free = all_cells() - occupied(); if free.count() > $d && count(deck) > $d { deal_face_down($d, deck); }",
    "tally(me, \"kept\", $d); tally(me, \"sum\", $d); set(after(me), \"kept\", me.sum);",
    "if me.sum % 50 == $d { win([after(me), me, after(me)]); }",
    "if !is_empty(heap) { shuffle(heap); draw(heap, offer); }",
];

const ZONES: [&str; 6] = ["deck", "bag", "heap", "offer", "hand(me)", "hand(after(me))"];

/// Random rules.
fn rules(seed: u64) -> String {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |count: usize| usize::try_from(chance.next_u64() % count as u64).unwrap();
    let mut text =
        String::from("fn deed(me) {\n    if game.rounds == 0 { deal(3, deck, \"hand\"); draw(deck, offer); }\n");
    for _ in 0..7 {
        let seen = ["heap", "offer", "hand(me)", "hand(after(me))"][below(4)];
        let same = ZONES[below(ZONES.len())];
        let card = format!("piece(\"k{}\")", below(5));
        let mut deed = DEEDS[below(DEEDS.len())].replace("$v", seen).replace("$q", same).replace("$c", &card);
        while let Some((before, after)) = deed.split_once('$') {
            let hole = match &after[..1] {
                "z" => ZONES[below(ZONES.len())].to_owned(),
                _ => (1 + below(4)).to_string(),
            };
            deed = format!("{before}{hole}{}", &after[1..]);
        }
        text += &format!("    {{ {deed} }}\n");
    }
    text + "}\n"
}

/// Plays random rules with these cards. Most of the games must be played by compiled rules.
fn compare(cards: &str, seeds: std::ops::Range<u64>) {
    const GAMES: u64 = 4;
    let (mut whole, mut most) = (0, 0);
    for seed in seeds {
        let rules = rules(seed);
        let files = [("cards.yaml", cards)];
        whole += play_tried(&format!("seed {seed}\n{rules}"), GAME, &files, &rules, GAMES).0;
        most += GAMES * Engine::ALL.len() as u64;
    }
    println!("{whole} of {most} games played by compiled rules");
    assert!(whole * 10 >= most * 7, "only {whole} of {most} games");
}

#[test]
fn cards_are_drawn_and_moved_the_same() {
    compare(&cards(&[1], 12), 0..40);
    compare(&cards(&[1], 70), 40..50);
    compare(&cards(&[1, 3, 2, 5], 9), 50..80);
}

#[test]
#[ignore = "takes minutes"]
fn cards_are_drawn_and_moved_the_same_in_full() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let (first, count) = (number("MADE_UP_FROM").unwrap_or(100), number("MADE_UP").unwrap_or(500));
    for (at, cards) in
        [cards(&[1], 12), cards(&[1], 70), cards(&[1, 3, 2, 5], 9), cards(&[1, 9, 20], 20)].iter().enumerate()
    {
        let first = first + at as u64 * count;
        compare(cards, first..first + count);
    }
}

/// Copies have one value together on purpose, or it is an error, which ends a game of both.
#[test]
fn values_of_copies_are_set_the_same() {
    const GAMES: u64 = 6;
    let game = GAME.replace(
        "piece king",
        "counter price for each trick = 1 shared\nproperty met for each trick NUMBERS shared\nflag used for each trick\npiece king",
    );
    // Cards of an even number are single ones.
    let cards = cards(&[1, 3], 12);
    let deed = |when: &str| {
        format!(
            "fn deed(me) {{\n    choose(me, \"pick\", [may(\"pick\", 1), may(\"stop\")]);\n    if is_empty(deck) {{ for card in cards(heap) {{ move_card(card, heap, deck); }} shuffle(deck); }}\n    \
             let card = draw(deck, heap);\n    card.price += card.value;\n    tally(card, \"price\", 1);\n    \
             card.met = set_of([card.value, 3]);\n    if {when} {{ card.used = !card.used; set(card, \"used\", card.used); }}\n    \
             me.sum += card.price + card.met.len() + if card.used {{ 1 }} else {{ 0 }};\n}}"
        )
    };
    let files = [("cards.yaml", cards.as_str())];
    let engines = Engine::ALL.len() as u64;
    let (whole, told) = play_tried("single cards", &game, &files, &deed("card.value % 2 == 0"), GAMES);
    assert_eq!(whole, GAMES * engines, "{told}");
    let (whole, _) = play_tried("copies", &game, &files, &deed("true"), GAMES);
    assert!(whole < GAMES * engines, "{whole} games without the error");
}
