"""Make the pictures of the documentation: ``python -m tests.regenerate_images``.

They are what the program makes today of the bundled photo, and of a simulated one. A test compares
them, so that they stay so; look at them before they are committed.
"""

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from firmware.cli import main
from firmware.data import SAMPLE
from firmware.games.registry import game_or_unscored
from tests.stage_pictures import stage_pictures
from tests.vision.laid_out import photo_of_layout
from vision.arrays import Image as Picture
from vision.editions.folder import built_in_edition

FOLDER = Path(__file__).parents[1] / "docs" / "images"
WIDTH = 1280
"""Width of the annotated photos, in pixels."""
TAUGHT = (
    ("between-two-cities", "faces"),
    ("cities", "tiles"),
    ("city-blocks", "blue"),
    ("dice-board", "red"),
)
TEACH_HEIGHT = 300
"""Height of the photos that teach, in pixels."""


def images() -> Iterator[tuple[str, Image.Image]]:
    """The name of each picture, and what it is today."""
    with tempfile.TemporaryDirectory() as work, _own_folder(work):
        sample, cities = Path(work, "sample"), Path(work, "cities")
        _run("scan", str(SAMPLE), "--out", str(sample))
        made = ("simulate", "--game", "cities", "--condition", "normal", "--seed", "6")
        _run(*made, "--out", str(cities))
        photo = str(cities / "normal-00006.jpg")
        _run("scan", photo, "--game", "cities", "--level", "2", "--out", str(cities))
        for name, picture in stage_pictures(SAMPLE):
            yield f"{name}.jpg", Image.fromarray(picture[..., ::-1])
        for game, picture in _arrangements():
            yield f"teach-{game}.jpg", Image.fromarray(picture[..., ::-1])
        yield "sample-annotated.jpg", _reduced(sample / "annotated.jpg")
        yield "winner.png", _opened(sample / "screens" / "winner@8x.png")
        yield "cities-annotated.jpg", _reduced(cities / "annotated.jpg")
        yield "cities-player.png", _opened(cities / "screens" / "player-2@8x.png")


def _arrangements() -> Iterator[tuple[str, Picture]]:
    """A photo that teaches, of each game: tiles laid out as they are asked for."""
    for game, faces in TAUGHT:
        edition = built_in_edition(game)
        layout = game_or_unscored(game).arrangements(edition.description)[faces]
        pictures = {name: some[0][..., :3] for name, some in edition.pictures.items() if some}
        yield game, _of_height(photo_of_layout(pictures, layout)[0].image_bgr)


def _of_height(picture: Picture) -> Picture:
    size = round(TEACH_HEIGHT * picture.shape[1] / picture.shape[0]), TEACH_HEIGHT
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


@contextlib.contextmanager
def _own_folder(work: str) -> Iterator[None]:
    """Use an empty folder in place of the user's settings and calibration."""
    before = os.environ.get("STADTBLICK_HOME")
    os.environ["STADTBLICK_HOME"] = str(Path(work, "home"))
    try:
        yield
    finally:
        os.environ.pop("STADTBLICK_HOME")
        if before is not None:
            os.environ["STADTBLICK_HOME"] = before


def _run(*arguments: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as text:
        code = main([*arguments, "--lang", "en"])
    if code not in (0, 1):
        raise RuntimeError(f"{arguments}: exit code {code}, {text.getvalue()}")


def _opened(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return image.copy()


def _reduced(path: Path) -> Image.Image:
    image = _opened(path)
    return image.resize((WIDTH, round(WIDTH * image.height / image.width)), Image.Resampling.BOX)


if __name__ == "__main__":
    for name, image in images():
        image.save(FOLDER / name, quality=88, optimize=True)
        sys.stdout.write(f"{name}\n")
