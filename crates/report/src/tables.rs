//! Tables as text.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// Returns an empty table with a head; the columns in `right` are aligned to the right.
pub(super) fn table(head: &[&str], right: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).set_header(head);
    for at in right {
        if let Some(column) = table.column_mut(*at) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Returns the lines of a table without trailing spaces.
pub(super) fn shown(table: &Table) -> String {
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Returns rows without a head, their columns two spaces apart.
pub(super) fn columns<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).add_rows(rows);
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 2));
    });
    shown(&table)
}
