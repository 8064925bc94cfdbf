"""A result of a game known by pictures: what was read, what a person said, and its score."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from firmware.appliance.board_answers import spot_of
from firmware.appliance.faults import Fault, fault_of
from firmware.board_games.corrections import BoardCorrection, apply_board_corrections, cell_names
from firmware.board_games.doubts import BoardDoubts, piece_at
from firmware.board_games.options import ScoringOptions
from firmware.board_games.scan import BoardScan, check_boards, score_boards
from firmware.board_games.spots import Spot, What
from firmware.errors import UsageError
from firmware.screens.views import Bitmap, Other
from firmware.settings import Settings, seat_names
from scoring.faces import city_name
from scoring.games import cities
from vision.editions.description import READING_ONLY, Description, Heap, Slots
from vision.reading import Reading

BoardAnswer = str | Other
"""What a person may say of a place: a face or kind of figure by its identifier, or ``Other``."""

NO_TILES: Final = Fault(
    "no-tiles", "nothing of the game was found: lay it flat and whole in the picture", "camera"
)
LEAST_ALIKE: Final = 0.5
"""Share of the pieces that two scans of one table have in common; fewer: it is another table."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardResult:
    """A table that was scanned.

    Attributes:
        table: number of its scan.
        seen: what the eye makes of the photo.
        read: the same, with what a person said at the scan before as its guesses.
        description: of the game.
        outcome: the score, without rules the reading, or why the table cannot be scored.
        crops: pictures of the places that a person must look at.
        photo: reference to the stored photo; None: there is none.
        corrections: what a person said about places, in this order.
        earlier: number of the scan before, if that was of the same table.
        looked: whether a person has gone through what is not sure, or refused to.
        saving: number of the job that stores it; None: none is under way.
        save_fault: why it is not stored; None: it is, or will be.
        failed_s: when storing failed.
    """

    table: int
    seen: Reading
    read: Reading
    description: Description
    outcome: BoardScan | Fault
    crops: Mapping[Spot, Bitmap] = field(default_factory=dict)
    photo: str | None = None
    corrections: tuple[BoardCorrection, ...] = ()
    earlier: int | None = None
    looked: bool = False
    saving: int | None = None
    save_fault: Fault | None = None
    failed_s: float = 0.0

    @property
    def game(self) -> str:
        """Which it is of."""
        return self.seen.game

    @property
    def scan(self) -> BoardScan | None:
        """The score, or without rules the reading; None: the table cannot be scored."""
        return self.outcome if isinstance(self.outcome, BoardScan) else None

    @property
    def checked(self) -> BoardScan:
        """What was read, with all that a person said, and what is doubtful by the rules."""
        if isinstance(self.outcome, BoardScan):
            return self.outcome
        return check_boards(self.read, self.description, corrections=self.corrections)

    @property
    def doubts(self) -> BoardDoubts:
        """What is not sure."""
        return self.checked.doubts

    @property
    def unsure(self) -> tuple[Spot, ...]:
        """The places that a person has still to look at, in reading order."""
        return tuple(doubt.spot for doubt in self.doubts.places if not doubt.missing)

    @property
    def said(self) -> object:
        """All that a person said, to compare."""
        return self.corrections

    @property
    def owners_open(self) -> bool:
        """Pieces say whose they are."""
        return False

    @property
    def questions(self) -> int:
        """How many things a person can still decide."""
        return len(self.unsure)

    @property
    def saved(self) -> bool | None:
        """Whether it is stored as it is now; None: that is not known yet."""
        return None if self.saving is not None else self.save_fault is None


def scored_board(result: BoardResult, settings: Settings) -> BoardResult:
    """The result with the score that all corrections and settings give."""
    outcome = board_outcome(result.read, result.description, result.corrections, settings)
    return replace(result, outcome=outcome)


