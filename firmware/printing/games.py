"""What is printed of each game: its own drawn edition, ready to be cut out and played with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from firmware.language import N_, _
from firmware.printing.boards import board_sheets
from firmware.printing.page import Page, Size
from firmware.printing.pieces import Side, piece_sheets, two_sided_sheets
from firmware.printing.sheet import MARKS_MM, Sheet, draw_cut_marks, free_area, with_empty_backs
from firmware.printing.svg import Drawing, drawing
from scoring.faces import Face
from vision.boards.description import TokenDescription
from vision.boards.folder import own_edition
from vision.editions.own import OWN_FOLDER

MOST_COPIES: Final = 20
MOST_SETS: Final = 4


@dataclass(frozen=True, slots=True)
class Choices:
    """What was chosen; what is not chosen is as each game sees fit.

    Attributes:
        copies: of each face, 1 to ``MOST_COPIES``; None: not chosen.
        is_full: everything that is in the box of the game.
        sets: of tiles, 1 to ``MOST_SETS``; None: not chosen.
        is_duplex: for printing on both sides of the paper.
    """

    copies: int | None = None
    is_full: bool = False
    sets: int | None = None
    is_duplex: bool = False


@dataclass(frozen=True, slots=True)
class GameSheets:
    """The sheets of a game.

    Attributes:
        title: of the file.
        make: gives the sheets for a size of paper in mm, upright.
        options: fields of ``Choices`` that mean something for this game.
    """

    title: str
    make: Callable[[Size, Choices], list[Sheet]]
    options: frozenset[str] = frozenset()


def _drawings(game: str, names: Sequence[str]) -> list[Drawing]:
    return [drawing(OWN_FOLDER / game / f"{name}.svg") for name in names]


# Between Two Cities

BETWEEN_TWO_CITIES: Final = "between-two-cities"
COPIES: Final = 6
"""Of each face unless chosen otherwise: 54 tiles, of which three cities need 48."""

_TAVERNS: Final = tuple(face for face in Face if face.is_tavern)
SINGLES: Final[Mapping[Face, int]] = {
    Face.SHOP: 16,
    Face.FACTORY: 16,
    **dict.fromkeys(_TAVERNS, 5),
    Face.OFFICE: 20,
    Face.PARK: 16,
    Face.HOUSE: 20,
}
"""The 108 single tiles of a box."""

DUPLEX_HALVES: Final[Mapping[Face, int]] = {face: 2 if face in _TAVERNS else 8 for face in Face}
"""The two halves of its 24 duplex tiles, taken together."""


def between_two_cities_sheets(paper_mm: Size, choices: Choices) -> list[Sheet]:
    """Single tiles, and for a whole box the halves of the duplex tiles, with backs if chosen."""
    tiles = partial(_tile_sheets, paper_mm, is_duplex=choices.is_duplex)
    if not choices.is_full:
        copies = COPIES if choices.copies is None else choices.copies
        return tiles(_("Between Two Cities: tiles"), dict.fromkeys(Face, copies))
    note = _(
        "Two halves glued side by side, or one below the other, are a duplex tile. Any two "
        "go together."
    )
    return [
        *tiles(_("Between Two Cities: single tiles"), SINGLES),
        *tiles(_("Between Two Cities: halves of duplex tiles"), DUPLEX_HALVES, note),
    ]


def _tile_sheets(
    paper_mm: Size, title: str, supply: Mapping[Face, int], note: str = "", *, is_duplex: bool
) -> list[Sheet]:
    names = [face.value for face, count in supply.items() for _copy in range(count)]
    tiles = _drawings(BETWEEN_TWO_CITIES, names)
    if not is_duplex:
        return piece_sheets(title, tiles, paper_mm, note)
    backs = _drawings(BETWEEN_TWO_CITIES, ["back"] * len(tiles))
    back = Side(_("Between Two Cities: backs of the tiles"), backs)
    # All backs have the same border: no gap is needed between them
    return two_sided_sheets(Side(title, tiles), back, paper_mm, gap_mm=0.0, note=note)


# Cities

CITIES: Final = "cities"
SETS: Final = 2
"""Unless chosen otherwise: one for each of two players."""

TOURISTS: Final = 7
"""Of a player (rulebook)."""

_STRIPS_IN_A_ROW: Final = 14
_BETWEEN_DISCS_MM: Final = 3.0
_FOLD_MM: Final = 0.15


def cities_sheets(paper_mm: Size, choices: Choices) -> list[Sheet]:
    """A set of 24 tiles for each player, and one page of tourists in all four colours."""
    edition = own_edition(CITIES).description
    tiles = _drawings(CITIES, [face.name for face in edition.faces])
    sheets: list[Sheet] = []
    for number in range(1, (SETS if choices.sets is None else choices.sets) + 1):
        sheets += piece_sheets(_("Cities: tiles of set {n}").format(n=number), tiles, paper_mm)
    note = _(
        "Fold the strips at the dashed lines, glue their long parts together and bend the short "
        "ones out as feet; or glue the discs onto coins. Any pawns of these colours will do as "
        "well."
    )
    draw = partial(_draw_tourists, edition.tokens)
    return [*sheets, Sheet(paper_mm, _("Cities: tourists"), note, draw)]


def _draw_tourists(kinds: Sequence[TokenDescription], page: Page) -> None:
    """Strips that fold to standing figures, and below them discs, seven of each in each colour."""
    top = free_area(page.size_mm)[1] + MARKS_MM
    strips = []
    for token, strip, left, y in _in_rows(page, kinds, "", _STRIPS_IN_A_ROW, 0.0, top):
        (width, height), foot = strip.size_mm, token.foot_mm / 2
        page.place(strip, left, y)
        folds = [y + foot + part * token.height_mm for part in range(3)]
        lines = [((left, fold), (left + width, fold)) for fold in folds]
        page.draw_lines(lines, width=_FOLD_MM, dashed=True)
        strips.append((left, y, width, height))
    draw_cut_marks(page, strips)
    below = strips[-1][1] + strips[-1][3] + 2 * MARKS_MM
    for _token, disc, left, y in _in_rows(page, kinds, "-disc", TOURISTS, _BETWEEN_DISCS_MM, below):
        page.place(disc, left, y)


def _in_rows(
    page: Page,
    kinds: Sequence[TokenDescription],
    what: str,
    in_a_row: int,
    gap: float,
    top: float,
) -> list[tuple[TokenDescription, Drawing, float, float]]:
    """Each tourist's drawing, with its place in rows in the middle of the width."""
    tokens = [token for token in kinds for _copy in range(TOURISTS)]
    drawings = _drawings(CITIES, [token.kind + what for token in tokens])
    across, down = (length + gap for length in drawings[0].size_mm)
    left = (page.size_mm[0] - in_a_row * across + gap) / 2
    return [
        (token, each, left + number % in_a_row * across, top + number // in_a_row * down)
        for number, (token, each) in enumerate(zip(tokens, drawings, strict=True))
    ]


# City Blocks

CITY_BLOCKS: Final = "city-blocks"
SCHOOLS: Final = 2
"""Of each player; of all other buildings and value tiles there is one."""


def city_blocks_sheets(paper_mm: Size, _choices: Choices) -> list[Sheet]:
    """The parts of the board, then 40 buildings and 15 value tiles."""
    edition = own_edition(CITY_BLOCKS).description
    names = [
        face.name
        for face in edition.faces
        for _copy in range(SCHOOLS if face.name.endswith("-school") else 1)
    ]
    (board,) = _drawings(CITY_BLOCKS, ["board"])
    pieces = _drawings(CITY_BLOCKS, names)
    return [
        *board_sheets(board, edition, paper_mm, _("City Blocks: board")),
        *piece_sheets(_("City Blocks: buildings and value tiles"), pieces, paper_mm),
    ]


# Dice board

DICE_BOARD: Final = "dice-board"
GAP_MM: Final = 3.0
"""Between two cards: a back that is printed half of it off its front still covers the card."""

_TURNED: Final = "-sight"


def dice_board_sheets(paper_mm: Size, choices: Choices) -> list[Sheet]:
    """80 cards, fronts and backs, then the parts of the board.

    The cards come first, so that a printer that prints on both sides meets their fronts and
    backs on one sheet of paper.
    """
    edition = own_edition(DICE_BOARD).description
    signs = [face.name for face in edition.faces if not face.name.endswith(_TURNED)]
    front = Side(_("Dice board: fronts of the cards"), _drawings(DICE_BOARD, signs))
    sights = _drawings(DICE_BOARD, [sign + _TURNED for sign in signs])
    back = Side(_("Dice board: backs of the cards"), sights)
    (board,) = _drawings(DICE_BOARD, ["board"])
    parts = board_sheets(board, edition, paper_mm, _("Dice board: board"))
    return [
        *two_sided_sheets(front, back, paper_mm, GAP_MM),
        *(with_empty_backs(parts) if choices.is_duplex else parts),
    ]


GAMES: Final[Mapping[str, GameSheets]] = {
    BETWEEN_TWO_CITIES: GameSheets(
        "Between Two Cities",
        between_two_cities_sheets,
        frozenset({"copies", "is_full", "is_duplex"}),
    ),
    CITIES: GameSheets("Cities", cities_sheets, frozenset({"sets"})),
    CITY_BLOCKS: GameSheets("City Blocks", city_blocks_sheets),
    DICE_BOARD: GameSheets(N_("Dice board"), dice_board_sheets, frozenset({"is_duplex"})),
}
"""The games whose own drawn editions can be printed, by their identifiers."""
