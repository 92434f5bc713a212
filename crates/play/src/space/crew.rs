//! Work for several threads. The library starts no threads; its caller provides them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use referee_diagnostic::MustBe as _;

/// Provides threads.
pub trait Crew {
    /// Runs `lead` on this thread, and meanwhile `help` on each thread that is free; then waits for all of them. `help`
    /// returns soon after `lead` has returned.
    fn work(&self, help: &(dyn Fn() + Sync), lead: &mut dyn FnMut());
}

/// No further threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Crew for Alone {
    fn work(&self, _: &(dyn Fn() + Sync), lead: &mut dyn FnMut()) {
        lead();
    }
}

/// Pieces of work that several threads take, and the results in the order of the pieces.
pub(super) struct Desk<P, R> {
    shared: Mutex<Shared<P, R>>,
    changed: Condvar,
}

struct Shared<P, R> {
    open: VecDeque<(usize, P)>,
    done: Vec<Option<R>>,
    missing: usize,
    closed: bool,
}

impl<P: Clone, R> Desk<P, R> {
    /// Returns a desk without work.
    pub(super) const fn new() -> Self {
        let shared = Shared { open: VecDeque::new(), done: Vec::new(), missing: 0, closed: false };
        Self { shared: Mutex::new(shared), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Shared<P, R>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does all pieces of work, together with the threads that help, and returns their results in order.
    pub(super) fn all(&self, pieces: impl Iterator<Item = P>, mut work: impl FnMut(&P) -> R) -> Vec<R> {
        let mut shared = self.lock();
        shared.open = pieces.enumerate().collect();
        shared.missing = shared.open.len();
        shared.done = (0..shared.missing).map(|_| None).collect();
        self.changed.notify_all();
        loop {
            if let Some((at, piece)) = shared.open.pop_front() {
                drop(shared);
                let result = work(&piece);
                shared = self.lock();
                shared.keep(at, result);
            } else if shared.missing == 0 {
                return std::mem::take(&mut shared.done).into_iter().flatten().collect();
            } else {
                shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Does pieces of work until the desk is closed.
    pub(super) fn help(&self, mut work: impl FnMut(&P) -> R) {
        let mut shared = self.lock();
        while !shared.closed {
            if let Some((at, piece)) = shared.open.pop_front() {
                drop(shared);
                let mut taken = Taken { desk: self, piece: Some((at, piece)) };
                let result = taken.piece.as_ref().map(|(_, piece)| work(piece));
                taken.piece = None;
                shared = self.lock();
                result.into_iter().for_each(|result| shared.keep(at, result));
                self.changed.notify_all();
            } else {
                shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Lets the threads that help return.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

impl<P, R> Shared<P, R> {
    fn keep(&mut self, at: usize, result: R) {
        if let Some(slot) = self.done.get_mut(at).noted("the place of a result") {
            *slot = Some(result);
            self.missing -= 1;
        }
    }
}

/// A piece of work in progress. If the thread panics, the piece is put back, so that no thread waits for it forever.
struct Taken<'d, P: Clone, R> {
    desk: &'d Desk<P, R>,
    piece: Option<(usize, P)>,
}

impl<P: Clone, R> Drop for Taken<'_, P, R> {
    fn drop(&mut self) {
        if let Some(piece) = self.piece.take() {
            self.desk.lock().open.push_front(piece);
            self.desk.changed.notify_all();
        }
    }
}
