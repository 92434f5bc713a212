"""The plugin for pytest, from outside: each test runs pytest in a folder of its own."""

import pytest

from conftest import BROKEN, FAILING, GOOD, INVALID, write

MARKDOWN = f"# Rules\n\n```scenario\n{GOOD}```\n"


@pytest.fixture(autouse=True)
def _elsewhere(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)


def test_each_row_and_branch_is_a_test(pytester: pytest.Pytester) -> None:
    write(pytester.path, "scenarios/a.scenario", GOOD)
    result = pytester.runpytest("-v")
    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines(
        [
            "scenarios/a.scenario::A throw goes into the pot (row 1) PASSED*",
            "scenarios/a.scenario::A throw goes into the pot (row 2) PASSED*",
            "scenarios/a.scenario::A decision PASSED*",
            "scenarios/a.scenario::A decision > hold PASSED*",
            "scenarios/a.scenario::A decision > throw again PASSED*",
        ]
    )


def test_tests_are_chosen_by_words_and_by_their_ids(pytester: pytest.Pytester) -> None:
    write(pytester.path, "a.scenario", GOOD)
    pytester.runpytest("-k", "pot and 2").assert_outcomes(passed=1, deselected=4)
    pytester.runpytest("a.scenario::A decision > hold").assert_outcomes(passed=1)
    missing = pytester.runpytest("a.scenario::Another")
    assert missing.ret == pytest.ExitCode.USAGE_ERROR


def test_a_failure_is_what_referee_prints(pytester: pytest.Pytester) -> None:
    write(pytester.path, "scenarios/a.scenario", FAILING)
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*A five is no six*",
            "scenarios/a.scenario:13: game.pot is 5, not 6",
            "referee::expectation_failed",
            "*[[]scenarios/a.scenario:13:3[]]*",
            "*expect game.pot = 6*",
            "*expected: game.pot = 6*",
            "*actual:   game.pot = 5*",
            "FAILED scenarios/a.scenario::A five is no six*",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_an_invalid_file_is_an_error_of_the_collection(pytester: pytest.Pytester) -> None:
    write(pytester.path, "a.scenario", INVALID)
    write(pytester.path, "b.scenario", GOOD)
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*ERROR collecting a.scenario*", "referee::*", "*[[]a.scenario:10:8[]]*", "*roll 7*"])
    assert "Traceback" not in result.stdout.str()
    pytester.runpytest("--continue-on-collection-errors").assert_outcomes(passed=5, errors=1)


def test_a_file_without_scenarios_is_an_error(pytester: pytest.Pytester) -> None:
    write(pytester.path, "a.scenario", "# nothing yet\n")
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["a.scenario: no scenarios found*"])


def test_rules_that_stop_fail_their_test_alone(pytester: pytest.Pytester) -> None:
    for path, text in BROKEN.items():
        write(pytester.path, path, text)
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["oops.scenario:10: games/oops/rules.rhai:2: division by zero*", "*[[]games/oops/rules.rhai:2:19[]]*"])


def test_markdown_is_collected_only_if_it_is_asked_for(pytester: pytest.Pytester) -> None:
    write(pytester.path, "RULES.md", MARKDOWN)
    write(pytester.path, "README.md", "# No scenarios here\n")
    assert pytester.runpytest().ret == pytest.ExitCode.NO_TESTS_COLLECTED
    pytester.runpytest("--referee-markdown").assert_outcomes(passed=5)
    write(pytester.path, "RULES.md", MARKDOWN.replace("roll {throw}", "roll {thrown}"))
    result = pytester.runpytest("--referee-markdown")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*[[]RULES.md:9:*"])


def test_games_of_another_folder(pytester: pytest.Pytester) -> None:
    for path, text in BROKEN.items():
        write(pytester.path, path.replace("games/", "more/"), text)
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*unknown game `oops`*"])
    pytester.runpytest("--referee-games", "more").assert_outcomes(passed=1, failed=1)


def test_messages_name_the_path_from_the_root(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeini("[pytest]\n")
    write(pytester.path, "deep/folder/a.scenario", FAILING)
    monkeypatch.chdir(pytester.path / "deep")
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["deep/folder/a.scenario:13: game.pot is 5, not 6"])


def test_nothing_is_written(pytester: pytest.Pytester) -> None:
    write(pytester.path, "a.scenario", FAILING + "\nscenario \"S\"\n  players ann ben\n  turn ann\n  expect snapshot\n")
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1, failed=2)
    assert [path.name for path in pytester.path.iterdir()] == ["a.scenario"]


def test_without_the_plugin_nothing_is_collected(pytester: pytest.Pytester) -> None:
    write(pytester.path, "a.scenario", GOOD)
    assert pytester.runpytest("-p", "no:referee").ret == pytest.ExitCode.NO_TESTS_COLLECTED
