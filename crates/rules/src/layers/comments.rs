//! Comments of scripts: those that Rhai rejects, or reports badly.

/// Returns the text with `//` in place of `///` above constants, because Rhai rejects `///` there.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    // Where the marks of the comments above the present line begin.
    let mut documented: Vec<usize> = Vec::new();
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        if code.starts_with("///") && !code.starts_with("////") {
            documented.push(plain.len() + line.len() - code.len());
        } else {
            if code.starts_with("const ") {
                documented.iter().for_each(|at| plain.replace_range(*at..at + 3, "// "));
            }
            documented.clear();
        }
        plain.push_str(line);
    }
    plain
}

/// Returns the byte of an unclosed `/*`.
pub(crate) fn open(text: &str) -> Option<usize> {
    if !text.contains("/*") {
        return None;
    }
    let bytes = text.as_bytes();
    let pair = |at: usize| bytes.get(at..at + 2).unwrap_or_default();
    let mut opened: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match (opened.is_empty(), pair(at)) {
            (true, b"//") => {
                at += bytes.iter().skip(at).position(|byte| *byte == b'\n').unwrap_or(bytes.len());
                continue;
            }
            (_, b"/*") => {
                opened.push(at);
                at += 1;
            }
            (false, b"*/") => {
                opened.pop();
                at += 1;
            }
            (true, [quote @ (b'"' | b'`'), _]) => at = after_quote(bytes, at, *quote),
            _ => {}
        }
        at += 1;
    }
    opened.first().copied()
}

/// Returns the byte of the quote that closes the string which begins at `at`, or the end if there is none.
fn after_quote(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut at = at + 1;
    while let Some(byte) = bytes.get(at) {
        match *byte {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote => break,
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{open, plain};

    #[test]
    fn open_comments_are_found() {
        assert_eq!(open("fn a() { /* x */ }"), None);
        assert_eq!(open("// /* no\nfn a() { \"/*\" }"), None);
        assert_eq!(open("x /* a /* b */ c"), Some(2));
        assert_eq!(open("\"a\\\"/*\" /*"), Some(8));
        assert_eq!(open("/*/"), Some(0));
    }

    #[test]
    fn constants_may_be_described() {
        assert_eq!(plain("/// A\n/// B\nconst X = 1;\n"), "//  A\n//  B\nconst X = 1;\n");
        assert_eq!(plain("/// A\nfn a() {}\n"), "/// A\nfn a() {}\n");
    }
}
