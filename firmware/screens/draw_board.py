"""How the pages of a result are drawn for the games that are known by pictures."""

from firmware.board_games.spots import Naming, Spot, What
from firmware.screens import typeset
from firmware.screens.board_views import (
    BoardCheckView,
    CheckKind,
    CompaniesView,
    PartsView,
    ReadView,
    RemarkView,
    SidesWinnerView,
    StreetRow,
    StreetsView,
)
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
from firmware.screens.draw_device import alert_row
from firmware.screens.draw_result import draw_points, result_header
from firmware.screens.texts import Texts, mark
from firmware.screens.words import board, result
from scoring.faces import Side
from scoring.games.dice_board.table import CARDS_PER_COMPANY

SPOTS_PER_ROW = 2
SPOTS_PER_PAGE = SPOTS_PER_ROW * BODY_ROWS
STREETS_PER_PAGE = BODY_ROWS
COMPANIES_PER_PAGE = BODY_ROWS

NAME_SIZES = (32, 28, 24, 20, 18, 16)
STREET_SUMS_LEFT, STREET_WINNER_LEFT = 16, 58
HALF = WIDTH // 2
GAP = 4
COMPANY_GAP = 2


def draw_sides_winner(canvas: Canvas, view: SidesWinnerView, texts: Texts) -> None:
    """Who has won or leads, in large letters, and the points."""
    provisional = view.to_check > 0
    if view.is_finished:
        title = texts.winner(len(view.winners), provisional=provisional)
    else:
        said = board.LEADS if len(view.winners) == 1 else board.LEVEL
        title = mark(texts.say(said), provisional=provisional)
    result_header(canvas, texts, title, view)
    names = [texts.say(board.SIDES[side]) for side in view.winners]
    bottom = BODY_BOTTOM - (ROW_HEIGHT if view.alerts else 0)
    if view.alerts:
        canvas.text(body_row(BODY_ROWS - 1), *alert_row(view.alerts, texts))
    height = (bottom - BODY_TOP) // len(names)
    edge = draw_points(canvas, _dollars(view.points, texts, provisional=provisional), bottom)
    sizes = tuple(size for size in (*NAME_SIZES, typeset.SMALLEST) if size <= height)
    for row, name in enumerate(names):
        top = BODY_TOP + row * height
        canvas.text((0, top, edge, top + height), name, sizes=sizes)


def _dollars(value: int, texts: Texts, *, provisional: bool) -> tuple[str, ...]:
    """A sum, and where that is too long the same without the sign of its currency."""
    wordings = (texts.say(board.DOLLARS, n=value), str(value))
    return tuple(mark(wording, provisional=provisional) for wording in wordings)


def draw_read(canvas: Canvas, view: ReadView, texts: Texts) -> None:
    """How much was read, and in which edition."""
    result_header(canvas, texts, texts.say(board.READ), view)
    canvas.text(body_row(0), typeset.printable(view.edition))
    canvas.text(body_row(1), texts.say(board.PIECES.for_number(view.pieces), n=view.pieces))
    if view.empty:
        canvas.text(body_row(2), texts.say(board.EMPTY.for_number(view.empty), n=view.empty))


def draw_remark(canvas: Canvas, view: RemarkView, texts: Texts) -> None:
    """What the rules say about the reading."""
    titles = texts.about(view.letters) if view.letters else (texts.say(board.ABOUT_BOARD),)
    result_header(canvas, texts, titles, view)
    canvas.lines(typeset.wrap(texts.say(board.REMARKS[view.kind]), ROW_LETTERS))


def draw_board_check(canvas: Canvas, view: BoardCheckView, texts: Texts) -> None:
    """Places that a person must look at."""
    said = board.CHECKS[view.kind].for_number(view.count)
    result_header(canvas, texts, texts.say(said, n=view.count), view)
    for number, spot in enumerate(view.spots):
        row, column = divmod(number, SPOTS_PER_ROW)
        label = mark(
            spot_name(spot, texts, lettered=view.lettered),
            provisional=view.kind is not CheckKind.MISSING,
        )
        canvas.text(body_row(row, column * HALF, (column + 1) * HALF), label)
    if len(view.spots) <= SPOTS_PER_PAGE - SPOTS_PER_ROW:
        canvas.text(body_row(BODY_ROWS - 1), texts.say(result.PLACE_LEGEND))


