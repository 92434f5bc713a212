//! Reports of a run in files, and annotations for GitHub.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::TempDir;

use super::disk::{Disk, whole};
use referee_diagnostic::{did_you_mean, one_line};
use referee_report::{
    IndexPage, JUNIT_ROOT, PAGE_FILES, ScenarioPage, TAP_BEGINNING, github, index_page, junit, page_name,
    scenario_page, tap,
};
use referee_scenario::{Coverage, Exercised, Judged, Loader, Suite};
use referee_source::{Host, HostError};
use referee_trace::TestResult;

/// Where to report, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ReportTo {
    /// JUnit XML.
    Junit(PathBuf),
    /// The Test Anything Protocol.
    Tap(PathBuf),
    /// A folder of pages.
    Html(PathBuf),
    /// Annotations on standard output.
    Github,
}

/// The kinds of reports.
const KINDS: [&str; 4] = ["junit", "tap", "html", "github"];

impl ReportTo {
    /// Parses `junit=FILE`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (kind, path) = text.split_once('=').map_or((text, None), |(kind, path)| (kind, Some(path)));
        let path = path.filter(|path| !path.is_empty()).map(PathBuf::from);
        match (kind, path) {
            ("junit", Some(path)) => Ok(Self::Junit(path)),
            ("tap", Some(path)) => Ok(Self::Tap(path)),
            ("html", Some(path)) => Ok(Self::Html(path)),
            ("github", None) if !text.contains('=') => Ok(Self::Github),
            ("github", _) => Err("`github` prints to standard output; write it without a path".to_owned()),
            ("junit" | "tap", None) => Err(format!("the file is missing; write for example `{kind}=results.xml`")),
            ("html", None) => Err("the folder is missing; write for example `html=report`".to_owned()),
            _ => Err(did_you_mean(kind, KINDS)
                .unwrap_or_else(|| "expected `junit=FILE`, `tap=FILE`, `html=DIR` or `github`".to_owned())),
        }
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Self::Junit(path) | Self::Tap(path) | Self::Html(path) => Some(path),
            Self::Github => None,
        }
    }
}

/// Returns an error message if two reports have the same path.
pub(super) fn twice(reports: &[ReportTo]) -> Option<String> {
    let paths: Vec<&Path> = reports.iter().filter_map(ReportTo::path).collect();
    let same = paths.iter().enumerate().find(|(at, path)| paths.iter().take(*at).any(|other| other == *path))?;
    let path = one_line(&same.1.to_string_lossy());
    Some(format!("two reports cannot be written to `{path}`\nname another file or folder for one of them"))
}

/// Returns an error message if a report would replace a file that is no earlier report of its kind.
pub(super) fn replaces(reports: &[ReportTo]) -> Option<String> {
    let other = reports.iter().find_map(|to| {
        let (path, own) = match to {
            ReportTo::Junit(path) => (path, JUNIT_ROOT),
            ReportTo::Tap(path) => (path, TAP_BEGINNING),
            ReportTo::Html(_) | ReportTo::Github => return None,
        };
        let there = Disk.read(path);
        let is_free = match &there {
            Ok(text) => text.is_empty() || text.contains(own),
            Err(error) => matches!(error, HostError::NotFound),
        };
        (!is_free).then_some(path)
    })?;
    let shown = one_line(&other.to_string_lossy());
    Some(format!("`{shown}` is no earlier report, so nothing was run\nname another file, or delete this one"))
}

/// The pages of a run in progress, in a temporary folder beside their final one.
pub(super) struct Pages {
    folder: PathBuf,
    staged: TempDir,
    /// The tests that have a page, by their indices, with their coverage.
    written: Mutex<BTreeMap<usize, Option<Exercised>>>,
    /// The first error.
    failed: Mutex<Option<String>>,
}

impl Pages {
    /// Begins the pages for the first report of this kind, if there is one.
    ///
    /// # Errors
    /// Returns an error message if the folder cannot be written, or contains anything but an earlier report.
    pub(super) fn begin(reports: &[ReportTo]) -> Result<Option<Self>, String> {
        let mut folders =
            reports.iter().filter_map(|to| if let ReportTo::Html(folder) = to { Some(folder) } else { None });
        let Some(folder) = folders.next() else { return Ok(None) };
        if folders.next().is_some() {
            return Err("`--report html=DIR` is given twice\nname one folder".to_owned());
        }
        let shown = one_line(&folder.to_string_lossy());
        if folder.symlink_metadata().is_ok() && !is_ours(folder) {
            return Err(format!(
                "`{shown}` holds other files than an earlier report, so nothing was run\n\
                 name a new folder, or delete this one"
            ));
        }
        // A link stays a link.
        let folder = &std::fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let cannot = |error: std::io::Error| format!("cannot write the report to `{shown}`: {error}");
        std::fs::create_dir_all(parent).map_err(cannot)?;
        let staged = tempfile::Builder::new().prefix(".referee-report").tempdir_in(parent).map_err(cannot)?;
        Ok(Some(Self { folder: folder.clone(), staged, written: Mutex::default(), failed: Mutex::new(None) }))
    }

