"""The photo with everything that was read drawn on it, for a person to check at a glance.

The kinds of marks differ in shape as well as in colour, so that every eye can tell them apart:
a sure tile has a solid outline and light letters on dark, an unsure one a dashed outline, a ``?``
and dark letters on a bright ground, a missing one a cross, an unread region is hatched.
"""

from collections.abc import Sequence
from functools import partial

from firmware import drawing
from firmware.doubts import doubts_of, has_factories
from firmware.drawing import DARK, Colour, Picture
from firmware.language import Language
from firmware.plates import Plates
from firmware.quads import even_share, mean_side, middle
from firmware.screens.doubt_views import Other
from firmware.screens.texts import Texts, mark
from firmware.screens.words import result
from scoring.faces import Cell, Face, city_name
from vision.reading import GridReading, Quad, Reading, Unread

SURE: Colour = (233, 200, 86)
UNSURE: Colour = (0, 190, 255)
MISSING: Colour = (180, 110, 255)
UNREAD: Colour = (180, 110, 255)
LIGHT: Colour = (255, 255, 255)

LABEL_SHARE = 0.78
"""Width of the longest label as a share of a tile's side; the corners of its ground then stay
inside the tile however it is turned."""


def annotate(
    photo_bgr: Picture,
    reading: Reading,
    totals: Sequence[int] | None = None,
    *,
    owners_known: bool = True,
    language: Language | None = None,
) -> Picture:
    """Draw a reading on its photo.

    Args:
        photo_bgr: uint8, shape (height, width, 3), the photo that was read, of the size
            ``reading.size_wh``; it is not changed.
        reading: what was read.
        totals: points of each city of the reading; None: badges show the letters alone.
        owners_known: whether it is certain whose each city is.
        language: of the words; None: that of all texts, see ``firmware.language``.

    Returns:
        A new picture of the same size.

    Raises:
        ValueError: The photo is of another size than the reading, or there is not one total for
            each city.
    """
    _check(photo_bgr, reading, totals)
    texts = Texts.of(language)
    picture = photo_bgr.copy()
    for region in reading.unread:
        draw_unread(picture, region, texts)
    for city in reading.cities:
        # Marks that ask for a look come last, so that no neighbour's outline covers them.
        for cell in sorted(_cells(city), key=partial(_asks_for_a_look, city)):
            _draw_tile_outline(picture, city, cell)
        scale = _label_scale(city, texts)
        for cell in _cells(city):
            _draw_tile_label(picture, city, cell, scale, texts)
    visible = [city.corners_px for city in reading.cities]
    visible += [region.corners_px for region in reading.unread]
    plates = Plates(picture, visible)
    for index, city in enumerate(reading.cities):
        tile_side = mean_side(city.corners_px) / max(len(city.grid), 1)
        plates.draw_badge(city.corners_px, tile_side, _badge_text(reading, index, totals))
    if not owners_known:
        plates.draw_notice(
            drawing.drawable(texts.say(result.OWNERS_ON_PHOTO)), ink=DARK, ground=UNSURE
        )
    return picture


def _badge_text(reading: Reading, index: int, totals: Sequence[int] | None) -> str:
    if totals is None:
        return city_name(index)
    may_change = doubts_of(reading).may_change_total(
        index, has_factories=has_factories(reading.cities[index].grid)
    )
    return f"{city_name(index)} {mark(totals[index], provisional=may_change)}"


def _check(photo_bgr: Picture, reading: Reading, totals: Sequence[int] | None) -> None:
    width, height = reading.size_wh
    if photo_bgr.shape != (height, width, 3):
        raise ValueError(
            f"the reading is of a colour photo of {width}x{height} pixels, "
            f"but the picture has the shape {photo_bgr.shape}: annotate the photo that was read"
        )
    if totals is not None and len(totals) != len(reading.cities):
        raise ValueError(
            f"there are {len(totals)} totals for {len(reading.cities)} cities: give one for each"
        )


