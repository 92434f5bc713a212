//! The positions during the play of a scenario.

use crate::check::verdicts::{ended_by, standing};
use crate::write::cards;
use crate::write::state::{amounts, turns, values};
use referee_play::{Chance, Machine, Stop};
use referee_source::{Source, Span};
use referee_table::{Cell, Onlooker, PieceId, PlayerId, State, View, ZoneId, draw, drawn_moves, drawn_zones, symbol};
use referee_trace::{Question, Scene};

/// The course of a run of a test. Two runs of the same test with equal courses played the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// The positions: the start and each pause.
    pub scenes: Vec<Scene>,
    /// The questions of the rules there, with their options.
    pub questions: Vec<Option<Question>>,
    /// The questions that lines answer, with their options; also those at which play does not pause.
    pub answered: Vec<Question>,
    /// The chances that lines ask for, in their order.
    pub chances: Vec<ChanceFound>,
}

/// A chance that a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChanceFound {
    /// The line, counted from 1.
    pub line: usize,
    /// The condition, in the words of the line.
    pub condition: String,
    /// The chance, exact or between bounds.
    pub chance: Chance,
}

/// The recorder of positions during play.
#[derive(Default)]
pub(crate) struct Watcher {
    pub(crate) course: Course,
    before: Option<State>,
    shown: usize,
    /// The placeholders of the table's row, and the texts that replace them in lines.
    row: Vec<(String, String)>,
    /// The player as whom positions are seen; `None` for the whole positions.
    viewer: Option<PlayerId>,
}

impl Watcher {
    /// Returns a recorder for a scenario with this row of its table.
    pub(crate) fn new(row: &[(String, String)], viewer: Option<PlayerId>) -> Self {
        Self { row: row.to_vec(), viewer, ..Self::default() }
    }

    /// Records the position that play has reached with the line at `span`.
    pub(crate) fn look(&mut self, machine: &Machine<'_>, source: &Source, span: Span) {
        let mut scene = scene(machine, source, span, self.shown, self.before.as_ref());
        if let Some(viewer) = self.viewer {
            let view = machine.state().view(viewer);
            scene = covered(scene, machine, &view, (Onlooker::Player(viewer), self.before.as_ref()));
        }
        scene.text = filled(&self.row, &scene.text);
        self.course.scenes.push(scene);
        let question = if let Stop::Paused(ask) = machine.stop() { Some(ask.question.clone()) } else { None };
        self.course.questions.push(question);
        self.shown = machine.events().count();
        self.before = Some(machine.state().clone());
    }

    /// Records that the lines of a span, and what belongs to them below, are written for the last position: rows, and how
    /// players decide.
    pub(crate) fn wrote(&mut self, source: &Source, span: Span) {
        let Some(scene) = self.course.scenes.last_mut().filter(|_| source.is_file()) else { return };
        let (first, last) = (source.line(span.start), source.line(span.end.max(span.start + 1) - 1));
        let end = source.line(u32::try_from(source.text().len()).unwrap_or(u32::MAX));
        for line in first..=end {
            let text = source.slice(source.line_span(line)).trim_end();
            if line > last && !continues(text.trim_start()) {
                break;
            }
            if !text.is_empty() && scene.written.last().is_none_or(|(before, _)| *before < line) {
                scene.written.push((line, filled(&self.row, text)));
            }
        }
    }

    /// Records the chance that the line at `span` asks for.
    pub(crate) fn found(&mut self, source: &Source, span: Span, condition: &str, chance: &Chance) {
        let (line, condition) = (source.line(span.start), condition.to_owned());
        self.course.chances.push(ChanceFound { line, condition, chance: chance.clone() });
    }
}

/// Returns whether a line belongs to the one above: a row, or how players decide for a chance.
fn continues(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    text.starts_with(['|', '>']) || matches!(word, "when" | "at")
}

/// Returns the text of a line with the values of a row.
fn filled(row: &[(String, String)], text: &str) -> String {
    row.iter().fold(text.to_owned(), |text, (placeholder, value)| text.replace(placeholder, value))
}

