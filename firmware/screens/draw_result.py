"""Drawing of the views of a result and the questions about it."""

from collections.abc import Sequence
from typing import Final

from PIL import ImageChops

from firmware.base.language import Phrase, without_break_hyphens
from firmware.screens import typeset, words
from firmware.screens.canvas import (
    BODY_BOTTOM,
    BODY_ROWS,
    BODY_TOP,
    FOOTER_TOP,
    ROW_HEIGHT,
    ROW_LETTERS,
    WIDTH,
    Box,
    Canvas,
    body_row,
    image_of,
)
from firmware.screens.draw_table_map import draw_map, draw_place_on_map, draw_tile_on_map
from firmware.screens.question_views import (
    DoubtfulTileView,
    DoubtView,
    OwnersQuestionView,
    PickView,
)
from firmware.screens.result_views import (
    MapView,
    NoteView,
    PlacesView,
    ResultView,
    Row,
    ScoreView,
    SignsView,
    Standing,
    StandingsView,
    UnreadView,
    WinnerView,
)
from firmware.screens.view import CROP_SIDE, SIGN_SIDE, Bitmap, MenuLabel, Piece, PlayerLabel, Text
from firmware.screens.words import Alert, MenuWord, mark_unsure
from firmware.wording.ranges import RANGE_SIGN

POINTS_SIZES: Final = (32, 28, 24, 20, 16, 12)
"""Heights of the letters of points."""
POINTS_WIDTH: Final = 3 * typeset.cell_width(POINTS_SIZES[0])
"""Width of points; those with more than three letters are set smaller to leave room beside them."""
MARK: Final = "►"
MARK_WIDTH: Final = 8
"""Column of the mark of a row that counts."""
MARKED_ROWS_RIGHT: Final = MARK_WIDTH + 78
GAP: Final = 4
ROW_GAP: Final = 2
"""Gap between the label of a row and its value."""
SIGN_COLUMNS: Final = ((1, 33), (40, 72))
"""Left and right of the two columns of signs beside points."""
RANGE_SIGN_COLUMNS: Final = ((0, 42), (44, 86))
"""Left and right of the two columns where some numbers are ranges."""
WIDE_SIGN_COLUMNS: Final = (0, 78)
STANDINGS_ROWS: Final = FOOTER_TOP // ROW_HEIGHT
"""Players below each other on a view of the standings without a title."""
NARROW_STANDING: Final = (WIDTH - GAP) // 2
"""Width of a player where two stand beside each other."""
MAP_RIGHT: Final = 88
BESIDE_MAP: Final = 80
"""Right end of what stands beside a map of half the width."""
CROP_TOP: Final = ROW_HEIGHT + 1
BESIDE_CROP: Final = CROP_SIDE + 4
UP_MARK_SIDE: Final = 6
"""Height of the triangle at the upper edge of a piece, and half of its width."""
LETTERS_KEPT: Final = (5, 3)
"""Letters kept of each word of a name that has no room."""
GROUP_ENDING: Final = "…"
"""Sign behind a group of faces, of which one is asked next."""


def header(canvas: Canvas, title: Sequence[Text], view: ResultView) -> None:
    """Draw the title of a view, and beside it its number, or that the result is not saved."""
    canvas.header(_texts(title), _texts(words.UNSAVED) if view.unsaved else number_text(view))


def number_text(view: ResultView) -> tuple[str, ...]:
    """Return number and count of the views; empty for a single one."""
    number = view.view_number
    return (f"{number.number}/{number.count}",) if number.count > 1 else ()


def alert_row(alerts: tuple[Alert, ...]) -> str:
    """Return the most important alert and the number of further ones."""
    more = f" +{len(alerts) - 1}" if len(alerts) > 1 else ""
    return f"{alerts[0]}{more}"


def _texts(texts: Sequence[Text]) -> tuple[str, ...]:
    return tuple(map(str, texts))