def _cells(city: GridReading) -> list[Cell]:
    return [(row, column) for row, faces in enumerate(city.grid) for column in range(len(faces))]


def _asks_for_a_look(city: GridReading, cell: Cell) -> bool:
    return cell in city.unsure or city.grid[cell[0]][cell[1]] is None


def tile_quad(city: GridReading, cell: Cell) -> Quad:
    """Where a tile lies; where that is not known, its even share of the city."""
    row, column = cell
    known = city.tile_quads_px[row][column]
    return known or even_share(city.corners_px, (len(city.grid), len(city.grid[row])), cell)


def line_px(side_px: float) -> int:
    """How wide the lines round a tile of that side are."""
    return max(1, round(side_px / 36))


def _draw_tile_outline(picture: Picture, city: GridReading, cell: Cell) -> None:
    quad = tile_quad(city, cell)
    width_px = line_px(mean_side(quad))
    if city.grid[cell[0]][cell[1]] is None:
        colour = UNSURE if cell in city.unsure else MISSING
        drawing.outline(picture, quad, colour, width_px, dashed=True)
        drawing.cross(picture, quad, colour, width_px, share=0.3)
    elif cell in city.unsure:
        drawing.outline(picture, quad, UNSURE, 2 * width_px, dashed=True)
    else:
        drawing.outline(picture, quad, SURE, width_px, dashed=False)


def _label_of(city: GridReading, cell: Cell, texts: Texts) -> str:
    face = city.grid[cell[0]][cell[1]]
    if face is None and cell in city.unsure:
        text = texts.say(result.NO_TILE_UNSURE)
    else:
        text = mark(texts.face(face or Other.NO_TILE), provisional=cell in city.unsure)
    return drawing.drawable(text)


def _label_scale(city: GridReading, texts: Texts) -> float:
    """One scale for the whole city: at which its longest label fits on its smallest tile."""
    side = min(mean_side(tile_quad(city, cell)) for cell in _cells(city))
    labels = [_label_of(city, cell, texts) for cell in _cells(city)]
    longest = [*labels, *(drawing.drawable(texts.face(face)) for face in Face)]
    return drawing.scale_to_fit(longest, side * LABEL_SHARE, side * 0.3)


def _draw_tile_label(
    picture: Picture, city: GridReading, cell: Cell, scale: float, texts: Texts
) -> None:
    at = middle(tile_quad(city, cell))
    text = _label_of(city, cell, texts)
    if cell in city.unsure:
        drawing.label(picture, at, text, scale, ink=DARK, ground=UNSURE)
    elif city.grid[cell[0]][cell[1]] is None:
        drawing.label(picture, at, text, scale, ink=DARK, ground=MISSING)
    else:
        drawing.label(picture, at, text, scale, ink=LIGHT, ground=DARK, opacity=0.7)


def draw_unread(picture: Picture, region: Unread, texts: Texts) -> None:
    """Hatch what was not read, and write why."""
    side = mean_side(region.corners_px)
    width_px = line_px(side / 4)
    drawing.hatch(picture, region.corners_px, UNREAD, width_px, max(side / 10, 6.0))
    drawing.outline(picture, region.corners_px, UNREAD, 2 * width_px, dashed=True)
    because = f"{texts.say(result.NOT_READ_BECAUSE)} {texts.unread_reason(region.why)}"
    lines = _wrapped(drawing.drawable(because), 18)
    scale = drawing.scale_to_fit(lines, side * LABEL_SHARE, side * 0.1)
    step = drawing.text_size("Ag", scale, drawing.stroke_px(scale))[1] * 1.35
    x, y = middle(region.corners_px)
    for number, line in enumerate(lines):
        at = (x, y + (number - (len(lines) - 1) / 2) * step)
        drawing.label(picture, at, line, scale, ink=DARK, ground=UNREAD)


def _wrapped(text: str, letters: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > letters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
