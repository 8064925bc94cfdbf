"""How the screens for choosing and setting up are drawn."""

from firmware.screens import pictograms, typeset
from firmware.screens.canvas import (
    BODY_BOTTOM,
    BODY_ROWS,
    BODY_TOP,
    ROW_HEIGHT,
    WIDTH,
    Canvas,
    body_row,
)
from firmware.screens.draw_device import (
    fault_words,
    page_of,
    rows_of,
    rows_of_page,
)
from firmware.screens.setup_views import (
    CalibratedView,
    MenuEntry,
    MenuView,
    NameView,
    WizardStep,
    WizardView,
)
from firmware.screens.texts import Texts
from firmware.screens.words import setup
from scoring.faces import Face

MARK = "►"
TICK = "✓"
MENU_LEFT = 7
"""Where labels begin; the mark of the selected line stands before them."""

LETTER_CELL = 12
"""Width of a letter to choose from, and of the light behind the offered one."""

LETTER_SIZES = (20, 18, 16)
NAME_SIZES = (14, 12)
STRIP_HEIGHT = 21
CURSOR = "_"

TEACHING_ORDER = (
    (Face.SHOP, Face.FACTORY, Face.TAVERN_FOOD),
    (Face.TAVERN_BED, Face.TAVERN_MUSIC, Face.TAVERN_DRINK),
    (Face.OFFICE, Face.PARK, Face.HOUSE),
)
"""How the nine tiles lie for teaching."""

GRID_LEFT = WIDTH - 3 * ROW_HEIGHT


def draw_menu(canvas: Canvas, view: MenuView, texts: Texts) -> None:
    """Three of the entries, the selected one marked and in a bar."""
    count = len(view.entries)
    place = (f"{view.selected + 1}/{count}",) if count > BODY_ROWS else ()
    canvas.header(texts.word(view.title), place)
    first = min(max(view.selected - 1, 0), max(count - BODY_ROWS, 0))
    for row, entry in enumerate(view.entries[first : first + BODY_ROWS]):
        _draw_entry(canvas, entry, row, texts, selected=first + row == view.selected)


def _draw_entry(
    canvas: Canvas, entry: MenuEntry, row: int, texts: Texts, *, selected: bool
) -> None:
    left, top, right, bottom = body_row(row, 0, WIDTH - 1)
    if selected:
        canvas.bar((left, top, WIDTH, bottom))
        canvas.text((left, top, MENU_LEFT, bottom), MARK, dark=True)
    labels = texts.word(entry.label)
    values = () if entry.value is None else texts.word(entry.value)
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


def draw_name(canvas: Canvas, view: NameView, texts: Texts) -> None:
    """The name so far, and the letters to choose from, the offered one in a bar."""
    title = (
        texts.say(setup.NAME_OF_EDITION)
        if view.seat is None
        else texts.say(setup.NAME_OF_SEAT, n=view.seat)
    )
    canvas.header((title,))
    strip_top = BODY_BOTTOM - STRIP_HEIGHT
    canvas.text((0, BODY_TOP, WIDTH, strip_top), view.name + CURSOR, sizes=NAME_SIZES)
    shown = WIDTH // LETTER_CELL
    first = min(max(view.offered - shown // 2, 0), max(len(view.letters) - shown, 0))
    letters = view.letters[first : first + shown]
    left = (WIDTH - len(letters) * LETTER_CELL) // 2
    for number, letter in enumerate(letters, start=first):
        box = (left, strip_top, left + LETTER_CELL, BODY_BOTTOM - 1)
        offered = number == view.offered
        if offered:
            canvas.bar(box)
        sizes = LETTER_SIZES if offered else (typeset.SMALLEST,)
        sign = letter if letter.strip() else setup.SPACE_SIGN
        canvas.text(box, sign, align="centre", sizes=sizes, dark=offered)
        left += LETTER_CELL


def wizard_rows(view: WizardView, texts: Texts) -> tuple[str, tuple[str, ...]]:
    """Title and rows of a step: what to do, or why the last photo was no good."""
    if view.problem:
        return fault_words(view.problem, view.detail, texts)
    wizard = view.step.value.split("-")[0]
    title = texts.say(setup.WIZARD_TITLES[wizard])
    said = texts.say(setup.WIZARD_STEPS[view.step])
    if view.step is WizardStep.TEACH_LAY:
        return title, typeset.wrap(said, (GRID_LEFT - 2) // typeset.SMALLEST_WIDTH)
    return title, rows_of(said)


def draw_wizard(canvas: Canvas, view: WizardView, texts: Texts) -> None:
    """What to do now, and how far one is."""
    title, rows = wizard_rows(view, texts)
    step = f"{view.number}/{view.of}"
    page = page_of(len(rows), view.page) if view.problem else ()
    canvas.header((title,), (f"{TICK} {step}",) if view.worked else (*page, step))
    canvas.lines(rows_of_page(rows, view.page))
    if view.step is WizardStep.TEACH_LAY and not view.problem:
        for row, faces in enumerate(TEACHING_ORDER):
            for column, face in enumerate(faces):
                at = (GRID_LEFT + column * ROW_HEIGHT + 1, BODY_TOP + row * ROW_HEIGHT)
                canvas.image.paste(pictograms.face_sign(face), at)
    canvas.position(view.number, view.of)


def draw_calibrated(canvas: Canvas, view: CalibratedView, texts: Texts) -> None:
    """How good the calibration is."""
    title = texts.say(setup.WIZARD_TITLES["calibrate"])
    canvas.header((title,), (TICK,))
    values = {
        "cm": round(view.height_mm / 10),
        "px": f"{view.error_px:.2f}",
        "n": view.photos,
        "percent": round(100 * view.coverage),
    }
    canvas.lines(texts.each(setup.CALIBRATED, **values))
