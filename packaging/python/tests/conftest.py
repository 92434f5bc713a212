"""Small scenario files, and the program that the wheel installed."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

GOOD = """\
use pig

scenario "A throw goes into the pot"
  players ann ben
  turn ann
  roll {throw}
  expect game.pot = {throw}
  examples
    | throw |
    | 2     |
    | 6     |

scenario "A decision"
  players ann ben
  turn ann
  roll 4
  branch "hold"
    ann hold
    expect ann.score = 4
  branch "throw again"
    ann again
    roll 1
    expect ann.score = 0
"""

FAILING = """\
use pig

scenario "A one loses the pot"
  players ann ben
  turn ann
  roll 1
  expect turn ben

scenario "A five is no six"
  players ann ben
  turn ann
  roll 5
  expect game.pot = 6
"""

INVALID = """\
use pig

scenario "A fine one"
  players ann ben
  turn ann

scenario "A seven"
  players ann ben
  turn ann
  roll 7
"""

#: Rules that stop with an error when a four is thrown.
BROKEN = {
    "games/oops/oops.game": 'game oops "Oops"\nplayers 1 ann\nrules "rules.rhai"\ndie 1..6\ncounter pot\n',
    "games/oops/rules.rhai": "fn turn(me) {\n    game.pot = 12 / (roll() - 4);\n    win(me);\n}\n",
    "oops.scenario": """\
use oops

scenario "A five"
  turn ann
  roll 5
  expect game.pot = 12

scenario "A four"
  turn ann
  roll 4
  expect winner ann
""",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder; nothing about it depends on where the tests run."""
    for name in ("CI", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, path: str, text: str) -> None:
    """Writes a file with its folders."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, encoding="utf-8")
