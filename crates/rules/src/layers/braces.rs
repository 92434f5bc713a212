//! Finds the unclosed block of a script.

/// Returns the byte of the `{` whose `}` is missing.
///
/// Braces alone show only that one is missing. Indentation shows which: a `}` indented less than the line of the last
/// open brace closes an outer block, and no function begins inside another.
pub(crate) fn unclosed(text: &str) -> Option<usize> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut comment = 0_usize;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        let begins_function = comment == 0 && (code.starts_with("fn ") || code.starts_with("private fn "));
        if let Some((at, _)) = open.last().filter(|_| begins_function) {
            return Some(*at);
        }
        if let Some((at, inner)) = open.last().filter(|_| comment == 0 && code.starts_with('}'))
            && *inner > indent
            && open.iter().any(|(_, outer)| *outer == indent)
        {
            return Some(*at);
        }
        braces(line, start, indent, &mut open, &mut comment);
        start += line.len();
    }
    open.last().map(|(at, _)| *at)
}

/// Tracks the braces of a line that begins at byte `start`, except those in strings and comments.
fn braces(line: &str, start: usize, indent: usize, open: &mut Vec<(usize, usize)>, comment: &mut usize) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (bytes.get(at..at + 2).unwrap_or_default(), *comment) {
            (b"//", 0) => return,
            (b"/*", _) => {
                *comment += 1;
                at += 1;
            }
            (b"*/", 1..) => {
                *comment -= 1;
                at += 1;
            }
            (_, 0) => match byte {
                b'"' => at += text(bytes.get(at + 1..).unwrap_or_default()),
                b'{' => open.push((start + at, indent)),
                b'}' => {
                    open.pop();
                }
                _ => {}
            },
            _ => {}
        }
        at += 1;
    }
}

/// Returns the length of a string, including its closing quote.
fn text(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'"' => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::unclosed;

    #[test]
    fn the_block_without_an_end_is_found() {
        assert_eq!(unclosed("fn a() {\n    if x {\n        y();\n}\n"), Some(18));
        assert_eq!(unclosed("fn a() {\n    y();\n\nfn b() {\n}\n"), Some(7));
        assert_eq!(unclosed("fn a() {\n    // {\n    y(\"{\\\"\"); /* { */\n}\n"), None);
        assert_eq!(unclosed("fn a() {\n  if x {\n    y();\n"), Some(16));
        assert_eq!(unclosed("fn a() { if x { y(); }\n"), Some(7));
    }
}
