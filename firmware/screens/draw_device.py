"""Drawing of screens without a result: ready, busy, questions, problems, menus, setting up."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from PIL import Image

from firmware.base.language import format_decimal
from firmware.screens import pictograms, typeset, words
from firmware.screens.canvas import (
    BODY_BOTTOM,
    BODY_ROWS,
    BODY_TOP,
    ROW_HEIGHT,
    ROW_LETTERS,
    WIDTH,
    Canvas,
    body_row,
    image_of,
)
from firmware.screens.device_views import (
    AimPart,
    AimView,
    CalibratedView,
    HotspotView,
    MenuEntry,
    MenuView,
    NameView,
    PageView,
    PastGameView,
    ProblemView,
    ReadyView,
    StageView,
    WizardView,
)
from firmware.screens.draw_result import alert_row, wordings
from firmware.screens.problem_words import PROBLEM_WORDS, TITLES_BY_FIRST_WORD
from firmware.screens.view import Text, View
from firmware.screens.words import Stage, WizardStep

STATEMENT_BOX: Final = (0, BODY_TOP, WIDTH, BODY_BOTTOM)
STATEMENT_ABOVE_ROW: Final = (0, BODY_TOP, WIDTH, BODY_BOTTOM - ROW_HEIGHT)
SCAN_STAGES: Final = (Stage.CAPTURE, Stage.LOCATE, Stage.RECOGNISE, Stage.SCORE)
"""Stages of a scan, in their order; each is a box of the progress bar."""
BOX_HEIGHT: Final = 7
BOX_GAP: Final = 4

MARK: Final = "►"
TICK: Final = "✓"
MENU_LEFT: Final = 7
"""Left edge of labels; the mark of the selected line stands before them."""
LETTER_CELL: Final = 12
"""Width of a letter to choose from, and of the light behind the offered one."""
LETTER_SIZES: Final = (20, 18, 16)
NAME_SIZES: Final = (14, 12)
STRIP_HEIGHT: Final = 21
CURSOR: Final = "_"
NAME_LETTERS: Final = (8, 5, 3)
"""Letters of each name where all together have no room."""
SIGNS_A_ROW: Final = 3
SIGNS_LEFT: Final = WIDTH - SIGNS_A_ROW * ROW_HEIGHT


def draw_statement(canvas: Canvas, title: Text, statement: Text) -> None:
    """Draw a title and one statement in large letters."""
    canvas.header((str(title),))
    canvas.statement(str(statement), STATEMENT_BOX)


def draw_ready(canvas: Canvas, view: ReadyView) -> None:
    """Draw the game, that all is ready or who plays, and a row for each alert."""
    canvas.header(wordings(view.game))
    settings = list(_ready_settings(view))
    rows: list[tuple[str, ...]] = []
    if settings and not view.asks:
        rows = [(", ".join(settings), settings[0])]
    rows += [(str(words.LAST_UNSURE.fill(n=view.to_check)),)] if view.to_check else []
    rows += [(alert_row(view.alerts),)] if view.alerts else []
    if not (rows or view.asks):
        rows = [(str(words.HOLD_FOR_MENU),)]
    first = BODY_ROWS - len(rows)
    statement = _who_plays(settings, view.names, first) if view.asks else str(words.READY)
    if first:
        canvas.statement(statement, (0, BODY_TOP, WIDTH, BODY_TOP + first * ROW_HEIGHT))
    for number, row in enumerate(rows, start=first):
        canvas.text(body_row(number), *row, align="centre")


def _ready_settings(view: ReadyView) -> Iterator[str]:
    """Yield the settings by which the table will be read and scored."""
    variant = words.VARIANTS.get(view.variant or "")
    if variant is not None:
        yield str(variant)
    if view.level is not None:
        yield str(words.LEVEL.fill(n=view.level))
    if view.edition:
        yield view.edition


def _who_plays(settings: Sequence[str], names: tuple[str, ...], rows: int) -> str:
    """Return the question whether settings and players are right, with names as long as fit."""
    listed = [", ".join(name[:letters] for name in names) for letters in (None, *NAME_LETTERS)]
    title = ", ".join(settings)
    questions = [f"{title or words.MenuWord.VARIANT}: {each}?" for each in listed if each]
    if settings:
        questions += [f"{title}?", f"{settings[0]}?"]
    else:
        questions.append(str(words.SAME_PLAYERS))
    return next((each for each in questions if len(_rows_of(each)) <= rows), questions[-1])


def draw_past_game(canvas: Canvas, view: PastGameView) -> None:
    """Draw the time, game and winners of a past game."""
    when = view.when or (str(words.TIME_UNKNOWN),)
    canvas.header(when, (f"{view.number}/{view.count}",))
    canvas.text(body_row(0), *wordings(view.game))
    canvas.position(view.number, view.count)
    names = tuple(map(str, view.winners))
    winner_text = f"{', '.join(names)} {view.points}" if names else str(words.READ)
    if len(typeset.in_font(winner_text)) <= ROW_LETTERS:
        sizes = tuple(size for size in typeset.SIZES if size <= 2 * ROW_HEIGHT)
        canvas.text((*body_row(1)[:3], BODY_BOTTOM), winner_text, sizes=sizes)
        return
    canvas.text(body_row(1), names[0])
    if len(names) > 1:
        canvas.text(body_row(2), str(words.MORE_WINNERS.fill(n=len(names) - 1)))
    canvas.text(body_row(2), view.points, align="right")


def draw_stage(canvas: Canvas, view: StageView) -> None:
    """Draw the stage of a job; in a scan also its progress."""
    if view.stage not in SCAN_STAGES:
        draw_statement(canvas, words.TITLE, view.stage)
        return
    canvas.header((str(words.TITLE),))
    canvas.statement(str(view.stage), STATEMENT_ABOVE_ROW)
    width = (WIDTH + BOX_GAP) // len(SCAN_STAGES)
    reached = SCAN_STAGES.index(view.stage)
    top = BODY_BOTTOM - BOX_HEIGHT - 2
    for number in range(len(SCAN_STAGES)):
        left = number * width
        box = (left, top, left + width - BOX_GAP - 1, top + BOX_HEIGHT - 1)
        fill = typeset.LIT if number <= reached else 0
        canvas.draw.rectangle(box, fill=fill, outline=typeset.LIT)


def draw_problem(canvas: Canvas, view: ProblemView) -> None:
    """Draw what is wrong and what to do about it."""
    title, rows = _problem_words(view.code, view.detail)
    canvas.header((title,), _part_number(rows, view.part))
    shown = _rows_of_part(rows, view.part)
    canvas.lines(shown)
    if view.retrying and len(shown) < BODY_ROWS:
        canvas.text(body_row(BODY_ROWS - 1), str(words.RETRYING), align="right")


def _problem_words(code: str, detail: str) -> tuple[str, tuple[str, ...]]:
    """Return title and rows of a problem; without words of its own its message."""
    known = PROBLEM_WORDS.get(code)
    if known is not None:
        what, remedy = known
        return str(what), _rows_of(str(remedy))
    title = TITLES_BY_FIRST_WORD.get(code.split("-")[0], words.PROBLEM)
    return str(title), _rows_of(detail or code)


def part_count(view: View) -> int:
    """Return the number of parts of a view whose text may be longer than a screen."""
    match view:
        case ProblemView():
            return _count(_problem_words(view.code, view.detail)[1])
        case WizardView():
            return _count(_wizard_words(view)[1])
        case _:
            return 1


def _rows_of(text: str) -> tuple[str, ...]:
    return typeset.wrap(typeset.in_font(text), ROW_LETTERS)


def _count(rows: tuple[str, ...]) -> int:
    return max(-(-len(rows) // BODY_ROWS), 1)


def _part_number(rows: tuple[str, ...], part: int) -> tuple[str, ...]:
    """Return number and count of the parts for the header; empty for a single one."""
    count = _count(rows)
    return (f"{part % count + 1}/{count}",) if count > 1 else ()


def _rows_of_part(rows: tuple[str, ...], part: int) -> tuple[str, ...]:
    """Return the rows of a part; the first part follows the last."""
    start = part % _count(rows) * BODY_ROWS
    return rows[start : start + BODY_ROWS]


def draw_menu(canvas: Canvas, view: MenuView) -> None:
    """Draw three of the entries, the selected one marked and in a bar."""
    count = len(view.entries)
    place = (f"{view.selected + 1}/{count}",) if count > BODY_ROWS else ()
    canvas.header(wordings(view.title), place)
    first = min(max(view.selected - 1, 0), max(count - BODY_ROWS, 0))
    for row, entry in enumerate(view.entries[first : first + BODY_ROWS]):
        _draw_entry(canvas, entry, row, selected=first + row == view.selected)


def _draw_entry(canvas: Canvas, entry: MenuEntry, row: int, *, selected: bool) -> None:
    left, top, right, bottom = body_row(row, 0, WIDTH - 1)
    if selected:
        canvas.bar((left, top, WIDTH, bottom))
        canvas.text((left, top, MENU_LEFT, bottom), MARK, dark=True)
    labels = wordings(entry.label)
    values = () if entry.value is None else wordings(entry.value)
    if entry.ticked:
        canvas.text((right - 6, top, right, bottom), TICK, align="right", dark=selected)
        right -= 8
    if values:
        # The label is short and says what it is about; a name behind it may be longer
        room = right - MENU_LEFT - typeset.SMALLEST_WIDTH * (len(labels[-1]) + 1)
        shown = typeset.fit(values, room, ROW_HEIGHT, (typeset.SMALLEST,))
        value_left = right - shown.width
        canvas.text((value_left, top, right, bottom), *values, align="right", dark=selected)
        right = value_left - typeset.SMALLEST_WIDTH
    canvas.text((MENU_LEFT, top, right, bottom), *labels, dark=selected)


def draw_name(canvas: Canvas, view: NameView) -> None:
    """Draw the name so far and the letters to choose from, the offered one in a bar."""
    seat = view.seat
    canvas.header(
        (str(words.NAME_OF_EDITION if seat is None else words.NAME_OF_SEAT.fill(n=seat)),)
    )
    strip_top = BODY_BOTTOM - STRIP_HEIGHT
    canvas.text((0, BODY_TOP, WIDTH, strip_top), view.name + CURSOR, sizes=NAME_SIZES)
    shown, count = WIDTH // LETTER_CELL, len(view.letters)
    first = view.offered - shown // 2 if count > shown else 0  # they run round
    left = (WIDTH - min(shown, count) * LETTER_CELL) // 2
    for number in range(first, first + min(shown, count)):
        letter = view.letters[number % count]
        box = (left, strip_top, left + LETTER_CELL, BODY_BOTTOM - 1)
        offered = number == view.offered
        if offered:
            canvas.bar(box)
        sizes = LETTER_SIZES if offered else (typeset.SMALLEST,)
        sign = letter if letter.strip() else words.SPACE_SIGN
        canvas.text(box, sign, align="centre", sizes=sizes, dark=offered)
        left += LETTER_CELL


def _wizard_words(view: WizardView) -> tuple[str, tuple[str, ...]]:
    """Return title and rows of a step: what to do, or the problem of the last photo."""
    if view.problem:
        return _problem_words(view.problem, view.detail)
    title = str(words.WIZARD_TITLES[view.step.code.split("-")[0]])
    instruction = str(view.step)
    if view.step is WizardStep.TEACH_LAY:
        return title, typeset.wrap(instruction, (SIGNS_LEFT - 2) // typeset.SMALLEST_WIDTH)
    return title, _rows_of(instruction)


def draw_wizard(canvas: Canvas, view: WizardView) -> None:
    """Draw a step of setting up and its number."""
    title, rows = _wizard_words(view)
    step = f"{view.number}/{view.count}"
    part = _part_number(rows, view.part) if view.problem else ()
    canvas.header((title,), (f"{TICK} {step}",) if view.worked else (*part, step))
    canvas.lines(_rows_of_part(rows, view.part))
    if view.step is WizardStep.TEACH_LAY and not view.problem:
        for number, sign in enumerate(view.signs):
            row, column = divmod(number, SIGNS_A_ROW)
            at = (SIGNS_LEFT + column * ROW_HEIGHT + 1, BODY_TOP + row * ROW_HEIGHT)
            canvas.image.paste(image_of(sign), at)
    canvas.position(view.number, view.count)


def draw_calibrated(canvas: Canvas, view: CalibratedView) -> None:
    """Draw the quality of the calibration."""
    canvas.header((str(words.WIZARD_TITLES["calibrate"]),), (TICK,))
    values: dict[str, Any] = {
        "cm": round(view.height_mm / 10),
        "px": format_decimal(view.error_px, 2),
        "n": view.photos,
        "percent": round(100 * view.coverage),
    }
    canvas.lines(tuple(str(wording.fill(**values)) for wording in words.CALIBRATED))


QR_WIDTH: Final = 64
"""Width of a QR code with its light margin; it is as high as the display."""
QR_MODULE: Final = 2
QR_MOST_MODULES: Final = 29
"""Version 3: larger ones leave no margin."""
URL_LETTERS: Final = (WIDTH - QR_WIDTH) // typeset.SMALLEST_WIDTH


def draw_page(canvas: Canvas, view: PageView) -> None:
    """Draw a QR code of the page's address with the PIN, and both as text."""
    rows = [""]
    for part in re.findall(r"[^.:]+\.?|:[0-9]+", view.url.removeprefix("http://")):
        if len(rows[-1] + part) > URL_LETTERS:
            rows.append("")
        rows[-1] += part
    # In capitals it takes fewer modules
    code = f"{view.url}/P/{view.pin}".upper()
    _draw_code(canvas, code if view.url else "", rows, f"PIN {view.pin}")


