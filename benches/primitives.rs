//! Measures the cost of a call of each primitive for sets, in Rhai's interpreter and in the machine, on three boards.
//!
//! Runs a function with a hundred calls and one without calls; the difference is the cost of the calls.

mod tables;

use std::sync::Arc;

use cpu_time::ThreadTime;
use referee_reference::Reference;
use referee_rules::{Answers, End, Keep, Program, Reply};
use referee_source::Source;
use referee_table::{Phase, PlayerId, State, Value};
use referee_trace::Ask;

const CALLS: usize = 100;
/// The processor time for each measurement, in seconds.
const SLICE: f64 = 0.05;

/// The calls. `own` is a set, `dirs` a list of sets, one for each direction, and `list` a list of moves.
const PRIMITIVES: [&str; 18] = [
    "cells(me)",
    "after(me)",
    "all_cells()",
    "occupied()",
    "own | other",
    "own - other",
    "own.shift(1)",
    "around(own)",
    "own.touched()",
    "own.seen()",
    "own & dirs",
    "dirs - dirs",
    "flood(own, own)",
    "connected(own)",
    "groups(own)",
    "count(own)",
    "steps(dirs)",
    "list.is_empty()",
];

struct Nobody;

impl Answers for Nobody {
    fn answer(&mut self, _: &Ask, _: &State) -> Reply {
        Reply::Pause
    }
}

/// Returns the time of one run of `function`, in nanoseconds.
fn time(program: &Program, start: &State, function: &str) -> f64 {
    let phase = Phase { name: function.into(), args: vec![Value::Player(PlayerId(0))] };
    let mut state = start.clone();
    let began = ThreadTime::now();
    let mut runs = 0_u32;
    while runs < 3 || began.elapsed().as_secs_f64() < SLICE {
        program.begin(0);
        let run = program.run(state, &phase, Box::new(Nobody), Keep::default());
        assert!(matches!(run.end, End::Returned), "{:?}", run.end);
        state = run.state;
        runs += 1;
    }
    began.elapsed().as_secs_f64() * 1e9 / f64::from(runs)
}

fn main() {
    println!("nanoseconds by the interpreter / by the machine");
    for id in ["hex-squish", "breakthrough"] {
        let game = tables::game(id);
        let start = tables::set_up(&game, None, 2);
        let names =
            "let own = cells(me); let other = cells(after(me)); let dirs = own.touched(); let list = steps(dirs);";
        let function = |(at, call): (usize, &&str)| {
            format!("fn many{at}(me) {{ {names} {} }}\n", format!("{call}; ").repeat(CALLS))
        };
        let many: String = PRIMITIVES.iter().enumerate().map(function).collect();
        let source = Source::new("bench.rhai", format!("fn turn(me) {{ }}\nfn none(me) {{ {names} }}\n{many}"));
        let program = tables::program(&game, &Arc::new(source));
        let reference = Reference::of(&program);
        println!("\n{id}");
        for (at, call) in PRIMITIVES.iter().enumerate() {
            let of = || {
                let calls = time(&program, &start, &format!("many{at}")) - time(&program, &start, "none");
                calls / CALLS as f64
            };
            println!("{call:<18} {:>6.0} / {:>5.0}", reference.during(&program, of), of());
        }
    }
}
