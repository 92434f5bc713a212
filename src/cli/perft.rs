//! `referee perft`: counts sequences of answers, to compare with the counts of other programs.

use clap::Args;

use super::Exit;
use super::arguments::Format;
use super::output::{print, print_error, print_errors};
use super::progress::Waiting;
use super::show::{Chosen, judged, with_test};
use referee_diagnostic::{counted, printable};
use referee_report::perft_json;
use referee_scenario::Counted;

#[derive(Debug, Args)]
pub(super) struct PerftArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Number of answers in a sequence
    #[arg(long, value_name = "D", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: u32,
    /// Print one count for each first answer
    #[arg(long)]
    divide: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Counts the sequences and prints the counts.
pub(super) fn run(arguments: &PerftArguments) -> Exit {
    let depth = arguments.depth as usize;
    let waiting = Waiting::new(arguments.format, "positions");
    let counted =
        with_test(&arguments.chosen, |loader, suite, index| referee_scenario::perft(loader, suite, index, depth));
    if let Ok(Ok(Counted { counts, .. })) = &counted {
        waiting.done(counts.iter().map(|(_, count)| count).sum(), "positions");
    } else {
        drop(waiting);
    }
    match counted {
        Err(exit) => exit,
        Ok(Err(problems)) => {
            print_errors(&problems);
            Exit::Invalid
        }
        Ok(Ok(Counted { counts, end })) if counts.is_empty() => {
            let failed = judged(&end);
            if end.broken {
                return failed.unwrap_or(Exit::Failed);
            }
            print_error("nothing is asked here, so there is nothing to count");
            failed.unwrap_or(Exit::Nothing)
        }
        Ok(Ok(Counted { counts, end })) => {
            let total: u64 = counts.iter().map(|(_, count)| count).sum();
            print(&match arguments.format {
                Format::Json => perft_json(depth, total, &counts),
                Format::Human if arguments.divide => {
                    let line = |(name, count): &(String, u64)| format!("{}: {count}\n", name.replace('\n', " "));
                    let lines: String = counts.iter().map(line).collect();
                    printable(&format!("{lines}\n{}\n", total_in_words(total, depth)))
                }
                Format::Human => format!("{}\n", total_in_words(total, depth)),
            });
            judged(&end).unwrap_or(Exit::Passed)
        }
    }
}

/// Returns the total as a sentence.
fn total_in_words(total: u64, depth: usize) -> String {
    format!("{} of {}", counted(total, "sequence"), counted(depth, "answer"))
}