def draw_hotspot(canvas: Canvas, view: HotspotView) -> None:
    """Draw a QR code with which a phone joins the network, and name and password as text."""
    name, password = (re.sub(r'([\\;,:"])', r"\\\1", one) for one in (view.name, view.password))
    rows = [view.name[:URL_LETTERS], view.name[URL_LETTERS : 2 * URL_LETTERS], str(words.PASSWORD)]
    code = f"WIFI:T:WPA;S:{name};P:{password};;"
    _draw_code(canvas, code if view.name else "", rows, view.password)


def _draw_code(canvas: Canvas, code: str, rows: Sequence[str], last: str) -> None:
    """Draw a QR code and text beside it; without a code, that it takes a moment."""
    if not code:
        canvas.header((str(words.MenuWord.ON_PHONE),))
        canvas.statement(str(words.PAGE_STARTS), STATEMENT_BOX)
        return
    _draw_qr(canvas, code)
    for number, row in enumerate(rows[:BODY_ROWS]):
        top = number * ROW_HEIGHT
        canvas.text((QR_WIDTH + 3, top, WIDTH, top + ROW_HEIGHT), row)
    box = (QR_WIDTH + 3, BODY_ROWS * ROW_HEIGHT, WIDTH, BODY_BOTTOM)
    canvas.text(box, last, sizes=NAME_SIZES)