def board_outcome(
    read: Reading,
    description: Description,
    corrections: tuple[BoardCorrection, ...],
    settings: Settings,
) -> BoardScan | Fault:
    """The score of a reading, or why it has none."""
    if description.game == READING_ONLY and not read.grids:
        return NO_TILES
    options = _options_of(read, settings)
    try:
        return score_boards(read, description, corrections=corrections, options=options)
    except UsageError as error:
        return fault_of(error)


def _options_of(read: Reading, settings: Settings) -> ScoringOptions:
    """In Cities alone seats have names; the level of another game is not that of this one."""
    level = settings.level if settings.game == read.game else 1
    has_seats = read.game == cities.NAME
    names = seat_names(settings.players, len(read.grids)) if has_seats else None
    return ScoringOptions(level, names)


def answered_board(result: BoardResult, spot: Spot, answer: BoardAnswer) -> BoardResult:
    """The result after a person said what is at a place, or nothing; not yet scored again."""
    kept = tuple(each for each in result.corrections if spot_of(each) != spot)
    if answer is Other.LATER:
        return replace(result, corrections=kept)
    said = None if isinstance(answer, Other) else answer
    letter = city_name(spot.grid) if result.checked.naming.lettered else ""
    text = result.checked.naming.option(spot, answer_text(answer)).removeprefix("--set ")
    correction = BoardCorrection(letter, spot.what, spot.at, said, text)
    return replace(result, corrections=(*kept, correction))


def answer_text(answer: BoardAnswer) -> str:
    """An answer as a correction writes it."""
    return "none" if isinstance(answer, Other) else answer


def board_options(result: BoardResult, spot: Spot) -> tuple[BoardAnswer, ...]:
    """What to offer for a place: the likeliest first, then nothing, ``LATER``, and all others.

    First comes what a person has said, then what the eye takes it for and its other guesses.
    """
    said, _settled = apply_board_corrections(result.read, result.description, result.corrections)
    guesses = [*_guesses(said, spot)[:1], *_guesses(result.read, spot)]
    offered = [Other.NO_TILE if guess is None else guess for guess in guesses]
    others = _possible(result.description, spot)
    return tuple(dict.fromkeys([*offered, Other.NO_TILE, Other.LATER, *others]))


def _guesses(reading: Reading, spot: Spot) -> list[str | None]:
    """What is read at a place, and what else it may be."""
    grid = reading.grids[spot.grid]
    if spot.what is What.TILE:
        row, column = spot.cell
        return [grid.grid[row][column], *grid.alternatives.get(spot.cell, ())]
    if spot.what is What.TOKEN:
        kinds = [token.kind for token in grid.tokens]
        there = next((token.kind for token in grid.tokens if token.at == spot.cell), None)
        # A figure that was not seen has the colour of the others, if it is one
        usual = sorted(set(kinds), key=lambda kind: -kinds.count(kind))
        return [there, *usual[:1]]
    piece = piece_at(grid, spot)
    return [None] if piece is None else [piece.face, *piece.alternatives]


def _possible(description: Description, spot: Spot) -> tuple[str, ...]:
    """All that there may be."""
    if spot.what is What.TILE:
        return cell_names(description)
    if spot.what is What.TOKEN:
        return tuple(token.kind for token in description.tokens)
    board = description.board
    places: tuple[Slots | Heap, ...] = () if board is None else (*board.slots, *board.heaps)
    return next((place.faces for place in places if place.name == spot.piece[0]), ())


def of_one_board(before: Reading, after: Reading) -> bool:
    """Whether two scans show the same table, some pieces of which may have changed."""
    if (before.game, len(before.grids)) != (after.game, len(after.grids)):
        return False
    pairs = [
        (old, new)
        for grid, other in zip(before.grids, after.grids, strict=True)
        for row, other_row in zip(grid.grid, other.grid, strict=True)
        for old, new in zip(row, other_row, strict=True)
        if (old, new) != (None, None)
    ]
    return sum(old == new for old, new in pairs) >= LEAST_ALIKE * len(pairs)
