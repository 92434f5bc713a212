//! Checks that the source files do not depend on one another in cycles. The compiler allows cycles, but to understand
//! one file of a cycle, readers have to know all the others.

use std::collections::{BTreeMap, BTreeSet};

use super::layering::files;

/// A path of modules, with the name of the layer first: `["table", "board"]`.
type Path = Vec<String>;

/// The modules of all layers, each with its text: comments, strings and tests are left out.
struct Sources {
    modules: BTreeMap<Path, String>,
    /// What a module re-exports: the name, and what it stands for.
    exports: BTreeMap<Path, BTreeMap<String, Path>>,
}

/// Returns source text without comments and the contents of quotes.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    for line in text.lines() {
        if line.starts_with("mod tests {") {
            break;
        }
        let mut quoted = false;
        let mut letters = line.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' if quoted => drop(letters.next()),
                '"' => quoted = !quoted,
                '/' if !quoted && letters.peek() == Some(&'/') => break,
                _ if quoted => {}
                letter => bare.push(letter),
            }
        }
        bare.push('\n');
    }
    bare
}

/// Returns every path of a `use` tree: of `a::{b, c::d}` they are `a::b` and `a::c::d`.
fn paths(before: &[String], tree: &str) -> Vec<Path> {
    let tree = tree.trim();
    if let Some((head, list)) = tree.split_once('{') {
        let mut before = before.to_vec();
        before.extend(head.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned));
        let list = list.rsplit_once('}').map_or(list, |(list, _)| list);
        let mut depth = 0;
        let parts = list.split(|letter: char| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            letter == ',' && depth == 0
        });
        return parts.filter(|part| !part.trim().is_empty()).flat_map(|part| paths(&before, part)).collect();
    }
    let path = tree.split(" as ").next().unwrap_or_default();
    let names = path.split("::").map(|name| name.trim().to_owned());
    vec![before.iter().cloned().chain(names).collect()]
}

/// Returns the trees of the `use` lines of a text, each with whether it is public, and the text without them.
fn uses(text: &str) -> (Vec<(bool, String)>, String) {
    let mut found = Vec::new();
    let mut rest = String::new();
    for part in text.split_inclusive(';') {
        let at = part.find("use ").filter(|at| {
            let before = part[..*at].rsplit(['\n', '}', '{']).next().unwrap_or_default().trim();
            before.is_empty() || before.starts_with("pub")
        });
        match at {
            Some(at) => {
                let line = part[..at].rsplit('\n').next().unwrap_or_default();
                found.push((line.contains("pub"), part[at + 4..].trim_end_matches(';').to_owned()));
                rest.push_str(&part[..at]);
            }
            None => rest.push_str(part),
        }
    }
    (found, rest)
}

impl Sources {
    fn read() -> Self {
        let mut modules = BTreeMap::new();
        for (name, text) in files() {
            let path: Path = name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            let path = match path.as_slice() {
                [folder @ .., last] if last == "mod" || last == "lib" => folder.to_vec(),
                path => path.to_vec(),
            };
            modules.insert(path, bare(&text));
        }
        let mut all = Self { modules, exports: BTreeMap::new() };
        for (module, text) in &all.modules {
            let mut exports = BTreeMap::new();
            for path in uses(text).0.iter().filter(|(public, _)| *public).flat_map(|(_, tree)| paths(&[], tree)) {
                if let Some(path) = all.absolute(module, &path) {
                    exports.extend(path.last().cloned().map(|name| (name, path.clone())));
                }
            }
            all.exports.insert(module.clone(), exports);
        }
        all
    }

