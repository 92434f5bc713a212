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
}

/// The brackets that are looked at, each with its second one.
const BRACKETS: [(char, char); 6] = [('[', ']'), ('(', ')'), ('{', '}'), ('［', '］'), ('【', '】'), ('〔', '〕')];
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

impl<'t> Mark<'t> {
    /// Reads what stands in brackets at an index of a text.
    pub(super) fn read(text: &'t str, start: usize) -> Option<Self> {
        let rest = text.get(start..)?;
        let escape = usize::from(rest.starts_with('\\'));
        let open = rest.get(escape..)?.chars().next()?;
        let (_, second) = BRACKETS.into_iter().find(|(one, _)| *one == open)?;
        let inside = start + escape + open.len_utf8();
        let line = near(text.get(inside..)?);
        let near = line.char_indices().nth(LONGEST).map_or(line, |(end, _)| line.get(..end).unwrap_or(line));
        // `[B4)` has a second bracket of another kind.
        let close = near.find(second).or_else(|| near.find([']', ')', '}'])).map(|close| inside + close);
        let is_closed = near.contains(second);
        let (close, end) = match close {
            Some(close) => (close, close + text.get(close..)?.chars().next()?.len_utf8()),
            None => {
                let word = inside + near.split_whitespace().next()?.len();
                (word, word)
            }
        };
        let close = if text.get(inside..close)?.ends_with('\\') { close - 1 } else { close };
        Some(Self { text, start, inside, close, end, open, is_closed })
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
        let plain = self.open == '[' && self.is_closed && !self.after().starts_with(['(', ':']);
        (numbered && plain).then_some(id)
    }

    /// Returns whether this is a link, or says where one leads.
    pub(super) fn is_link(&self) -> bool {
        let after = self.after();
        self.open == '[' && (after.starts_with('(') || after.strip_prefix(':').is_some_and(is_address))
    }

    pub(super) fn is_square(&self) -> bool {
        !matches!(self.open, '(' | '{')
    }

    /// Returns whether the number begins with capital letters.
    pub(super) fn is_capital(&self) -> bool {
        let mut letters = self.words().chars().skip_while(|letter| !letter.is_alphanumeric());
        letters.next().is_some_and(char::is_uppercase)
    }

    /// Returns the ids if these are those of several clauses: `[W2, W3]`.
    pub(super) fn several(&self) -> Option<Vec<&'t str>> {
        let ids: Vec<&str> = self.words().split([',', '-', '–', '/', '&', ' ']).filter(|id| !id.is_empty()).collect();
        (ids.len() > 1).then_some(ids)
    }

    /// Returns the number that is meant, if this looks like one: letters, a number, and at most a few characters more.
    pub(super) fn meant(&self) -> Option<Meant> {
        let is_mark =
            |letter: &char| letter.is_whitespace() || matches!(letter, '*' | '_' | '\\' | '\u{200b}'..='\u{200f}');
        let compact: String =
            self.words().chars().filter(|letter| !is_mark(letter)).flat_map(char::to_uppercase).collect();
        let compact = compact.trim_end_matches(['.', ':', ')']);
        let rest = compact.trim_start_matches(char::is_alphabetic);
        let letters = compact.strip_suffix(rest)?.to_owned();
        let number = rest.trim_start_matches(['-', '.', '–', '/', ':', '#']);
        let is_split = number.len() < rest.len();
        let suffix = number.trim_start_matches(|letter: char| letter.is_ascii_digit()).to_owned();
        let number = number.strip_suffix(suffix.as_str())?;
        // `[W2 and more words` is no number.
        let is_short = letters.chars().count() <= 16 && suffix.chars().count() <= 8;
        let right = number.trim_start_matches('0');
        let is_suffix = suffix.chars().all(|letter| letter.is_alphanumeric() || ".-–/,&'+".contains(letter));
        if letters.is_empty() || right.is_empty() || !is_short || !is_suffix || (is_split && self.open != '[') {
            return None;
        }
        Some(Meant { letters, number: right.to_owned(), suffix })
    }
}

/// A number that is meant for that of a clause.
pub(super) struct Meant {
    pub(super) letters: String,
    pub(super) number: String,
    /// What follows the number: the `A` of `[W2a]`.
    pub(super) suffix: String,
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
