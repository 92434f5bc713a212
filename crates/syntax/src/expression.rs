//! Finds the end of an embedded expression `{ … }`: counts braces, and skips strings and comments of the script.

/// The maximum nesting depth of braces, brackets and parentheses.
pub(super) const DEEPEST: usize = 32;

/// Why an embedded expression has no end, with the byte to point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoEnd {
    /// A string that is not closed on its line.
    Text(usize),
    /// Braces or comments nested too deep.
    Deep(usize),
    /// The closing brace is missing or too far away; the byte where the search stopped.
    Brace(usize),
}

/// The kind of an open brace.
enum Inside {
    /// `{ … }`
    Braces,
    /// `${ … }` in a string in backticks.
    Template,
}

/// Returns the index after the brace that closes the one at `start`.
///
/// All marks are ASCII, so the index is a character boundary.
pub(super) fn end(bytes: &[u8], start: usize) -> Result<usize, NoEnd> {
    let mut nest: Vec<Inside> = Vec::new();
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' if nest.len() == DEEPEST => return Err(NoEnd::Deep(at)),
            b'{' => {
                nest.push(Inside::Braces);
                at += 1;
            }
            b'}' => {
                at += 1;
                match nest.pop() {
                    Some(Inside::Template) => at = template(bytes, at, &mut nest)?,
                    _ if nest.is_empty() => return Ok(at),
                    _ => {}
                }
            }
            b'"' => at = string(bytes, at)?,
            b'`' => at = template(bytes, at + 1, &mut nest)?,
            b'\'' => at = character(bytes, at),
            b'#' => at = raw(bytes, at)?,
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = find(bytes, at, b"\n"),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = comment(bytes, at)?,
            _ => at += 1,
        }
    }
    Err(NoEnd::Brace(at))
}

/// Returns the index after the string in double quotes at `start`.
fn string(bytes: &[u8], start: usize) -> Result<usize, NoEnd> {
    let mut at = start + 1;
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at += 2,
            Some(b'\n') | None => return Err(NoEnd::Text(start)),
            Some(_) => at += 1,
        }
    }
}

/// Returns the index after the string in backticks whose content begins or continues at `at`; if a `${` comes first,
/// the index after that.
fn template(bytes: &[u8], mut at: usize, nest: &mut Vec<Inside>) -> Result<usize, NoEnd> {
    loop {
        match bytes.get(at) {
            Some(b'`') if bytes.get(at + 1) == Some(&b'`') => at += 2,
            Some(b'`') => return Ok(at + 1),
            Some(b'$') if bytes.get(at + 1) == Some(&b'{') => {
                if nest.len() == DEEPEST {
                    return Err(NoEnd::Deep(at + 1));
                }
                nest.push(Inside::Template);
                return Ok(at + 2);
            }
            Some(_) => at += 1,
            None => return Err(NoEnd::Brace(at)),
        }
    }
}

/// Returns the index after the character literal at `start`, or after the mark alone if it does not begin a literal.
fn character(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    // The longest literal is an escape of a code point with eight digits.
    while at <= start + 12 {
        match bytes.get(at) {
            Some(b'\'') if at > start + 1 => return at + 1,
            Some(b'\\') => at += 2,
            Some(b'\n') | None => break,
            Some(_) => at += 1,
        }
    }
    start + 1
}

/// Returns the index after the raw string `#"…"#` at `start`, or after the marks alone if they do not begin one (`#{`
/// is a map).
fn raw(bytes: &[u8], start: usize) -> Result<usize, NoEnd> {
    let mut at = start;
    while bytes.get(at) == Some(&b'#') {
        at += 1;
    }
    if bytes.get(at) != Some(&b'"') {
        return Ok(at);
    }
    let close: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', at - start)).collect();
    let end = find(bytes, at + 1, &close);
    if end < bytes.len() { Ok(end + close.len()) } else { Err(NoEnd::Brace(end)) }
}

/// Returns the index after the comment `/* … */` at `start`; comments nest.
fn comment(bytes: &[u8], start: usize) -> Result<usize, NoEnd> {
    let (mut at, mut depth) = (start, 0);
    loop {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'/'), Some(b'*')) if depth == DEEPEST => return Err(NoEnd::Deep(at)),
            (Some(b'/'), Some(b'*')) => (at, depth) = (at + 2, depth + 1),
            (Some(b'*'), Some(b'/')) if depth == 1 => return Ok(at + 2),
            (Some(b'*'), Some(b'/')) => (at, depth) = (at + 2, depth - 1),
            (Some(_), _) => at += 1,
            (None, _) => return Err(NoEnd::Brace(at)),
        }
    }
}

/// Returns the index of the next `wanted` at or after `start`; the length of `bytes` if there is none.
fn find(bytes: &[u8], start: usize, wanted: &[u8]) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    rest.windows(wanted.len()).position(|window| window == wanted).map_or(bytes.len(), |at| start + at)
}
