"""What README.md and the pages in docs say can be done as they say it."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from firmware.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


def help_of(*command: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert main([*command, "--help"]) == 0
    return printed.getvalue()


COMMANDS = re.findall(r"^    (\w+)\s", help_of(), re.MULTILINE)
EXAMPLES = [
    shlex.split(line, comments=True)
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("stadtblick ")
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_shown_in_the_readme(command):
    assert re.search(rf"stadtblick {command}\b", README)


def test_every_command_in_the_pages_exists():
    named = {
        name
        for page in PAGES
        for name in re.findall(r"(?:`|^|/)stadtblick (\w+)", page.read_text("utf-8"), re.MULTILINE)
    }
    assert named - {"COMMAND"} <= set(COMMANDS)
    assert len(EXAMPLES) >= 8
    options = set(re.findall(r"--[a-z-]+", help_of("scan")))
    of_later_use = {"--game", "--level", "--edition", "--help"}
    assert options - of_later_use <= set(re.findall(r"--[a-z-]+", README))


@pytest.mark.parametrize("example", EXAMPLES, ids=" ".join)
def test_every_option_of_an_example_exists(example):
    options = {word for word in example if word.startswith("--")}
    assert options <= set(re.findall(r"--[a-z-]+", help_of(example[1])))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_python_examples_run_as_printed():
    page = (ROOT / "docs" / "scoring.md").read_text("utf-8")
    said = []
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(code, {})  # noqa: S102 - this page is ours
        said.append(printed.getvalue())
    assert said == ["[56, 57, 62] 56\n", "16 16 55\n0 0 37\n"]
