"""Picture of a game to send to others: its photo, winner, points and date."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from firmware.base import lettering
from firmware.base.errors import UsageError, printable
from firmware.base.language import _
from firmware.games.game import Scan
from firmware.games.registry import game_called
from firmware.history import StoredScan
from firmware.history.recall import recall_game
from firmware.report.annotate import annotated
from firmware.report.points import PlayerLine, headline, points_table
from firmware.scan.scan import score
from firmware.wording.winners import rough_sentence
from vision.arrays import Image as Array
from vision.photo.load import Photo

WIDTH_PX: Final = 1080
MAX_PHOTO_PX: Final = 1080
"""Height of the photo."""

_MARGIN: Final = 48
_GROUND, _CARD, _INK, _SOFT, _ACCENT = "#f7f5f0", "#ffffff", "#1c2321", "#55605c", "#1d5c63"
"""The colours of the page in the light."""
_TITLE, _TEXT, _SMALL = 56, 40, 32
"""Heights of lines."""
_LETTERS: Final = 0.8
"""Size of letters as a share of the height of their line."""
_ROW: Final = 68
_DETAIL: Final = 38
"""Height of a line below the name of a player."""
_NAME_LEFT: Final = _MARGIN + 110
_CHIPS: Final = 4
"""Cities side by side."""


def share_picture_of(stored: StoredScan, photo: Path | None) -> Array | None:
    """Draw the picture of a past game.

    Args:
        stored: Stored scan.
        photo: Path of its photo; None if it is not kept.

    Returns:
        Picture; None if the game has no points.

    Raises:
        FirmwareError: Its edition is gone.
        VisionError: Its edition cannot be used.
    """
    game = recall_game(stored, photo)
    try:
        scan = score(
            game.reading, game.description, corrections=game.corrections, options=game.options
        )
    except UsageError:
        return None
    return share_picture(scan, game.photo, str(stored.at) if stored.at.known else "")


def share_picture(scan: Scan, photo: Photo | None, when: str) -> Array | None:
    """Return the picture, in the language that is spoken.

    Args:
        scan: Scan of the game.
        photo: Photo that was read; None leaves it out.
        when: Date and time; empty if unknown.

    Returns:
        None: The game has no points.
    """
    if scan.sheet is None or scan.game is None:
        return None
    points = points_table(scan)
    title = list(_lines(printable(headline(scan)), _font(_TITLE), WIDTH_PX - 2 * _MARGIN))
    shown = None if photo is None else _photo(scan, photo)
    cities = points.cities
    chip_rows = -(-len(cities) // _CHIPS)
    top = 0 if shown is None else shown.height
    details = [list(_details(each)) for each in points.players]
    game = _(game_called(scan.reading.game).title)
    about = ", ".join(filter(None, (game, when))), rough_sentence(scan.numbers)
    notes = [note for note in about if note]
    height = top + len(title) * (_TITLE + 12) + 3 * _MARGIN + _MARGIN // 2
    height += _ROW * (len(notes) + len(points.players) + chip_rows)
    height += _DETAIL * sum(map(len, details))
    picture = Image.new("RGB", (WIDTH_PX, height), _GROUND)
    draw = ImageDraw.Draw(picture)
    if shown is not None:
        picture.paste(shown, (0, 0))
    y = top + _MARGIN
    for line in title:
        draw.text((_MARGIN, y), line, _INK, _font(_TITLE))
        y += _TITLE + 12
    for note in notes:
        draw.text((_MARGIN, y), note, _SOFT, _font(_SMALL))
        y += _ROW
    for one, lines in zip(points.players, details, strict=True):
        ink, ground = (_CARD, _ACCENT) if one.won else (_INK, _CARD)
        soft = _CARD if one.won else _SOFT
        row_height = _ROW + _DETAIL * len(lines)
        box = (_MARGIN, y, WIDTH_PX - _MARGIN, y + row_height - 8)
        draw.rounded_rectangle(box, 14, ground)
        middle = y + (_ROW - 8) / 2
        draw.text((_MARGIN + 20, middle), one.rank, ink, _font(_TEXT), anchor="lm")
        draw.text((_NAME_LEFT, middle), printable(one.name), ink, _font(_TEXT), anchor="lm")
        right = WIDTH_PX - _MARGIN - 20
        draw.text((right, middle), one.points, ink, _font(_TEXT), anchor="rm")
        for number, line in enumerate(lines):
            at = _NAME_LEFT, y + _ROW - 12 + number * _DETAIL
            draw.text(at, line, soft, _font(_SMALL))
        y += row_height
    y += _MARGIN // 2
    wide = (WIDTH_PX - 2 * _MARGIN) // _CHIPS
    for index, (name, total) in enumerate(cities):
        said = _("City {letter}").format(letter=name)
        at = _MARGIN + index % _CHIPS * wide, y + index // _CHIPS * _ROW
        draw.text(at, f"{said}: {total}", _INK, _font(_SMALL))
    draw.text((_MARGIN, height - _MARGIN), scan.edition_line, _SOFT, _font(_SMALL), anchor="ls")
    draw.text(
        (WIDTH_PX - _MARGIN, height - _MARGIN), "Stadtblick", _SOFT, _font(_SMALL), anchor="rs"
    )
    return cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR)  # type: ignore[return-value]


def _details(player: PlayerLine) -> Iterator[str]:
    """Yield the lines below a player: both cities, and how a tie was broken."""
    said = [", ".join(player.cities), printable(player.tie_break)]
    room = WIDTH_PX - _MARGIN - 20 - _NAME_LEFT
    for text in filter(None, said):
        yield from _lines(text, _font(_SMALL), room)


def _font(height: int) -> ImageFont.FreeTypeFont:
    return lettering.font(height * _LETTERS)


def _photo(scan: Scan, photo: Photo) -> Image.Image:
    drawn = annotated(scan, photo)
    share = min(WIDTH_PX / drawn.shape[1], MAX_PHOTO_PX / drawn.shape[0])
    size = round(drawn.shape[1] * share), round(drawn.shape[0] * share)
    small = cv2.resize(drawn, size, interpolation=cv2.INTER_AREA)
    whole = Image.new("RGB", (WIDTH_PX, size[1]), _GROUND)
    whole.paste(
        Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB)), ((WIDTH_PX - size[0]) // 2, 0)
    )
    return whole


def _lines(text: str, font: ImageFont.FreeTypeFont, most_px: int) -> Iterator[str]:
    """Yield the lines of a text, broken where it would be too wide."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > most_px:
            yield line
            longer = word
        line = longer
    yield line
