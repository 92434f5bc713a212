//! Resources: amounts that owners have, pay, gain and trade, in game files, data files, lines and rules.

use super::Project;

const GAME: &str = r#"game mine "Mine"
players 2..3 ann bob cem
rules "rules.rhai"
rulebook "RULES.md"

die 1..6
resource ore, wool for each player = 1 supply 5
resource coin for each player
zone deck hidden
card tool from "cards.yaml" in deck
resource rust for each tool
property paid for each player AMOUNT
ask buy PIECE
ask offer AMOUNT for AMOUNT
ask stop
event PLAYER pays AMOUNT
event PLAYER digs AMOUNT
"#;

const CARDS: &str = "printed: {cost: AMOUNT}
cards:
  - {name: cart, cost: {ore: 2, coin: 1}}
  - {name: lamp, cost: {wool: 1}, count: 3}
  - {name: song}
";

const RULES: &str = r#"fn turn(me) {
    if !can_pay_all(me) { dig(me); }
    let options = [may("stop")];
    for tool in pieces("tool") { if can_pay(me, tool.cost ?? #{}) { options.push(may("buy", tool)); } }
    let others = amounts(after(me));
    if total(others) > 0 && me.coin > 0 {
        for name in others.keys() {
            let gets = #{};
            gets[name] = 1;
            options.push(may("offer", #{ coin: 1 }, gets));
        }
    }
    let chosen = choose(me, "stop", options);
    switch chosen.verb {
        "buy" => {
            let cost = chosen.value.cost ?? #{};
            pay(me, cost);
            me.paid = cost;
            event("pays", me, cost);
        },
        "offer" => trade(me, chosen.values[0], after(me), chosen.values[1]),
        _ => {}
    }
    if me.coin > 9 { win(me); }
}

fn can_pay_all(me) { pieces("tool").all(|tool| can_pay(me, tool.cost ?? #{})) }

fn dig(me) {
    let found = roll();
    let amount = #{ coin: found };
    if found > 3 && (supply().ore ?? 0) > 0 { amount.ore = 1; }
    gain(me, amount);
    event("digs", me, amount);
}
"#;

fn project() -> Project {
    Project::new()
        .file("games/mine/mine.game", GAME)
        .file("games/mine/RULES.md", "[A1] Dig.\n")
        .file("games/mine/cards.yaml", CARDS)
        .file("games/mine/rules.rhai", RULES)
}

fn judged(lines: &str) -> super::Ran {
    project().file("a.scenario", format!("use mine\n\nscenario \"A position\"\n{lines}")).run(&["test", "a.scenario"])
}

#[test]
fn amounts_are_paid_gained_and_traded() {
    let ran = judged(
        r#"  players ann bob
  set ann has ore x2 wool
  set bob has "wool" x2
  turn ann
  roll 5
  expect ann has ore x3 wool coin x5
  expect ann.ore = 3
  expect game.ore_supply = 4
  expect game.wool_supply = 4
  expect ann has coin x4 …
  expect bob has wool x2
  expect { supply().wool == 4 && missing(bob, #{ ore: 2 }).ore == 2 }
  expect choices ann offer = coin for wool
  ann buy cart
  expect ann has ore wool coin x4
  expect ann.paid = ore x2 coin
  expect bob.paid = none
  expect events
    > ann digs ore coin x5
    > ann pays coin ore x2
  roll 1
  bob offer coin for wool
  expect bob has wool x3
  expect ann has ore coin x5
  expect game.ore_supply = 6
"#,
    );
    assert_eq!(ran.code, 0, "{}", ran.all());
}

#[test]
fn other_amounts_are_told() {
    let ran = judged(
        r"  players ann bob
  turn ann
  roll 1
  expect ann has ore wool
  expect ann has coin x2 …
  expect bob has none
",
    );
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn wrong_amounts_are_reported() {
    let ran = judged(
        r"  players ann bob
  set ann has 3 ore
  set bob has ore x0
  set bob has ore ore
  set ann has rust
  set cem has ore
  set bob.coin -3
  set game.wool_supply -1
  turn ann
  expect ann has
  expect ann has oer
  expect bob has rust
  ann offer coin x2, ore 3 for wool
",
    );
    insta::assert_snapshot!(ran.all());
    let ran = judged("  players ann bob\n  set ann has ore x9\n  turn ann\n  roll 1\n  expect ann.ore = 9\n");
    insta::assert_snapshot!(ran.all());
}

#[test]
fn wrong_declarations_are_reported() {
    let game = GAME
        .replace("= 1 supply 5", "= -1 supply -2")
        .replace("resource coin for", "resource ore, coin, wool_supply for");
    let cards = CARDS.replace("ore: 2", "iron: 2").replace("{wool: 1}", "[wool]").replace("coin: 1", "coin: many");
    let ran =
        project().file("games/mine/mine.game", &game).file("games/mine/cards.yaml", CARDS).run(&["check", "games"]);
    insta::assert_snapshot!(ran.all());
    let ran = project().file("games/mine/cards.yaml", &cards).run(&["check", "games"]);
    insta::assert_snapshot!(ran.all());
}

#[test]
fn wrong_rules_are_reported() {
    let rules = r#"fn turn(me) {
    me.ore += 1;
    set(me, "coin", 3);
    game.ore_supply = 4;
    pay(me, 3);
    win(me);
}
"#;
    let ran = project().file("games/mine/rules.rhai", rules).run(&["check", "games"]);
    insta::assert_snapshot!(ran.all());
}

#[test]
fn what_cannot_be_paid_is_an_error() {
    for (deed, said) in [
        ("pay(me, #{ ore: 7 });", "ann cannot pay 7 of `ore`: ann has 1"),
        ("gain(me, #{ ore: 3, wool: 6 });", "the supply has 5 of `wool`, not 6"),
        ("trade(me, #{ ore: 1 }, after(me), #{ coin: 1 });", "bob cannot pay 1 of `coin`: bob has 0"),
        ("gain(me, #{ iron: 1 });", "unknown resource `iron`"),
        ("gain(me, #{ rust: 1 });", "ann cannot have `rust`"),
        ("pay(me, #{ ore: -1 });", "expected how much of `ore` this is"),
        (r#"let name = ["ore", "wool"][roll() % 2]; me[name] = 3;"#, "a resource is paid and gained"),
        (r#"event("pays", me, #{ iron: 1 });"#, "unknown resource `iron`"),
        (r#"event("pays", me, #{ ore: -2 });"#, "expected an amount of resources, found a map"),
    ] {
        let ran = project()
            .file("games/mine/rules.rhai", format!("fn turn(me) {{ {deed} win(me); }}\n"))
            .file(
                "a.scenario",
                "use mine\n\nscenario \"A turn\"\n  players ann bob\n  turn ann\n  roll 2\n  expect over\n",
            )
            .run(&["test", "a.scenario"]);
        assert!(ran.code != 0 && ran.all().contains(said), "{deed}\n{}", ran.all());
    }
}

/// Games are the same by each engine, nothing of a supply is lost, and a recorded game is read again.
#[test]
fn games_with_resources_are_the_same_by_each_engine() {
    let plain = "fn turn(me) {\n    let found = roll();\n    gain(me, #{ coin: found });\n    \
                 if found > 3 && can_pay(me, #{ ore: 1 }) { pay(me, #{ ore: 1 }, after(me)); }\n    \
                 if can_pay(me, #{ coin: 9, wool: 1 }) { pay(me, #{ coin: 9, wool: 1 }); me.paid = amounts(me); event(\"pays\", me, me.paid); }\n    \
                 if me.coin > 20 { win(me); }\n}\n";
    let quick = project().file("games/mine/rules.rhai", plain);
    let played = |engine: &str| quick.run(&["simulate", "mine", "-n", "40", "--engine", engine, "--format", "json"]);
    assert_eq!(played("wasmi").stdout, played("machine").stdout, "{}", played("wasmi").stderr);
    let project = project();
    let played = |engine: &str| project.run(&["simulate", "mine", "-n", "40", "--engine", engine, "--format", "json"]);
    assert_eq!(played("machine").code, 0);
    let recorded = project.run(&["simulate", "mine", "-n", "3", "--players", "2", "--record", "played"]);
    assert_eq!(recorded.code, 0, "{}", recorded.all());
    let again = project.run(&["test", "played"]);
    assert_eq!(again.code, 0, "{}", again.all());
    let always = "{ (supply().ore ?? 0) + ann.ore + bob.ore == 7 || players().len == 3 }";
    let explored = project.run(&["explore", "mine", "--games", "30", "--players", "2", "--always", always]);
    assert!(!explored.all().contains("invariant"), "{}", explored.all());
}

#[test]
fn cards_of_a_zone_may_be_counted() {
    let ran = judged(
        "  players ann bob\n  deck: lamp x2 cart …\n  turn ann\n  roll 1\n  expect deck count 5\n  expect deck = lamp x2 cart …\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.all());
    let ran = judged("  players ann bob\n  deck: lamp x4\n  turn ann\n");
    assert!(ran.all().contains("there are no 4 copies of `lamp`"), "{}", ran.all());
}

#[test]
fn what_a_set_up_leaves_in_the_supply_depends_on_who_plays() {
    let all_have_two = "set ann has ore x2\nset bob has ore x2\nset cem has ore x2\n";
    let supplied = |more: &str, lines: &str| {
        let game = format!("{GAME}{all_have_two}{more}");
        let ran = project()
            .file("games/mine/mine.game", game)
            .file("a.scenario", format!("use mine\n\nscenario \"A set-up\"\n{lines}"))
            .run(&["test", "a.scenario"]);
        assert_eq!(ran.code, 0, "{}", ran.all());
    };
    supplied("", "  players ann bob cem\n  turn ann\n  expect game.ore_supply = 2\n");
    supplied("", "  players ann bob\n  turn ann\n  expect game.ore_supply = 3\n");
    supplied("", "  players ann bob\n  from setup\n  set ann has ore x5\n  turn ann\n  expect game.ore_supply = 0\n");
    // What a line of the game file says stays so.
    supplied("set game.ore_supply 1\n", "  players ann bob\n  turn ann\n  expect game.ore_supply = 1\n");
    supplied(
        "set game.ore_supply 1\n",
        "  players ann bob\n  from setup\n  set bob has coin x2\n  turn ann\n  expect game.ore_supply = 1\n",
    );
}
