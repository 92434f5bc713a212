//! Judges `refuse` lines: actions that the rules must not offer at a pause, and the reasons.

use crate::check::marks::{idle_capture, wrong_marks};
use crate::check::verdicts::{decisions, standing, why_nothing};
use crate::plan::actions::same;
use crate::run::runner::Runner;
use crate::write::answers::shorten;
use referee_diagnostic::{Code, Diagnostic, one_line};
use referee_play::Stop;
use referee_source::{Span, quoted};
use referee_table::PlayerId;
use referee_trace::{Action, Decision, Failure};

/// The reason for refusing an action of a player who is not asked.
const NOT_THEIR_TURN: &str = "not your turn";

impl Runner<'_> {
    /// Judges a refusal: the action must not be an option, and the rules must show that this is deliberate.
    pub(crate) fn refuse(&mut self, span: Span, player: PlayerId, action: &Action, because: Option<&str>) {
        let all = decisions(&self.machine).to_vec();
        if all.is_empty() {
            let message = match self.machine.stop() {
                Stop::Over => why_nothing(&self.machine),
                _ => format!("no player decides anything here: {}", standing(&self.machine)),
            };
            self.fail(self.not_asked(span, message).help("move this line to where the player is asked"));
            return;
        }
        let mine = all.iter().find(|decision| decision.player == player);
        let is_open = mine.is_some_and(|decision| decision.takes(action.ask));
        if !is_open && mine.is_some_and(|decision| decision.options.iter().any(|option| same(action, option))) {
            self.not_refused(span, player, action);
            return;
        }
        if let Some(wrong) = self.wrong_capture(span, action, mine) {
            self.fail(wrong);
            return;
        }
        let reason = match mine {
            None => Ok(Some(NOT_THEIR_TURN.to_owned())),
            Some(_) => self.program.why_not(self.machine.state(), player, action),
        };
        match (reason, because) {
            // Where any values are taken, only a reason refuses some.
            (Ok(None), _) if is_open => self.not_refused(span, player, action),
            (Err(wrong), _) => self.fail(wrong.also(&self.plan.source, span, "while this is judged")),
            (Ok(reason), Some(wanted)) => self.compare_reasons(span, wanted, reason),
            (Ok(reason), None) => self.refused_at_all(span, player, action, mine, reason),
        }
    }

    /// Reports an action that the rules allow.
    fn not_refused(&mut self, span: Span, player: PlayerId, action: &Action) {
        let names = self.machine.names();
        let written = format!("{} {}", names.schema.player_name(player), action.write(names));
        let failure = self.failure(Diagnostic::new(Code::NotRefused, &self.plan.source, span, "the rules allow this"));
        let (expected, actual) = (Some(format!("{written} refused")), Some(format!("{written} allowed")));
        self.keep(Failure { expected, actual, ..failure });
    }

    /// Judges a refusal without `because`. It proves something only if the player is asked, and either the verb is
    /// offered or the rules give a reason. Otherwise every impossible action would pass.
    fn refused_at_all(
        &mut self,
        span: Span,
        player: PlayerId,
        action: &Action,
        mine: Option<&Decision>,
        reason: Option<String>,
    ) {
        let names = self.machine.names();
        let asked = standing(&self.machine);
        let Some(mine) = mine else {
            let message = format!("{} is not asked here: {asked}", names.schema.player_name(player));
            let help = format!("to expect this, add `because {}`", quoted(NOT_THEIR_TURN));
            self.fail(self.not_asked(span, message).help(help));
            return;
        };
        let offered = mine.ask == action.ask
            || mine.takes(action.ask)
            || mine.options.iter().any(|option| option.ask == action.ask);
        if offered || reason.is_some_and(|reason| !reason.is_empty()) {
            return;
        }
        let verb = |ask: referee_table::AskId| names.schema.verb(ask);
        let asks = mine.options.iter().map(|option| option.ask).chain(mine.open.iter().map(|open| open.ask));
        let mut verbs: Vec<String> = asks.map(|ask| verb(ask).to_owned()).collect();
        verbs.sort();
        verbs.dedup();
        let message = format!("`{}` is not what is asked here: {asked}", verb(action.ask));
        let help = format!(
            "write one of the verbs offered: {}; to refuse another verb, return a reason for it from the rules' \
             function `why_not`",
            shorten(&verbs)
        );
        self.fail(self.not_asked(span, message).help(help));
    }

    fn compare_reasons(&mut self, span: Span, wanted: &str, reason: Option<String>) {
        if reason.as_deref() == Some(wanted) {
            return;
        }
        let message = match reason {
            Some(_) => "the rules refuse this for another reason",
            None => "the rules refuse this without a reason",
        };
        let diagnostic = Diagnostic::new(Code::OtherReason, &self.plan.source, span, message).help(match &reason {
            Some(reason) => format!("if the rules are right, write `because {}`", one_line(&quoted(reason))),
            None => {
                "remove `because`, or return the reason from the rules' function `why_not`: it returns none".to_owned()
            }
        });
        let failure = self.failure(diagnostic);
        let actual =
            reason.map_or_else(|| "no reason".to_owned(), |reason| format!("because {}", one_line(&quoted(&reason))));
        let expected = Some(format!("because {}", one_line(&quoted(wanted))));
        self.keep(Failure { expected, actual: Some(actual), ..failure });
    }

    /// Returns the error for an `x` or `-` in a refused move that contradicts the actual or possible captures.
    fn wrong_capture(&self, span: Span, action: &Action, mine: Option<&Decision>) -> Option<Diagnostic> {
        let marks = mine.and_then(|decision| wrong_marks(self.machine.names(), action, &decision.options));
        let wrong = marks.or_else(|| idle_capture(self.machine.state(), action))?;
        Some(wrong.at(&self.plan.source, span))
    }

    fn not_asked(&self, span: Span, message: String) -> Diagnostic {
        Diagnostic::new(Code::NothingAsked, &self.plan.source, span, message)
    }
}
