//! Numbers in brackets: those of clauses, and those that are nearly one.

/// Something in brackets at the beginning of a paragraph.
pub(super) struct Mark<'t> {
    text: &'t str,
    /// The index of its bracket, or of the `\` before it.
    pub(super) start: usize,
    /// The index after its bracket.
    pub(super) inside: usize,
    /// The index of its second bracket, or of the `\` before it.
    close: usize,
    /// The index after the second bracket.
    pub(super) end: usize,
    open: char,
    is_closed: bool,
    /// Whether a bracket is written by its name or number.
    is_named: bool,
}

/// The brackets that are looked at, each with its second one.
const BRACKETS: [(char, char); 11] = [
    ('[', ']'),
    ('(', ')'),
    ('{', '}'),
    ('［', '］'),
    ('【', '】'),
    ('〔', '〕'),
    ('⟦', '⟧'),
    ('❲', '❳'),
    ('「', '」'),
    ('〖', '〗'),
    ('⁅', '⁆'),
];
/// What Markdown shows as `[`, and as `]`.
const OPENING: [&str; 5] = ["&#91;", "&#x5b;", "&#x5B;", "&lsqb;", "&lbrack;"];
const CLOSING: [&str; 5] = ["&#93;", "&#x5d;", "&#x5D;", "&rsqb;", "&rbrack;"];
/// The maximum number of characters between brackets that are looked at.
const LONGEST: usize = 40;

/// The maximum number of bytes of a line that are looked at from one place.
const NEAR: usize = 1000;

/// Returns the rest of a line, as far as it is looked at.
pub(super) fn near(text: &str) -> &str {
    let end = text.len().min(NEAR);
    let end = (0..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).and_then(|text| text.lines().next()).unwrap_or_default()
}

/// Returns the bracket at the beginning of a text, the second one that belongs to it, and its length.
pub(super) fn opening(text: &str) -> Option<(char, char, usize)> {
    if let Some(named) = OPENING.iter().find(|named| text.starts_with(**named)) {
        return Some(('[', ']', named.len()));
    }
    let first = text.chars().next()?;
    let (open, second) = BRACKETS.into_iter().find(|(open, _)| *open == first)?;
    Some((open, second, open.len_utf8()))
}

/// Returns where brackets are in a text that are not round.
pub(super) fn brackets(text: &str) -> impl Iterator<Item = usize> {
    let is_one = |letter: char| {
        // Most letters are plain ones, of which these are the only two.
        matches!(letter, '&' | '[') || !letter.is_ascii() && BRACKETS.iter().any(|(open, _)| *open == letter)
    };
    let found = text.match_indices(is_one).map(|(at, _)| at);
    found.filter(|at| text.get(*at..).and_then(opening).is_some())
}

/// Returns the first of these in a text, and its length.
fn first_of(text: &str, named: &[&str]) -> Option<(usize, usize)> {
    named.iter().filter_map(|name| Some((text.find(name)?, name.len()))).min()
}

impl<'t> Mark<'t> {
    /// Reads what stands in brackets at an index of a text.
    pub(super) fn read(text: &'t str, start: usize) -> Option<Self> {
        let rest = text.get(start..)?;
        let escape = usize::from(rest.starts_with('\\'));
        let (open, second, length) = opening(rest.get(escape..)?)?;
        let inside = start + escape + length;
        let line = near(text.get(inside..)?);
        let near = line.char_indices().nth(LONGEST).map_or(line, |(end, _)| line.get(..end).unwrap_or(line));
        let plain = near.find(second).map(|at| (at, second.len_utf8()));
        let named = (open == '[').then(|| first_of(near, &CLOSING)).flatten();
        let found = match (plain, named) {
            (Some(plain), Some(named)) => Some(plain.min(named)),
            (plain, named) => plain.or(named),
        };
        let is_closed = found.is_some();
        let is_named = length > 1 && open == '[' || found.is_some() && found == named;
        // `[B4)` has a second bracket of another kind.
        let found = found.or_else(|| near.find([']', ')', '}']).map(|at| (at, 1)));
        let (close, end) = match found {
            Some((at, length)) => (inside + at, inside + at + length),
            None => {
                let word = inside + near.split_whitespace().next()?.len();
                (word, word)
            }
        };
        let close = if text.get(inside..close)?.ends_with('\\') { close - 1 } else { close };
        Some(Self { text, start, inside, close, end, open, is_closed, is_named })
    }

