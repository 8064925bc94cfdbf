"""Commands, options, links and Python examples of README.md and docs."""

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from firmware.base.errors import ExitCode
from firmware.cli import main
from firmware.data import SAMPLE
from firmware.games.registry import games
from firmware.scan.make_scan import default_reader
from tests.limits import PROCESS_LIMIT_S
from vision.editions.edition import BETWEEN_TWO_CITIES, Edition
from vision.editions.folder import built_in_edition
from vision.photo.load import Photo, load_photo
from vision.reading import Reading

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "use.md").read_text("utf-8")
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "hardware").glob("*.md")),
    ROOT / "bench" / "README.md",
    ROOT / "firmware" / "locale" / "README.md",
]
INSTALL = "python3 -m venv .venv && .venv/bin/pip install "
PROGRAM = ".venv/bin/stadtblick "
GAME_LISTS = (
    ROOT / "docs" / "settings.md",
    ROOT / "docs" / "edition-format.md",
    ROOT / "firmware" / "settings" / "settings.toml",
)
NEEDS_A_LAID_OUT_TABLE = ("--edition", "--game", "teach")
"""Words of examples of the guide that the sample photo does not suit."""


def help_of(*command: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert main([*command, "--help"]) == 0
    return printed.getvalue()


def shell_lines(page: str) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


COMMANDS = re.findall(r"^    (\w+)\s", help_of(), re.MULTILINE)
README_LINES = shell_lines(README)
PROGRAM_LINES = [line for line in README_LINES if line.startswith(PROGRAM)]
EXAMPLES = [line for line in shell_lines(GUIDE) if line.startswith("stadtblick ")]
RUNNABLE = [line for line in EXAMPLES if not any(word in line for word in NEEDS_A_LAID_OUT_TABLE)]


@cache
def sample_reading() -> Reading:
    return default_reader(calibrated=False)(
        load_photo(SAMPLE), built_in_edition(BETWEEN_TWO_CITIES)
    )


def sample_eye(photo: Photo, _edition: Edition) -> Reading:
    """Return the reading of the sample photo, of which all photos of the examples are copies."""
    return replace(sample_reading(), photo_name=photo.name)


@cache
def sample_table() -> str:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        main(["read", "--json", str(SAMPLE)], reader=sample_eye)
    return json.dumps(json.loads(printed.getvalue())["table"])


@pytest.fixture
def table_folder(tmp_path):
    """Folder with the photos and tables that the examples name."""
    (tmp_path / "photos").mkdir()
    for name in ("table.jpg", "photos/table.jpg", "a.jpg", "b.jpg", "c.jpg"):
        shutil.copy(SAMPLE, tmp_path / name)
    (tmp_path / "table.json").write_text(sample_table(), "utf-8")
    (tmp_path / "tables.jsonl").write_text(sample_table() + "\n", "utf-8")
    return tmp_path


def run_shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of a page in a shell, with this checkout as the installed program."""
    program = shlex.join([sys.executable, "-m", "firmware.cli"])
    script = f'stadtblick() {{ {program} "$@"; }}\n{line.removeprefix(".venv/bin/")}'
    return subprocess.run(
        ["/bin/bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input="q",
        capture_output=True,
        text=True,
        check=False,
        timeout=PROCESS_LIMIT_S,
    )


def run_here(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a line of a page in this process; of the shell it may use patterns and ``<``."""
    monkeypatch.chdir(folder)
    line, _, source = line.partition(" < ")
    if source:
        monkeypatch.setattr(
            "sys.stdin", io.TextIOWrapper(io.BytesIO((folder / source).read_bytes()))
        )
    _program, *words = shlex.split(line, comments=True)
    names = [sorted(map(str, folder.glob(word))) if "*" in word else [word] for word in words]
    return main([name for several in names for name in several], reader=sample_eye)


def test_readme_has_only_commands_that_are_run():
    installs = [line for line in README_LINES if line.startswith(INSTALL)]
    assert sorted(README_LINES) == sorted([*installs, *PROGRAM_LINES])


@pytest.mark.parametrize("ending", [r"\.venv/bin/pytest", r"\.venv/bin/stadtblick demo"])
def test_ci_runs_each_install_command(ending):
    assert f"readme_command '{ending}'" in (ROOT / ".ci" / "run").read_text("utf-8")
    assert len([line for line in README_LINES if re.fullmatch(f"{INSTALL}.* {ending}", line)]) == 1


def test_readme_fits_on_few_screens():
    assert len(README.splitlines()) <= 110


@pytest.mark.parametrize("line", PROGRAM_LINES)
def test_readme_command_runs(line, table_folder):
    done = run_shell(line, table_folder)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("line", RUNNABLE)
def test_guide_command_runs(line, table_folder, monkeypatch):
    assert run_here(line, table_folder, monkeypatch) in (ExitCode.DONE, ExitCode.NEEDS_A_PERSON)


def test_install_page_names_the_files_of_this_release():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    named = re.findall(r"^\| `(stadtblick-.*)` \|", page, re.MULTILINE)
    assert named
    assert all(name.startswith(f"stadtblick-{version}") for name in named)


@pytest.mark.parametrize("command", COMMANDS)
def test_guide_shows_every_command(command):
    assert re.search(rf"stadtblick {command}\b", GUIDE)


def test_pages_name_only_commands_that_exist():
    named = {
        name
        for page in PAGES
        for name in re.findall(r"(?:`|^|/)stadtblick (\w+)", page.read_text("utf-8"), re.MULTILINE)
    }
    assert named - {"COMMAND"} <= set(COMMANDS)


def test_guide_explains_every_option_of_scan():
    options = set(re.findall(r"--[a-z-]+", help_of("scan"))) - {"--help"}
    assert options <= set(re.findall(r"--[a-z-]+", GUIDE))


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_option_of_an_example_exists(example):
    words = shlex.split(example, comments=True)
    options = {word for word in words if word.startswith("--")}
    assert options <= set(re.findall(r"--[a-z-]+", help_of(words[1])))


def test_every_link_leads_to_a_file_and_heading():
    dead = []
    for page in PAGES:
        for link in re.findall(r"\]\(([^):]+)\)|src=\"([^\":]+)\"", page.read_text("utf-8")):
            path, _, heading = "".join(link).partition("#")
            target = page.parent / path if path else page
            if not target.exists() or (heading and heading not in headings(target)):
                dead.append(f"{page}: {''.join(link)}")
    assert dead == []


def test_index_lists_every_page():
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    names = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert {name for name in names if f"]({name})" not in index} == set()


def test_python_examples_run_as_printed():
    page = (ROOT / "docs" / "scoring.md").read_text("utf-8")
    outputs = []
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(code, {})  # noqa: S102 - the code is that of the page
        outputs.append(printed.getvalue())
    assert outputs == ["[56, 57, 62] 56\n", "16 16 55\n0 0 37\n"]


@pytest.mark.parametrize("page", GAME_LISTS, ids=lambda page: page.name)
def test_list_of_games_has_every_game(page):
    missing = games().keys() - set(re.findall(r'["`]([a-z-]+)["`]', page.read_text("utf-8")))
    assert not missing, f"name {missing} in {page}"
