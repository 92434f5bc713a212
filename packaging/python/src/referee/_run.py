"""Runs the program."""

import json
import os
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from referee._binary import binary
from referee._errors import BY_CODE, RefereeError
from referee._results import Answer, Check, Diagnostic, Failure, Results, Test, only

PathLike = Union[str, "os.PathLike[str]"]


def _call(
    arguments: List[str], cwd: Optional[PathLike], env: Optional[Mapping[str, str]]
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [binary(), *arguments],
        cwd=cwd,
        env=None if env is None else {**os.environ, **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )


def _texts(paths: Sequence[PathLike]) -> List[str]:
    return [os.fspath(path) for path in paths]


def _object(done: "subprocess.CompletedProcess[str]") -> Dict[str, Any]:
    """Returns the JSON object that a run printed, or raises its message."""
    try:
        found = json.loads(done.stdout)
    except ValueError:
        found = None
    # An invalid file (3) may be the very result: `check` lists it, `test` says which tests have errors.
    result = done.returncode in (0, 1) or (done.returncode == 3 and not done.stderr)
    if result and isinstance(found, dict):
        return found
    message = done.stderr.strip()
    message = message[len("error: ") :] if message.startswith("error: ") else message
    if not message and done.returncode == 4:
        message = "no scenarios found"
    if not message:
        message = f"`referee` ended with exit code {done.returncode} and printed no message"
    raise BY_CODE.get(done.returncode, RefereeError)(message, done.returncode)


def run(
    command: str,
    *arguments: PathLike,
    cwd: Optional[PathLike] = None,
    env: Optional[Mapping[str, str]] = None,
) -> Dict[str, Any]:
    """Runs ``referee COMMAND ARGUMENTS --format json`` and returns the object that it prints.

    ``cwd`` is the working folder, ``env`` has variables to add to the environment. Raises a ``RefereeError`` with the
    printed message if there is no result.
    """
    return _object(_call([command, *_texts(arguments), "--format", "json"], cwd, env))


def check(
    *paths: PathLike,
    games: Optional[PathLike] = None,
    cwd: Optional[PathLike] = None,
    env: Optional[Mapping[str, str]] = None,
) -> Check:
    """Analyses files without running them: ``referee check PATHS``."""
    found = run("check", *paths, *_option("--games", games), cwd=cwd, env=env)
    return Check(found["summary"]["files"], [only(Diagnostic, one) for one in found["diagnostics"]])


def test(
    *paths: PathLike,
    scenario: Optional[str] = None,
    games: Optional[PathLike] = None,
    jobs: Optional[int] = None,
    cwd: Optional[PathLike] = None,
    env: Optional[Mapping[str, str]] = None,
) -> Results:
    """Runs scenarios: ``referee test PATHS``.

    Tests that fail, and tests of invalid files, are in the results. Raises a ``RefereeError`` if nothing could be run.
    """
    arguments = ["test", *_texts(paths), "--format", "json"]
    for name, value in (("--scenario", scenario), ("--games", games), ("--jobs", jobs)):
        arguments += _option(name, value)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "results.xml"
        done = _call([*arguments, "--report", f"junit={report}"], cwd, env)
        found = _object(done)
        cases = _cases(report)
    tests = [_test(one, *case) for one, case in zip(found["tests"], cases)]
    if len(tests) != len(found["tests"]) or len(tests) != len(cases):
        raise RefereeError("the reports of `referee test` differ in their numbers of tests", done.returncode)
    return Results(**found["summary"], tests=tests, exit_code=done.returncode)


# pytest would take the function for a test.
test.__test__ = False  # type: ignore[attr-defined]


def _option(name: str, value: Union[None, int, PathLike]) -> List[str]:
    if value is None:
        return []
    return [f"{name}={value if isinstance(value, int) else os.fspath(value)}"]


def _cases(report: Path) -> List[Tuple[str, int, str]]:
    """Returns the title, the line and the messages of each test of a JUnit report."""
    cases = []
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        said = [child for child in case if child.tag in ("failure", "error", "skipped")]
        texts = [child.text or child.get("message") or "" for child in said]
        cases.append((case.get("name", ""), int(case.get("line", "1")), "\n\n".join(texts)))
    return cases


def _test(found: Dict[str, Any], title: str, line: int, text: str) -> Test:
    return Test(
        file=found["file"],
        line=line,
        scenario=found["scenario"],
        row=found["row"],
        branch=found["branch"],
        status=found["status"],
        title=title,
        text=text,
        failures=[only(Failure, one) for one in found["failures"]],
        questions=[only(Answer, one) for one in found.get("questions", [])],
    )