/// Returns the present position, with the events from index `shown`. Marks the cells that differ from `before`.
pub(crate) fn scene(machine: &Machine<'_>, source: &Source, span: Span, shown: usize, before: Option<&State>) -> Scene {
    let names = machine.names();
    let state = machine.state();
    let changed = |cell: Cell| {
        let differs = |before: &State| before.at(cell) != state.at(cell) || before.face(cell) != state.face(cell);
        // The player before a piece may have changed, which only its symbol shows.
        before.is_some_and(|before| differs(before) || symbol(before, cell) != symbol(state, cell))
    };
    Scene {
        line: source.is_file().then(|| source.line(span.start)),
        text: source.slice(span).lines().next().unwrap_or_default().trim().to_owned(),
        events: machine.events().skip(shown).map(|event| event.write(names)).collect(),
        board: draw(state, changed),
        off: off(state),
        values: values(state, names).into_iter().chain(turns(state)).collect(),
        cards: cards::seen(state),
        turn: state.turn.map(|player| names.schema.player_name(player).to_owned()),
        standing: standing(machine),
        ended: ended_by(machine),
        players: names.schema.players.clone(),
        zones: drawn_zones(state, Onlooker::Author),
        moves: before.map(|before| drawn_moves(before, state)).unwrap_or_default(),
        written: Vec::new(),
    }
}

/// Returns the present position as it is in a view, with the events from index `shown`. Marks the cells that differ from
/// `before`. Without a view, nothing is covered.
pub(crate) fn seen_in(
    machine: &Machine<'_>,
    view: Option<(View, Onlooker)>,
    shown: usize,
    before: Option<&State>,
) -> Scene {
    let nothing = Source::command_line("");
    let mut whole = scene(machine, &nothing, Span::default(), shown, before);
    whole.values = amounts(machine.state(), machine.names(), Onlooker::Author);
    let Some((view, onlooker)) = view else {
        whole.cards.extend(cards::open_lines(machine.state()));
        return whole;
    };
    let seen = covered(whole, machine, &view, (onlooker, before));
    Scene { values: amounts(&view.state, machine.names(), onlooker), ..seen }
}

/// Returns a position as it is in a view of somebody.
fn covered(whole: Scene, machine: &Machine<'_>, view: &View, (onlooker, before): (Onlooker, Option<&State>)) -> Scene {
    let open = cards::open_lines(machine.state());
    let names = machine.names();
    let changed = |cell: Cell| before.is_some_and(|before| before.at(cell) != machine.state().at(cell));
    let plays = |zone: &ZoneId| {
        let owner = names.schema.zones.get(zone.index()).and_then(|zone| zone.owner);
        owner.is_none_or(|owner| machine.state().table.players.contains(&owner))
    };
    let covered = view.covered.iter().filter(|(zone, _)| plays(zone)).map(|(zone, count)| {
        let cards = if *count == 1 { "card" } else { "cards" };
        format!("{}: {count} {cards}", names.schema.zone_name(*zone))
    });
    let is_covered = |line: &String| {
        view.covered.iter().any(|(zone, _)| line.starts_with(&format!("{}:", names.schema.zone_name(*zone))))
    };
    let seen = cards::seen(&view.state).into_iter().filter(|line| !is_covered(line));
    Scene {
        board: draw(&view.state, changed),
        values: values(&view.state, names).into_iter().chain(turns(&view.state)).collect(),
        cards: seen.chain(covered).chain(open).collect(),
        zones: drawn_zones(machine.state(), onlooker),
        ..whole
    }
}

/// Returns the pieces off the board, without those of players who do not take part.
fn off(state: &State) -> Vec<String> {
    let schema = state.schema();
    let off = schema.pieces.iter().enumerate().filter(|(at, piece)| {
        let plays = piece.owner.is_none_or(|owner| state.table.players.contains(&owner));
        plays && !piece.many && piece.card.is_none() && state.is_off(PieceId::at(*at))
    });
    off.map(|(_, piece)| piece.name.clone()).collect()
}
