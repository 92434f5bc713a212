//! The results of a rulebook's examples for its readings, as text, as JSON and as a Markdown table.

use std::fmt::Write;

use serde::Serialize;

use super::object::{Fields, Object, line, object};
use referee_diagnostic::{counted, printable};
use referee_scenario::{
    Difference, Example, Findings, Holding, IssueFinding, MAX_PAIRED, PairFinding, ValueFinding, Verdict,
};
use referee_table::Schema;

/// The findings about a game.
#[derive(Debug)]
pub struct ReadingsReport<'f> {
    /// The declarations of the game.
    pub schema: &'f Schema,
    /// The findings.
    pub findings: &'f Findings,
    /// Whether pairs of values were tried.
    pub paired: bool,
}

/// Consecutive values of an issue about which there is the same to say.
struct Group {
    first: usize,
    last: usize,
}

/// Groups the values of an issue: consecutive numbers form a range, all other values are alone.
fn groups(finding: &IssueFinding) -> Vec<Group> {
    let same = |one: &ValueFinding, other: &ValueFinding| {
        let counts = |finding: &ValueFinding| (finding.holds, finding.fails, finding.breaks);
        let place = |finding: &ValueFinding| first(finding).map(|(at, difference)| (*at, difference.line));
        counts(one) == counts(other) && place(one) == place(other)
    };
    let number = |at: usize| finding.issue.values.get(at).and_then(|value| value.parse::<i64>().ok());
    let mut groups: Vec<Group> = Vec::new();
    for (at, value) in finding.values.iter().enumerate() {
        let joins = groups.last().is_some_and(|group| {
            let before = finding.values.get(group.last);
            let next = number(group.last).zip(number(at)).is_some_and(|(before, here)| here == before + 1);
            next && before.is_some_and(|before| same(before, value))
        });
        match groups.last_mut() {
            Some(group) if joins => group.last = at,
            _ => groups.push(Group { first: at, last: at }),
        }
    }
    groups
}

impl Group {
    /// Returns the values: `moves`, or `2..9`.
    fn write(&self, finding: &IssueFinding) -> String {
        let value = |at: usize| finding.issue.values.get(at).map_or("", String::as_str);
        if self.first == self.last {
            value(self.first).to_owned()
        } else {
            format!("{}..{}", value(self.first), value(self.last))
        }
    }

    /// Returns a note if one of the values is the default.
    fn default(&self, finding: &IssueFinding) -> String {
        let issue = &finding.issue;
        match (self.first..=self.last).contains(&issue.default) && !issue.is_house() {
            true if self.first == self.last => " (default)".to_owned(),
            true => format!(" (default {})", issue.values.get(issue.default).map_or("", String::as_str)),
            false => String::new(),
        }
    }

    /// Returns which of several values the first difference belongs to.
    fn value_of_first(&self, finding: &IssueFinding) -> String {
        let value = finding.issue.values.get(self.first).filter(|_| self.first < self.last);
        value.map(|value| format!("with {value}: ")).unwrap_or_default()
    }

    fn finding<'f>(&self, finding: &'f IssueFinding) -> Option<&'f ValueFinding> {
        finding.values.get(self.first)
    }
}

/// Returns the state of an issue in a word.
fn state(finding: &IssueFinding) -> &'static str {
    match finding.left() {
        _ if finding.is_contradicted() => "contradicted",
        1 if finding.values.len() > 1 => "decided",
        _ => "open",
    }
}

/// Returns the note about an issue, after its state.
fn about(finding: &IssueFinding, examples: usize) -> String {
    match (finding.left(), finding.values.len()) {
        _ if finding.is_contradicted() => {
            "no value agrees with the examples: correct the rules or an example".to_owned()
        }
        (1, 2..) => String::new(),
        _ if examples == 0 => "no example".to_owned(),
        (left, all) => {
            let some = if left < all { format!("{left} of {all} values are left; ") } else { String::new() };
            match finding.differing {
                0 => format!("{some}no example plays differently"),
                1 => format!("{some}1 example plays differently"),
                many => format!("{some}{many} examples play differently"),
            }
        }
    }
}

/// Returns the verdict of the examples on a value, without the first difference.
fn conclusion(finding: &ValueFinding) -> String {
    let of = |number: usize| format!("{number} of {}", counted(finding.examples(), "example"));
    match finding.verdict() {
        Verdict::Allowed => format!("allowed by {}", counted(finding.holds, "example")),
        Verdict::RuledOut => format!("ruled out by {}", of(finding.fails)),
        Verdict::Error => format!("stopped by an error in {}", of(finding.breaks)),
        Verdict::Untested => "not played by any example".to_owned(),
    }
}

/// Returns the first difference, or the first error if there is no difference.
fn first(finding: &ValueFinding) -> Option<&(usize, Difference)> {
    finding.first_failure.as_ref().or(finding.first_error.as_ref())
}

