//! Runs that need to know unknown cards: chance decides these, and the run begins again from its last ask.
//!
//! A native function that looks at unknown cards stops the run, whatever calls it: it may be in a function value, in a condition or
//! in a listing of moves. Up to there the run did not depend on the cards. So it is the same once more if they are known, and the
//! answers that it was given are given again.

use std::cell::RefCell;
use std::rc::Rc;

use super::needs::{Again, Needs};
use super::phases::Ended;
use super::{End, Paused, Program};
use crate::host::{Answers, Nobody, Reply, Session};
use referee_table::{State, ZoneId};
use referee_trace::{Answer, Ask, Question, RulesPlace};

impl Program {
    /// Runs a phase, or the rest of one, in a session whose state has unknown cards. Each time that the rules need to know some, the
    /// source of answers is asked for them.
    pub(super) fn run_apart(&self, mut session: Box<Session>, paused: &Paused) -> Ended {
        let source: Box<dyn Answers> = std::mem::replace(&mut session.answers, Box::new(Nobody));
        let source = Rc::new(RefCell::new(source));
        let (keep, silent) = (session.keep, session.silent);
        let earlier = (
            std::mem::take(&mut session.events),
            std::mem::take(&mut session.answered),
            std::mem::take(&mut session.clauses),
        );
        let mut needs = paused.needs.as_deref().cloned();
        let mut begun = needs.as_ref().map_or(&session.state, |needs| &needs.begun).clone();
        let given =
            Rc::new(RefCell::new(needs.as_mut().map(|needs| std::mem::take(&mut needs.given)).unwrap_or_default()));
        let mut dealt = needs.as_mut().map(|needs| std::mem::take(&mut needs.dealt)).unwrap_or_default();
        let reported = needs.as_ref().map_or([0, 0], |needs| needs.reported);
        let mut wanted = needs.map(|needs| (needs.zone, needs.place));
        let (mut ran, end, paused) = loop {
            if let Some((zone, place)) = wanted {
                let before = given.borrow().len();
                let asked = deal(&source, [&mut session.state, &mut begun], (zone, place), |ask, answer| {
                    dealt.push((before, ask, answer));
                });
                if let Err((ask, end)) = asked {
                    // What has happened up to here happens again: its clauses and positions are reported then.
                    session.moments.clear();
                    session.clauses.clear();
                    if keep.answers {
                        add_dealt(&mut session.answered, &dealt);
                    }
                    let now = [session.events.len().max(reported[0]), session.answered.len().max(reported[1])];
                    leave_out(&mut session, reported);
                    let given = given.borrow().clone();
                    let needs = Needs { begun, zone, place, given, dealt, reported: now };
                    let again = paused.needing(needs);
                    break (session, end(Box::new(ask)), Some(Rc::new(again)));
                }
            }
            let again = Again { source: Rc::clone(&source), given: Rc::clone(&given), at: 0 };
            session = Session::new(begun.clone(), Box::new(again), keep);
            (session.silent, session.deals) = (silent, true);
            let (run, end, after) = self.rest_at_once(session, paused);
            session = run;
            wanted = session.needs.take();
            if wanted.is_none() {
                if keep.answers {
                    add_dealt(&mut session.answered, &dealt);
                }
                session.asked |= !dealt.is_empty();
                leave_out(&mut session, reported);
                break (session, end, after);
            }
        };
        ran.deals = false;
        ran.answers = Box::new(Nobody);
        if let Some(source) = Rc::into_inner(source) {
            ran.answers = source.into_inner();
        }
        let (events, answered, clauses) = earlier;
        ran.events.splice(0..0, events);
        ran.answered.splice(0..0, answered);
        ran.clauses.splice(0..0, clauses);
        (ran, end, paused)
    }
}

/// An ask that has no answer, and how a run ends with it.
type Unanswered = (Ask, fn(Box<Ask>) -> End);

/// Asks the source of answers for the unknown cards of a zone, and decides them in both states: the present one, and the one in which
/// the run begins again.
///
/// # Errors
/// Returns the ask that has no answer, and how the run ends with it.
fn deal(
    source: &RefCell<Box<dyn Answers>>,
    [now, begun]: [&mut State; 2],
    (zone, place): (ZoneId, RulesPlace),
    mut note: impl FnMut(Ask, Answer),
) -> Result<(), Unanswered> {
    while let Some(lent) = now.zone(zone).and_then(referee_table::Zone::lent) {
        let ask = Ask::new(Question::Draw(lent.from), place);
        let reply = source.borrow_mut().answer(&ask, now);
        match reply {
            Reply::Answer(Answer::Drawn(card)) => {
                now.settle_lent(zone, card);
                begun.settle_lent(zone, card);
                if now.zone(zone).and_then(referee_table::Zone::lent) == Some(lent) {
                    return Err((ask, End::Refused));
                }
                note(ask, Answer::Drawn(card));
            }
            Reply::Pause => return Err((ask, End::Paused)),
            Reply::Answer(_) | Reply::Refuse => return Err((ask, End::Refused)),
        }
    }
    Ok(())
}

/// Adds the unknown cards that were decided to the answers of a run, where they were asked for.
fn add_dealt(answered: &mut Vec<(Ask, Answer)>, dealt: &[(usize, Ask, Answer)]) {
    for (later, (before, ask, answer)) in dealt.iter().enumerate() {
        let at = (before + later).min(answered.len());
        answered.insert(at, (ask.clone(), answer.clone()));
    }
}

/// Leaves out the first events and answers of a run, which are reported already.
fn leave_out(session: &mut Session, [events, answers]: [usize; 2]) {
    session.events.drain(..events.min(session.events.len()));
    session.answered.drain(..answers.min(session.answered.len()));
}
