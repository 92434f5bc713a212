//! Changes of files, counted, and the requests that wait for the next one.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use tiny_http::Request;

use super::answers::answer_json;
use super::project::is_own;

/// The maximum number of requests that wait: more than there are open pages.
const WAITING: usize = 64;

/// The number of changes so far, and who waits for the next.
#[derive(Default)]
pub(super) struct Changes(Mutex<State>);

#[derive(Default)]
struct State {
    count: u64,
    waiting: Vec<Request>,
}

impl Changes {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of changes so far.
    pub(super) fn count(&self) -> u64 {
        self.state().count
    }

    /// Counts a change, and answers those who wait.
    fn happened(&self) {
        let mut state = self.state();
        state.count += 1;
        let count = state.count;
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.into_iter().for_each(|request| tell(request, count));
    }

    /// Answers a request when there are more changes than it knows: at once, or later.
    pub(super) fn wait(&self, request: Request, known: u64) {
        let mut state = self.state();
        let first = (state.waiting.len() >= WAITING).then(|| state.waiting.remove(0));
        let count = state.count;
        let now = if count == known {
            state.waiting.push(request);
            None
        } else {
            Some(request)
        };
        drop(state);
        first.into_iter().chain(now).for_each(|request| tell(request, count));
    }
}

/// Tells one who has waited the number of changes.
fn tell(request: Request, count: u64) {
    answer_json(request, 200, &serde_json::json!({ "version": count }));
}

/// Watches a folder until the watcher is dropped.
///
/// # Errors
/// Returns an error if the system cannot watch it.
pub(super) fn watch(root: &Path, changes: &Arc<Changes>) -> notify::Result<RecommendedWatcher> {
    let (changes, folder) = (Arc::clone(changes), root.to_path_buf());
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // An error may stand for a change that was missed.
        let touches = event.map_or(true, |event| {
            !matches!(event.kind, notify::EventKind::Access(_))
                && event.paths.iter().any(|path| path.strip_prefix(&folder).is_ok_and(is_own))
        });
        if touches {
            changes.happened();
        }
    })?;
    watcher.watch(root, RecursiveMode::Recursive)?;
    Ok(watcher)
}
