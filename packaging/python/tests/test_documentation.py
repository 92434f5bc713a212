"""What the documentation shows of the module and the plugin is so. REFEREE_REPOSITORY is the folder of the project."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import write

REPOSITORY = Path(os.environ["REFEREE_REPOSITORY"])

WALK = """\
use race short

scenario "A walk to the right"
  turn red
  roll stride 3
  red walk to d1
  expect red at e1
"""


def blocks(page: str, language: str) -> "list[str]":
    """Returns the fenced blocks of a page in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (REPOSITORY / page).read_text("utf-8"), re.M | re.S)


@pytest.fixture
def project(folder: Path) -> Path:
    shutil.copytree(REPOSITORY / "docs/games/race", folder / "games/race")
    write(folder, "scenarios/walk.scenario", WALK)
    return folder


@pytest.mark.parametrize("page", ["docs/install.md", "packaging/python/README.md"])
def test_examples_in_python_run(project: Path, page: str) -> None:
    examples = blocks(page, "python")
    assert len(examples) == 1
    for example in examples:
        done = subprocess.run([sys.executable, "-c", example], stdout=subprocess.PIPE, encoding="utf-8")
        assert done.returncode == 0
        assert re.search(r"scenarios/walk\.scenario[: ]3 A walk to the right\n", done.stdout)
        assert "× red is at d1, not at e1" in done.stdout


def test_a_failure_is_shown_as_the_page_about_ci_shows_it(project: Path) -> None:
    [shown] = [block for block in blocks("docs/ci.md", "text") if "walk.scenario:7" in block]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "scenarios", "-k", "walk"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert done.returncode == 1
    assert shown in done.stdout


def test_the_pages_name_the_options_of_the_plugin() -> None:
    said = subprocess.run([sys.executable, "-m", "pytest", "--help"], stdout=subprocess.PIPE, encoding="utf-8").stdout
    for page in ("docs/ci.md", "packaging/python/README.md"):
        text = (REPOSITORY / page).read_text("utf-8")
        options = re.findall(r"^\| `(--referee-[a-z]+)", text, re.M)
        assert options == ["--referee-markdown", "--referee-games"]
        assert all(f"  {option}" in said for option in options)
