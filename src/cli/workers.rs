//! Work spread over threads, its results in the order of the work.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// The stack of a worker, in bytes: scripts call one another deeply.
const STACK: usize = 64 * 1024 * 1024;

/// Do `count` pieces of work on `jobs` threads; each thread makes its own worker, for a script engine stays on one.
pub(super) fn spread<W, R: Send>(
    count: usize,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, count.max(1)) {
            let send = send.clone();
            let (next, worker, work) = (&next, &worker, &work);
            let body = move || {
                let mut mine = worker();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count || send.send((at, work(&mut mine, at))).is_err() {
                        break;
                    }
                }
            };
            // Without a thread there is nothing to do but go on with those that started.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
        }
        drop(send);
        let mut results: Vec<(usize, R)> = receive.iter().collect();
        results.sort_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, result)| result).collect()
    })
}
