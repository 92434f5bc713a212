//! States and answers in the words of scenario lines.

pub(crate) mod state;