def spot_name(spot: Spot, texts: Texts, *, lettered: bool) -> str:
    """How a place is called: ``A 2,3``, ``row 1``."""
    if spot.what is not What.BESIDE:
        return Naming(lettered=lettered).spot(spot)
    name, number = spot.piece
    said = board.PLACES_BESIDE.get(name)
    return f"{name} {number}" if said is None else texts.say(said, n=number)


def draw_parts(canvas: Canvas, view: PartsView, texts: Texts) -> None:
    """Rank and final points of a player, and what adds up to them."""
    provisional = view.to_check > 0
    if isinstance(view.player, Side):
        name = texts.say(board.SIDES[view.player])
        final = _dollars(view.final, texts, provisional=view.may_change)
    else:
        name = texts.name(view.player)
        final = (mark(view.final, provisional=view.may_change),)
    result_header(canvas, texts, texts.ranked(view.rank, name, provisional=provisional), view)
    edge = draw_points(canvas, final, BODY_TOP + 2 * ROW_HEIGHT)
    canvas.text(body_row(0, 0, edge), _label(view, texts), texts.say(board.PARTS[view.kind]))
    parts = " ".join(map(str, view.parts)) or texts.say(board.NO_PARTS)
    lines = typeset.wrap(parts, edge // typeset.SMALLEST_WIDTH)
    if len(lines) <= 1:
        canvas.text(body_row(1, 0, edge), *lines)
        return
    # The second row is narrower than the last, which has nothing beside it
    canvas.text(body_row(1, 0, edge), lines[0])
    canvas.text(body_row(2), " ".join(lines[1:]))


def _label(view: PartsView, texts: Texts) -> str:
    if view.tie is not None:
        own, other = view.tie
        return texts.say(board.TIE_BY, numbers=f"{own}:{other}")
    return texts.say(board.TIE_SHARED if view.is_shared else board.PARTS[view.kind])


def draw_streets(canvas: Canvas, view: StreetsView, texts: Texts) -> None:
    """A row for each street: its number, both sums, who wins it, the value."""
    result_header(canvas, texts, texts.say(board.STREETS[view.line]), view)
    for row, street in enumerate(view.streets):
        bonus = "" if street.bonus is None else texts.say(board.DOLLARS, n=street.bonus)
        bonus_left = WIDTH - typeset.SMALLEST_WIDTH * len(bonus)
        winner = _outcome(street, texts)
        canvas.text(body_row(row, 0, STREET_SUMS_LEFT), str(street.index))
        sums = f"{street.blue}:{street.red}"
        canvas.text(body_row(row, STREET_SUMS_LEFT, STREET_WINNER_LEFT), sums)
        canvas.text(body_row(row, STREET_WINNER_LEFT, bonus_left - GAP), winner)
        if bonus:
            canvas.text(body_row(row, bonus_left), bonus, align="right")


def _outcome(street: StreetRow, texts: Texts) -> str:
    if street.winner is not None:
        return texts.say(board.SIDES[street.winner])
    return texts.say(board.TIE if street.full else board.OPEN)


def draw_companies(canvas: Canvas, view: CompaniesView, texts: Texts) -> None:
    """Rank and total of a player, and a row for each company."""
    provisional = view.to_check > 0
    name = texts.name(view.player)
    result_header(canvas, texts, texts.ranked(view.rank, name, provisional=provisional), view)
    edge = draw_points(canvas, mark(view.final, provisional=view.may_change), BODY_BOTTOM)
    for row, company in enumerate(view.companies):
        worth = str(company.points) if company.complete else f"{company.cards}/{CARDS_PER_COMPANY}"
        worth_left = edge - typeset.SMALLEST_WIDTH * len(worth)
        label = body_row(row, 0, worth_left - COMPANY_GAP)
        canvas.text(label, typeset.printable(company.name))
        canvas.text(body_row(row, worth_left, edge), worth, align="right")
