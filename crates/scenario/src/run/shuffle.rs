//! `shuffle deck: squash bounce …`: the order of cards after shuffling.
//!
//! The rules shuffle without asking. The line therefore comes at the next pause or later, and decides the order that
//! was open until then. From there, the order is a part of the state.

use crate::check::verdicts::standing;
use crate::run::runner::Runner;
use crate::write::answers::shorten;
use referee_diagnostic::{Code, Diagnostic};
use referee_source::Span;
use referee_table::{Listed, Order, ZoneId};

impl Runner<'_> {
    /// Runs a line that lists the first cards of a shuffled zone; returns the index of the next step.
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

    /// Returns the error if a zone cannot have this order.
    fn wrong_order(&self, line: Span, zone: ZoneId, order: &Listed) -> Option<Diagnostic> {
        let state = self.machine.state();
        let (schema, source) = (state.schema(), &self.plan.source);
        let name = schema.zone_name(zone);
        let wrong_order = |span, message: String| Some(Diagnostic::new(Code::WrongOrder, source, span, message));
        match state.order(zone) {
            Order::Open => {}
            Order::Unshuffled => {
                let message = format!("{name} was not shuffled: {}", standing(&self.machine));
                let help = format!("write the order of a zone that is not shuffled in the position: `{name}: CARD …`");
                return wrong_order(line, message).map(|wrong| wrong.help(help));
            }
            Order::Drawn => {
                let message = format!("a card was drawn from {name} since it was shuffled");
                let help = "move this line up, before the first of these cards is drawn, and add that card";
                return wrong_order(line, message).map(|wrong| wrong.help(help));
            }
            Order::Listed => {
                let message = format!("a line above already gives the order of {name}");
                return wrong_order(line, message).map(|wrong| wrong.help("list all known cards on one line"));
            }
        }
        let mut left = state.zone(zone)?.bag().clone();
        for (card, span) in &order.cards {
            let count = left.get_mut(card).filter(|count| **count > 0);
            let Some(count) = count else {
                let there = state.zone(zone)?.bag().get(card).copied().unwrap_or(0);
                let message = match there {
                    0 => format!("`{}` is not in {name}", schema.piece_name(*card)),
                    there => format!("this is one `{}` too many: {name} holds {there}", schema.piece_name(*card)),
                };
                let all = state.zone(zone)?.bag().iter();
                let all = all.map(|(card, count)| format!("{count} {}", schema.piece_name(*card)));
                let help = format!("what was shuffled: {}", shorten(&all.collect::<Vec<_>>()));
                return wrong_order(*span, message).map(|wrong| wrong.help(help));
            };
            *count -= 1;
        }
        let rest: u64 = left.values().map(|count| u64::from(*count)).sum();
        let last = order.cards.last().map_or(line, |(_, span)| *span);
        let elsewhere = state.lent_from(zone);
        let Some(rest) = rest.checked_sub(elsewhere) else {
            let wrong = wrong_order(last, format!("{elsewhere} of these cards are unknown ones of other zones"))?;
            return Some(wrong.help("list fewer cards, and write `…` last"));
        };
        match (order.more, rest) {
            (None, 1..) => {
                let cards = if rest == 1 { "another card".to_owned() } else { format!("{rest} more cards") };
                let wrong = wrong_order(last, format!("{name} holds {cards}"))?;
                Some(wrong.help("list them all, or write `…` last, for those whose order is not known"))
            }
            (Some(span), 0) => {
                let wrong = wrong_order(span, format!("no cards of {name} are left for `…`"))?;
                Some(wrong.help("remove the `…`"))
            }
            _ => None,
        }
    }
}