def draw_winner(canvas: Canvas, view: WinnerView) -> None:
    """Draw the winners, in the largest letters that fit, and their points."""
    not_saved = (Alert.NOT_SAVED,) if view.unsaved else ()
    alerts = tuple(dict.fromkeys((*not_saved, *view.alerts)))
    alert = (alert_row(alerts),) if alerts else ()
    news = _texts((view.news,)) if view.news else ()
    if view.open_points:
        _draw_contenders(canvas, view, alert or news)
        return
    default = words.WINNER if len(view.winners) == 1 else words.SHARED_VICTORY
    title = mark_unsure(view.title or default, unsure=view.to_check > 0 and not view.wins_anyway)
    points = _texts(view.points)
    below = _texts(view.tie) or alert
    if view.wins_anyway:
        below = alert or _texts((words.WINS_ANYWAY,))
    beside = _texts(words.UNSAVED) if view.unsaved and view.tie else number_text(view)
    names = [typeset.in_font(str(winner)) for winner in view.winners]
    below_rows = [row for row in (below, news) if row]
    if len(below_rows) > 1 and not _fits_in_a_row(names, points):
        below_rows = below_rows[:1]
    bottom = BODY_BOTTOM - ROW_HEIGHT * len(below_rows)
    rows = (bottom - BODY_TOP) // ROW_HEIGHT
    if len(names) == 1:
        canvas.header((title,), beside)
        right = draw_points(canvas, points, bottom)
        letters = right // typeset.SMALLEST_WIDTH
        first, *shorter = name_wordings(view.winners[0])
        name = shorter[0] if shorter and len(first) > letters else first
        lines = _wrap_name(typeset.in_font(name), letters, rows)
    else:
        lines = names if len(names) <= rows else _with_more(names, rows)
        right = _room_beside(points, bottom)
        if max(map(len, lines)) * typeset.SMALLEST_WIDTH > right:
            # The names need the whole width
            right = WIDTH
            canvas.header((title,), points)
        else:
            canvas.header((title,), beside)
            draw_points(canvas, points, bottom)
    height = (bottom - BODY_TOP) // len(lines)
    sizes = tuple(size for size in typeset.SIZES if size <= min(height, view.max_letter_height_px))
    size = min(typeset.fit((line,), right, height, sizes).size for line in lines)
    for row, line in enumerate(lines):
        top = BODY_TOP + row * height
        canvas.text((0, top, right, top + height), line, sizes=(size,))
    for number, texts in enumerate(below_rows, start=BODY_ROWS - len(below_rows)):
        canvas.text(body_row(number), *texts)


def _fits_in_a_row(names: Sequence[str], points: tuple[str, ...]) -> bool:
    """Return whether there is one name, and a single row has room for it beside the points."""
    room = _room_beside(points, BODY_TOP + ROW_HEIGHT)
    return len(names) == 1 and typeset.SMALLEST_WIDTH * len(names[0]) <= room


def _draw_contenders(canvas: Canvas, view: WinnerView, alert: tuple[str, ...]) -> None:
    """Draw a row for each who can still win: name and points."""
    canvas.header((str(words.WHO_WINS),), number_text(view))
    bottom = BODY_BOTTOM - (ROW_HEIGHT if alert else 0)
    rows = (bottom - BODY_TOP) // ROW_HEIGHT
    players = list(zip(view.winners, view.open_points, strict=True))
    hidden = len(players) - rows
    if hidden > 0:
        players = players[: rows - 1]
    height = (bottom - BODY_TOP) // min(len(view.winners), rows)
    for row, (name, points) in enumerate(players):
        top = BODY_TOP + row * height
        shown = str(points[0])
        points_left = WIDTH - typeset.SMALLEST_WIDTH * len(shown)
        sizes = tuple(size for size in typeset.SIZES if size <= height)
        canvas.text((0, top, points_left - GAP, top + height), *name_wordings(name), sizes=sizes)
        canvas.text((points_left, top, WIDTH, top + height), shown, align="right")
    if hidden > 0:
        box = (0, BODY_TOP + len(players) * height, WIDTH, bottom)
        canvas.text(box, str(words.MORE_WINNERS.fill(n=hidden + 1)))
    if alert:
        canvas.text(body_row(BODY_ROWS - 1), *alert)


def name_wordings(name: Text) -> tuple[str, ...]:
    """Return the wordings of a player's name, longest first."""
    return name.wordings if isinstance(name, PlayerLabel) else (str(name),)


def _wrap_name(name: str, letters: int, rows: int) -> list[str]:
    lines = list(typeset.wrap(name, letters))
    return [*lines[: rows - 1], " ".join(lines[rows - 1 :])] if len(lines) > rows else lines


def _with_more(names: list[str], rows: int) -> list[str]:
    shown = rows - 1
    return [*names[:shown], str(words.MORE_WINNERS.fill(n=len(names) - shown))]


