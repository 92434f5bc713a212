//! Reduces rules that show a difference.

/// The most scripts that are tried.
const TRIES: usize = 4_000;

/// Returns the smallest script found that still `shows` the difference. Drops lines with the blocks that they begin,
/// then braces around lines, then parts of lines. An invalid script does not show the difference.
pub(crate) fn shrink(text: &str, shows: impl Fn(&str) -> bool) -> String {
    let mut best: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut tries = 0;
    loop {
        let before = best.clone();
        for way in [without_block, without_braces, simpler] {
            let mut at = best.len();
            while at > 0 && tries < TRIES {
                at = at.min(best.len());
                at -= 1;
                for smaller in way(&best, at) {
                    tries += 1;
                    if shows(&(smaller.join("\n") + "\n")) {
                        best = smaller;
                        break;
                    }
                }
                if at == 0 {
                    break;
                }
            }
        }
        if best == before || tries >= TRIES {
            return best.join("\n") + "\n";
        }
    }
}

/// The last line of the block that a line begins.
fn end(lines: &[String], at: usize) -> usize {
    let mut open = 0_i32;
    for (place, line) in lines.iter().enumerate().skip(at) {
        open += line.chars().map(|letter| i32::from(letter == '{') - i32::from(letter == '}')).sum::<i32>();
        if open <= 0 {
            return place;
        }
    }
    at
}

fn without_block(lines: &[String], at: usize) -> Vec<Vec<String>> {
    let last = end(lines, at);
    let mut all = vec![[&lines[..at], &lines[last + 1..]].concat()];
    if last != at {
        all.push([&lines[..at], &lines[at + 1..]].concat());
    }
    all
}

/// A block without its first and its last line.
fn without_braces(lines: &[String], at: usize) -> Vec<Vec<String>> {
    let last = end(lines, at);
    if last == at {
        return Vec::new();
    }
    vec![[&lines[..at], &lines[at + 1..last], &lines[last + 1..]].concat()]
}

/// A line with something in brackets dropped, put in place of what stands around it, or made a number.
fn simpler(lines: &[String], at: usize) -> Vec<Vec<String>> {
    let line = &lines[at];
    let mut all = Vec::new();
    for (start, letter) in line.char_indices() {
        let close = match letter {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            _ => continue,
        };
        let mut open = 0_i32;
        let found = line[start..].char_indices().find(|(_, other)| {
            open += i32::from(*other == letter) - i32::from(*other == close);
            open == 0
        });
        let Some(stop) = found.map(|(stop, _)| start + stop) else { continue };
        let inside = &line[start + 1..stop];
        let name = line[..start].rfind(|letter: char| !letter.is_alphanumeric() && !"_.\"#".contains(letter));
        let word = name.map_or(0, |name| name + 1);
        let (head, called, tail) = (&line[..start], &line[..word], &line[stop + 1..]);
        all.push(format!("{called}0{tail}"));
        all.push(format!("{called}[1]{tail}"));
        all.push(format!("{head}{inside}{tail}"));
        for part in inside.split(", ").filter(|part| *part != inside) {
            all.push(format!("{called}{part}{tail}"));
        }
        if letter == '[' {
            all.push(format!("{head}[]{tail}"));
        }
    }
    let smaller = |text: &String| text.len() < line.len();
    all.retain(smaller);
    all.into_iter().map(|text| [&lines[..at], &[text], &lines[at + 1..]].concat()).collect()
}
