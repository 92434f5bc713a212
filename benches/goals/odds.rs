//! Measures odds, each in its own process, which can be stopped if it takes too long.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use num_traits::ToPrimitive;
use referee_play::{DEFAULT_BYTES, Deals, Follower, Horizon, MAX_STATES};
use referee_scenario::{OddsFlags, OddsRequest, StrategyFlags};

use crate::ours;
use crate::report::{Goal, Report};
use crate::yardsticks::odds;

/// The wall time in seconds after which a process is stopped. Its processor time is not known before it ends.
const PATIENCE: f64 = 60.0;
const FLAGS: OddsFlags = OddsFlags {
    chance: "--chance",
    within: "--within",
    states: "--states",
    memory: "--memory",
    strategy: StrategyFlags { when: "--when", policy: "--policy" },
};

/// A question: a scenario, the policy of all players, and the first player's chance to win, computed by hand.
struct Inquiry {
    what: &'static str,
    scenario: &'static str,
    policy: &'static str,
    known: fn() -> f64,
    goal: Goal,
}

const INQUIRIES: [Inquiry; 2] = [
    Inquiry {
        what: "odds: Pig to 100, two greedy players",
        scenario: "use pig\n\nscenario \"Pig\"\n  players ann ben\n  turn ann\n",
        policy: "greedy:hold_at(20)",
        known: odds::pig,
        goal: Goal::AtMost(0.3),
    },
    Inquiry {
        what: "odds: Royal Game of Ur, two stones each",
        scenario: "use royal-game-of-ur\n\nscenario \"Ur\"\n  with stones = 2\n  turn light\n",
        policy: "random",
        known: odds::ur,
        goal: Goal::AtMost(0.1),
    },
];

/// The argument that makes a process compute one of the questions.
const CHILD: &str = "--odds=";

pub(crate) fn rows(report: &mut Report) {
    for (number, inquiry) in INQUIRIES.iter().enumerate() {
        if !report.wants(inquiry.what) {
            continue;
        }
        let Some(said) = wait_for(number) else {
            report.stopped(inquiry.what, PATIENCE, inquiry.goal);
            continue;
        };
        let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [seconds, low, high] = numbers[..] else { unreachable!("the odds of {} are `{said}`", inquiry.what) };
        let known = (inquiry.known)();
        assert!(low <= known + 1e-9 && known - 1e-9 <= high, "{}: {known}, not {low} to {high}", inquiry.what);
        report.time(inquiry.what, seconds, inquiry.goal);
    }
}

/// Returns the output of the process; `None` if it takes too long.
fn wait_for(number: usize) -> Option<String> {
    let Ok(own) = std::env::current_exe() else { unreachable!("the bench knows where it lies") };
    let child = Command::new(own).arg(format!("{CHILD}{number}")).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else { unreachable!("the bench can be started once more") };
    let began = Instant::now();
    while matches!(child.try_wait(), Ok(None)) {
        if began.elapsed().as_secs_f64() > PATIENCE {
            let _stopped = child.kill().and_then(|()| child.wait());
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut said = String::new();
    let _read = child.stdout.take().map(|mut out| out.read_to_string(&mut said));
    Some(said)
}

/// Computes odds if this process was started for that; returns whether it was.
pub(crate) fn is_child() -> bool {
    let number = std::env::args().find_map(|word| word.strip_prefix(CHILD)?.parse::<usize>().ok());
    let Some(inquiry) = number.and_then(|number| INQUIRIES.get(number)) else { return false };
    let host = ours::host("/odds.scenario", inquiry.scenario);
    let mut loader = ours::loader(&host);
    let suite = referee_scenario::plan(&mut loader, Path::new("/odds.scenario"));
    assert!(suite.problems.is_empty(), "{:?}", suite.problems);
    let request = OddsRequest {
        when: Vec::new(),
        policies: vec![inquiry.policy.to_owned()],
        chance: None,
        horizon: Horizon::Game,
        states: MAX_STATES,
        bytes: DEFAULT_BYTES,
        by: Follower::default(),
        deals: Deals::default(),
        flags: FLAGS,
    };
    let began = ProcessTime::now();
    let odds = referee_scenario::odds(&mut loader, &suite, 0, &request);
    let took = began.elapsed().as_secs_f64();
    match odds {
        Ok((Some(odds), _)) => {
            let first = odds.rows.first().map(|row| (row.chance.low.to_f64(), row.chance.high.to_f64()));
            let Some((Some(low), Some(high))) = first else { unreachable!("somebody can win") };
            println!("{took} {low} {high}");
        }
        Ok((None, _)) => unreachable!("the scenario fails"),
        Err(wrong) => unreachable!("{wrong:?}"),
    }
    true
}