def draw_score(canvas: Canvas, view: ScoreView) -> None:
    """Draw points at the right, rows and a text beside and below them."""
    header(canvas, view.title, view)
    if view.statement:
        canvas.statement(str(view.statement), (0, BODY_TOP, WIDTH, BODY_BOTTOM))
        return
    edge = WIDTH
    if view.points:
        beside = max(map(_marked_width, view.rows[: view.points_rows]), default=0)
        bottom = BODY_TOP + view.points_rows * ROW_HEIGHT
        edge = draw_points(canvas, _texts(view.points), bottom, beside)
    for number, row in enumerate(view.rows):
        _draw_row(canvas, row, number, edge if number < view.points_rows else WIDTH)
    if view.text:
        _draw_text(canvas, str(view.text), len(view.rows), edge)


def _marked_width(row: Row) -> int:
    """Return the width of a row with a mark, its label in full; 0 for other rows."""
    if row.counts is None:
        return 0
    letters = len(typeset.in_font(str(row.label[0]))) + len(str(row.value))
    return MARK_WIDTH + 2 + GAP + typeset.SMALLEST_WIDTH * letters


def _draw_row(canvas: Canvas, row: Row, number: int, edge: int) -> None:
    left, top, right, bottom = body_row(number, 0, edge)
    value, dark = str(row.value), row.counts is True
    if row.counts is not None:
        right = min(right, max(MARKED_ROWS_RIGHT, _marked_width(row)))
        if dark:
            canvas.bar((left, top, right, bottom))
            canvas.text((left + 1, top, left + MARK_WIDTH, bottom), MARK, dark=True)
        left += MARK_WIDTH + 1
        right -= 1
    value_left = right - typeset.SMALLEST_WIDTH * len(value)
    starts = [at for at, _text in row.columns]
    ends = [*starts, value_left - (GAP if starts else ROW_GAP if value else 0)]
    canvas.text((left, top, ends[0], bottom), *_texts(row.label), dark=dark)
    for (start, text), end in zip(row.columns, ends[1:], strict=True):
        canvas.text((start, top, end, bottom), str(text))
    if value:
        canvas.text((value_left, top, right, bottom), value, align="right", dark=dark)