    fn words(&self) -> &'t str {
        self.text.get(self.inside..self.close).unwrap_or_default()
    }

    fn after(&self) -> &'t str {
        near(self.text.get(self.end..).unwrap_or_default())
    }

    /// Returns the mark as it is written.
    pub(super) fn shown(&self) -> &'t str {
        self.text.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns the id of the clause that begins here: capital letters and a number. `[text](address)` and
    /// `[name]: address` are links.
    pub(super) fn id(&self) -> Option<&'t str> {
        let id = self.words();
        let letters = letters_of(id);
        let numbered = letters.len() < id.len()
            && !letters.is_empty()
            && letters.bytes().all(|letter| letter.is_ascii_uppercase());
        let plain = self.open == '[' && self.is_closed && !self.is_named && !self.after().starts_with(['(', ':']);
        (numbered && plain).then_some(id)
    }

    /// Returns whether this is a link, or says where one leads.
    pub(super) fn is_link(&self) -> bool {
        let after = self.after();
        self.leads_on() || (self.open == '[' && after.strip_prefix(':').is_some_and(is_address))
    }

    /// Returns whether the address of a link follows, in round brackets, or its name in others.
    pub(super) fn leads_on(&self) -> bool {
        let after = self.after();
        let address =
            after.strip_prefix('(').and_then(|after| after.split_once(')')).map(|(address, _)| address.trim());
        let is_address = address.is_some_and(|address| {
            let (first, title) = address.split_once(char::is_whitespace).unwrap_or((address, ""));
            first.starts_with('<') || title.is_empty() || title.trim_start().starts_with(['"', '\'', '('])
        });
        self.open == '[' && (is_address || after.starts_with('['))
    }

    pub(super) fn is_square(&self) -> bool {
        !matches!(self.open, '(' | '{')
    }

    /// Returns whether the number begins with capital letters.
    pub(super) fn is_capital(&self) -> bool {
        let words = without_markup(self.words());
        words.chars().map(plain).find(|letter| letter.is_alphanumeric()).is_some_and(char::is_uppercase)
    }

    /// Returns the ids if these are those of several clauses: `[W2, W3]`.
    pub(super) fn several(&self) -> Option<Vec<&'t str>> {
        let ids: Vec<&str> = self.words().split([',', '-', '–', '/', '&', ' ']).filter(|id| !id.is_empty()).collect();
        (ids.len() > 1).then_some(ids)
    }

    /// Returns the number that is meant, if this looks like one: letters, a number, and at most a few characters more.
    /// Also a number with a title, `[W2: A walk]`, or after a word, `[Rule W2]`.
    pub(super) fn meant(&self) -> Option<Meant> {
        let words = without_markup(self.words());
        let is_word = |word: &&str| word.chars().any(char::is_alphanumeric);
        let mut each = words.split([' ', '\t', ':', ',', ';', '–', '—', '=', '|']).filter(is_word);
        let (first, last) = (each.next()?, each.next_back().filter(|_| self.is_closed));
        let part = |word: &str| meant(word, false).filter(|meant| meant.suffix.is_empty());
        match last.and_then(|last| [first, last].into_iter().find_map(part)) {
            Some(found) => Some(Meant { is_part: true, ..found }),
            None => meant(&words, self.open == '['),
        }
    }
}

/// Returns words without what Markdown does not show, and with the characters that it shows.
fn without_markup(words: &str) -> String {
    let mut shown = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(letter) = rest.chars().next() {
        let named = rest.strip_prefix("&#").and_then(|rest| rest.split_once(';')).and_then(|(number, after)| {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            Some((char::from_u32(code.ok()?)?, after))
        });
        let tag = (letter == '<').then(|| rest.split_once('>')).flatten().map(|(_, after)| after);
        rest = match (named, tag) {
            (Some((letter, after)), _) => {
                shown.push(letter);
                after
            }
            (None, Some(after)) => after,
            (None, None) => {
                shown.push(letter);
                rest.get(letter.len_utf8()..).unwrap_or_default()
            }
        };
    }
    shown
}

