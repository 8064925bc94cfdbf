"""Files that describe a board: read as they are meant, or refused with the place of the mistake."""

import os
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.base.checked_input import MAX_TOML_BYTES
from firmware.base.errors import UsageError
from firmware.games.dice_board.board_file import load_board
from firmware.wording.problem_text import problem_line
from scoring.games.dice_board.table import Board
from tests.refusals import refused

GOOD = "row_numbers = [1, 2, 1]\ncolumn_numbers = [0, 99]\n"
EDGE = ", $.column_numbers[1]"
DOCS = Path(__file__).parents[2] / "docs" / "other-games.md"


@pytest.fixture
def board_file(tmp_path):
    """Writes a file; gives its path."""

    def write(data):
        path = tmp_path / "board.toml"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write


def test_valid_board_files_are_loaded(board_file):
    as_windows_saves_it = b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()
    for data in (GOOD, as_windows_saves_it):
        assert load_board(board_file(data)) == Board((1, 2, 1), (0, 99))
    example = re.search(r"```toml\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert load_board(board_file(example[1])) == Board(
        (1, 2, 3, 4, 3, 2, 1), (1, 2, 3, 4, 5, 4, 3, 2, 1)
    )
    lines = "#" * 63 + "\n"
    padding = lines * ((MAX_TOML_BYTES - len(GOOD)) // len(lines))
    padding += "#" * (MAX_TOML_BYTES - len(GOOD) - len(padding))
    assert load_board(board_file(GOOD + padding)) == Board((1, 2, 1), (0, 99))


def test_path_of_no_regular_file_is_refused(tmp_path, board_file):
    pipe, loop = tmp_path / "pipe", tmp_path / "loop.toml"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    for path in (tmp_path / "missing.toml", board_file(GOOD) / "board.toml"):
        with refused("board-missing", where=path):
            load_board(path)
    for path in (tmp_path, pipe, loop, Path("/dev/zero")):
        with refused("board-unreadable", where=path):
            load_board(path)


@pytest.mark.parametrize(
    ("data", "code", "place"),
    [
        ("row_numbers = ", "board-not-toml", ", end of document"),
        ("row_numbers = [1,\n2", "board-not-toml", ", end of document"),
        ("row_numbers = [1]\nrow_numbers = [1]\n", "board-not-toml", ", line 2, column 18"),
        ('{"row_numbers": [1, 2]}', "board-not-toml", ", line 1, column 1"),
        (b"\xff\xfe", "board-not-toml", ""),
        (b"\0" * 100, "board-not-toml", ", line 1, column 1"),
        ("column_numbers = [1, " + "9" * 900 + "]\nrow_numbers = [1, 2]", "edge-number", EDGE),
        ("row_numbers = [\n" + "[\n" * 5000, "board-not-toml", ", line 17"),
        ("#\n" + ".".join("a" * 5000) + " = 1", "board-not-toml", ", line 2"),
        ("#" * (MAX_TOML_BYTES + 1), "board-unreadable", ""),
        ("", "missing-key", ""),
        ("row_numbers = [1, 2]", "missing-key", ""),
        (GOOD + "rows = 3", "unknown-key", ""),
        (GOOD.replace("row_", "row-"), "unknown-key", ""),
        (GOOD.replace("[1, 2, 1]", "3"), "wrong-type", ", $.row_numbers"),
        (GOOD.replace("[1, 2, 1]", "[1, 2.5]"), "wrong-type", ", $.row_numbers[1]"),
        (GOOD.replace("[1, 2, 1]", "[1, true]"), "wrong-type", ", $.row_numbers[1]"),
        (GOOD.replace("[1, 2, 1]", "[1, '2']"), "wrong-type", ", $.row_numbers[1]"),
        (GOOD.replace("[1, 2, 1]", "[1, 1979-05-27]"), "wrong-type", ", $.row_numbers[1]"),
        (GOOD.replace("[0, 99]", "[]"), "line-count", ", $.column_numbers"),
        (GOOD.replace("[0, 99]", "[0, 100]"), "edge-number", ", $.column_numbers[1]"),
        (GOOD.replace("[0, 99]", "[-1, 9]"), "edge-number", ", $.column_numbers[0]"),
    ],
)
def test_invalid_board_is_refused_with_its_place(board_file, data, code, place):
    path = board_file(data)
    with refused(code, where=f"{path}{place}") as caught:
        load_board(path)
    line = problem_line(caught.value)
    assert line.isprintable()
    assert "): " in line, "says what to do after the place"
    assert len(line) < len(str(path)) + 250
    assert ("did you mean row_numbers" in line) == ("row-numbers" in str(data))


MORE = st.text("row_numbes=[]{},.:-'\"#\n\\\t 0123456789ü\0", max_size=60)


@given(st.binary(max_size=60) | MORE.map(lambda text: (GOOD + text).encode()))
def test_any_file_is_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any-board.toml"
    path.write_bytes(data)
    with suppress(UsageError):
        board = load_board(path)
        assert min(len(board.row_numbers), len(board.column_numbers)) >= 2
