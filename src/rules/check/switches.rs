//! Checks the cases of a `switch`: whether its value can be equal to them.

use rhai::{Dynamic, Expr, ImmutableString, Position, SwitchCasesCollection};

use super::checker::Checker;
use super::sorts::Sort;

impl Checker<'_> {
    /// Reports cases to which the value of a `switch` is never equal.
    pub(super) fn cases(&mut self, side: &Expr, cases: &SwitchCasesCollection, position: Position) {
        let mut values: Vec<&Dynamic> = cases.cases.values().map(|case| &case.value).collect();
        values.sort_by_cached_key(|value| value.to_string());
        let sort = self.sort_of(side).filter(|sort| !matches!(sort, Sort::Open | Sort::Nothing));
        let other = |value: &&&Dynamic| {
            let found = Sort::of_dynamic(value).filter(|found| *found != Sort::Nothing);
            sort.is_some() && found.is_some() && found != sort
        };
        if let (Some(sort), Some(value)) = (sort, values.iter().find(other)) {
            return self.case_of_another_kind(sort, value, position);
        }
        let texts: Vec<ImmutableString> =
            values.iter().filter_map(|value| value.read_lock::<ImmutableString>().map(|text| text.clone())).collect();
        self.words_of_cases(side, &texts, position);
        for number in values.iter().filter_map(|value| value.as_int().ok()) {
            self.number_of_case(side, number, position);
        }
    }

    fn case_of_another_kind(&mut self, sort: Sort, value: &Dynamic, position: Position) {
        let found = Sort::of_dynamic(value).map_or("this", Sort::words);
        let message = format!("{} never equals {found}", sort.words());
        let text = value.read_lock::<ImmutableString>().map(|text| text.clone());
        let help = match (sort, &text) {
            (Sort::Number, Some(text)) if text.parse::<i64>().is_ok() => {
                format!("write the number without quotes: `{text} => …`")
            }
            (Sort::Number | Sort::Text | Sort::Truth, _) => format!("write cases that are {}", several(sort)),
            _ => "a case is a number or a string: compare with `if … == …` instead".to_owned(),
        };
        match (text, value.as_int()) {
            (Some(text), _) => self.report_string("never_equal", position, &text, message, help),
            (None, Ok(number)) => self.report_number("never_equal", position, number, message, help),
            (None, Err(_)) => self.report("never_equal", position, message, Some(help)),
        }
    }
}

const fn several(sort: Sort) -> &'static str {
    match sort {
        Sort::Number => "numbers",
        Sort::Truth => "`true` and `false`",
        _ => "strings, in quotes",
    }
}
