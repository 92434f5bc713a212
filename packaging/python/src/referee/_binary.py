"""Finds the program that the wheel installed."""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Iterator


def _candidates() -> Iterator[Path]:
    name = "referee.exe" if os.name == "nt" else "referee"
    yield Path(sysconfig.get_path("scripts")) / name
    # `pip install --user`
    yield Path(sysconfig.get_path("scripts", f"{os.name}_user")) / name
    # `pip install --target DIR`
    for folder in ("bin", "Scripts"):
        yield Path(__file__).resolve().parent.parent / folder / name
    # `pip install --prefix DIR`, on systems whose scripts are beside `lib`
    if sys.platform != "win32":
        yield Path(__file__).resolve().parents[4] / "bin" / name


def binary() -> str:
    """Returns the path of the program ``referee`` of this installation.

    Raises ``FileNotFoundError`` if it is not there.
    """
    tried = []
    for path in _candidates():
        if path.is_file():
            return str(path)
        tried.append(str(path))
    raise FileNotFoundError(
        "the program `referee` is not installed beside this module; install the wheel again (looked for "
        + ", ".join(tried)
        + ")"
    )
