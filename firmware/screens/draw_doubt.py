"""How the pages are drawn that list what is not sure, ask about it, or tell what has changed."""

from collections.abc import Sequence

from PIL import Image

from firmware.screens import pictograms, typeset
from firmware.screens.canvas import (
    BODY_BOTTOM,
    BODY_ROWS,
    FOOTER_TOP,
    ROW_HEIGHT,
    ROW_LETTERS,
    WIDTH,
    Box,
    Canvas,
    body_row,
)
from firmware.screens.doubt_views import (
    Bitmap,
    Change,
    ChangesView,
    CityCountChange,
    FinalChange,
    OwnersQuestionView,
    TileChange,
    TotalChange,
    UnsureView,
    WinnerChange,
)
from firmware.screens.draw_result import result_header
from firmware.screens.result_views import (
    MissingListView,
    NoteView,
    OwnersView,
    Seat,
    UnreadListView,
    UnsureListView,
)
from firmware.screens.table_map import draw_map, draw_place_on_map
from firmware.screens.texts import NOT_READ, Texts
from firmware.screens.words import board, result
from scoring.faces import Cell, Face, city_name

PLACES_PER_ROW = 3
PLACES_PER_PAGE = PLACES_PER_ROW * BODY_ROWS

CROP_SIDE = 50
"""Width and height in pixels of the picture of a tile that is not sure."""

BESIDE_CROP = CROP_SIDE + 4
GRID_STEP = 6
"""Width and height in pixels of a cell of the map of a city, with one of its lines."""

ARROW = "►"
BESIDE_MAP = 80
"""Right end of what stands beside a map of half the width."""


def draw_unread_list(canvas: Canvas, view: UnreadListView, texts: Texts) -> None:
    """How many cities were not read, and why."""
    title = texts.say(result.UNREAD.for_number(view.count), n=view.count)
    if view.is_board:
        title = texts.say(board.BOARD_UNREAD)
    result_header(canvas, texts, title, view)
    _draw_part(canvas, texts.unread_reason(view.why), view.part)


def draw_note(canvas: Canvas, view: NoteView, texts: Texts) -> None:
    """What the eye says of the photo, or of cities."""
    result_header(canvas, texts, texts.about(view.cities), view)
    _draw_part(canvas, texts.note(view.note), view.part)


def _draw_part(canvas: Canvas, text: str, part: int) -> None:
    lines = typeset.wrap(text, ROW_LETTERS)
    canvas.lines(lines[part * BODY_ROWS : (part + 1) * BODY_ROWS])


def draw_owners(canvas: Canvas, view: OwnersView, texts: Texts) -> None:
    """Whose each city is taken to be."""
    result_header(canvas, texts, texts.say(result.OWNERS), view)
    for row, (letters, seat) in enumerate(view.owners):
        canvas.text(body_row(row), *_owner(letters, seat, texts))
    canvas.text(body_row(BODY_ROWS - 1), texts.say(result.OWNERS_GUESSED))


def _owner(letters: Sequence[str], seat: Seat, texts: Texts) -> tuple[str, ...]:
    names = (texts.name(seat), texts.name(Seat(seat.number)))
    return tuple(f"{' '.join(letters)}: {name}?" for name in names)


def draw_unsure_list(canvas: Canvas, view: UnsureListView, texts: Texts) -> None:
    """Places of tiles that a person must look at."""
    title = texts.say(result.UNSURE.for_number(view.count), n=view.count)
    result_header(canvas, texts, title, view)
    labels = [texts.place(city, cell, provisional=True) for city, cell in view.places]
    _draw_places(canvas, labels, texts)


def draw_missing_list(canvas: Canvas, view: MissingListView, texts: Texts) -> None:
    """Places scored without a tile."""
    title = texts.say(result.MISSING.for_number(view.count), n=view.count)
    result_header(canvas, texts, title, view)
    labels = [texts.place(city, cell, provisional=False) for city, cell in view.places]
    _draw_places(canvas, labels, texts)


def _draw_places(canvas: Canvas, labels: list[str], texts: Texts) -> None:
    width = WIDTH // PLACES_PER_ROW
    for number, label in enumerate(labels):
        row, column = divmod(number, PLACES_PER_ROW)
        canvas.text(body_row(row, column * width, (column + 1) * width), label)
    if len(labels) <= PLACES_PER_PAGE - PLACES_PER_ROW:
        canvas.text(body_row(BODY_ROWS - 1), texts.say(result.PLACE_LEGEND))


def draw_owners_question(canvas: Canvas, view: OwnersQuestionView, texts: Texts) -> None:
    """Whose city is which: a map at the right, both players at the left."""
    draw_map(canvas, view.table, (BESIDE_MAP, 0, WIDTH, FOOTER_TOP - 2))
    for number, (letters, seat) in enumerate(view.owners):
        top = 2 * number * ROW_HEIGHT + number
        right = BESIDE_MAP - 4
        names = (texts.name(seat), texts.name(Seat(seat.number)))
        canvas.text((0, top, right, top + ROW_HEIGHT), f"{' '.join(letters)}:")
        box = (0, top + ROW_HEIGHT, right, top + 2 * ROW_HEIGHT)
        canvas.text(box, *(f"{name}?" for name in names))
    canvas.position(view.option, view.options)


