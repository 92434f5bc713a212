//! Expressions of which only a part is in braces: `{winner}.tricks = 1` for `{ winner.tricks == 1 }`.

/// Returns the whole of `text` as one expression in braces, if it begins with braces that close too early: a property or
/// a comparison follows them.
pub fn in_one_expression(text: &str) -> Option<String> {
    let (inner, rest) = closed(text)?;
    let property = rest.strip_prefix('.').is_some_and(|name| name.starts_with(|letter: char| letter.is_alphabetic()));
    let bare = rest.trim();
    if inner.is_empty() || bare.is_empty() || !(property || sign(bare).is_some_and(|(before, _, _)| before.is_empty()))
    {
        return None;
    }
    let rest = without_braces(rest.trim_end())?;
    let words = match sign(&rest) {
        Some((before, sign, value)) => format!("{inner}{} {sign} {}", before.trim_end(), in_rules(value.trim())),
        None => format!("{inner}{rest}"),
    };
    Some(format!("{{ {words} }}"))
}

/// Splits a text that begins with braces into what is in them and what follows.
fn closed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    text.strip_prefix('{')?;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((text.get(1..at)?.trim(), text.get(at + 1..)?));
        }
    }
    None
}

/// Splits a comparison at its sign, which becomes that of the rules.
fn sign(text: &str) -> Option<(&str, &'static str, &str)> {
    const SIGNS: [(&str, &str); 7] =
        [("==", "=="), ("!=", "!="), ("<=", "<="), (">=", ">="), ("=", "=="), ("<", "<"), (">", ">")];
    let at = text.find(['=', '!', '<', '>'])?;
    let (before, rest) = text.split_at(at);
    SIGNS.iter().find_map(|(written, sign)| Some((before, *sign, rest.strip_prefix(written)?)))
}

/// Returns a text in which each placeholder is the variable of its column; `None` if it has other braces.
fn without_braces(text: &str) -> Option<String> {
    let mut parts = text.split('{');
    let mut found = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}')?;
        found.push_str(name.trim());
        found.push_str(rest);
    }
    (!found.contains('}')).then_some(found)
}

/// Returns the value of a line as rules write it, without what belongs to a chance or a question after it.
fn in_rules(value: &str) -> String {
    const AFTER: [&str; 9] = ["=", "<", ">", "<=", ">=", "within", "to", "up", "or"];
    let words: Vec<&str> = value.split_whitespace().take_while(|word| !AFTER.contains(word)).collect();
    let value = words.join(" ");
    let letters = value.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
    let is_cell =
        letters.len() < value.len() && !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_digit());
    match value.as_str() {
        "none" => "()".to_owned(),
        cell if is_cell => format!("cell_named(\"{cell}\")"),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::in_one_expression;

    #[test]
    fn what_is_meant_by_braces_that_close_too_early() {
        for (written, meant) in [
            ("{winner}.tricks = 1", "{ winner.tricks == 1 }"),
            ("{winner}.tricks == {n}", "{ winner.tricks == n }"),
            ("{who}.home = e5", "{ who.home == cell_named(\"e5\") }"),
            ("{who}.home = none", "{ who.home == () }"),
            ("{who}.tired", "{ who.tired }"),
            ("{after(ann)}.score >= 3", "{ after(ann).score >= 3 }"),
            ("{ ann.score } = 104", "{ ann.score == 104 }"),
            ("{a}.x = {b}.x", "{ a.x == b.x }"),
            ("{a}.x = 1 = 1/2", "{ a.x == 1 }"),
            ("{a}.x > 1 within 2 turns", "{ a.x > 1 }"),
        ] {
            assert_eq!(in_one_expression(written).as_deref(), Some(meant), "{written}");
        }
        for other in ["{who} tired", "{who", "{a} b", "a.x = {b}", "{} = 3", "{x}y = 3"] {
            assert_eq!(in_one_expression(other), None, "{other}");
        }
    }
}
