//! Lines that say in another form what a line of the language says: `place crab at c3, c4`, `with deep yes`.

/// Returns the line that `text` probably means; it begins with this keyword and cannot be read.
pub(super) fn line(keyword: &str, text: &str) -> Option<String> {
    let rest = text.strip_prefix(keyword)?.trim();
    if keyword == "game" {
        return titled(rest);
    }
    if rest.contains(['"', '{', '#']) {
        return None;
    }
    match keyword {
        "piece" => one_each(rest),
        "place" => placements(rest),
        "with" => match rest.split_whitespace().collect::<Vec<_>>().as_slice() {
            [option, value] if *option != "house" && !rest.contains('=') => Some(format!("with {option} = {value}")),
            _ => None,
        },
        _ => None,
    }
}

/// Returns a `game` line with a name that is made from its title.
fn titled(rest: &str) -> Option<String> {
    let title = rest.strip_prefix('"')?.strip_suffix('"').filter(|title| !title.contains('"'))?;
    let words: Vec<String> = title
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let begins_well = words.first()?.starts_with(char::is_alphabetic);
    begins_well.then(|| format!("game {} \"{title}\"", words.join("-")))
}

/// Returns a `piece` line for each of several names. What comes after them belongs to all, but their symbols are their own.
fn one_each(rest: &str) -> Option<String> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let ends = words.iter().position(|word| !word.ends_with(',')).filter(|last| *last > 0)?;
    let (names, tail) = words.split_at_checked(ends + 1)?;
    let tail = tail.split(|word| ["symbol", "symbols"].contains(word)).next().unwrap_or_default();
    let tail: String = tail.iter().map(|word| format!(" {word}")).collect();
    let lines: Vec<String> = names.iter().map(|name| format!("piece {}{tail}", name.trim_end_matches(','))).collect();
    Some(lines.join("`\n`"))
}

/// Returns a `place` line in which each piece has a cell: that of the line, or the word `CELL`.
fn placements(rest: &str) -> Option<String> {
    let mut all: Vec<String> = Vec::new();
    let mut piece: Option<String> = None;
    for part in split(rest) {
        let words: Vec<&str> = part.split_whitespace().filter(|word| *word != "and").collect();
        let at = words.iter().position(|word| ["at", "to", "on", "onto", "in"].contains(word));
        let placed = match (at, words.as_slice()) {
            (_, []) => continue,
            (Some(0), _) => return None,
            (Some(at), words) => {
                let (name, cells) = words.split_at_checked(at)?;
                piece = Some(name.join(" "));
                let cells = cells.get(1..).filter(|cells| !cells.is_empty());
                format!("{} at {}", name.join(" "), cells.map_or_else(|| "CELL".to_owned(), |cells| cells.join(" ")))
            }
            (None, [.., "off"]) => words.join(" "),
            // `c4` after `crab at c3`.
            (None, [cell]) if is_cell(cell) => format!("{} at {cell}", piece.as_ref()?),
            (None, [name @ .., cell]) if is_cell(cell) && !name.is_empty() => format!("{} at {cell}", name.join(" ")),
            (None, words) => format!("{} at CELL", words.join(" ")),
        };
        all.push(placed);
    }
    (!all.is_empty()).then(|| format!("place {}", all.join(", ")))
}

/// Returns the parts between the commas, but not those inside of parentheses: `(0,1)` is a cell.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    })
}

/// Returns the help for a line that says what is not on a cell.
#[must_use]
pub fn what_is_there(cell: &str) -> String {
    format!("say what is there: `expect {cell} empty`, or `expect {cell} holds PIECE`")
}

/// Returns whether a word looks like the name of a cell: `c4`, `17`, `(0,1)`.
pub(super) fn is_cell(word: &str) -> bool {
    let letters = word.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
    let few = word.len() - letters.len() <= 2;
    word.starts_with('(') || few && !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_digit())
}
