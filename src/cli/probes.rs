//! Time and memory use of this process. Limits on them stop rules that evade the limits on counts.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::rules::ResourceProbes;

/// The resource probes of this process.
pub const RESOURCE_PROBES: ResourceProbes = ResourceProbes { time, memory };

fn time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Returns resident memory in bytes; 0 except on Linux.
fn memory() -> u64 {
    /// The usual size of a page. On a machine with larger pages, the limit is only less strict.
    const PAGE: u64 = 4096;
    let about = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    about.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * PAGE
}