def _draw_qr(canvas: Canvas, content: str) -> None:
    """Draw a QR code in the left half, dark on light; one that is too large is left out."""
    import segno

    code = segno.make_qr(content, error="L")
    modules = code.symbol_size(border=0)[0]
    if modules > QR_MOST_MODULES:
        return
    canvas.bar((0, 0, QR_WIDTH, QR_WIDTH))
    edge = (QR_WIDTH - modules * QR_MODULE) // 2
    for y, row in enumerate(code.matrix):
        for x, is_dark in enumerate(row):
            if is_dark:
                left, top = edge + x * QR_MODULE, edge + y * QR_MODULE
                box = (left, top, left + QR_MODULE - 1, top + QR_MODULE - 1)
                canvas.draw.rectangle(box, fill=0)


AIM_BARS: Final = ((115, pictograms.LIGHT), (122, pictograms.SHARPNESS))
"""Left edges of the bars beside the live picture, and the signs above them."""
AIM_BAR_TOP, AIM_BAR_HEIGHT, AIM_BAR_WIDTH = 21, 29, 5
AIM_LABEL: Final = 48
"""Width of the word beside a bar."""


def draw_aim(canvas: Canvas, view: AimView) -> None:
    """Draw the live picture with advice, the measurements, or the needed heights."""
    _AIM_PARTS[view.part](canvas, view)