    /// Writes the page of a test, with the address that opens it in the playground, and takes its coverage.
    pub(super) fn add(&self, judged: &mut Judged, playground: Option<&str>, at: (usize, usize)) {
        let clauses = judged.exercised.iter().flat_map(|exercised| {
            let clauses = &exercised.game.schema.clauses;
            exercised.clauses.iter().filter_map(|id| clauses.get(id.index())).map(|clause| clause.id.clone())
        });
        let clauses: Vec<String> = clauses.collect();
        let scenes = &judged.scenes;
        if let Ok(mut written) = self.written.lock() {
            written.insert(at.0, judged.exercised.take());
        }
        self.write(
            &page_name(at.0),
            &scenario_page(&ScenarioPage { result: &judged.result, scenes, clauses: &clauses, playground, at }),
        );
    }

    /// Returns the coverage of the first `count` tests together, if the house rules of their games can be listed.
    pub(super) fn coverage(&self, loader: &Loader<'_>, count: usize) -> Option<Coverage> {
        let written = self.written.lock().ok()?;
        let ran = written.range(..count).filter_map(|(at, exercised)| Some((*at, exercised.as_ref()?)));
        Coverage::of(loader, ran).ok()
    }

    fn write(&self, name: &str, text: &str) {
        if let Err(error) = std::fs::write(self.staged.path().join(name), text) {
            let folder = one_line(&self.folder.to_string_lossy());
            let message = format!("cannot write the report to `{folder}`: {error}");
            if let Ok(mut failed) = self.failed.lock() {
                failed.get_or_insert(message);
            }
        }
    }

    /// Writes the first page, and puts the folder where it belongs. An earlier report there is replaced as a whole.
    fn end(self, results: &[&TestResult], summary: &str, coverage: Option<&Coverage>) -> Result<(), String> {
        // Other threads may have gone on after the failure that ended the run.
        let written = self.written.lock().map(|mut written| std::mem::take(&mut *written)).unwrap_or_default();
        for dropped in written.range(results.len()..).map(|(at, _)| at) {
            let _ = std::fs::remove_file(self.staged.path().join(page_name(*dropped)));
        }
        self.write("index.html", &index_page(&IndexPage { results, summary, coverage }));
        for (name, parts) in PAGE_FILES {
            self.write(name, &parts.concat());
        }
        if let Some(message) = self.failed.into_inner().ok().flatten() {
            return Err(message);
        }
        let shown = one_line(&self.folder.to_string_lossy());
        let cannot = |error: std::io::Error| format!("cannot write the report to `{shown}`: {error}");
        open_to_readers(self.staged.path()).map_err(cannot)?;
        let old = self.folder.exists().then(|| self.staged.path().with_extension("old"));
        old.iter().try_for_each(|old| std::fs::rename(&self.folder, old)).map_err(cannot)?;
        // The folder is not a temporary one from here on.
        let staged = self.staged.keep();
        std::fs::rename(&staged, &self.folder).map_err(cannot)?;
        old.iter().try_for_each(std::fs::remove_dir_all).map_err(cannot)
    }
}

/// Gives a folder the permissions of any other: a temporary one is closed to other users.
fn open_to_readers(folder: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let _ = folder;
    Ok(())
}

/// Returns whether a folder is empty or contains only an earlier report.
fn is_ours(folder: &Path) -> bool {
    let Ok(inside) = Disk.list(folder) else { return false };
    let is_page = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let numbered = name.strip_suffix(".html").is_some_and(|stem| stem.bytes().all(|byte| byte.is_ascii_digit()));
        numbered || name == "index.html" || PAGE_FILES.iter().any(|(own, _)| *own == name)
    };
    let index = Disk.read(&folder.join("index.html")).unwrap_or_default();
    inside.is_empty() || (inside.iter().all(is_page) && index.contains("content=\"referee\""))
}

/// The data of a report.
pub(super) struct Reported<'r> {
    pub(super) suites: &'r [Suite],
    pub(super) results: &'r [&'r [TestResult]],
    pub(super) summary: &'r str,
    pub(super) coverage: Option<&'r Coverage>,
}

impl Reported<'_> {
    /// Writes all reports into files, each whole or not at all; returns an error message for each that could not be
    /// written.
    pub(super) fn write(&self, reports: &[ReportTo], pages: Option<Pages>) -> Vec<String> {
        let files = || {
            let pairs = self.suites.iter().zip(self.results).filter(|(_, own)| !own.is_empty());
            pairs.map(|(suite, own)| (&*suite.file, *own))
        };
        let all: Vec<&TestResult> = self.results.iter().copied().flatten().collect();
        let mut wrong = Vec::new();
        for report in reports {
            let (path, text) = match report {
                ReportTo::Junit(path) => (path, junit(files())),
                ReportTo::Tap(path) => (path, Ok(tap(all.iter().copied()))),
                ReportTo::Html(_) | ReportTo::Github => continue,
            };
            let written = text.and_then(|text| whole(path, &text));
            let shown = one_line(&path.to_string_lossy());
            wrong.extend(written.err().map(|error| format!("cannot write the report to `{shown}`: {error}")));
        }
        wrong.extend(pages.and_then(|pages| pages.end(&all, self.summary, self.coverage).err()));
        wrong
    }

    /// Returns the annotations, if they are asked for.
    pub(super) fn annotations(&self, reports: &[ReportTo]) -> String {
        if !reports.contains(&ReportTo::Github) {
            return String::new();
        }
        let pairs = self.suites.iter().zip(self.results).filter(|(_, own)| !own.is_empty());
        github(pairs.map(|(suite, own)| (suite.problems.as_slice(), *own)))
    }
}
