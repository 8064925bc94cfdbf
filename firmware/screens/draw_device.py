"""How the screens beside a result are drawn: ready, busy, questions, what is wrong."""

from firmware.screens import typeset
from firmware.screens.canvas import (
    BODY_BOTTOM,
    BODY_ROWS,
    BODY_TOP,
    ROW_HEIGHT,
    ROW_LETTERS,
    WIDTH,
    Canvas,
    body_row,
)
from firmware.screens.device_views import (
    Alert,
    ConfirmView,
    FaultView,
    HoldStillView,
    MessageView,
    NoticeView,
    ReadyView,
    Stage,
    StageView,
    StartingView,
)
from firmware.screens.setup_views import MenuWord
from firmware.screens.texts import Texts
from firmware.screens.words import device
from firmware.screens.words.faults import FAULTS, KINDS
from scoring.games.between_two_cities.table import Variant

STATEMENT_BOX = (0, BODY_TOP, WIDTH, BODY_BOTTOM)
STATEMENT_ABOVE_ROW = (0, BODY_TOP, WIDTH, BODY_BOTTOM - ROW_HEIGHT)

SCAN_STAGES = (Stage.CAPTURE, Stage.LOCATE, Stage.RECOGNISE, Stage.SCORE)
"""Stages of a scan, in their order; each is a box of the progress bar."""

BOX_HEIGHT = 7
BOX_GAP = 4


def draw_starting(canvas: Canvas, _view: StartingView, texts: Texts) -> None:
    """The scanner has power and starts."""
    canvas.header((texts.say(device.TITLE),))
    canvas.statement(texts.say(device.STARTING), STATEMENT_BOX)


def draw_ready(canvas: Canvas, view: ReadyView, texts: Texts) -> None:
    """The game, that all is ready, and in one row what a person should know."""
    game = texts.word(MenuWord(view.game))
    canvas.header(game)
    canvas.statement(texts.say(device.READY), STATEMENT_ABOVE_ROW)
    canvas.text(body_row(BODY_ROWS - 1), *_ready_row(view, texts), align="centre")


def _ready_row(view: ReadyView, texts: Texts) -> tuple[str, ...]:
    if view.alerts:
        return alert_row(view.alerts, texts)
    settings = []
    if view.variant is Variant.TWO_PLAYER:
        settings.append(texts.say(device.TWO_PLAYERS))
    if view.level is not None:
        settings.append(texts.say(device.LEVEL, n=view.level))
    if view.edition:
        settings.append(view.edition)
    if not settings:
        return (texts.say(device.HOLD_FOR_MENU),)
    together = ", ".join(settings)
    return (together, settings[-1])


def alert_row(alerts: tuple[Alert, ...], texts: Texts) -> tuple[str, ...]:
    """The alert that weighs most, and how many there are beside it."""
    more = f" +{len(alerts) - 1}" if len(alerts) > 1 else ""
    return (f"{texts.say(device.ALERTS[alerts[0]])}{more}",)


def draw_hold_still(canvas: Canvas, view: HoldStillView, texts: Texts) -> None:
    """The photo is being taken."""
    title = device.HOLD_TITLE_AGAIN if view.again else device.HOLD_TITLE
    canvas.header((texts.say(title),))
    canvas.statement(texts.say(device.HOLD_STILL), STATEMENT_BOX)


def draw_stage(canvas: Canvas, view: StageView, texts: Texts) -> None:
    """What is being done, and how much of a scan that is."""
    canvas.header((texts.say(device.TITLE),))
    said = texts.say(device.STAGES[view.stage])
    if view.stage not in SCAN_STAGES:
        canvas.statement(said, STATEMENT_BOX)
        return
    canvas.statement(said, STATEMENT_ABOVE_ROW)
    width = (WIDTH + BOX_GAP) // len(SCAN_STAGES)
    reached = SCAN_STAGES.index(view.stage)
    top = BODY_BOTTOM - BOX_HEIGHT - 2
    for number in range(len(SCAN_STAGES)):
        left = number * width
        box = (left, top, left + width - BOX_GAP - 1, top + BOX_HEIGHT - 1)
        fill = typeset.LIT if number <= reached else 0
        canvas.draw.rectangle(box, fill=fill, outline=typeset.LIT)


def draw_confirm(canvas: Canvas, view: ConfirmView, texts: Texts) -> None:
    """A question to be answered with yes or no."""
    canvas.header((texts.say(device.QUESTION),))
    canvas.statement(texts.say(device.QUESTIONS[view.question]), STATEMENT_BOX)


def draw_notice(canvas: Canvas, view: NoticeView, texts: Texts) -> None:
    """One thing in large letters."""
    canvas.header((texts.say(device.TITLE),))
    canvas.statement(texts.say(device.NOTICES[view.notice]), STATEMENT_BOX)


def fault_words(code: str, detail: str, texts: Texts) -> tuple[str, tuple[str, ...]]:
    """Title and rows of a fault; one without words of its own is told in English."""
    known = FAULTS.get(code)
    if known is not None:
        return texts.say(known.what), rows_of(texts.say(known.remedy))
    kind = KINDS.get(code.split("-")[0], device.PROBLEM)
    return texts.say(kind), rows_of(detail or code)


def draw_fault(canvas: Canvas, view: FaultView, texts: Texts) -> None:
    """What is wrong, and what to do about it."""
    title, rows = fault_words(view.code, view.detail, texts)
    canvas.header((title,), page_of(len(rows), view.page))
    shown = rows_of_page(rows, view.page)
    canvas.lines(shown)
    if view.retrying and len(shown) < BODY_ROWS:
        canvas.text(body_row(BODY_ROWS - 1), texts.say(device.RETRYING), align="right")


def draw_message(canvas: Canvas, view: MessageView, texts: Texts) -> None:
    """A page of a text under a title."""
    rows = rows_of(view.text)
    canvas.header(texts.word(view.title), page_of(len(rows), view.page))
    canvas.lines(rows_of_page(rows, view.page))


def rows_of(text: str) -> tuple[str, ...]:
    """A text in rows of the display."""
    return typeset.wrap(typeset.printable(text), ROW_LETTERS)


def page_count(rows: int) -> int:
    """How many pages so many rows take."""
    return max(-(-rows // BODY_ROWS), 1)


def page_of(rows: int, page: int) -> tuple[str, ...]:
    """Which page of how many, as the right end of a header; empty for a single page."""
    count = page_count(rows)
    return (f"{page % count + 1}/{count}",) if count > 1 else ()


def rows_of_page(rows: tuple[str, ...], page: int) -> tuple[str, ...]:
    """The rows of a page; after the last page comes the first."""
    start = page % page_count(len(rows)) * BODY_ROWS
    return rows[start : start + BODY_ROWS]