def _aim_header(view: AimView) -> tuple[str, tuple[str, ...]]:
    """Return the advice and wordings of the number of players that fit."""
    players = words.AIM_PLAYERS if view.players > 2 else words.AIM_TWO_PLAYERS
    wordings = tuple(str(wording.fill(n=view.players)) for wording in players)
    return str(view.advice), wordings if view.players else ()


def _draw_live(canvas: Canvas, view: AimView) -> None:
    picture = Image.frombytes("1", view.picture.size_wh, view.picture.bits)
    canvas.image.paste(picture, (0, 0))
    advice, players = _aim_header(view)
    canvas.text((1, 0, WIDTH, ROW_HEIGHT), advice, over=True)
    if players:
        canvas.text((1, 0, WIDTH, ROW_HEIGHT), players[-1], align="right", over=True)
    for (left, sign), share in zip(AIM_BARS, (view.light, view.sharpness), strict=True):
        canvas.image.paste(image_of(sign), (left, BODY_TOP))
        right, bottom = left + AIM_BAR_WIDTH - 1, AIM_BAR_TOP + AIM_BAR_HEIGHT - 1
        canvas.draw.rectangle((left, AIM_BAR_TOP, right, bottom), outline=typeset.LIT)
        full = bottom - round(share * (AIM_BAR_HEIGHT - 1))
        canvas.draw.rectangle((left, full, right, bottom), fill=typeset.LIT)


