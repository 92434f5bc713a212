//! The memory that an input takes, counted at its peak: what is read and compiled stays within a multiple of the input,
//! and what rules make and keep within their limits. The input is cut like that of `load`.
#![no_main]

mod game;

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use libfuzzer_sys::fuzz_target;
use referee_report::{Human, test_json};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

use game::on_worker;

/// The bytes that a game with its rules takes in any case, and how many each byte of the input may add.
const LOADED: usize = 32 << 20;
const EACH: usize = 2000;
/// The bytes that running rules may take besides: the values of a phase, and what they keep.
const PLAYED: usize = 1 << 30;

/// An allocator that counts.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Counts bytes that were allocated.
fn add(bytes: usize) {
    let now = NOW.fetch_add(bytes, Ordering::Relaxed).wrapping_add(bytes);
    PEAK.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may be there for a moment.
        add(size);
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Returns the result of `work`, and the bytes that it took at its peak.
fn measured<R>(work: impl FnOnce() -> R) -> (R, usize) {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = work();
    (result, PEAK.load(Ordering::Relaxed).saturating_sub(before))
}

fuzz_target!(|text: &str| on_worker(text, |host| bounded(host, text.len())));

fn bounded(host: &MemoryHost, size: usize) {
    let most = LOADED + EACH * size;
    let mut loader = Loader::new(host, LoaderOptions::default());
    let (suite, loaded) = measured(|| referee_scenario::plan(&mut loader, Path::new("a.scenario")));
    assert!(loaded <= most, "{loaded} bytes to load {size}");
    let (_, played) = measured(|| {
        let results: Vec<_> =
            (0..suite.tests.len().min(4)).map(|test| referee_scenario::judge(&mut loader, &suite, test)).collect();
        let mut human = Human::new(false, true);
        let _ = [human.file(&suite.file, &suite.problems, &results), human.summary()].concat();
        let _ = test_json(&results);
        let _ = referee_scenario::check_game(&mut loader, Path::new("games/g/g.game"));
    });
    assert!(played <= most + PLAYED, "{played} bytes to play {size}");
}