impl ReadingsReport<'_> {
    fn example(&self, at: usize) -> Option<&Example> {
        self.findings.examples.get(at)
    }

    /// Returns the examples that do not hold as they are written, with the first difference.
    fn wrong(&self) -> impl Iterator<Item = (&Example, &Difference)> {
        self.findings.examples.iter().filter_map(|example| match &example.as_written.holding {
            Holding::Holds => None,
            Holding::Fails(difference) | Holding::Breaks(difference) => Some((example, difference)),
        })
    }

    /// Returns whether every example holds as it is written.
    #[must_use]
    pub fn all_hold(&self) -> bool {
        self.wrong().next().is_none()
    }

    /// Returns the location and the message of a difference, and the example below it.
    fn shown(&self, (at, difference): &(usize, Difference), value: &str, indent: usize) -> String {
        let Some(example) = self.example(*at) else { return String::new() };
        let space = " ".repeat(indent);
        format!(
            "{space}{}:{}: {value}{}\n{space}in \"{}\", which cites \"{}\"\n",
            example.file, difference.line, difference.message, example.title, example.cites
        )
    }

    /// Returns the findings as text.
    #[must_use]
    pub fn human(&self) -> String {
        let examples = self.findings.examples.len();
        let cite = if examples == 1 { "cites" } else { "cite" };
        let mut text = match examples {
            0 => format!("{}: no scenario cites the rulebook, so every reading is open\n", self.schema.title),
            _ => format!("{}: {} {cite} the rulebook\n", self.schema.title, counted(examples, "example")),
        };
        for (example, difference) in self.wrong() {
            let _ =
                writeln!(text, "fails as it is written: {}:{}: {}", example.file, difference.line, difference.message);
        }
        if self.findings.issues.is_empty() {
            text.push_str("the game has no options and no house rules\n");
        }
        self.findings.issues.iter().for_each(|finding| self.issue(finding, &mut text));
        self.pairs(&mut text);
        if !self.findings.issues.is_empty() {
            let count = |wanted| self.findings.issues.iter().filter(|finding| state(finding) == wanted).count();
            let (decided, open, contradicted) = (count("decided"), count("open"), count("contradicted"));
            let _ = write!(text, "\n{decided} decided, {open} open");
            let _ = writeln!(
                text,
                "{}",
                if contradicted > 0 { format!(", {contradicted} contradicted") } else { String::new() }
            );
        }
        printable(&text)
    }

    fn issue(&self, finding: &IssueFinding, text: &mut String) {
        let issue = &finding.issue;
        let kind = if issue.is_house() { "house rule " } else { "" };
        let (state, about) = (state(finding), about(finding, self.findings.examples.len()));
        let about = if about.is_empty() { about } else { format!(", {about}") };
        let _ = writeln!(text, "\n{kind}{}: {state}{about}", issue.name);
        if let Some(all) = issue.cut_from {
            let _ = writeln!(text, "  tried {} of {all} values", issue.values.len());
        }
        let groups = groups(finding);
        let wide = groups.iter().map(|group| group.write(finding).chars().count()).max().unwrap_or(0);
        for group in &groups {
            let Some(value) = group.finding(finding) else { continue };
            let _ = writeln!(text, "  {:wide$}  {}{}", group.write(finding), conclusion(value), group.default(finding));
            text.extend(first(value).map(|first| self.shown(first, &group.value_of_first(finding), wide + 4)));
        }
    }

    /// Appends the pairs whose result does not follow from their values.
    fn pairs(&self, text: &mut String) {
        if !self.paired {
            return;
        }
        let issues = &self.findings.issues;
        let all = self.findings.pairs.len();
        let surprising: Vec<&PairFinding> =
            self.findings.pairs.iter().filter(|pair| pair.is_surprising(issues)).collect();
        let number = surprising.len();
        let _ = writeln!(text, "\npairs whose result does not follow from their values: {number} of {all}");
        for pair in surprising {
            let _ = writeln!(text, "  {}  {}", self.pair(pair), conclusion(&pair.finding));
            text.extend(first(&pair.finding).map(|first| self.shown(first, "", 4)));
        }
        let cut = issues.iter().filter(|finding| !finding.issue.is_house());
        let cut =
            cut.filter(|finding| finding.issue.values.len() as u64 > MAX_PAIRED || finding.issue.cut_from.is_some());
        let cut: Vec<&str> = cut.map(|finding| finding.issue.name.as_str()).collect();
        if !cut.is_empty() {
            let _ = writeln!(text, "  of {} at most {MAX_PAIRED} values were tried in pairs", cut.join(", "));
        }
    }

    /// Returns a pair as `rehit = moves, hits = cumulative`.
    fn pair(&self, pair: &PairFinding) -> String {
        let one = |issue: usize, value: usize| {
            let issue = self.findings.issues.get(issue).map(|finding| &finding.issue);
            let value = issue.and_then(|issue| issue.values.get(value)).map_or("", String::as_str);
            format!("{} = {value}", issue.map_or("", |issue| issue.name.as_str()))
        };
        format!("{}, {}", one(pair.issues.0, pair.values.0), one(pair.issues.1, pair.values.1))
    }

    /// Returns the findings as a table for a rulebook in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let examples = self.findings.examples.len();
        let mut text = match examples {
            0 => "No scenario cites an example of the rulebook, so every reading is open.\n\n".to_owned(),
            1 => "1 example cites the rulebook.\n\n".to_owned(),
            _ => format!("{examples} examples cite the rulebook.\n\n"),
        };
        text.push_str("| option | value | the examples | the first that does |\n|---|---|---|---|\n");
        self.findings.issues.iter().for_each(|finding| self.rows(finding, &mut text));
        printable(&text).replace("|  |", "| |")
    }

    /// Appends the rows of an issue. Consecutive values about which there is the same to say are in one row.
    fn rows(&self, finding: &IssueFinding, text: &mut String) {
        let issue = &finding.issue;
        let about = about(finding, self.findings.examples.len());
        let about = if about.is_empty() { about } else { format!(": {about}") };
        let kind = if issue.is_house() { "house rule " } else { "" };
        let cut = issue.cut_from.map(|all| format!("; tried {} of {all} values", issue.values.len()));
        let head = format!("{kind}`{}`, {}{about}{}", issue.name, state(finding), cut.unwrap_or_default());
        let mut rows: Vec<(String, String, String)> = Vec::new();
        for group in groups(finding) {
            let Some(value) = group.finding(finding) else { continue };
            let first = first(value).and_then(|(at, difference)| Some((self.example(*at)?, difference)));
            let first = first.map(|(example, difference)| {
                let (file, line, message) = (&example.file, difference.line, &difference.message);
                format!("{}, {file}:{line}: {}{message}", example.cites, group.value_of_first(finding))
            });
            let first = first.unwrap_or_default();
            let written = format!("`{}`{}", group.write(finding), group.default(finding));
            let conclusion = conclusion(value);
            match rows.last_mut().filter(|row| row.1 == conclusion && row.2 == first) {
                Some(row) => row.0.push_str(&format!(", {written}")),
                None => rows.push((written, conclusion, first)),
            }
        }
        for (at, (values, conclusion, first)) in rows.iter().enumerate() {
            let head = if at == 0 { cell(&head) } else { String::new() };
            let _ = writeln!(text, "| {head} | {values} | {conclusion} | {} |", cell(first));
        }
    }

    /// Returns the findings as one JSON object.
    #[must_use]
    pub fn json(&self) -> String {
        let issues = self.findings.issues.iter().map(|finding| {
            let issue = &finding.issue;
            let values = issue.values.iter().zip(&finding.values).enumerate();
            object()
                .with("kind", if issue.is_house() { "house" } else { "option" })
                .with("name", &issue.name)
                .with("title", &issue.title)
                .with("state", state(finding))
                .with("play_differently", finding.differing)
                // The number of values that there are, if not all were tried.
                .some("cut_from", issue.cut_from)
                .list("values", values.map(|(at, (name, found))| self.value(name.clone(), at == issue.default, found)))
        });
        let pairs = self.findings.pairs.iter().map(|pair| {
            object().with("surprising", pair.is_surprising(&self.findings.issues)).and(self.value(
                self.pair(pair),
                false,
                &pair.finding,
            ))
        });
        let all = object()
            .with("version", 1)
            .with("game", &self.schema.id)
            .with("examples", self.findings.examples.len())
            .list("fail_as_written", self.wrong().map(|(example, difference)| differs(example, difference)))
            .list("issues", issues)
            .some("pairs", self.paired.then(|| pairs.collect::<Vec<_>>()));
        line(&all)
    }

    /// Returns a value of an issue, or a pair of values, with the verdict of the examples.
    fn value<'f>(&'f self, value: String, is_default: bool, finding: &'f ValueFinding) -> Object<impl Fields> {
        let first = first(finding);
        object()
            .with("value", value)
            .with("default", is_default)
            .with("verdict", word(finding.verdict()))
            .with("hold", finding.holds)
            .with("fail", finding.fails)
            .with("error", finding.breaks)
            .with("first", first.and_then(|(at, difference)| Some(differs(self.example(*at)?, difference))))
    }
}

/// Returns where an example differs.
fn differs<'f>(example: &'f Example, difference: &'f Difference) -> impl Serialize {
    object()
        .with("file", &example.file)
        .with("line", difference.line)
        .with("message", &difference.message)
        .with("scenario", &example.title)
        .with("cites", &example.cites)
}

/// Returns a text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allowed => "allowed",
        Verdict::RuledOut => "ruled out",
        Verdict::Error => "error",
        Verdict::Untested => "untested",
    }
}
