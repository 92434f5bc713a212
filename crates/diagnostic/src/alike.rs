//! Characters that look like others, or like nothing: names with them differ and look the same.

/// Letters of other scripts, each after the ASCII letter that it looks like.
const LETTERS: [(char, &str); 35] = [
    ('a', "аɑα"),
    ('c', "сϲ"),
    ('d', "ԁ"),
    ('e', "еҽ"),
    ('h', "һ"),
    ('i', "іι"),
    ('j', "јϳ"),
    ('l', "ӏ"),
    ('n', "ո"),
    ('o', "оοօ"),
    ('p', "рρ"),
    ('q', "ԛ"),
    ('s', "ѕ"),
    ('u', "υս"),
    ('v', "ѵν"),
    ('w', "ԝѡ"),
    ('x', "хχ×"),
    ('y', "уү"),
    ('A', "АΑ"),
    ('B', "ВΒ"),
    ('C', "СϹ"),
    ('E', "ЕΕ"),
    ('H', "НΗ"),
    ('I', "ІΙӀ"),
    ('J', "Ј"),
    ('K', "КΚ"),
    ('M', "МΜ"),
    ('N', "Ν"),
    ('O', "ОΟ"),
    ('P', "РΡ"),
    ('S', "Ѕ"),
    ('T', "ТΤ"),
    ('X', "ХΧ"),
    ('Y', "ҮΥ"),
    ('Z', "Ζ"),
];

/// Returns the ASCII character that a letter or mark of another script looks like.
fn twin(letter: char) -> Option<char> {
    match letter {
        _ if letter.is_ascii() => None,
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some('-'),
        '‘' | '’' | 'ʼ' | '′' => Some('\''),
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xFEE0),
        _ if letter.is_whitespace() => Some(' '),
        _ => LETTERS.iter().find(|(_, others)| others.contains(letter)).map(|(ascii, _)| *ascii),
    }
}

/// Returns whether a character is drawn over the one before it, or not at all.
fn is_mark(letter: char) -> bool {
    matches!(
        letter,
        '\u{300}'..='\u{36f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{3099}' | '\u{309a}'
            | '\u{fe20}'..='\u{fe2f}'
    ) || is_unseen(letter)
}

/// Returns whether a character is not drawn: it has no width, or chooses the picture of the one before it.
fn is_unseen(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2060}'..='\u{2064}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Returns the characters of a text, each with the marks after it.
fn clusters(text: &str) -> Vec<&str> {
    let starts = text.char_indices().filter(|(at, letter)| *at == 0 || !is_mark(*letter)).map(|(at, _)| at);
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).filter_map(|(start, end)| text.get(*start..end)).collect()
}

/// Returns whether two characters with their marks look the same.
fn same_look(one: &str, other: &str) -> bool {
    let seen = |text: &str| -> Vec<char> {
        text.chars().filter(|letter| !is_unseen(*letter)).map(|letter| twin(letter).unwrap_or(letter)).collect()
    };
    // `é` is one character, or `e` and an accent.
    let whole = |look: &[char]| matches!(look, [letter] if letter.is_alphabetic() && !letter.is_ascii());
    let accented = |look: &[char]| matches!(look, [letter, _, ..] if letter.is_alphabetic());
    let (one, other) = (seen(one), seen(other));
    one == other || whole(&one) && accented(&other) || whole(&other) && accented(&one)
}

/// Returns the first characters in which two different texts differ, if the texts look the same.
fn first_difference<'t>(one: &'t str, other: &'t str) -> Option<(&'t str, &'t str)> {
    if one == other || one.is_ascii() && other.is_ascii() {
        return None;
    }
    let (one, other) = (clusters(one), clusters(other));
    let pairs = || one.iter().copied().zip(other.iter().copied());
    let alike = one.len() == other.len() && pairs().all(|(one, other)| same_look(one, other));
    if alike { pairs().find(|(one, other)| one != other) } else { None }
}

/// Returns whether two different texts look the same.
pub(super) fn look_alike(one: &str, other: &str) -> bool {
    first_difference(one, other).is_some()
}

/// Returns the code points of a text: `U+0065 U+0301`.
fn code_points(text: &str) -> String {
    text.chars().map(|letter| format!("U+{:04X}", u32::from(letter))).collect::<Vec<_>>().join(" ")
}

/// Returns in what a written word differs from a name that looks the same.
pub fn difference(written: &str, name: &str) -> Option<String> {
    let (here, there) = first_difference(written, name)?;
    Some(format!("they only look alike: `{here}` is {} here, and {} there", code_points(here), code_points(there)))
}

/// Returns a note about the first character of a text that looks like another, or like nothing. A letter of another
/// script counts only between ASCII letters or digits.
#[must_use]
pub fn strange_character(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let strange = |word: &str| {
        let mixed = word.bytes().any(|byte| byte.is_ascii_alphanumeric());
        word.chars().find_map(|letter| {
            let point = format!("U+{:04X}", u32::from(letter));
            match twin(letter) {
                _ if is_mark(letter) => Some(format!("{point} is in it, which is no character of its own")),
                Some(' ') => Some(format!("{point} is in it, which looks like a space")),
                Some('\'') => None,
                Some(ascii) if mixed || !letter.is_alphabetic() => {
                    Some(format!("`{letter}` is {point} here, which looks like `{ascii}`"))
                }
                _ => None,
            }
        })
    };
    text.split(' ').find_map(strange)
}
