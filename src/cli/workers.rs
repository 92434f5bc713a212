//! Work spread over threads, its results in the order of the work.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// The stack of a worker, in bytes: scripts call one another deeply.
const STACK: usize = 64 * 1024 * 1024;

/// The most threads: more are no faster anywhere, and each takes a stack.
const MAX_THREADS: usize = 256;

/// Does `count` pieces of work on `jobs` threads; each thread makes its own worker, for a script engine stays on one.
pub(super) fn spread<W, R: Send>(
    count: usize,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    let body = |send: mpsc::Sender<(usize, R)>| {
        let mut mine = worker();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count || send.send((at, work(&mut mine, at))).is_err() {
                break;
            }
        }
    };
    std::thread::scope(|scope| {
        let body = &body;
        let start = |send: mpsc::Sender<(usize, R)>| {
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || body(send))
        };
        let started = (0..jobs.clamp(1, count.clamp(1, MAX_THREADS))).filter(|_| start(send.clone()).is_ok()).count();
        if started == 0 {
            // Without a thread of its own the work is done on this one.
            body(send.clone());
        }
        drop(send);
        let mut results: Vec<(usize, R)> = receive.iter().collect();
        results.sort_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, result)| result).collect()
    })
}