def _draw_text(canvas: Canvas, text: str, first: int, edge: int) -> None:
    """Write a text into the rows from one on, the last of which has nothing beside it."""
    lines = typeset.wrap(text, edge // typeset.SMALLEST_WIDTH)
    if len(lines) <= 1:
        canvas.text(body_row(first, 0, edge), *lines)
        return
    canvas.text(body_row(first, 0, edge), lines[0])
    canvas.text(body_row(first + 1), " ".join(lines[1:]))


def draw_standings(canvas: Canvas, view: StandingsView) -> None:
    """Draw a row for each player; if they need its room, without a title.

    Up to eight stand in two columns, see ``split_standings``.
    """
    count = len(view.standings)
    if count <= BODY_ROWS:
        header(canvas, (words.STANDINGS,), view)
        for row, standing in enumerate(view.standings):
            _draw_standing(canvas, standing, body_row(row))
        return
    width = WIDTH if count <= STANDINGS_ROWS else NARROW_STANDING
    if width < WIDTH:
        middle = width + GAP // 2 - 1
        canvas.draw.line((middle, 0, middle, STANDINGS_ROWS * ROW_HEIGHT - 3), fill=typeset.LIT)
    for number, standing in enumerate(view.standings):
        column, row = divmod(number, STANDINGS_ROWS)
        left, top = column * (width + GAP), row * ROW_HEIGHT
        _draw_standing(canvas, standing, (left, top, left + width, top + ROW_HEIGHT))


def split_standings(standings: Sequence[Standing]) -> tuple[tuple[Standing, ...], ...]:
    """Distribute players over views: all on one if their names are whole there, else evenly."""
    fits = len(standings) <= STANDINGS_ROWS or all(
        typeset.SMALLEST_WIDTH * len(typeset.in_font(str(each.name)))
        <= _name_right(each, NARROW_STANDING) - _name_left(each, NARROW_STANDING)
        for each in standings
    )
    size = 2 * STANDINGS_ROWS if fits else -(-len(standings) // 2)
    return tuple(tuple(standings[start : start + size]) for start in range(0, len(standings), size))


def _draw_standing(canvas: Canvas, standing: Standing, box: Box) -> None:
    """Draw rank, name and points of a player."""
    left, top, right, bottom = box
    name_left, name_right = (
        left + edge(standing, right - left) for edge in (_name_left, _name_right)
    )
    canvas.text((left, top, name_left, bottom), _rank_of(standing))
    canvas.text((name_left, top, name_right, bottom), *name_wordings(standing.name))
    canvas.text((name_right, top, right, bottom), _points_of(standing), align="right")


def _rank_of(standing: Standing) -> str:
    return standing.shown_rank if standing.shown_rank.endswith("?") else f"{standing.shown_rank}."


def _points_of(standing: Standing) -> str:
    return str(standing.views[0].points[0])


def _name_left(standing: Standing, width: int) -> int:
    gap = GAP if width > NARROW_STANDING else 1
    return typeset.SMALLEST_WIDTH * len(_rank_of(standing)) + gap


def _name_right(standing: Standing, width: int) -> int:
    return width - typeset.SMALLEST_WIDTH * len(_points_of(standing)) - ROW_GAP


def draw_signs(canvas: Canvas, view: SignsView) -> None:
    """Draw signs with their meanings, or with numbers beside large points."""
    header(canvas, (view.title,), view)
    columns = SIGN_COLUMNS
    if any(RANGE_SIGN in str(text) for _sign, text in view.entries):
        columns = RANGE_SIGN_COLUMNS
    if view.points:
        draw_points(canvas, (str(view.points),), BODY_BOTTOM, columns[-1][-1])
    for place, (sign, text) in enumerate(view.entries):
        column, row = divmod(place, BODY_ROWS)
        if view.points:
            left, top, right, bottom = body_row(row, *columns[column])
            label = (left + SIGN_SIDE + (2 if columns is SIGN_COLUMNS else 1), top, right, bottom)
        else:
            left, top, right, bottom = body_row(row, WIDE_SIGN_COLUMNS[column])
            label = (left + SIGN_SIDE + 3, top, right, bottom)
        canvas.image.paste(image_of(sign), (left, top))
        canvas.text(label, str(text), align="right" if view.points else "left")


def draw_note(canvas: Canvas, view: NoteView) -> None:
    """Draw one part of a note, in three rows."""
    header(canvas, view.title, view)
    lines = typeset.wrap(typeset.in_font(str(view.text)), ROW_LETTERS)
    canvas.lines(lines[view.part * BODY_ROWS : (view.part + 1) * BODY_ROWS])


def draw_unread(canvas: Canvas, view: UnreadView) -> None:
    """Draw a region that was not read: its picture, its place on the table, and advice."""
    _draw_crop(canvas, view.crop, 0)
    map_box = (BESIDE_CROP, 0, WIDTH, BODY_BOTTOM - 2 * ROW_HEIGHT)
    draw_place_on_map(canvas, view.table, map_box, len(view.table.cities) + view.index)
    room = (WIDTH - BESIDE_CROP) // typeset.SMALLEST_WIDTH
    for row, line in enumerate(typeset.wrap(str(view.remedy), room)):
        top = BODY_BOTTOM - (2 - row) * ROW_HEIGHT
        canvas.text((BESIDE_CROP, top, WIDTH, top + ROW_HEIGHT), line)


def note_parts(text: Text) -> int:
    """Return the number of views that a note takes."""
    rows = len(typeset.wrap(typeset.in_font(str(text)), ROW_LETTERS))
    return max(-(-rows // BODY_ROWS), 1)


def draw_places(canvas: Canvas, view: PlacesView) -> None:
    """Draw the names of places, in two columns where they are short."""
    header(canvas, (view.title,), view)
    width = WIDTH // view.columns
    for number, place in enumerate(view.places):
        row, column = divmod(number, view.columns)
        label = mark_unsure(place, unsure=view.unsure)
        canvas.text(body_row(row, column * width, (column + 1) * width), label)


def draw_map_view(canvas: Canvas, view: MapView) -> None:
    """Draw the map of the cities, as high as the room above the hint row."""
    draw_map(canvas, view.table, (0, 0, MAP_RIGHT, FOOTER_TOP - 2))
    title = (MAP_RIGHT, 0, WIDTH, ROW_HEIGHT)
    number = (MAP_RIGHT, BODY_BOTTOM - ROW_HEIGHT, WIDTH, BODY_BOTTOM)
    canvas.text(title, str(words.MAP), align="right")
    canvas.text(number, *(number_text(view) or ("",)), align="right")


def draw_points(canvas: Canvas, points: tuple[str, ...], bottom: int, beside: int = 0) -> int:
    """Draw points at the right; return the right end of the room beside them, in pixels.

    Args:
        canvas: Canvas to draw on.
        points: Wordings, best first.
        bottom: Bottom of the box that they fill.
        beside: Width that what stands beside them needs; they are set smaller for it if they can.
    """
    set_points = _set_points(points, bottom, beside)
    left = WIDTH - set_points.width
    box = (left, BODY_TOP, WIDTH, bottom)
    canvas.text(box, set_points.shown, align="right", sizes=(set_points.size,))
    return left - GAP


def _room_beside(points: tuple[str, ...], bottom: int) -> int:
    return WIDTH - _set_points(points, bottom).width - GAP


def _set_points(points: tuple[str, ...], bottom: int, beside: int = 0) -> typeset.SetText:
    room = WIDTH - GAP - beside
    if typeset.SMALLEST_WIDTH * len(points[0]) > room:
        room = POINTS_WIDTH
    return typeset.fit(points, min(POINTS_WIDTH, room), bottom - BODY_TOP, POINTS_SIZES)


def draw_owners_question(canvas: Canvas, view: OwnersQuestionView) -> None:
    """Draw the question who owns which city: players at the left, a map at the right."""
    draw_map(canvas, view.table, (BESIDE_MAP, 0, WIDTH, FOOTER_TOP - 2))
    for number, (letters, player) in enumerate(view.owners):
        top = 2 * number * ROW_HEIGHT + number
        right = BESIDE_MAP - GAP
        canvas.text((0, top, right, top + ROW_HEIGHT), f"{' '.join(letters)}:")
        box = (0, top + ROW_HEIGHT, right, top + 2 * ROW_HEIGHT)
        canvas.text(box, f"{player}?", f"{PlayerLabel(player.number)}?")
    canvas.position(view.option, view.options)


def wordings(label: MenuLabel) -> tuple[str, ...]:
    """Return the wordings of a menu label, longest first."""
    if isinstance(label, MenuWord):
        known = (label, words.SHORT_WORDS.get(label))
        return tuple(str(full) for full in known if full is not None)
    if isinstance(label, Piece):
        whole = typeset.in_font(without_break_hyphens(label.word))
        shorter = (" ".join(part[:n] for part in whole.split()) for n in LETTERS_KEPT)
        return (whole, *shorter)
    full = typeset.in_font(str(label))
    if not isinstance(label, Phrase):
        return (full,)
    first, *others = full.split(" ")
    return (full, " ".join([f"{first[:1]}.", *others])) if others else (full,)


def draw_doubt(canvas: Canvas, view: DoubtView) -> None:
    """Draw one place: its name and number, its picture, and which of the answers is offered."""
    asked = words.WHICH_TILE.fill(n=view.number, count=view.count)
    place = str(asked if view.place is None else view.place)
    canvas.text((0, 0, WIDTH, ROW_HEIGHT), place, place.replace(",", ""))
    _draw_crop(canvas, view.crop, CROP_TOP)
    if view.turn is not None:
        _mark_upper_edge(canvas, view.turn)
    sign = view.guess.sign
    left = BESIDE_CROP + (0 if sign is None else SIGN_SIDE + 3)
    ending = GROUP_ENDING if view.is_group else "?"
    guesses = (typeset.in_font(str(view.guess.word)), *wordings(view.guess)[1:])
    lines = _bottom_lines(canvas, left, [f"{each}{ending}" for each in guesses])
    top = BODY_BOTTOM - lines * ROW_HEIGHT
    if sign is not None:
        canvas.image.paste(image_of(sign), (BESIDE_CROP, top + 1))
    room = top - CROP_TOP
    if room >= ROW_HEIGHT:
        is_counted = view.count > 1 and view.place is not None
        number = f"{view.number}/{view.count}" if is_counted else ""
        number_left = WIDTH - typeset.SMALLEST_WIDTH * len(number)
        canvas.text((number_left, CROP_TOP, WIDTH, CROP_TOP + ROW_HEIGHT), number)
        box = (BESIDE_CROP, CROP_TOP, number_left - GAP, top)
        if view.tile_centres_px:
            draw_tile_on_map(canvas, view.tile_centres_px, box, view.pictured)
        elif view.grid is not None and view.table.is_worth_showing:
            draw_place_on_map(canvas, view.table, box, view.grid)
    canvas.position(view.option, view.options)


def _mark_upper_edge(canvas: Canvas, turn: int) -> None:
    """Draw a triangle in the picture of a place, at the edge that is the upper one of its piece."""
    middle = CROP_SIDE / 2 - 0.5
    for tip, side, fill in ((0, UP_MARK_SIDE + 3, 0), (1, UP_MARK_SIDE, typeset.LIT)):
        corners = [(0.0, tip - middle), (-side, tip + side - middle), (side, tip + side - middle)]
        for _quarter in range(turn % 4):
            corners = [(-y, x) for x, y in corners]
        points = [(round(middle + x), round(CROP_TOP + middle + y)) for x, y in corners]
        canvas.draw.polygon(points, fill=fill)


def draw_doubtful_tile(canvas: Canvas, view: DoubtfulTileView) -> None:
    """Draw the question whether a tile is learned that looks like another face."""
    place = str(view.place)
    canvas.header((place, place.replace(",", "")))
    question = words.LOOKS_LIKE.fill(seen=view.seen, answer=view.answer)
    canvas.statement(str(question), (0, BODY_TOP, WIDTH, BODY_BOTTOM))


def _bottom_lines(canvas: Canvas, left: int, texts: Sequence[str]) -> int:
    """Draw a text that ends at the bottom of the body; return its number of lines.

    Args:
        canvas: Canvas to draw on.
        left: Left edge of the lines.
        texts: Wordings, best first.
    """
    lines = first_that_fits(texts, (WIDTH - left) // typeset.SMALLEST_WIDTH, BODY_ROWS)
    for row, line in enumerate(reversed(lines), start=1):
        top = BODY_BOTTOM - row * ROW_HEIGHT
        canvas.text((left, top, WIDTH, top + ROW_HEIGHT), line)
    return len(lines)


def first_that_fits(texts: Sequence[str], letters: int, rows: int) -> tuple[str, ...]:
    """Return the lines of the first wording that fits into the rows, else of the last one."""
    wrapped = [typeset.wrap(text, letters) for text in texts]
    return next((lines for lines in wrapped if len(lines) <= rows), wrapped[-1][:rows])


def _draw_crop(canvas: Canvas, crop: Bitmap | None, top: int) -> None:
    """Draw the picture of a place at the left; a question mark if there is none."""
    if crop is None:
        box = (0, top, CROP_SIDE, top + CROP_SIDE)
        canvas.text(box, "?", align="centre", sizes=(32,))
        return
    canvas.image.paste(image_of(crop).crop((0, 0, CROP_SIDE, CROP_SIDE)), (0, top))


def draw_pick(canvas: Canvas, view: PickView) -> None:
    """Draw the map with one grid marked, or a grid with some cells marked, and their names."""
    if view.pieces:
        right = _draw_cells(canvas, view)
    else:
        right = BESIDE_MAP
        draw_map(canvas, view.table, (0, 0, right, FOOTER_TOP - 2), marked=view.grid)
    left, rows = right + GAP, BODY_BOTTOM // ROW_HEIGHT
    room = (WIDTH - left) // typeset.SMALLEST_WIDTH
    lines: list[str] = []
    for label in view.labels:
        lines += first_that_fits(wordings(label), room, rows - len(lines))
    for row, line in enumerate(lines):
        canvas.text((left, row * ROW_HEIGHT, WIDTH, (row + 1) * ROW_HEIGHT), line)


def _draw_cells(canvas: Canvas, view: PickView) -> int:
    """Draw a grid with its signs, or a dot where something lies; return its right edge."""
    rows, columns = len(view.pieces), len(view.pieces[0])
    step = min(SIGN_SIDE + 1, (BODY_BOTTOM - 1) // max(rows, columns))
    for row, pieces in enumerate(view.pieces):
        for column, piece in enumerate(pieces):
            x, y = column * step + 1, row * step + 1
            if piece is not None and piece.sign is not None and step > SIGN_SIDE:
                canvas.image.paste(image_of(piece.sign), (x, y))
            elif piece is not None:
                canvas.bar((x + step // 2 - 1, y + step // 2 - 1, x + step // 2, y + step // 2))
            if (row, column) in view.marked:
                cell = (x, y, x + step - 1, y + step - 1)
                canvas.image.paste(ImageChops.invert(canvas.image.crop(cell)), cell)
    right, bottom = columns * step, rows * step
    canvas.draw.rectangle((0, 0, right, bottom), outline=typeset.LIT)
    return right + 1
