//! The phases with which the games of a table begin: those that are on the agenda of their first state, one after the other.

use wasm_encoder::Instruction as I;

use super::body::Body;
use super::compiler::Compiler;
use super::layout;
use super::of_board::OfBoard;
use super::of_zones::{OfZones, TO_HOST};
use super::phases::{Runs, Targets};
use super::value::Ty;
use referee_table::{Dealing, Phase, ZoneId};

/// The number of phases up to which they are written, and of cards that are dealt.
const MOST_PHASES: usize = 16;
const MOST_CARDS: u64 = 1_000;

/// The phases of a set-up.
#[derive(Default)]
pub(super) struct SetUp {
    /// The phases in their order.
    pub(super) phases: Vec<Phase>,
    /// The numbers of their functions among those of phases.
    pub(super) numbers: Vec<i32>,
    /// The functions of those that shuffle and deal, with these numbers.
    pub(super) dealt: Vec<(i32, Body)>,
}

impl SetUp {
    /// Returns the set-up of the compiler's state, and adds its functions to those of phases. It has no phases if the host
    /// is to run them.
    pub(super) fn of(compiler: &mut Compiler<'_>, targets: &mut Targets) -> Self {
        let agenda = &compiler.with.state.agenda;
        if agenda.len() > MOST_PHASES {
            return Self::default();
        }
        let mut found = Self::default();
        for phase in agenda.iter().rev() {
            let next = i32::try_from(targets.len()).unwrap_or(i32::MAX);
            let number = match Dealing::of(phase) {
                Some(dealing) => {
                    let Some(body) = dealt(compiler, &dealing) else { return Self::default() };
                    // No script can give such a name to a function.
                    targets.insert((format!("({next})"), 0), next);
                    found.dealt.push((next, body));
                    next
                }
                None => {
                    let takes_none =
                        compiler.callee((&phase.name, 0)).is_some_and(|callee| callee.parameters.is_empty());
                    if !phase.args.is_empty() || !takes_none {
                        return Self::default();
                    }
                    *targets.entry((phase.name.to_string(), 0)).or_insert(next)
                }
            };
            found.phases.push(phase.clone());
            found.numbers.push(number);
        }
        found
    }
}

/// Returns how a phase without arguments is run by a function of the module.
pub(super) fn runs(number: u32) -> Runs {
    Runs { ways: vec![(number, Vec::new())], parameters: Vec::new(), result: Ty::Nothing }
}

/// Returns the function of a line that shuffles or deals; `None` if the host is to do it.
fn dealt(compiler: &mut Compiler<'_>, dealing: &Dealing) -> Option<Body> {
    let mut b = Body::new(0);
    let mut of_zones = |function| compiler.of_board(OfBoard::Zones(function));
    match dealing {
        Dealing::Shuffle(zone) => {
            put_zone(&mut b, *zone);
            b.call(of_zones(OfZones::Shuffle)?);
        }
        Dealing::Board { up: true, .. } => return None,
        Dealing::Board { number, from, up: false } => {
            b.long(i64::from(*number));
            put_zone(&mut b, *from);
            b.call(of_zones(OfZones::AllDown)?);
            b.all([I::I32Const(TO_HOST), I::I32Eq]);
            b.give_up_if();
        }
        Dealing::Deal { number, from, to } => {
            // Where cards come back to their zone, giving up when it is empty is not enough.
            if u64::from(*number).saturating_mul(to.len() as u64) > MOST_CARDS || to.contains(from) {
                return None;
            }
            let (draw, arrive) = (of_zones(OfZones::Draw)?, of_zones(OfZones::Arrive)?);
            b.load(layout::ANSWERS);
            b.add(I::I32Eqz);
            b.give_up_if();
            for to in (0..*number).flat_map(|_| to) {
                put_zone(&mut b, *from);
                b.call(draw);
                put_zone(&mut b, *to);
                b.call(arrive);
            }
        }
    }
    Some(b)
}

fn put_zone(b: &mut Body, zone: ZoneId) {
    b.word(zone.0.into());
}
