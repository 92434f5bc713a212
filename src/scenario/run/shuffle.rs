//! `shuffle deck: squash bounce …`: what order came of a shuffling.
//!
//! The rules shuffle without asking. So the line stands where play pauses next, or behind, and says of the past what was
//! open so far; from there on the order is a part of the state, and whatever looks at the state knows it.

use crate::diagnostic::Diagnostic;
use crate::scenario::check::verdicts::standing;
use crate::scenario::run::runner::Runner;
use crate::scenario::write::answers::shorten;
use crate::source::Span;
use crate::table::{Listed, Order, ZoneId};

impl Runner<'_> {
    /// Takes a line that says how the order of a zone begins; gives the place of the next step.
    pub(crate) fn arrange(&mut self, span: Span, at: usize, zone: ZoneId, order: &Listed) -> usize {
        if let Some(wrong) = self.wrong_order(span, zone, order) {
            self.fail(wrong);
            self.broken = true;
            return at + 1;
        }
        self.begin(at + 1, at);
        let feed = std::rc::Rc::clone(&self.feed);
        self.machine.arrange(zone, &order.order(), &feed);
        self.played(span, at)
    }

    /// Returns why the order of a zone cannot begin so.
    fn wrong_order(&self, line: Span, zone: ZoneId, order: &Listed) -> Option<Diagnostic> {
        let state = self.machine.state();
        let (schema, source) = (state.schema(), &self.plan.source);
        let name = schema.zone_name(zone);
        let say = |span, message: String| Some(Diagnostic::new("wrong_order", source, span, message));
        match state.order(zone) {
            Order::Open => {}
            Order::Unshuffled => {
                let message = format!("{name} was not shuffled: {}", standing(&self.machine));
                let help =
                    format!("the order of a zone that nobody shuffles is said by the position: `{name}: CARD …`");
                return say(line, message).map(|wrong| wrong.help(help));
            }
            Order::Drawn => {
                let message = format!("a card was drawn from {name} since it was shuffled");
                let help = "write this line before the first of its cards is drawn, with that card";
                return say(line, message).map(|wrong| wrong.help(help));
            }
            Order::Said => {
                let message = format!("it is said already what order came of shuffling {name}");
                return say(line, message).map(|wrong| wrong.help("list all that is known on one line"));
            }
        }
        let mut left = state.zone(zone)?.bag().clone();
        for (card, span) in &order.cards {
            let count = left.get_mut(card).filter(|count| **count > 0);
            let Some(count) = count else {
                let there = state.zone(zone)?.bag().get(card).copied().unwrap_or(0);
                let message = match there {
                    0 => format!("there is no `{}` in {name}", schema.piece_name(*card)),
                    there => format!("this is one `{}` too many: {name} holds {there}", schema.piece_name(*card)),
                };
                let all = state.zone(zone)?.bag().iter();
                let all = all.map(|(card, count)| format!("{count} {}", schema.piece_name(*card)));
                let help = format!("what was shuffled: {}", shorten(&all.collect::<Vec<_>>()));
                return say(*span, message).map(|wrong| wrong.help(help));
            };
            *count -= 1;
        }
        let rest: u64 = left.values().map(|count| u64::from(*count)).sum();
        let last = order.cards.last().map_or(line, |(_, span)| *span);
        match (order.more, rest) {
            (None, 1..) => {
                let cards = if rest == 1 { "another card".to_owned() } else { format!("{rest} more cards") };
                let wrong = say(last, format!("{name} holds {cards}"))?;
                Some(wrong.help("list them all, or write `…` last, for those whose order is not known"))
            }
            (Some(span), 0) => {
                let wrong = say(span, format!("no cards of {name} are left to follow"))?;
                Some(wrong.help("leave the `…` out"))
            }
            _ => None,
        }
    }
}
