"""Checks the rulebooks of board games by their worked examples.

The functions run the program ``referee`` of this installation and return its results as objects.
"""

from referee._binary import binary
from referee._errors import InvalidFile, NothingFound, RefereeError, UsageError
from referee._results import Answer, Check, Diagnostic, Failure, Results, Test
from referee._run import check, run, test

__all__ = [
    "Answer",
    "Check",
    "Diagnostic",
    "Failure",
    "InvalidFile",
    "NothingFound",
    "RefereeError",
    "Results",
    "Test",
    "UsageError",
    "binary",
    "check",
    "run",
    "test",
]
