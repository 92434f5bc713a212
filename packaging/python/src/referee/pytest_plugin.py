"""Collects scenario files as tests of pytest."""

from pathlib import Path
from typing import Any, Iterator, List, Optional, Tuple

import pytest

from referee import _results, _run
from referee._errors import NothingFound, RefereeError


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("referee", "scenarios of board games (referee)")
    group.addoption(
        "--referee-markdown",
        action="store_true",
        help="also collect Markdown files that contain scenarios",
    )
    group.addoption(
        "--referee-games",
        metavar="DIR",
        help="look for games in this folder first",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Optional["ScenarioFile"]:
    suffix = file_path.suffix
    if suffix == ".scenario" or (suffix == ".md" and parent.config.getoption("referee_markdown")):
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


class InvalidScenarioFile(Exception):
    """A file from which no tests can be collected."""


class ScenarioFile(pytest.File):
    """A file with scenarios. It is run once, when it is collected: only the program knows its titles."""

    def collect(self) -> Iterator["ScenarioTest"]:
        try:
            results = self._run()
        except NothingFound as error:
            if self.path.suffix == ".md":
                return
            raise InvalidScenarioFile(f"{self._name()}: {error.message}") from None
        except RefereeError as error:
            raise InvalidScenarioFile(error.message) from None
        if results.exit_code == 3:
            self._refuse_errors(results)
        for result in results.tests:
            yield ScenarioTest.from_parent(self, name=result.title, result=result)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, InvalidScenarioFile):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def _name(self) -> str:
        """Returns the path as messages name it."""
        try:
            return self.path.relative_to(self.config.rootpath).as_posix()
        except ValueError:
            return str(self.path)

    def _options(self) -> "dict[str, Any]":
        games = self.config.getoption("referee_games")
        folder = None if games is None else str(self.config.invocation_params.dir / games)
        # With `CI`, a run writes no snapshots: collecting tests must not change files.
        return {"games": folder, "cwd": self.config.rootpath, "env": {"CI": "true", "NO_COLOR": "1"}}

    def _run(self) -> _results.Results:
        return _run.test(self._name(), **self._options())

    def _refuse_errors(self, results: _results.Results) -> None:
        """Raises the errors of the file. Rules that stop with an error fail the test where they do, and not the file."""
        if _run.check(self._name(), **self._options()).ok:
            return
        texts: List[str] = []
        for result in results.tests:
            if result.status == "errored" and result.text not in texts:
                texts.append(result.text)
        raise InvalidScenarioFile("\n\n".join(texts))


class ScenarioFailure(Exception):
    """A test that did not pass."""


class ScenarioTest(pytest.Item):
    """A scenario, a row of its examples, or a branch."""

    def __init__(self, *, result: _results.Test, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.result = result

    def runtest(self) -> None:
        if not self.result.passed:
            raise ScenarioFailure(self.result.text)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, ScenarioFailure):
            # The first line is also the one of pytest's summary.
            failure = next(iter(self.result.failures), None)
            line, message = (self.result.line, self.result.status) if failure is None else (failure.line, failure.message)
            return f"{self.result.file}:{line}: {message}\n\n{excinfo.value}"
        return super().repr_failure(excinfo)

    def reportinfo(self) -> Tuple[Path, int, str]:
        # pytest counts lines from 0.
        return self.path, self.result.line - 1, self.result.title
