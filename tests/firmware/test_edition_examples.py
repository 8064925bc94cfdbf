"""The complete examples of docs/own-games.md, run word for word."""

import re
import shlex
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli import main
from tests.vision.laid_out import photo_of_flat, photo_of_layout
from tests.vision.pictured import drawn_face

PAGE = (Path(__file__).parents[2] / "docs" / "own-games.md").read_text("utf-8")
PICTURES = {name: drawn_face(seed) for seed, name in enumerate(("field", "forest", "lake", "mine"))}
GAMES = ("garden", "harbour")
CELL_PX = 100


def block(game, kind, number=0):
    """A code block of an example, by its language."""
    part = PAGE.partition("**Printed boards**")[2 * GAMES.index(game)]
    return re.findall(rf"```{kind}\n(.*?)```", part, re.DOTALL)[number]


def layout_of(text):
    """The names of a layout file, or of an answer of ``read``."""
    rows = [re.sub(r"^ \d ", "", line).split() for line in text.splitlines()]
    return [[None if name in (".", "-") else name for name in row] for row in rows]


def on_board(layout):
    """A board with a frame of spots all round, and tiles on its plots."""
    rng = np.random.default_rng(5)
    rows, columns = len(layout), len(layout[0])
    high, wide = (rows + 2) * CELL_PX, (columns + 2) * CELL_PX
    board = np.full((high, wide, 3), (150, 195, 165), np.uint8)
    for _ in range(60):
        at = int(rng.integers(0, wide)), int(rng.integers(0, high))
        ink = tuple(int(level) for level in rng.integers(40, 220, 3))
        cv2.circle(board, at, int(rng.integers(5, 18)), ink, -1)
    inner = board[CELL_PX:-CELL_PX, CELL_PX:-CELL_PX]
    inner[:] = (190, 215, 225)
    for row, names in enumerate(layout):
        for column, name in enumerate(names):
            plot = inner[row * CELL_PX :, column * CELL_PX :][:CELL_PX, :CELL_PX]
            cv2.rectangle(plot, (0, 0), (CELL_PX, CELL_PX), (60, 80, 90), 3)
            if name is not None:
                plot[4:-4, 4:-4] = cv2.resize(PICTURES[name], (CELL_PX - 8,) * 2)
    return photo_of_flat(board)[0]


@pytest.mark.parametrize("game", GAMES)
def test_an_example_is_taught_and_read_as_the_page_says(game, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    taught, answer = block(game, "text"), block(game, "text", 1)
    Path(f"{game}.toml").write_text(block(game, "toml"))
    Path(f"{game}.txt").write_text(taught)
    lying = "\n".join(line for line in answer.splitlines() if re.match(r" \d \S", line))
    for name, text in ((game, taught), (f"{game}-2", lying)):
        layout = layout_of(text)
        drawn = photo_of_layout(PICTURES, layout, 120)[0] if game == "garden" else on_board(layout)
        cv2.imwrite(f"{name}.jpg", drawn.image_bgr)
    teaching, reading = block(game, "sh").splitlines()
    assert main(shlex.split(teaching)[1:]) == 0
    capsys.readouterr()
    assert main(shlex.split(reading)[1:]) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert printed == answer.splitlines()
