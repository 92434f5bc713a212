"""What is raised if there are no results."""

from typing import Dict, Type


class RefereeError(Exception):
    """The program ended without results."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        #: The message that the program printed.
        self.message = message
        #: The exit code of the program; negative if a signal ended it.
        self.exit_code = exit_code

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return type(self), (self.message, self.exit_code)


class UsageError(RefereeError):
    """The command line is wrong (exit code 2)."""


class InvalidFile(RefereeError):
    """A file is invalid, or the rules stopped with an error (exit code 3)."""


class NothingFound(RefereeError):
    """Nothing matched: no scenario, no title (exit code 4)."""


BY_CODE: Dict[int, Type[RefereeError]] = {2: UsageError, 3: InvalidFile, 4: NothingFound}
