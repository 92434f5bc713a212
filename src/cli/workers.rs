//! Spreads work over threads; the results are in the order of the work.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, mpsc};

use referee_play::Crew;

/// The stack size of a worker, in bytes: calls in scripts nest deeply.
const STACK: usize = 64 * 1024 * 1024;

/// The maximum number of pieces of work that a thread takes at once.
const TOGETHER: usize = 64;

/// The maximum number of threads. More would not be faster, and each takes a stack.
const MAX_THREADS: usize = 256;

/// Does `count` pieces of work on `jobs` threads. Each thread makes its own worker: a script engine cannot change
/// threads.
pub(super) fn spread<W, R: Send>(
    count: usize,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> R + Sync,
) -> Vec<R> {
    let mut all = Vec::new();
    let keep = |results| {
        all = results;
        ((), 0)
    };
    spread_twice(count, jobs, worker, work, keep, |_, (), _| ());
    all
}

/// Does two rounds of work: `first` on `count` pieces, then `second` on pieces that depend on the first results.
/// `between` turns these results into a value for the second round and its number of pieces. A thread keeps its worker,
/// with its loaded data, for both rounds.
pub(super) fn spread_twice<W, A: Send, M: Send + Sync, B: Send>(
    count: usize,
    jobs: usize,
    worker: impl Fn() -> W + Sync,
    first: impl Fn(&mut W, usize) -> A + Sync,
    between: impl FnOnce(Vec<A>) -> (M, usize),
    second: impl Fn(&mut W, &M, usize) -> B + Sync,
) -> (M, Vec<B>) {
    let (next, later) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // Write-locked until it is set. A panic before that unlocks it, so that the threads end.
    let middle: RwLock<Option<(M, usize)>> = RwLock::new(None);
    let (send_first, first_results) = mpsc::channel();
    let (send_second, second_results) = mpsc::channel();
    let begin = |mine: &mut W, send: &mpsc::Sender<(usize, A)>| {
        take_each(&next, count, 1, |at| send.send((at, first(mine, at))).is_ok());
    };
    let go_on = |mine: &mut W, send: &mpsc::Sender<(usize, B)>| {
        let Ok(middle) = middle.read() else { return };
        let Some((middle, count)) = middle.as_ref() else { return };
        // Tests in a row share what a thread keeps of their file.
        let together = (*count / jobs.max(1) / 16).clamp(1, TOGETHER);
        take_each(&later, *count, together, |at| send.send((at, second(mine, middle, at))).is_ok());
    };
    let results = std::thread::scope(|scope| {
        let (worker, begin, go_on) = (&worker, &begin, &go_on);
        let mut waited_for = middle.write().unwrap_or_else(PoisonError::into_inner);
        let start = |send_first: Option<mpsc::Sender<(usize, A)>>| {
            let send_second = send_second.clone();
            let body = move || {
                let mut mine = worker();
                send_first.iter().for_each(|send| begin(&mut mine, send));
                drop(send_first);
                go_on(&mut mine, &send_second);
            };
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body).is_ok()
        };
        let threads = |count: usize| jobs.clamp(1, count.clamp(1, MAX_THREADS));
        let started = (0..threads(count)).filter(|_| start(Some(send_first.clone()))).count();
        // If no thread could be started, this thread does the work.
        let mut own = (started == 0).then(worker);
        own.iter_mut().for_each(|mine| begin(mine, &send_first));
        drop(send_first);
        let made = between(in_order(count, first_results.iter()));
        let (later, more) = (made.1, threads(made.1));
        *waited_for = Some(made);
        drop(waited_for);
        if own.is_none() {
            (started..more).for_each(|_| {
                start(None);
            });
        }
        own.iter_mut().for_each(|mine| go_on(mine, &send_second));
        drop(send_second);
        in_order(later, second_results.iter())
    });
    match middle.into_inner() {
        Ok(Some((middle, _))) => (middle, results),
        _ => unreachable!("it is set above, and nothing else writes to it"),
    }
}

/// The threads of a run that have nothing to do, for work that can use more than one.
pub(super) struct Spare(AtomicUsize);

/// A thread at work; it is spare again afterwards.
pub(super) struct Busy<'s>(&'s Spare);

impl Spare {
    /// Returns this number of threads, all of them without work.
    pub(super) fn new(jobs: usize) -> Self {
        Self(AtomicUsize::new(jobs.min(MAX_THREADS)))
    }

    /// Takes a thread to work.
    pub(super) fn busy(&self) -> Busy<'_> {
        self.take(1);
        Busy(self)
    }

    /// Takes up to this number of threads, and returns how many.
    fn take(&self, most: usize) -> usize {
        let mut taken = 0;
        let fewer = |free: usize| {
            taken = free.min(most);
            Some(free - taken)
        };
        match self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer) {
            Ok(_) | Err(_) => taken,
        }
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Crew for Spare {
    fn work(&self, help: &(dyn Fn() + Sync), lead: &mut dyn FnMut()) {
        let spare = self.take(MAX_THREADS);
        std::thread::scope(|scope| {
            for _ in 0..spare {
                // Without a further thread, the others do its work.
                drop(std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help));
            }
            lead();
        });
        self.0.fetch_add(spare, Ordering::Relaxed);
    }
}

/// Does some pieces of work in a row after the others, until all are taken or the receiver of the results is gone.
fn take_each(next: &AtomicUsize, count: usize, together: usize, mut work: impl FnMut(usize) -> bool) {
    loop {
        let first = next.fetch_add(together, Ordering::Relaxed);
        let mut own = first..count.min(first.saturating_add(together));
        if own.is_empty() || !own.all(&mut work) {
            break;
        }
    }
}

/// Puts the results of at most `count` pieces of work into the order of the work. There may be very many: neither does
/// their list grow, nor is there a second one.
fn in_order<R>(count: usize, results: impl Iterator<Item = (usize, R)>) -> Vec<R> {
    let mut all = Vec::with_capacity(count);
    all.extend(results);
    all.sort_unstable_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}
