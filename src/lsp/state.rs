//! The state of the main thread.

use std::sync::mpsc::Sender;

use super::documents::Documents;
use super::runner::Job;
use crate::ide::Project;

/// The state of the main thread.
pub(super) struct Server<'h> {
    pub(super) project: Project<'h>,
    pub(super) documents: &'h Documents<'h>,
    pub(super) jobs: Sender<Job>,
    /// The number of requests sent to the client, which number them.
    pub(super) asked: i32,
    /// Whether the client shows the results of commands itself.
    pub(super) quiet: bool,
}
