//! Edits of shipped scenarios that leave a line true.

/// A changed line that is as true as before.
#[derive(Debug)]
pub(crate) struct Stays {
    /// The file.
    file: &'static str,
    /// The line as it is, and as it was tried; rows without their mark and blanks around.
    was: &'static str,
    now: &'static str,
    /// Why the changed line is true too.
    #[expect(dead_code, reason = "for whoever reads the list, and the message about an entry without use")]
    because: &'static str,
}

/// All of them.
pub(crate) const STAYS: &[Stays] = &[];

/// Returns the index in the list of an edit that leaves a line true.
pub(crate) fn stays(file: &str, was: &str, now: &str) -> Option<usize> {
    STAYS.iter().position(|listed| listed.file == file && listed.was == was && listed.now == now)
}