def draw_unsure(canvas: Canvas, view: UnsureView, texts: Texts) -> None:
    """A tile that is not sure: its picture, its place on the table and in the city, the guess."""
    draw_crop(canvas, view.crop)
    letter = city_name(view.city)
    top_row = (BESIDE_CROP, 0, WIDTH, ROW_HEIGHT)
    number = f"{view.number}/{view.count}"
    number_left = WIDTH - typeset.SMALLEST_WIDTH * len(number)
    canvas.text(top_row, number, align="right")
    left_box = (BESIDE_CROP, 0, number_left - 4, ROW_HEIGHT)
    canvas.text(left_box, texts.say(result.CITY, letter=letter), letter)
    rows, columns = view.rows_cols
    grid_left = WIDTH - GRID_STEP * columns - 1
    grid_top = ROW_HEIGHT + 1
    _draw_cell(canvas, (grid_left, grid_top), view.rows_cols, view.cell)
    map_box = (BESIDE_CROP, grid_top, grid_left - 4, grid_top + GRID_STEP * rows + 1)
    draw_place_on_map(canvas, view.table, map_box, view.city)
    sign_top = BODY_BOTTOM - pictograms.SIDE
    canvas.image.paste(pictograms.face_sign(view.guess), (BESIDE_CROP, sign_top))
    guess_box = (BESIDE_CROP + pictograms.SIDE + 3, BODY_BOTTOM - ROW_HEIGHT, WIDTH, BODY_BOTTOM)
    guess, option = f"{texts.face(view.guess)}?", f"{view.option}/{view.options}"
    canvas.text(guess_box, guess)
    letters = (WIDTH - guess_box[0]) // typeset.SMALLEST_WIDTH
    if view.options > 1 and len(guess) + 1 + len(option) <= letters:
        canvas.text(guess_box, option, align="right")
    canvas.position(view.number, view.count)


def draw_crop(canvas: Canvas, crop: Bitmap | None) -> None:
    """What the photo shows of a tile, at the left; a question mark where that is not known."""
    if crop is None:
        canvas.text((0, 0, CROP_SIDE, CROP_SIDE), NOT_READ, align="centre", sizes=(32,))
        return
    picture = Image.frombytes("1", crop.size_wh, crop.bits)
    canvas.image.paste(picture.crop((0, 0, CROP_SIDE, CROP_SIDE)), (0, 0))


def _draw_cell(
    canvas: Canvas, corner: tuple[int, int], rows_cols: tuple[int, int], cell: Cell
) -> None:
    left, top = corner
    for row in range(rows_cols[0]):
        for column in range(rows_cols[1]):
            x, y = left + column * GRID_STEP, top + row * GRID_STEP
            fill = typeset.LIT if (row, column) == cell else 0
            box = (x, y, x + GRID_STEP, y + GRID_STEP)
            canvas.draw.rectangle(box, fill=fill, outline=typeset.LIT)


def draw_changes(canvas: Canvas, view: ChangesView, texts: Texts) -> None:
    """What is other than before, a row or two for each."""
    result_header(canvas, texts, texts.say(result.CHANGES), view)
    if not view.changes:
        box: Box = (0, body_row(0)[1], WIDTH, BODY_BOTTOM)
        canvas.statement(texts.say(result.NO_CHANGE), box)
        return
    row = 0
    for change in view.changes:
        for left, right in _change_rows(change, texts):
            edge = WIDTH - typeset.SMALLEST_WIDTH * len(right)
            canvas.text(body_row(row, 0, edge), left)
            canvas.text(body_row(row, edge), right, align="right")
            row += 1


def _change_rows(change: Change, texts: Texts) -> tuple[tuple[str, str], ...]:
    """What stands at the left and at the right of each row that a change takes."""
    match change:
        case WinnerChange(after=winners):
            title = texts.say(result.NEW_WINNER.for_number(len(winners)), n=len(winners))
            names = [texts.name(seat) for seat in winners]
            together = ", ".join(names)
            named = together if len(together) <= ROW_LETTERS else names[0]
            more = texts.say(result.MORE_WINNERS, n=len(names) - 1)
            rest = () if named == together else ((more, ""),)
            return ((title, ""), (named, ""), *rest)
        case FinalChange(player=seat):
            name, numbers = texts.name(seat), f"{change.before}{ARROW}{change.after}"
            if len(name) + 1 + len(numbers) <= ROW_LETTERS:
                return ((name, numbers),)
            return ((name, ""), ("", numbers))
        case CityCountChange():
            return ((texts.say(result.CITY_COUNT), f"{change.before}{ARROW}{change.after}"),)
        case TotalChange(letter=letter):
            name = texts.say(result.CITY, letter=letter)
            return ((name, f"{change.before}{ARROW}{change.after}"),)
        case TileChange(place=(city, cell)):
            place = texts.place(city, cell, provisional=False)
            return ((place, f"{_tile(change.before, texts)}{ARROW}{_tile(change.after, texts)}"),)


def _tile(face: Face | None, texts: Texts) -> str:
    return "–" if face is None else texts.face(face)