/// Returns the digit or the letter that another character stands for: `２`, `²`, `₂`, `②`, `Ａ`.
fn plain(letter: char) -> char {
    const FIRST: [u32; 9] = [0xff10, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0x2070, 0x2080, 0x245f];
    let code = u32::from(letter);
    let digit = match letter {
        '¹' => Some(1),
        '²' => Some(2),
        '³' => Some(3),
        '\u{1d7ce}'..='\u{1d7ff}' => Some((code - 0x1d7ce) % 10),
        _ => FIRST.iter().find_map(|first| code.checked_sub(*first).filter(|digit| *digit < 10)),
    };
    match letter {
        'Ａ'..='Ｚ' | 'ａ'..='ｚ' => char::from_u32(code - 0xfee0).unwrap_or(letter),
        _ => digit.and_then(|digit| char::from_digit(digit, 10)).unwrap_or(letter),
    }
}

/// Returns the number that words are meant for. `is_square` says that they are in square brackets.
fn meant(words: &str, is_square: bool) -> Option<Meant> {
    let is_mark = |letter: &char| {
        letter.is_whitespace()
            || "*_\\`[§#~\"'“”„‘’«»†".contains(*letter)
            || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
    };
    let shown = words.trim_end_matches(['\'', '’']);
    let primes = words.get(shown.len()..).unwrap_or_default();
    let compact: String =
        shown.chars().filter(|letter| !is_mark(letter)).map(plain).flat_map(char::to_uppercase).collect();
    let compact = format!("{compact}{primes}");
    let compact = compact.trim_end_matches(['.', ':', ')', '!', '?', ';', ',']);
    let rest = compact.trim_start_matches(char::is_alphabetic);
    let letters = compact.strip_suffix(rest)?.to_owned();
    let number = rest.trim_start_matches(['-', '.', '–', '/', ':', '#']);
    let is_split = number.len() < rest.len();
    let suffix = number.trim_start_matches(|letter: char| letter.is_ascii_digit()).to_owned();
    let number = number.strip_suffix(suffix.as_str())?;
    // `[W2 and more words` is no number.
    let is_short = letters.chars().count() <= 16 && suffix.chars().count() <= 8;
    let right = number.trim_start_matches('0');
    let is_suffix = suffix.chars().all(|letter| letter.is_alphanumeric() || ".-–/,&'’+".contains(letter));
    if letters.is_empty() || right.is_empty() || !is_short || !is_suffix || (is_split && !is_square) {
        return None;
    }
    Some(Meant { letters, number: right.to_owned(), suffix, is_part: false })
}

/// A number that is meant for that of a clause.
pub(super) struct Meant {
    pub(super) letters: String,
    pub(super) number: String,
    /// What follows the number: the `A` of `[W2a]`.
    pub(super) suffix: String,
    /// Whether there are more words in the brackets.
    pub(super) is_part: bool,
}

impl Meant {
    /// Returns the number without what follows it.
    pub(super) fn right(&self) -> String {
        format!("{}{}", self.letters, self.number)
    }

    /// Returns whether the number can be that of a clause.
    pub(super) fn is_plain(&self) -> bool {
        self.suffix.is_empty() && self.letters.bytes().all(|letter| letter.is_ascii_uppercase())
    }

    /// Returns letters for the number of a clause: these, or those of another clause.
    pub(super) fn plain_letters(&self, known: &std::collections::BTreeSet<&str>) -> String {
        if self.letters.bytes().all(|letter| letter.is_ascii_uppercase()) {
            return self.letters.clone();
        }
        known.first().map_or_else(|| "A".to_owned(), |letters| (*letters).to_owned())
    }
}

/// Returns the letters of a clause's number.
pub(super) fn letters_of(id: &str) -> &str {
    id.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

/// Returns whether the definition of a link goes on with an address, and not with the words of a clause.
fn is_address(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_alone = words.next().is_none();
    first.contains("://")
        || first.starts_with(['<', '#', '/', '.'])
        || (is_alone && first.trim_end_matches('.').contains(['.', '/', '#', ':']))
}