    /// Returns a path from the layer; `None` for an item of a crate of others.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Path> {
        let mut base = module.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                // The program has one module at its root, `cli`.
                base.truncate(usize::from(module[0] != "cli"));
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            name if name.starts_with("referee_") => {
                base = vec![name["referee_".len()..].to_owned()];
                rest = &path[1..];
            }
            name => {
                base.push(name.to_owned());
                if !self.modules.contains_key(&base) {
                    return None;
                }
                rest = &path[1..];
            }
        }
        base.extend(rest.iter().filter(|name| *name != "self").cloned());
        Some(base)
    }

    /// Returns the module that defines the item at a path, with re-exports resolved.
    fn home(&self, path: &Path, seen: &mut BTreeSet<Path>) -> Option<Path> {
        let known = (0..=path.len()).rev().find(|end| self.modules.contains_key(&path[..*end]))?;
        let (module, rest) = path.split_at(known);
        let exported = rest.first().and_then(|name| self.exports.get(module)?.get(name));
        match exported.filter(|_| seen.insert(path.clone())) {
            Some(exported) => self.home(&exported.iter().chain(&rest[1..]).cloned().collect(), seen),
            None => Some(module.to_vec()),
        }
    }

    /// Returns what each module uses.
    fn arrows(&self) -> BTreeMap<&Path, BTreeSet<Path>> {
        let arrows = self.modules.iter().map(|(module, text)| {
            let (trees, rest) = uses(text);
            // A re-export is not a use.
            let own = |(public, path): &(bool, Path)| !(*public && path.starts_with(module));
            let used =
                trees.iter().flat_map(|(public, tree)| paths(&[], tree).into_iter().map(move |path| (*public, path)));
            let used = used.filter_map(|(public, path)| Some((public, self.absolute(module, &path)?)));
            let mut to: BTreeSet<Path> =
                used.filter(own).filter_map(|(_, path)| self.home(&path, &mut BTreeSet::new())).collect();
            let words = rest.split(|letter: char| letter != '_' && letter != ':' && !letter.is_alphanumeric());
            for word in words.filter(|word| word.contains("::")) {
                let path: Path = word.split("::").map(str::to_owned).collect();
                to.extend(self.absolute(module, &path).and_then(|path| self.home(&path, &mut BTreeSet::new())));
            }
            to.remove(module);
            (module, to)
        });
        arrows.collect()
    }
}

/// Returns a cycle that is reachable from `module`: its modules, with the first again at the end.
fn cycle(
    module: &Path,
    arrows: &BTreeMap<&Path, BTreeSet<Path>>,
    way: &mut Vec<Path>,
    done: &mut BTreeSet<Path>,
) -> Option<Vec<Path>> {
    if let Some(first) = way.iter().position(|before| before == module) {
        return Some(way[first..].iter().chain([module]).cloned().collect());
    }
    if !done.insert(module.clone()) {
        return None;
    }
    way.push(module.clone());
    let found = arrows.get(module).into_iter().flatten().find_map(|next| cycle(next, arrows, way, done));
    way.pop();
    found
}

#[test]
fn no_files_use_one_another_in_a_cycle() {
    let all = Sources::read();
    let arrows = all.arrows();
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 500, "too few uses were found");
    let mut done = BTreeSet::new();
    for module in all.modules.keys() {
        if let Some(cycle) = cycle(module, &arrows, &mut Vec::new(), &mut done) {
            let names: Vec<String> = cycle.iter().map(|module| module.join("::")).collect();
            let (last, first) = (&names[names.len() - 2], &names[names.len() - 1]);
            unreachable!("{}\nthe arrow from {last} to {first} closes a cycle", names.join(" -> "));
        }
    }
}

/// The reader of `use` lines understands groups, other crates, re-exports and paths in code.
#[test]
fn a_cycle_over_re_exports_is_found() {
    let module = |path: &str, text: &str| (path.split("::").map(str::to_owned).collect::<Path>(), text.to_owned());
    let mut all = Sources {
        modules: BTreeMap::from([
            module("a", "pub use one::One;"),
            module("a::one", "use referee_b::{self, two::Two as Other};"),
            module("b", "mod two;"),
            module("b::two", "fn f() -> referee_a::One { todo() }"),
        ]),
        exports: BTreeMap::new(),
    };
    all.exports
        .insert(vec!["a".into()], BTreeMap::from([("One".into(), vec!["a".into(), "one".into(), "One".into()])]));
    let arrows = all.arrows();
    let start: Path = vec!["a".into(), "one".into()];
    let found = cycle(&start, &arrows, &mut Vec::new(), &mut BTreeSet::new()).unwrap();
    let names: Vec<String> = found.iter().map(|module| module.join("::")).collect();
    assert_eq!(names, ["a::one", "b::two", "a::one"]);
}