def _draw_figures(canvas: Canvas, view: AimView) -> None:
    advice, players = _aim_header(view)
    canvas.header((advice,), players)
    if view.height_cm is not None:
        canvas.text(body_row(0), str(words.AIM_HEIGHT.fill(cm=view.height_cm)))
    if view.tilt_deg is not None:
        canvas.text(body_row(0), f"{view.tilt_deg}°", align="right")
    bars = (
        (pictograms.LIGHT, words.AIM_LIGHT, view.light),
        (pictograms.SHARPNESS, words.AIM_FOCUS, view.sharpness),
    )
    for number, (sign, word, share) in enumerate(bars, start=1):
        left, top, right, bottom = body_row(number)
        canvas.image.paste(image_of(sign), (left, top + 4))
        canvas.text((left + 9, top, left + 9 + AIM_LABEL, bottom), str(word))
        box = (left + 9 + AIM_LABEL, top + 3, right - 1, bottom - 4)
        canvas.draw.rectangle(box, outline=typeset.LIT)
        full = box[0] + round(share * (box[2] - box[0]))
        canvas.draw.rectangle((box[0], box[1], full, box[3]), fill=typeset.LIT)


def _draw_heights(canvas: Canvas, view: AimView) -> None:
    canvas.header((str(words.AIM_HEIGHTS),))
    if not view.heights_cm:
        canvas.statement(str(words.AIM_LENS_UNKNOWN), STATEMENT_BOX)
    for number, (players, height_cm) in enumerate(view.heights_cm[:BODY_ROWS]):
        canvas.text(body_row(number), str(words.AIM_ROW.fill(players=players)))
        canvas.text(body_row(number), str(words.AIM_HEIGHT.fill(cm=height_cm)), align="right")


_AIM_PARTS: Final = {
    AimPart.PICTURE: _draw_live,
    AimPart.FIGURES: _draw_figures,
    AimPart.HEIGHTS: _draw_heights,
}
