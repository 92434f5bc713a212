//! Writes how a plan begins: the game, its house rules and options, who plays, and the position.

use crate::plan::model::Plan;
use crate::write::state::{layout_lines, option_lines, players_line};
use referee_rules::Program;
use referee_source::quoted;
use referee_table::{Names, PlayerId, Setting};

/// Returns the lines for house rules, options and players.
pub(crate) fn settings(plan: &Plan, program: &Program, names: Names<'_>) -> Vec<String> {
    let table = &plan.start.table;
    let mut lines: Vec<String> =
        plan.houses.iter().map(|house| format!("with house {}", quoted(&house.name))).collect();
    let mut usual: Vec<Setting> = names.schema.option_values(table.variant);
    for (option, setting) in program.settings().unwrap_or_default() {
        if let Some(slot) = usual.get_mut(option.index()) {
            *slot = setting;
        }
    }
    // A value that the game or a house rule sets needs no line.
    lines.extend(option_lines(table, &usual));
    let (least, most) = names.schema.player_count_of(table.variant);
    let everybody = (0..names.schema.players.len()).map(PlayerId::at);
    if least != most || !everybody.eq(table.players.iter().copied()) {
        lines.push(players_line(table));
    }
    lines
}

/// Returns the same lines, and those of the position.
pub(crate) fn settings_and_position(plan: &Plan, program: &Program, names: Names<'_>) -> Vec<String> {
    let mut lines = settings(plan, program, names);
    lines.extend(layout_lines(&plan.start));
    lines
}
