"""From a photo of a game known by pictures to a score sheet: read, correct, check, score."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Final

from firmware.board_games.corrections import BoardCorrection, apply_board_corrections
from firmware.board_games.doubts import BoardDoubts, board_doubts, with_remarks
from firmware.board_games.eye import BoardEye, usual_board_eye
from firmware.board_games.options import ScoringOptions
from firmware.board_games.remarks import Remark, RemarkKind, remark_sentence
from firmware.board_games.rules import READABLE
from firmware.board_games.spots import Naming
from firmware.errors import UsageError
from scoring.errors import Breach, TableError
from scoring.faces import Place, city_name
from scoring.games import find_game
from vision.boards.description import Description
from vision.boards.edition import PicturedEdition
from vision.boards.reading import BoardReading
from vision.photo import Photo, load_photo

NO_GRID: Final = "nothing of the game was found: lay it flat and whole in the picture"
"""The note of a reading without any grid."""
NO_BOARD: Final = "no board was found: show all of it, from above, with nothing over its edges"
"""The same for a printed board."""


@dataclass(frozen=True, slots=True)
class BoardScan:
    """A photo of a game known by pictures, read, checked and perhaps scored.

    Attributes:
        reading: after the corrections, with the doubts of the rules.
        description: of its game.
        table: what is scored, of the type of its rules; None: there are no rules, or no grid.
        sheet: its score; None: it was not scored.
        remarks: what the rules say.
    """

    reading: BoardReading
    description: Description
    table: Any = None
    sheet: Any = None
    remarks: tuple[Remark, ...] = ()

    @property
    def naming(self) -> Naming:
        """How places of this reading are called."""
        return Naming.of(self.reading, self.description)

    @property
    def doubts(self) -> BoardDoubts:
        """What a person has to look at before the result is certain."""
        return board_doubts(self.reading, _missing(self), self.remarks)

    @property
    def needs_a_person(self) -> bool:
        """Whether the result may be wrong until someone has looked, or nothing was found."""
        return self.doubts.count > 0 or not self.reading.grids

    def may_change(self, grid: int) -> bool:
        """Whether what a grid is worth may still change; it does not depend on other grids."""
        doubts = self.doubts
        return bool(doubts.remarks) or any(each.spot.grid == grid for each in doubts.places)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was odd, a line each: of the photo, of each grid, and what the rules say."""
        naming = self.naming
        of_grids = (
            f"city {city_name(index)}: {note}" if naming.lettered else note
            for index, grid in enumerate(self.reading.grids)
            for note in grid.notes
        )
        said = (remark_sentence(remark, naming) for remark in self.remarks)
        return (*self.reading.notes, *of_grids, *said)


def read_board_file(
    path: str | PathLike[str], edition: PicturedEdition, eye: BoardEye | None = None
) -> tuple[Photo, BoardReading]:
    """Load and read one photo; the time for loading is added to the reading's timings.

    Args:
        path: of the photo.
        edition: what tiles and board look like.
        eye: what reads it; None: the real one.

    Returns:
        The photo, and its reading; one without any grid has a note that says so.

    Raises:
        VisionError: the photo cannot be used.
    """
    start = time.perf_counter()
    photo = load_photo(path)
    decode_ms = (time.perf_counter() - start) * 1000
    reading = (eye or usual_board_eye())(photo, edition)
    timings: dict[str, float] = {"decode": decode_ms, **reading.timings_ms}
    timings["total"] = decode_ms + timings.get("total", sum(reading.timings_ms.values()))
    notes = reading.notes
    if not reading.grids:
        notes += (NO_GRID if edition.description.board is None else NO_BOARD,)
    return photo, replace(reading, timings_ms=timings, notes=notes)


def check_boards(
    reading: BoardReading,
    description: Description,
    *,
    corrections: Sequence[BoardCorrection] = (),
    options: ScoringOptions | None = None,
) -> BoardScan:
    """What a reading shows, and what is doubtful about it by the rules; it is not scored.

    Args:
        reading: of one photo, as the eye gives it.
        description: of its game.
        corrections: what a person knows better than the eye.
        options: how to score it; None: as usual.

    Raises:
        UsageError: a correction does not fit the reading, or the names of the players do not.
    """
    corrected, settled = apply_board_corrections(reading, description, corrections)
    rules = READABLE.get(description.game)
    if rules is None:
        return BoardScan(corrected, description, remarks=(Remark(RemarkKind.NO_RULES),))
    remarks = (*_more_boards(corrected, description), *rules.look(corrected, description))
    doubted = with_remarks(corrected, remarks, settled)
    if not doubted.grids:
        return BoardScan(doubted, description, remarks=remarks)
    table = rules.table_of(corrected, description, options or ScoringOptions())
    return BoardScan(doubted, description, table, remarks=remarks)


def score_boards(
    reading: BoardReading,
    description: Description,
    *,
    corrections: Sequence[BoardCorrection] = (),
    options: ScoringOptions | None = None,
) -> BoardScan:
    """Check and score what was read; a game without rules is only checked.

    The arguments are those of ``check_boards``.

    Raises:
        UsageError: as in ``check_boards``; ``no-city`` or ``no-board``; or a breach of the rules
            under its own code.
    """
    scan = check_boards(reading, description, corrections=corrections, options=options)
    if not reading.grids:
        if description.board is not None:
            raise UsageError("no-board", NO_BOARD, reading.photo)
        raise UsageError("no-city", NO_GRID, reading.photo)
    if scan.table is None:
        return scan
    try:
        sheet = find_game(description.game).score(scan.table, lenient=True)
    except TableError as error:
        raise _refusal(error.breaches[0], scan) from error
    return replace(scan, sheet=sheet)


def _more_boards(reading: BoardReading, description: Description) -> tuple[Remark, ...]:
    if description.board is None or len(reading.grids) <= 1:
        return ()
    return (Remark(RemarkKind.MORE_BOARDS, needs_a_person=True),)


def _missing(scan: BoardScan) -> tuple[Place, ...]:
    return () if scan.sheet is None else scan.sheet.missing


_PLACE: Final = re.compile(r"\$(?:\.cities\[(\d+)\])?(?:\.\w+\[(\d+)\]\[(\d+)\])?.*")


def _refusal(breach: Breach, scan: BoardScan) -> UsageError:
    """What the rules have against a reading, with the place in the photo."""
    photo = scan.reading.photo
    where = photo
    match = _PLACE.fullmatch(breach.where)
    if breach.where.startswith("$.players"):
        where = "--players"
    elif breach.where == "$.level":
        where = "--level"
    elif match is not None and match[2] is not None:
        cell = int(match[2]), int(match[3])
        where = f"{photo}, {scan.naming.cell(int(match[1] or 0), cell)}"
    elif match is not None and match[1] is not None and scan.naming.lettered:
        where = f"{photo}, city {city_name(int(match[1]))}"
    return UsageError(breach.code, breach.message, where)
