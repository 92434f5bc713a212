//! No call does more than it counts: every function that rules can call is called with arguments of growing size. What
//! it costs, in operations, grows with the size, and with the memory that it takes.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use referee::diagnostic::Diagnostic;
use referee::game::{Game, SearchPath};
use referee::rules::{self, Answers, End, Keep, Program, Reply};
use referee::source::MemoryHost;
use referee::table::{Phase, State, Throw, Value};
use referee::trace::{Answer, Ask, Question};

use super::on_worker;
use crate::games::playing::Playable;

/// The sizes of lists, maps and strings.
const SIZES: [i64; 2] = [100, 9000];
/// The sides of boards.
const SIDES: [i64; 2] = [6, 60];
/// The number of calls that are measured together.
const CALLS: i64 = 4;
/// The bytes that a call may take for each operation that it counts, and those that it may take besides.
const BYTES: u64 = 1024;
const BESIDES: u64 = 12_000;

/// How the cost of a call grows.
enum Cost {
    /// With the size: the larger size costs at least four times as much.
    Grows,
    /// It is always the same, because of this.
    Same(&'static str),
}

use Cost::{Grows, Same};

const NUMBERS: Cost = Same("numbers, characters and booleans have one size");
const FIRST: Cost = Same("it looks at one place");
const PLACE: Cost = Same("it looks at one piece, cell, zone or player");
const ENDS: Cost = Same("it ends the game");

/// A call, and how its cost grows.
type Call = (&'static str, Cost);

/// The values of the calls: their names, and how they are made.
const VALUES: [(&str, &str); 14] = [
    ("nest", "let nest = #{a: 1}; for k in 0..n { nest = #{a: nest}; }"),
    ("list", "let list = []; list.pad(n, 1);"),
    ("other", "let other = []; other.pad(n, 1);"),
    ("text", "let text = \"\"; text.pad(n, \"x\");"),
    ("words", "let words = \"\"; words.pad(n, \"x \");"),
    ("map", "let map = #{}; for k in 0..n { map[`k${k}`] = k; }"),
    ("more", "let more = #{}; for k in 0..n { more[`m${k}`] = k; }"),
    ("letter", "let letter = 'x';"),
    ("cells", "let cells = all_cells();"),
    ("pieces", "for cell in edge() { if at(cell) == () { place(man(me), cell); } } let pieces = occupied();"),
    ("dirs", "let dirs = touched(all_cells());"),
    ("moves", "let moves = steps(touched(all_cells()));"),
    ("far", "let far = nth(directions());"),
    ("card", "let card = cards(heap)[0];"),
];

/// What cannot be measured: calls of properties that the check refuses (rules call the function instead), and
/// `repetitions`, which needs a history; its work is that of packing the position.
const REFUSED: &[Call] = &[];

/// For each function of Rhai's library and number of parameters, calls of it, and their cost.
const LIBRARY: &[(&str, &[Call])] = &[
    ("!/1", &[("!true", NUMBERS)]),
    ("!=/2", &[("list != other", Grows), ("map != #{}", Grows), ("n != 2", NUMBERS)]),
    ("+/1", &[("+n", NUMBERS)]),
    ("+/2", &[("list + [1]", Grows), ("text + \"y\"", Grows), ("map + #{ a: 1 }", Grows), ("n + 2", NUMBERS)]),
    (
        "+=/2",
        &[("let a = list; a += 1", Grows), ("let t = text; t += \"y\"", Grows), ("let m = map; m += #{ a: 1 }", Grows)],
    ),
    ("-/1", &[("-n", NUMBERS)]),
    ("-/2", &[("n - 2", NUMBERS)]),
    ("==/2", &[("list == other", Grows), ("map == more", Grows), ("text == words", Grows), ("n == 2", NUMBERS)]),
    ("abs/1", &[("n.abs()", NUMBERS)]),
    ("all/2", &[("list.all(|x| x == 1)", Grows)]),
    ("append/2", &[("let a = []; a.append(list)", Grows)]),
    ("bits/1", &[("n.bits()", NUMBERS)]),
    ("bits/2", &[("n.bits(2)", NUMBERS)]),
    ("bits/3", &[("n.bits(2, 3)", NUMBERS)]),
    ("bytes/1", &[("text.bytes()", Grows)]),
    ("chars/1", &[("text.chars()", Grows)]),
    ("chars/2", &[("text.chars(2)", Grows)]),
    ("chars/3", &[("text.chars(2, 3)", Grows)]),
    ("chop/2", &[("let a = list; a.chop(3)", Grows)]),
    ("clear/1", &[("let a = list; a.clear()", FIRST), ("let t = text; t.clear()", Grows)]),
    ("contains/2", &[("list.contains(2)", Grows), ("text.contains(\"y\")", Grows), ("map.contains(\"y\")", FIRST)]),
    ("crop/2", &[("let t = text; t.crop(3)", Grows)]),
    ("crop/3", &[("let t = text; t.crop(3, 4)", Grows)]),
    ("debug/0", &[("debug()", NUMBERS)]),
    ("debug/1", &[("debug(text)", Grows)]),
    ("dedup/1", &[("let a = list; a.dedup()", Grows)]),
    ("dedup/2", &[("let a = list; a.dedup(|x, y| x == y)", Grows)]),
    ("drain/2", &[("let a = list; a.drain(|x| x == 1)", Grows), ("let a = list; a.drain(0..n)", Grows)]),
    ("drain/3", &[("let a = list; a.drain(0, n)", Grows)]),
    ("end/1", &[("(0..n).end()", NUMBERS)]),
    ("ends_with/2", &[("text.ends_with(\"y\")", Grows)]),
    ("extract/2", &[("list.extract(1)", Grows), ("list.extract(0..n)", Grows)]),
    ("extract/3", &[("list.extract(0, n)", Grows)]),
    ("fill_with/2", &[("let m = #{}; m.fill_with(map)", Grows)]),
    ("filter/2", &[("list.filter(|x| x == 1)", Grows)]),
    ("find/2", &[("list.find(|x| x == 2)", Grows)]),
    ("find/3", &[("list.find(|x| x == 2, 1)", Grows)]),
    ("find_map/2", &[("list.find_map(|x| ())", Grows)]),
    ("find_map/3", &[("list.find_map(|x| (), 1)", Grows)]),
    ("for_each/2", &[("let a = list; a.for_each(|| this += 1)", Grows)]),
    ("get$bits/1", &[("n.bits", NUMBERS)]),
    ("get$bytes/1", REFUSED),
    ("get$chars/1", &[("text.chars", Grows)]),
    ("get$end/1", &[("(0..n).end", NUMBERS)]),
    ("get$is_anonymous/1", REFUSED),
    ("get$is_empty/1", &[("text.is_empty", FIRST)]),
    ("get$is_even/1", REFUSED),
    ("get$is_exclusive/1", &[("(0..n).is_exclusive", NUMBERS)]),
    ("get$is_inclusive/1", &[("(0..n).is_inclusive", NUMBERS)]),
    ("get$is_odd/1", REFUSED),
    ("get$is_zero/1", REFUSED),
    ("get$len/1", &[("list.len", FIRST), ("text.len", Grows)]),
    ("get$name/1", REFUSED),
    ("get$start/1", &[("(0..n).start", NUMBERS)]),
    ("get/2", &[("list.get(3)", FIRST), ("map.get(\"k1\")", FIRST), ("text.get(3)", Grows)]),
    (
        "index_of/2",
        &[("list.index_of(2)", Grows), ("list.index_of(|x| x == 2)", Grows), ("text.index_of(\"y\")", Grows)],
    ),
    ("index_of/3", &[("list.index_of(2, 1)", Grows), ("text.index_of(\"y\", 1)", Grows)]),
    ("insert/3", &[("let a = list; a.insert(0, 1)", Grows)]),
    ("is_anonymous/1", &[("Fn(\"keep\").is_anonymous()", FIRST)]),
    ("is_empty/1", &[("text.is_empty()", FIRST), ("list.is_empty()", FIRST)]),
    ("is_even/1", &[("n.is_even()", NUMBERS)]),
    ("is_exclusive/1", &[("(0..n).is_exclusive()", NUMBERS)]),
    ("is_inclusive/1", &[("(0..n).is_inclusive()", NUMBERS)]),
    ("is_odd/1", &[("n.is_odd()", NUMBERS)]),
    ("is_zero/1", &[("n.is_zero()", NUMBERS)]),
    ("keys/1", &[("map.keys()", Grows)]),
    ("len/1", &[("list.len()", FIRST), ("map.len()", FIRST), ("text.len()", Grows)]),
    ("make_lower/1", &[("let t = text; t.make_lower()", Grows)]),
    ("make_upper/1", &[("let t = text; t.make_upper()", Grows)]),
    ("map/2", &[("list.map(|x| x + 1)", Grows)]),
    ("max/2", &[("max(n, 2)", NUMBERS), ("max(text, words)", Grows)]),
    ("min/2", &[("min(n, 2)", NUMBERS), ("min(text, words)", Grows)]),
    ("mixin/2", &[("let m = #{}; m.mixin(map)", Grows)]),
    ("name/1", &[("name(me)", PLACE)]),
    ("order/1", &[("list.order()", Grows)]),
    ("order/2", &[("list.order(|x, y| x - y)", Grows)]),
    ("order_by/2", &[("list.order_by(|x, y| x - y)", Grows)]),
    ("order_desc/1", &[("list.order_desc()", Grows)]),
    (
        "pad/3",
        &[
            ("let a = []; a.pad(n, 1)", Grows),
            ("let t = \"\"; t.pad(n, \"ab\")", Grows),
            ("let t = \"\"; t.pad(n, letter)", Grows),
        ],
    ),
    ("parse_int/1", &[("parse_int(\"5\")", NUMBERS)]),
    ("parse_int/2", &[("parse_int(\"5\", 8)", NUMBERS)]),
    ("pop/1", &[("let a = [1]; a.pop()", FIRST), ("let t = text; t.pop()", Grows)]),
    ("pop/2", &[("let t = text; t.pop(2)", Grows)]),
    ("print/0", &[("print()", NUMBERS)]),
    ("print/1", &[("print(text)", Grows)]),
    ("push/2", &[("let a = []; a.push(list)", FIRST)]),
    ("range/2", &[("range(0, n)", NUMBERS)]),
    ("range/3", &[("range(0, n, 2)", NUMBERS)]),
    ("reduce/2", &[("list.reduce(|s, x| x)", Grows)]),
    ("reduce/3", &[("list.reduce(|s, x| s + x, 0)", Grows)]),
    ("reduce_rev/2", &[("list.reduce_rev(|s, x| x)", Grows)]),
    ("reduce_rev/3", &[("list.reduce_rev(|s, x| s + x, 0)", Grows)]),
    (
        "remove/2",
        &[
            ("let a = list; a.remove(0)", Grows),
            ("let m = map; m.remove(\"k1\")", Grows),
            ("let t = text; t.remove(\"y\")", Grows),
        ],
    ),
    (
        "replace/3",
        &[("let t = text; t.replace(\"xx\", \"y\")", Grows), ("let t = text; t.replace(letter, 'y')", Grows)],
    ),
    ("retain/2", &[("let a = list; a.retain(|x| x == 1)", Grows), ("let a = list; a.retain(0..n)", Grows)]),
    ("retain/3", &[("let a = list; a.retain(0, n)", Grows)]),
    ("reverse/1", &[("let a = list; a.reverse()", Grows)]),
    (
        "set/3",
        &[
            ("let a = list; a.set(0, 2)", Grows),
            ("let m = map; m.set(\"k\" + 1, 2)", Grows),
            ("let t = text; t.set(0, 'y')", Grows),
        ],
    ),
    ("shift/1", &[("let a = list; a.shift()", Grows)]),
    ("sign/1", &[("n.sign()", NUMBERS)]),
    ("some/2", &[("list.some(|x| x == 2)", Grows)]),
    ("sort/1", &[("let a = list; a.sort()", Grows)]),
    ("sort/2", &[("let a = list; a.sort(|x, y| x - y)", Grows)]),
    ("sort_by/2", &[("let a = list; a.sort_by(|x, y| x - y)", Grows)]),
    ("sort_desc/1", &[("let a = list; a.sort_desc()", Grows)]),
    ("splice/3", &[("let a = list; a.splice(0..n, other)", Grows)]),
    ("splice/4", &[("let a = list; a.splice(0, 1, [2])", Grows)]),
    ("split/1", &[("words.split()", Grows)]),
    ("split/2", &[("words.split(\" \")", Grows), ("let a = list; a.split(1)", Grows)]),
    ("split/3", &[("words.split(\" \", 3)", Grows)]),
    ("split_rev/2", &[("words.split_rev(\" \")", Grows)]),
    ("split_rev/3", &[("words.split_rev(\" \", 3)", Grows)]),
    ("start/1", &[("(0..n).start()", NUMBERS)]),
    ("starts_with/2", &[("text.starts_with(\"y\")", Grows)]),
    ("sub_string/2", &[("text.sub_string(1)", Grows)]),
    ("sub_string/3", &[("text.sub_string(1, 3)", Grows)]),
    ("to_binary/1", &[("n.to_binary()", NUMBERS)]),
    ("to_blob/1", &[("text.to_blob()", Grows)]),
    ("to_chars/1", &[("text.to_chars()", Grows)]),
    ("to_debug/1", &[("list.extract(0, n / 4).to_debug()", Grows)]),
    ("to_hex/1", &[("n.to_hex()", NUMBERS)]),
    ("to_int/1", &[("n.to_int()", NUMBERS)]),
    ("to_json/1", &[("#{ a: text }.to_json()", Grows)]),
    ("to_lower/1", &[("text.to_lower()", Grows)]),
    ("to_octal/1", &[("n.to_octal()", NUMBERS)]),
    ("to_string/1", &[("list.extract(0, n / 4).to_string()", Grows)]),
    ("to_upper/1", &[("text.to_upper()", Grows)]),
    ("trim/1", &[("let t = words; t.trim()", Grows)]),
    ("truncate/2", &[("let a = list; a.truncate(3)", Grows), ("let t = text; t.truncate(3)", Grows)]),
    ("values/1", &[("map.values()", Grows)]),
    ("zip/3", &[("list.zip(other, |x, y| x + y)", Grows)]),
    // What is no call, but reads or makes values.
    (
        "=",
        &[
            ("let a = list; a[0] = 2", Grows),
            ("let m = map; m[\"k1\"] = 2", Grows),
            ("`${text}`", Grows),
            ("text[0]", Grows),
        ],
    ),
    ("for", &[("for x in list { }", Grows), ("for x in text { }", Grows), ("for x in 0..n { }", Grows)]),
    ("in", &[("2 in list", Grows), ("switch list { [1] => 1 }", FIRST)]),
];

/// The same for the functions of the API, by their signatures, on boards of growing size.
const API: &[(&str, &[Call])] = &[
    ("roll/1", &[("roll(\"d\")", FIRST)]),
    ("sum/1", &[("sum(cells.in_order().map(|cell| 1))", Grows)]),
    ("set_of/1", &[("set_of(in_order(cells))", Grows)]),
    ("choose/3", &[("choose(me, \"walk\", cells)", Grows)]),
    ("choose_all/3", &[("choose_all(players(), \"walk\", |player| all_cells())", Grows)]),
    ("may/2", &[("may(\"walk\", far)", FIRST)]),
    ("then/2", &[("then(\"keep\", in_order(cells))", Grows)]),
    ("choose_then/4", &[("choose_then(me, \"walk\", cells, \"walked\")", Grows)]),
    ("piece/1", &[("piece(\"king\")", FIRST)]),
    ("pieces/1", &[("pieces(\"man\")", FIRST)]),
    ("owner/1", &[("owner(man(me))", PLACE)]),
    ("number/1", &[("number(far)", PLACE)]),
    ("is_kind/2", &[("is_kind(king, \"king\")", PLACE)]),
    ("is_off/1", &[("is_off(king)", PLACE)]),
    ("cell/1", &[("cell(king)", PLACE)]),
    ("cell/2", &[("cell(1, 1)", PLACE)]),
    ("cells/1", &[("cells(man(me))", Grows), ("cells(me)", Grows)]),
    ("shifted/2", &[("shifted(man(me), 1)", Grows)]),
    ("leaves/2", &[("leaves(king, 1)", PLACE)]),
    ("footprint/2", &[("footprint(king, far)", Grows)]),
    ("place/2", &[("place(king, nth(1))", PLACE)]),
    ("advance/2", &[("place(king, nth(1)); king.advance(direction_named(\"E\"))", PLACE)]),
    ("lift/1", &[("lift(king)", PLACE)]),
    ("lift/2", &[("place(man(me), nth(1)); lift(man(me), nth(1))", PLACE)]),
    ("remove/1", &[("place(king, nth(1)); remove(nth(1))", PLACE)]),
    ("draw/1", &[("move_card(card, heap, deck); put_card(draw(deck), heap)", Grows)]),
    ("draw/2", &[("move_card(card, heap, deck); draw(deck, heap)", Grows)]),
    (
        "deal/3",
        &[(
            "let two = cards(heap); move_card(two[0], heap, deck); move_card(two[1], heap, deck); deal(1, deck, \"hand\")",
            Grows,
        )],
    ),
    ("shuffle/1", &[("shuffle(heap)", Grows)]),
    ("move_card/3", &[("move_card(card, heap, deck); move_card(card, deck, heap)", Grows)]),
    ("put_card/2", &[("take_card(card, heap); put_card(card, heap)", Grows)]),
    ("take_card/2", &[("take_card(card, heap); put_card(card, heap)", Grows)]),
    ("count/1", &[("count(heap)", Grows), ("count(pieces)", PLACE), ("count(moves)", FIRST)]),
    ("count/2", &[("count(heap, card)", Grows)]),
    ("has/2", &[("has(heap, card)", PLACE), ("has(cells, far)", PLACE)]),
    ("is_empty/1", &[("is_empty(heap)", PLACE), ("is_empty(cells)", PLACE), ("is_empty(moves)", FIRST)]),
    ("cards/1", &[("cards(heap)", Grows)]),
    ("deal_face_down/2", &[("move_card(cards(heap)[0], heap, deck); deal_face_down(1, deck)", Grows)]),
    ("deal_face_up/2", &[("move_card(cards(heap)[0], heap, deck); deal_face_up(1, deck)", Grows)]),
    ("place_face_down/2", &[("take_card(card, heap); place_face_down(card, nth(2)); pick_up(nth(2), heap)", Grows)]),
    (
        "place_face_down/3",
        &[("take_card(card, heap); place_face_down(card, nth(2), me); pick_up(nth(2), heap)", Grows)],
    ),
    (
        "turn_up/1",
        &[(
            "take_card(card, heap); place_face_down(card, nth(2)); turn_up(nth(2)); remove(nth(2)); put_card(card, heap)",
            Grows,
        )],
    ),
    ("pick_up/2", &[("take_card(card, heap); place_face_down(card, nth(2)); pick_up(nth(2), heap)", Grows)]),
    (
        "look_at/2",
        &[("take_card(card, heap); place_face_down(card, nth(2)); look_at(nth(2), me); pick_up(nth(2), heap)", Grows)],
    ),
    ("knows/2", &[("knows(me, far)", PLACE)]),
    ("is_face_down/1", &[("is_face_down(far)", PLACE)]),
    ("face_down/0", &[("face_down()", Grows)]),
    ("cell_named/1", &[("cell_named(\"a1\")", PLACE)]),
    ("column/1", &[("column(far)", PLACE)]),
    ("row/1", &[("row(far)", PLACE)]),
    ("at/1", &[("at(far)", PLACE)]),
    ("step/2", &[("step(far, 1)", PLACE)]),
    ("nth/1", &[("nth(3)", PLACE)]),
    ("arrow/1", &[("arrow(far)", PLACE)]),
    ("direction_to/2", &[("direction_to(far, nth(1))", PLACE)]),
    ("directions/0", &[("directions()", PLACE)]),
    ("direction_named/1", &[("direction_named(\"N\")", PLACE)]),
    ("reverse/1", &[("reverse(1)", PLACE)]),
    ("horizontal/1", &[("horizontal(1)", PLACE)]),
    ("vertical/1", &[("vertical(1)", PLACE)]),
    ("mirrored/3", &[("mirrored(1, true, false)", PLACE)]),
    ("all_cells/0", &[("all_cells()", Grows)]),
    ("edge/0", &[("edge()", Grows)]),
    ("inside/0", &[("inside()", Grows)]),
    ("margin/0", &[("margin()", Grows)]),
    ("outside/1", &[("outside(pieces)", Grows)]),
    ("is_inside/1", &[("is_inside(far)", PLACE)]),
    ("no_cells/0", &[("no_cells()", Grows)]),
    ("one/1", &[("one(far)", Grows)]),
    ("occupied/0", &[("occupied()", Grows), ("occupied(\"man\")", Grows)]),
    ("on/1", &[("on(pieces)", Grows)]),
    ("in_order/1", &[("in_order(cells)", Grows)]),
    ("around/1", &[("around(pieces)", Grows)]),
    ("|/2", &[("cells | pieces", Grows), ("dirs | dirs", Grows)]),
    ("&/2", &[("cells & pieces", Grows), ("dirs & cells", Grows)]),
    ("-/2", &[("cells - pieces", Grows), ("dirs - cells", Grows)]),
    ("shift/2", &[("shift(cells, 1)", Grows)]),
    ("touched/1", &[("touched(cells)", Grows)]),
    ("touched/2", &[("touched(cells, 3)", Grows)]),
    ("seen/1", &[("seen(cells)", Grows)]),
    ("seen/2", &[("seen(cells, 3)", Grows)]),
    ("lined/2", &[("lined(cells, n)", Grows)]),
    ("nearest/2", &[("nearest(far, one(nth(1)))", Grows)]),
    ("line/2", &[("line(far, 1)", Grows)]),
    ("longest_line/0", &[("longest_line()", PLACE)]),
    ("jumps/2", &[("jumps(dirs, 2)", Grows)]),
    ("toward/2", &[("toward(dirs, 1)", Grows)]),
    ("only/2", &[("only(cells, 1)", Grows)]),
    ("flood/2", &[("flood(one(far), cells)", Grows)]),
    ("connected/1", &[("connected(cells)", Grows)]),
    ("groups/1", &[("groups(edge())", Grows)]),
    ("steps/1", &[("steps(dirs)", Grows)]),
    ("seen_through/2", &[("seen_through(pieces, cells)", Grows)]),
    ("behind/1", &[("behind(dirs)", Grows)]),
    ("opposite/1", &[("opposite(dirs)", Grows)]),
    ("in_any/1", &[("in_any(dirs)", Grows)]),
    ("filter/2", &[("moves.filter(|move| move.captures)", Grows)]),
    ("make/1", &[("place(king, nth(1)); make(path(nth(1), nth(2))); lift(king)", PLACE)]),
    ("can_move/1", &[("can_move(me)", Grows)]),
    ("no_moves/0", &[("no_moves()", FIRST)]),
    ("+/2", &[("moves + moves", Grows), ("moves + path(far, nth(1))", Grows)]),
    ("from/1", &[("path(far, nth(1)).from", PLACE)]),
    ("to/1", &[("path(far, nth(1)).to", PLACE)]),
    ("captures/1", &[("path(far, nth(1)).captures", PLACE)]),
    ("path/2", &[("path(far, nth(1))", PLACE)]),
    ("onward/2", &[("path(far, nth(1)).onward(nth(2))", PLACE)]),
    ("capturing/2", &[("path(far, nth(1)).capturing(cells)", Grows)]),
    ("captured/1", &[("captured(path(far, nth(1)))", PLACE)]),
    ("stops/1", &[("stops(path(far, nth(1)))", PLACE)]),
    ("players/0", &[("players()", PLACE)]),
    ("after/1", &[("after(me)", PLACE)]),
    // A second one in a turn is an error.
    ("next_turn/1", &[]),
    ("name/1", &[("name(far)", PLACE)]),
    ("set/3", &[("set(me, \"notes\", set_of(in_order(cells)))", Grows)]),
    ("tally/3", &[("tally(me, \"score\", 1)", PLACE)]),
    ("option/1", &[("option(\"way\")", PLACE)]),
    ("variant/0", &[("variant()", PLACE)]),
    ("event/2", &[("event(\"says\", \"x\")", PLACE)]),
    ("clause/1", &[("clause(\"A1\")", PLACE)]),
    ("win/1", &[("win(me)", ENDS)]),
    ("lose/1", &[("lose(me)", ENDS)]),
    ("nobody_wins/0", &[("nobody_wins()", ENDS)]),
    ("draw_game/0", &[("draw_game()", ENDS)]),
    ("repetitions/1", REFUSED),
];

/// The game for boards of this side.
fn game(side: i64) -> String {
    format!(
        "game costs \"Costs\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
         board grid {side}x{side}\ndie d 1..6\npiece man many for each player symbols r b\npiece king symbol K\n\
         option way = one | two \"Way\"\ncounter score for each player = 0\nproperty notes for each player CELLS\n\
         zone deck pile\nzone heap open\nzone hand for each player\nask walk CELL \"Walk\"\nevent says TEXT \"Says\"\n\
         card trick from \"cards.yaml\" in heap\n"
    )
}

/// A function of the rules for each call. The second parameter is the number of calls.
fn rules(calls: &[&str]) -> String {
    let mut rules = "fn turn(me) { roll(\"d\"); }\nfn keep(value) { }\nfn walked(me, cell) { }\n\
                     fn moves(me) { steps(touched(all_cells())) }\n"
        .to_owned();
    for (at, call) in calls.iter().enumerate() {
        let words: BTreeSet<&str> = call.split(|letter: char| !letter.is_alphanumeric()).collect();
        let values = VALUES.iter().filter(|(name, _)| words.contains(name)).map(|(_, made)| *made);
        let values = values.collect::<Vec<&str>>().join(" ");
        let is_statement = call.starts_with("for ") || call.starts_with("let ") || call.contains("; ");
        let call = if is_statement { format!("{call};") } else { format!("keep({call});") };
        let _ = writeln!(rules, "fn c{at}(n, times) {{ let me = red; {values} for time in 0..times {{ {call} }} }}");
    }
    rules
}

/// Answers what is asked with the first answer.
struct First;

impl Answers for First {
    fn answer(&mut self, ask: &Ask, state: &State) -> Reply {
        Reply::Answer(match &ask.question {
            Question::Roll(_) => Answer::Rolled(Throw::of([0])),
            Question::Draw(_) => ask.question.chances(state)[0].0.clone(),
            Question::Choose(_) => Answer::Chosen(0),
            Question::ChooseAll(all) => Answer::AllChosen(vec![0; all.len()]),
        })
    }
}

/// The operations and the bytes of the calls with this number, each time in a phase of its own.
fn figures(playable: &(Playable, State), at: usize, size: i64, times: i64) -> Result<(u64, u64), String> {
    let (program, state) = (&playable.0.program, playable.1.clone());
    let phase = Phase { name: format!("c{at}").into(), args: vec![Value::Int(size), Value::Int(times)] };
    let (mut operations, mut fault) = (0, None);
    let info = allocation_counter::measure(|| {
        program.begin(0);
        let before = program.spent();
        let run = program.run(state, &phase, Box::new(First), Keep::default());
        operations = program.spent() - before;
        if let End::Fault(wrong) = run.end {
            fault = Some(wrong.message.clone());
        }
    });
    fault.map_or(Ok((operations, info.bytes_total)), Err)
}

/// What is wrong with the costs of these calls.
fn wrong(calls: &[(&str, &Cost)], sizes: [i64; 2], boards: [i64; 2]) -> Vec<String> {
    let script = rules(&calls.iter().map(|(call, _)| *call).collect::<Vec<_>>());
    let [small, large] = boards.map(|side| load(side, &script));
    let each = calls.iter().enumerate().filter_map(|(at, (call, cost))| {
        let of = |playable: &(Playable, State), size: i64| {
            // What a board knows of itself is found out once.
            figures(playable, at, size, CALLS)?;
            let (before, after) = (figures(playable, at, size, 0)?, figures(playable, at, size, CALLS)?);
            let each = |after: u64, before: u64| after.saturating_sub(before) / CALLS.unsigned_abs();
            Ok::<_, String>((each(after.0, before.0), each(after.1, before.1)))
        };
        let ((few, _), (many, bytes)) = match (of(&small, sizes[0]), of(&large, sizes[1])) {
            (Ok(few), Ok(many)) => (few, many),
            (Err(wrong), _) | (_, Err(wrong)) => return Some(format!("`{call}`: {wrong}")),
        };
        let grows = many >= 4 * few.max(1);
        let told = match cost {
            Grows if !grows => "does not grow with the size".to_owned(),
            Same(reason) if grows && many > 40 => format!("grows with the size, though {reason}"),
            _ if bytes > BESIDES + BYTES * many => "takes more memory than it counts".to_owned(),
            _ => return None,
        };
        Some(format!("`{call}` {told}: {few} and {many} operations, {bytes} bytes"))
    });
    each.collect()
}

#[track_caller]
fn none_wrong(table: &[(&str, &[Call])], sizes: [i64; 2], boards: [i64; 2]) {
    let calls = table.iter().flat_map(|(_, calls)| calls.iter().map(|(call, cost)| (*call, cost)));
    let calls: Vec<(&str, &Cost)> = calls.collect();
    let wrong = on_worker(|| wrong(&calls, sizes, boards));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rules for a board of this side.
fn load(side: i64, script: &str) -> (Playable, State) {
    let cards: String = (0..side * side / 4).map(|at| format!("  - {{name: card {at}}}\n")).collect();
    let host = MemoryHost::default()
        .with("games/costs/costs.game", game(side))
        .with("games/costs/RULES.md", "[A1] Play.\n")
        .with("games/costs/cards.yaml", format!("cards:\n{cards}"))
        .with("games/costs/rules.rhai", script);
    let asked = Diagnostic::general("unknown_game", "no such game");
    let game = Game::find(&SearchPath::new(&host, None, "".into()), Path::new("a.scenario"), "costs", &asked);
    let game = game.unwrap_or_else(|wrong| unreachable!("{wrong:?}"));
    let program = Program::load(&game.schema, &[Arc::clone(&game.rules)]);
    let playable = Playable {
        program: program.unwrap_or_else(|wrong| {
            unreachable!(
                "{:?}",
                wrong.iter().map(|one| (&one.message, one.labels.first().map(|label| label.span))).collect::<Vec<_>>()
            )
        }),
    };
    let variant = playable.program.schema().variants.first().cloned().unwrap_or_default();
    let state = playable.start(&variant, 2, playable.defaults());
    (playable, state)
}

#[test]
fn no_function_of_the_library_does_more_than_it_counts() {
    let table: BTreeSet<String> = LIBRARY.iter().map(|(name, _)| (*name).to_owned()).collect();
    let missing: Vec<String> = rules::library().into_iter().filter(|name| !table.contains(name)).collect();
    assert!(missing.is_empty(), "functions without a call in LIBRARY: {missing:?}");
    none_wrong(LIBRARY, SIZES, [6, 6]);
}

#[test]
fn no_function_of_the_board_does_more_than_it_counts() {
    let table: BTreeSet<&str> = API.iter().map(|(name, _)| name.split_once('/').map_or("", |(name, _)| name)).collect();
    let entries = rules::reference();
    let missing: Vec<&str> = entries.iter().map(|entry| entry.name()).filter(|name| !table.contains(name)).collect();
    assert!(missing.is_empty(), "functions without a call in API: {missing:?}");
    none_wrong(API, SIDES, SIDES);
}

/// Rhai's library gets a map as a tree, each level with nodes of its own.
#[test]
fn nested_maps_cost_what_is_made_to_write_them() {
    on_worker(|| {
        let calls = ["`${nest}`", "nest.to_string()", "print(nest)"];
        let playable = load(6, &rules(&calls));
        for (at, call) in calls.iter().enumerate() {
            let of = |times| figures(&playable, at, 57, times).unwrap_or_else(|wrong| unreachable!("{call}: {wrong}"));
            let (before, after) = (of(0), of(100));
            let (operations, bytes) = (after.0 - before.0, after.1 - before.1);
            assert!(bytes <= 256 * operations, "{call}: {operations} operations, {bytes} bytes");
        }
    });
}
