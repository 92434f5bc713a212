"""The module `referee`."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import referee
from conftest import BROKEN, FAILING, GOOD, INVALID, write


def test_the_program_is_that_of_this_installation() -> None:
    assert Path(referee.binary()).parent == Path(sys.executable).parent
    said = subprocess.run([referee.binary(), "--version"], stdout=subprocess.PIPE, encoding="utf-8")
    assert said.stdout.startswith("referee ")


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "is_file", lambda path: False)
    with pytest.raises(FileNotFoundError, match="the program `referee` is not installed beside this module"):
        referee.binary()


def test_python_m_referee_is_the_program(folder: Path) -> None:
    write(folder, "a.scenario", FAILING)
    as_module = subprocess.run([sys.executable, "-m", "referee", "test", "a.scenario"], stdout=subprocess.PIPE)
    itself = subprocess.run([referee.binary(), "test", "a.scenario"], stdout=subprocess.PIPE)
    assert as_module.returncode == 1
    assert as_module.stdout == itself.stdout


def test_results_name_every_row_and_branch(folder: Path) -> None:
    write(folder, "a.scenario", GOOD)
    results = referee.test("a.scenario")
    assert results.ok
    assert (results.passed, results.failed, results.errored, results.skipped) == (5, 0, 0, 0)
    assert [(test.line, test.title, test.row, test.branch) for test in results.tests] == [
        (10, "A throw goes into the pot (row 1)", 1, None),
        (11, "A throw goes into the pot (row 2)", 2, None),
        (13, "A decision", None, None),
        (17, "A decision > hold", None, "hold"),
        (20, "A decision > throw again", None, "throw again"),
    ]
    assert all(test.passed and test.text == "" and test.failures == [] for test in results.tests)


def test_a_failure_has_its_line_and_what_is_printed(folder: Path) -> None:
    write(folder, "a.scenario", FAILING)
    results = referee.test(Path("a.scenario"), scenario="no six", jobs=1)
    assert (results.exit_code, results.ok, len(results.tests)) == (1, False, 1)
    [test] = results.tests
    [failure] = test.failures
    assert (test.file, test.line, test.status) == ("a.scenario", 9, "failed")
    assert (failure.line, failure.column, failure.code) == (13, 3, "referee::expectation_failed")
    assert (failure.expected, failure.actual) == ("game.pot = 6", "game.pot = 5")
    printed = subprocess.run([referee.binary(), "test", "a.scenario"], stdout=subprocess.PIPE, encoding="utf-8")
    assert test.text.strip() in printed.stdout
    assert "a.scenario:13:3" in test.text


def test_an_invalid_file_is_in_the_results(folder: Path) -> None:
    write(folder, "a.scenario", INVALID)
    write(folder, "b.scenario", GOOD)
    results = referee.test("a.scenario", "b.scenario")
    assert results.exit_code == 3
    assert [test.status for test in results.tests] == ["skipped", "errored"] + 5 * ["passed"]
    assert "a.scenario:10:8" in results.tests[1].text
    assert results.tests[0].text == "the file has errors elsewhere"


def test_questions_have_answers(folder: Path) -> None:
    write(folder, "a.scenario", 'use pig\n\nscenario "Q"\n  players ann ben\n  turn ann\n  expect reachable { game.pot == 6 } within 1 turns\n')
    [test] = referee.test("a.scenario").tests
    [answer] = test.questions
    assert (answer.line, answer.verdict) == (6, "holds")
    assert answer.witness is not None and "roll" in answer.witness


def test_games_and_working_folder(folder: Path) -> None:
    for path, text in BROKEN.items():
        write(folder, f"inner/{path}", text)
    write(folder, "elsewhere/oops.scenario", BROKEN["oops.scenario"])
    results = referee.test("oops.scenario", games="../inner/games", cwd=folder / "elsewhere")
    assert [test.status for test in results.tests] == ["passed", "errored"]
    assert "rules.rhai:2" in results.tests[1].text


@pytest.mark.parametrize(
    ("arguments", "kind", "code", "message"),
    [
        (["nothing.scenario"], referee.UsageError, 2, "no such file or folder: `nothing.scenario`"),
        (["a.scenario:2"], referee.NothingFound, 4, "no scenario at a.scenario:2"),
        (["a.scenario", "--shard=9/1"], referee.UsageError, 2, "--shard"),
    ],
)
def test_errors_are_raised_with_the_message(
    folder: Path, arguments: "list[str]", kind: type, code: int, message: str
) -> None:
    write(folder, "a.scenario", GOOD)
    with pytest.raises(kind) as raised:
        referee.test(*arguments)
    assert isinstance(raised.value, referee.RefereeError)
    assert raised.value.exit_code == code
    assert message in str(raised.value)
    assert not str(raised.value).startswith("error")
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.message, again.exit_code) == (raised.value.message, code)


def test_check_lists_errors_with_their_places(folder: Path) -> None:
    write(folder, "a.scenario", INVALID)
    found = referee.check("a.scenario")
    assert (found.files, found.ok) == (1, False)
    [error] = found.diagnostics
    assert (error.file, error.line, error.column) == ("a.scenario", 10, 8)
    assert error.code.startswith("referee::")
    write(folder, "a.scenario", GOOD)
    assert referee.check("a.scenario").ok


def test_run_returns_the_object_of_any_command(folder: Path) -> None:
    odds = referee.run("odds", "pig", "--players", "ann ben", "--with", "goal=3", "--policy", "hold")
    assert odds["exact"] is True
    assert [row["name"] for row in odds["odds"]] == ["ann", "ben"]
    games = referee.run("games", "pig")
    assert games["games"][0]["title"] == "Pig"
    played = referee.run("simulate", "pig", "-n", "3", "--seed", "5")
    assert played == referee.run("simulate", "pig", "-n", "3", "--seed", "5")
    assert played["games"] == 3


def test_run_raises_what_the_program_printed(folder: Path) -> None:
    with pytest.raises(referee.UsageError, match="did you mean `pig`"):
        referee.run("games", "pigg")
    write(folder, "a.scenario", INVALID)
    with pytest.raises(referee.InvalidFile) as raised:
        referee.run("show", "a.scenario")
    assert "a.scenario:10:8" in raised.value.message


def test_paths_may_be_objects_and_have_any_letters(folder: Path) -> None:
    write(folder, "räume/würfel 1.scenario", GOOD)
    results = referee.test(Path("räume") / "würfel 1.scenario")
    assert results.tests[0].file == "räume/würfel 1.scenario"


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_program_that_a_signal_ends_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "killed"
    program.write_text("#!/bin/sh\nkill -9 $$\n")
    program.chmod(0o755)
    monkeypatch.setattr("referee._run.binary", lambda: str(program))
    with pytest.raises(referee.RefereeError, match="exit code -9 and printed no message"):
        referee.run("games")
