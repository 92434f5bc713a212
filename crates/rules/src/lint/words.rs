//! Strings that are compared with a word, and are none that it can be: the verb of an action, a face of a die, a word of a
//! property, a value of an option.

use rhai::ImmutableString;

use super::check::{Check, Entry, Snippet, Walk};
use super::linter::Linter;
use super::numbers::{named, thrown};
use super::texts::{UNKNOWN_COMPONENT, UNKNOWN_VALUE};
use super::values::texts_in;
use crate::script::{Call, Name, Node, Target, What};
use crate::values::Sort;
use referee_diagnostic::{Code, did_you_mean, one_of};
use referee_table::{Form, Kind, PropertyKind, Value};

pub(super) static CHECK: Check = Check {
    name: "words",
    finds: &[&UNKNOWN_VALUE, &UNKNOWN_VARIANT, &UNKNOWN_COMPONENT],
    walks: &[Walk::Nodes(check)],
    wrong: &[
        (&UNKNOWN_VALUE, Snippet::Turn(r#"if me.mood == «"clam"» { win(me); }"#)),
        (&UNKNOWN_VALUE, Snippet::Turn(r#"if option("edge") == «"sphere"» { win(me); }"#)),
        (&UNKNOWN_VALUE, Snippet::Turn(r#"if roll("sky") == «"snow"» { win(me); }"#)),
        (&UNKNOWN_VALUE, Snippet::Turn(r#"if ["calm", «"sad"»].contains(me.mood) { win(me); }"#)),
        (&UNKNOWN_VALUE, Snippet::Turn(r#"switch roll("sky") { "sun" => win(me), «"snow"» => lose(me) }"#)),
        (&UNKNOWN_VALUE, Snippet::Turn(r#"if name(me) == «"rd"» { win(me); }"#)),
        (
            &UNKNOWN_COMPONENT,
            Snippet::Turn(r#"let act = choose(me, "hop", [may("rest")]); if act.verb == «"rset"» { win(me); }"#),
        ),
        (&UNKNOWN_VARIANT, Snippet::Turn(r#"if variant() == «"short"» { win(me); }"#)),
    ],
    right: &[
        Snippet::Turn(r#"if me.mood == "calm" || option("edge") == "torus" || roll("sky") == "sun" { win(me); }"#),
        Snippet::Turn(r#"let all = #{ mood: "sad" }; if all.mood == "sad" { me.score += 1; }"#),
        Snippet::Turn(r#"if me.mood != () && name(me) != "red" { win(me); }"#),
        Snippet::Turn(r#"let sky = roll("sky"); sky = "snow"; if sky == "snow" { me.score += 1; }"#),
    ],
};

pub(super) static UNKNOWN_VARIANT: Entry = Entry {
    code: Code::UnknownVariant,
    text: r#"
The game has no such variant.

```file scenarios/wrong.scenario
use race tiny
scenario "x"
  turn red
```

Write a name from the `variant` lines of the game file, or remove the word: then the first variant is played.
"#,
};

/// The words that an expression can be.
struct Words {
    code: &'static Entry,
    /// The kind of the words: asks, values, faces.
    what: &'static str,
    /// Their owner in messages: ` for the option …`; empty for asks.
    of: String,
    all: Vec<String>,
}

/// Reports strings that are compared with a word, and are none that it can be.
pub(super) fn check(l: &mut Linter<'_>, node: &Node) {
    match &node.what {
        What::Operator(sign, parts) if matches!(sign.as_str(), "==" | "!=") => {
            if let [one, other] = parts.as_slice() {
                compared(l, one, other);
                compared(l, other, one);
            }
        }
        What::Call(call) if call.name == "contains" && call.target == Target::Native => {
            if let [list, side] = call.args.as_slice() {
                in_list(l, list, side);
            }
        }
        What::Switch(switch) => {
            let cases = switch.cases.iter().filter(|case| !case.is_range);
            let mut texts: Vec<ImmutableString> =
                cases.filter_map(|case| case.on.read_lock::<ImmutableString>().map(|text| text.clone())).collect();
            texts.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
            let Some(words) = words(l, &switch.value) else { return };
            for text in texts {
                if let Some((message, help)) = words.wrong(&text) {
                    l.report_string(words.code, node.at, &text, message, help);
                }
            }
        }
        _ => {}
    }
}

/// Reports a string, or a constant of the rules, that is compared with an expression and is none of its words.
fn compared(l: &mut Linter<'_>, side: &Node, text: &Node) {
    let (at, text) = match &text.what {
        What::Text(string) => {
            variant(l, side, text, string);
            (text.at, string.clone())
        }
        What::Name(Name::Constant(name)) => {
            let constant = l.layers.constants.get(name.as_str());
            let value = constant.and_then(|one| one.value.read_lock::<ImmutableString>().map(|text| text.clone()));
            let Some(value) = value else { return };
            let Some(words) = words(l, side) else { return };
            if let Some((message, help)) = words.wrong(&value) {
                l.report(words.code, text.at, message, help);
            }
            return;
        }
        _ => return,
    };
    let Some(words) = words(l, side) else { return };
    if let Some((message, help)) = words.wrong(&text) {
        l.report_text(words.code, at, &text, message, help);
    }
}

/// Reports a string that is compared with `variant()` and names no variant.
fn variant(l: &mut Linter<'_>, side: &Node, at: &Node, text: &str) {
    let is_variant = matches!(side.function_call(), Some(("variant", _)));
    if !is_variant || l.schema.variants.iter().any(|variant| variant.name == text) {
        return;
    }
    // A game without a line `variant` has one without a name.
    let names = || l.schema.variants.iter().map(|variant| variant.name.as_str()).filter(|name| !name.is_empty());
    let help = did_you_mean(text, names()).unwrap_or_else(|| match one_of(names(), 9) {
        none if none.is_empty() => "this game has no variants, so `variant()` is `\"\"`".to_owned(),
        names => format!("use one of {names}"),
    });
    l.report_text(&UNKNOWN_VARIANT, at.at, text, format!("unknown variant `{text}`"), help);
}

/// Reports strings of `[…].contains(WORD)` and `WORD in […]` that are none of the words.
fn in_list(l: &mut Linter<'_>, list: &Node, side: &Node) {
    if !matches!(list.what, What::List(_) | What::Constant(_)) {
        return;
    }
    let Some(words) = words(l, side) else { return };
    for text in texts_in(list) {
        if let Some((message, help)) = words.wrong(&text.text) {
            l.report_written(words.code, &text, message, help);
        }
    }
}

/// Returns the words that an expression can be, if they are known.
fn words(l: &Linter<'_>, side: &Node) -> Option<Words> {
    match &side.what {
        What::Name(Name::Local(local)) => {
            let value = l.values.fixed(*local)?;
            if matches!(value.what, What::Name(_)) { None } else { words(l, value) }
        }
        What::Field { name, .. } => after_dot(l, name),
        What::Call(call) if call.target == Target::Native => of_call(l, call),
        _ => None,
    }
}

fn of_call(l: &Linter<'_>, call: &Call) -> Option<Words> {
    let schema = l.schema;
    match (call.name.as_str(), call.args.as_slice()) {
        ("option", [name]) => {
            let name = name.text()?;
            let option = schema.options.iter().find(|option| option.name == name.as_str())?;
            let of = format!(" for the option `{name}`");
            Some(Words { code: &UNKNOWN_VALUE, what: "value", of, all: option.choice.words() })
                .filter(|_| !matches!(option.choice, referee_table::Choice::Numbers(..)))
        }
        ("choose", [_, ask, ..]) => of_ask(l, ask.text()?),
        ("name", [of]) => {
            let (what, all): (_, Vec<String>) = match of.kind.sort()? {
                Sort::Player => ("player", schema.players.clone()),
                Sort::Piece => ("piece", schema.pieces.iter().map(|piece| piece.name.clone()).collect()),
                _ => return None,
            };
            Some(Words { code: &UNKNOWN_VALUE, what, of: String::new(), all })
        }
        ("roll", values) => {
            let die = thrown(schema, values)?;
            let face = |shows: &Value| match shows {
                Value::Text(word) => Some(word.to_string()),
                _ => None,
            };
            let all: Option<Vec<String>> = die.faces.iter().map(|one| face(&one.shows)).collect();
            let of = format!(" for {}", named(die));
            all.filter(|_| die.count == 1).map(|all| Words { code: &UNKNOWN_VALUE, what: "face", of, all })
        }
        _ => None,
    }
}

/// Returns the words that a choice for an ask can have, if its only value is a word.
fn of_ask(l: &Linter<'_>, ask: &str) -> Option<Words> {
    let form = l.schema.asks.iter().find(|form| form.verb == ask)?;
    let [(Kind::Word(words), _)] = *form.kinds().as_slice() else { return None };
    let all = words.iter().map(ToString::to_string).collect();
    Some(Words { code: &UNKNOWN_VALUE, what: "word", of: format!(" for `{ask}`"), all })
}

/// Returns the words that the value of a choice can have, if all values of all asks are words.
fn of_choices(l: &Linter<'_>) -> Option<Words> {
    let mut all: Vec<String> = Vec::new();
    for (kind, _) in l.schema.asks.iter().flat_map(Form::kinds) {
        let Kind::Word(words) = kind else { return None };
        all.extend(words.iter().map(ToString::to_string));
    }
    (!all.is_empty()).then(|| Words { code: &UNKNOWN_VALUE, what: "word", of: String::new(), all })
}

fn after_dot(l: &Linter<'_>, name: &str) -> Option<Words> {
    // A map, a card or a property of the game may have this name as well.
    if l.is_key(name) {
        return None;
    }
    match l.kind_of_property(name) {
        Some(PropertyKind::Value(Kind::Word(words))) => Some(Words {
            code: &UNKNOWN_VALUE,
            what: "word",
            of: format!(" for `{name}`"),
            all: words.iter().map(ToString::to_string).collect(),
        }),
        None if name == "value" => of_choices(l),
        None if name == "verb" => Some(Words {
            code: &UNKNOWN_COMPONENT,
            what: "ask",
            of: String::new(),
            all: l.schema.asks.iter().map(|ask| ask.verb.clone()).collect(),
        }),
        _ => None,
    }
}

impl Words {
    /// Returns the message and the help for a string that is none of the words.
    fn wrong(&self, text: &str) -> Option<(String, String)> {
        if self.all.iter().any(|word| word == text) {
            return None;
        }
        let all = || self.all.iter().map(String::as_str);
        let help = did_you_mean(text, all()).unwrap_or_else(|| match one_of(all(), 12) {
            list if list.is_empty() => format!("the game declares no {}", self.what),
            list => format!("use one of {list}"),
        });
        Some((format!("unknown {} `{text}`{}", self.what, self.of), help))
    }
}
