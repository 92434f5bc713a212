//! Time and memory of this process, which stop rules that get by what is counted.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::rules::Gauges;

/// The gauges of this process.
pub const GAUGES: Gauges = Gauges { time, memory };

fn time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// What Linux says of this process; elsewhere nobody knows without unsafe code.
fn memory() -> u64 {
    /// The size of a page on the machines that there are; a larger one only makes the limit wider.
    const PAGE: u64 = 4096;
    let about = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    about.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * PAGE
}
