//! Progress and speed of work that takes longer than a second. Both are printed only at a terminal, on standard error,
//! so that standard output is the same every time.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::arguments::Format;
use super::output::remark;
use referee_play::{solving_done, steps_done};

/// The time after which the progress line appears.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time between updates of the progress line.
const TICK: Duration = Duration::from_millis(200);

/// A progress line; removed when dropped.
pub(super) struct Waiting {
    began: Instant,
    shown: bool,
    end: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Waiting {
    /// Starts the progress line of work that is counted in a unit such as `states`.
    pub(super) fn new(format: Format, unit: &'static str) -> Self {
        let shown = format == Format::Human && std::io::stderr().is_terminal();
        Self { began: Instant::now(), shown, end: shown.then(|| watch(unit)).flatten() }
    }

    /// Removes the progress line and prints the speed.
    pub(super) fn done(mut self, count: u64, unit: &str) {
        self.stop();
        if self.shown {
            remark(&speed(count, unit, self.began.elapsed()));
        }
    }

    fn stop(&mut self) {
        if let Some((end, thread)) = self.end.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Starts a thread that shows the progress line after a second.
fn watch(unit: &'static str) -> Option<(Sender<()>, JoinHandle<()>)> {
    let (end, ended) = channel();
    let (before, unsolved) = (steps_done(), solving_done());
    let body = move || {
        if ended.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
            bar.set_style(style);
        }
        while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            let steps = HumanCount(steps_done().saturating_sub(before));
            let solving = match solving_done().saturating_sub(unsolved) {
                0 => String::new(),
                count => format!(", {} steps of solving", HumanCount(count)),
            };
            bar.set_message(format!("{steps} {unit}{solving}"));
            bar.tick();
        }
        bar.finish_and_clear();
    };
    let thread = std::thread::Builder::new().spawn(body).ok()?;
    Some((end, thread))
}

/// Returns a bar for work that is counted in a unit such as `games`; it is hidden unless the output is human-readable and
/// goes to a terminal.
pub(super) fn bar(format: Format, count: u64, unit: &str) -> ProgressBar {
    if format == Format::Json || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::stderr());
    let template = format!("{{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{per_sec}}, {{eta}} to go");
    ProgressStyle::with_template(&template).map_or(bar.clone(), |style| bar.with_style(style))
}

/// Returns a line such as `1,000 games in 2.3 s: 434 games/s`.
pub(super) fn speed(count: u64, unit: &str, took: Duration) -> String {
    let seconds = took.as_secs_f64().max(1e-6);
    let rate = HumanCount((count as f64 / seconds) as u64);
    format!("{} {unit} in {seconds:.1} s: {rate} {unit}/s", HumanCount(count))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::speed;

    #[test]
    fn a_speed_is_a_number_in_a_second() {
        assert_eq!(speed(4000, "games", Duration::from_secs(2)), "4,000 games in 2.0 s: 2,000 games/s");
    }
}
