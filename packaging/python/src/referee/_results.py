"""The results of ``referee test`` and ``referee check`` as objects."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional


@dataclass(frozen=True)
class Failure:
    """Something that differs from what a scenario says, or an error in it."""

    line: int
    column: Optional[int]
    #: The code of the message, such as ``referee::expectation_failed``.
    code: str
    message: str
    help: Optional[str]
    expected: Optional[str]
    actual: Optional[str]


@dataclass(frozen=True)
class Answer:
    """The answer to a question about all play, such as ``expect never …``."""

    line: int
    question: str
    #: ``holds``, ``fails`` or ``not decided``.
    verdict: str
    states: int
    bytes: int
    #: A scenario that decides the question.
    witness: Optional[str]


@dataclass(frozen=True)
class Test:
    """The result of one test: of a scenario, of a row of its examples, or of a branch."""

    # pytest would take the class for a class of tests.
    __test__ = False

    file: str
    #: The line where the test begins.
    line: int
    scenario: str
    row: Optional[int]
    branch: Optional[str]
    #: ``passed``, ``failed``, ``errored`` or ``skipped``.
    status: str
    #: The title with row and branch, as ``referee test`` prints it.
    title: str
    #: What ``referee test`` prints about the failures; empty if the test passed.
    text: str
    failures: List[Failure] = field(default_factory=list)
    questions: List[Answer] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether the test passed."""
        return self.status == "passed"


@dataclass(frozen=True)
class Results:
    """The results of ``referee test``."""

    passed: int
    failed: int
    errored: int
    skipped: int
    tests: List[Test]
    #: The exit code of the program: 0 all passed, 1 an expectation failed, 3 a file is invalid.
    exit_code: int

    @property
    def ok(self) -> bool:
        """Whether all tests passed."""
        return self.exit_code == 0


@dataclass(frozen=True)
class Diagnostic:
    """An error in a file."""

    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    code: str
    message: str
    help: Optional[str]


@dataclass(frozen=True)
class Check:
    """The results of ``referee check``."""

    files: int
    diagnostics: List[Diagnostic]

    @property
    def ok(self) -> bool:
        """Whether no file has an error."""
        return not self.diagnostics


def only(kind: Any, values: Dict[str, Any]) -> Any:
    """Returns an object of ``kind``; fields that a newer program adds are left out."""
    return kind(**{name: values[name] for name in kind.__dataclass_fields__ if name in values})
