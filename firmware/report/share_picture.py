"""Picture of a game to send to others: its photo, winner, points and date."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from firmware.base import picture_text
from firmware.base.errors import UsageError, printable
from firmware.base.language import _
from firmware.games.registry import game_or_unscored
from firmware.games.scan import Scan
from firmware.history import StoredScan
from firmware.history.loaded_game import load_past_game
from firmware.report.annotate import annotate_photo
from firmware.report.points_table import PlayerLine, headline, points_table
from firmware.scan.make_scan import make_scan
from firmware.wording.winners import bounds_sentence
from vision.arrays import Image as Array
from vision.photo.load import Photo

WIDTH_PX: Final = 1080
MAX_PHOTO_PX: Final = 1080
"""Largest height of the photo."""

_MARGIN: Final = 48
_BACKGROUND, _CARD, _INK, _SOFT, _ACCENT = "#f7f5f0", "#ffffff", "#1c2321", "#55605c", "#1d5c63"
"""Colours of the page in its light scheme."""
_TITLE, _TEXT, _SMALL = 56, 40, 32
"""Heights of lines with large, ordinary and small letters, in pixels."""
_TITLE_STEP: Final = _TITLE + 12
"""Height of a line of the title with the gap below it."""
_LETTERS: Final = 0.8
"""Size of letters as a share of the height of their line."""
_ROW: Final = 68
"""Height of a note, of a player without details and of a row of cities, with the gap below."""
_CARD_GAP, _CARD_PADDING = 8, 20
_DETAIL: Final = 38
"""Height of a line below the name of a player."""
_NAME_LEFT: Final = _MARGIN + 110
_CITY_COLUMNS: Final = 4
"""Number of cities side by side."""


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
    game = load_past_game(stored, photo)
    try:
        scan = make_scan(
            game.reading, game.description, corrections=game.corrections, options=game.options
        )
    except UsageError:
        return None
    return share_picture(scan, game.photo, str(stored.at) if stored.at.known else "")


def share_picture(scan: Scan, photo: Photo | None, when: str) -> Array | None:
    """Draw the picture of a scan, in the current language.

    Args:
        scan: Scan of the game.
        photo: Photo that was read; None leaves it out.
        when: Date and time; empty if unknown.

    Returns:
        Picture; None if the game has no points.
    """
    if scan.sheet is None or scan.game is None:
        return None
    points = points_table(scan)
    title = list(_wrapped_lines(printable(headline(scan)), _font(_TITLE), WIDTH_PX - 2 * _MARGIN))
    game = _(game_or_unscored(scan.reading.game).title)
    about = ", ".join(filter(None, (game, when))), bounds_sentence(scan.shown_numbers)
    notes = [note for note in about if note]
    rows = [_PlayerRow(player, list(_details(player))) for player in points.players]
    shown = None if photo is None else _shrunk_photo(scan, photo)
    top = 0 if shown is None else shown.height
    height = top + len(title) * _TITLE_STEP + 3 * _MARGIN + _MARGIN // 2
    height += _ROW * (len(notes) + -(-len(points.cities) // _CITY_COLUMNS))
    height += sum(row.height for row in rows)
    picture = Image.new("RGB", (WIDTH_PX, height), _BACKGROUND)
    if shown is not None:
        picture.paste(shown, (0, 0))
    draw = ImageDraw.Draw(picture)
    y = _draw_title(draw, top + _MARGIN, title, notes)
    for row in rows:
        _draw_player(draw, y, row)
        y += row.height
    _draw_cities(draw, y + _MARGIN // 2, points.cities)
    _draw_foot(draw, height - _MARGIN, scan.edition_line)
    return cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR)  # type: ignore[return-value]


class _PlayerRow(NamedTuple):
    """Row of a player, with the lines below the name."""

    player: PlayerLine
    details: list[str]

    @property
    def height(self) -> int:
        return _ROW + _DETAIL * len(self.details)


def _draw_title(draw: ImageDraw.ImageDraw, y: int, title: list[str], notes: list[str]) -> int:
    """Write the title and the notes below it, and return where they end."""
    for line in title:
        draw.text((_MARGIN, y), line, _INK, _font(_TITLE))
        y += _TITLE_STEP
    for note in notes:
        draw.text((_MARGIN, y), note, _SOFT, _font(_SMALL))
        y += _ROW
    return y


def _draw_player(draw: ImageDraw.ImageDraw, y: int, row: _PlayerRow) -> None:
    """Draw the card of a player; that of a winner stands out."""
    player = row.player
    ink, soft, background = (_CARD, _CARD, _ACCENT) if player.won else (_INK, _SOFT, _CARD)
    box = (_MARGIN, y, WIDTH_PX - _MARGIN, y + row.height - _CARD_GAP)
    draw.rounded_rectangle(box, 14, background)
    middle, right = y + (_ROW - _CARD_GAP) / 2, WIDTH_PX - _MARGIN - _CARD_PADDING
    draw.text((_MARGIN + _CARD_PADDING, middle), player.rank, ink, _font(_TEXT), anchor="lm")
    draw.text((_NAME_LEFT, middle), printable(player.name), ink, _font(_TEXT), anchor="lm")
    draw.text((right, middle), player.points, ink, _font(_TEXT), anchor="rm")
    for number, line in enumerate(row.details):
        at = _NAME_LEFT, y + _ROW - 12 + number * _DETAIL
        draw.text(at, line, soft, _font(_SMALL))


def _draw_cities(draw: ImageDraw.ImageDraw, y: int, cities: Sequence[tuple[str, str]]) -> None:
    """Write the letter and total of each city."""
    width = (WIDTH_PX - 2 * _MARGIN) // _CITY_COLUMNS
    for index, (name, total) in enumerate(cities):
        city = _("City {letter}").format(letter=name)
        at = _MARGIN + index % _CITY_COLUMNS * width, y + index // _CITY_COLUMNS * _ROW
        draw.text(at, f"{city}: {total}", _INK, _font(_SMALL))


def _draw_foot(draw: ImageDraw.ImageDraw, bottom: int, edition_line: str) -> None:
    """Write the edition and the name of the program."""
    draw.text((_MARGIN, bottom), edition_line, _SOFT, _font(_SMALL), anchor="ls")
    draw.text((WIDTH_PX - _MARGIN, bottom), "Stadtblick", _SOFT, _font(_SMALL), anchor="rs")


def _details(player: PlayerLine) -> Iterator[str]:
    """Yield the lines below a player: both cities, and how a tie was broken."""
    texts = [", ".join(player.cities), printable(player.tie_break)]
    room = WIDTH_PX - _MARGIN - _CARD_PADDING - _NAME_LEFT
    for text in filter(None, texts):
        yield from _wrapped_lines(text, _font(_SMALL), room)


def _font(height: int) -> ImageFont.FreeTypeFont:
    return picture_text.font(height * _LETTERS)


def _shrunk_photo(scan: Scan, photo: Photo) -> Image.Image:
    drawn = annotate_photo(photo, scan)
    share = min(WIDTH_PX / drawn.shape[1], MAX_PHOTO_PX / drawn.shape[0])
    size = round(drawn.shape[1] * share), round(drawn.shape[0] * share)
    small = cv2.resize(drawn, size, interpolation=cv2.INTER_AREA)
    whole = Image.new("RGB", (WIDTH_PX, size[1]), _BACKGROUND)
    whole.paste(
        Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB)), ((WIDTH_PX - size[0]) // 2, 0)
    )
    return whole


def _wrapped_lines(text: str, font: ImageFont.FreeTypeFont, most_px: int) -> Iterator[str]:
    """Yield the lines of a text, broken where it would be too wide."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > most_px:
            yield line
            longer = word
        line = longer
    yield line
