"""City Blocks: from the buildings and value tiles that were read to the board that is scored."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import ClassVar, Final

from firmware.base.errors import UsageError
from firmware.base.language import D_, N_, Phrase
from firmware.games.city_blocks.open_board import OpenBoard
from firmware.games.city_blocks.words import (
    FACE_WORDS,
    SHORT_SLOT_WORDS,
    SLOT_WORDS,
    dollars,
    winner_sentence,
)
from firmware.games.edition_check import EditionRequirements
from firmware.games.findings import Finding, faces_in, make_finding, unknown_faces
from firmware.games.game import Game, JsonFormsModule, PrintablesModule, TextModule, ViewsModule
from firmware.games.player_words import shown_name_of_colour
from firmware.games.scan import Scan
from firmware.games.scores import PlayerResult, results_from_totals
from firmware.games.scoring_options import ScoringOptions
from firmware.screens.result_views import ResultView
from firmware.wording.notes import GameNote, ScanNote
from firmware.wording.ranges import ShownNumbers
from scoring.faces import BuildingKind, Cell, Side
from scoring.games.city_blocks import NAME
from scoring.games.city_blocks.legality import SPECIALS, VALUE_TILES, VALUES
from scoring.games.city_blocks.notation import LETTER_OF_KIND
from scoring.games.city_blocks.points import street_winner
from scoring.games.city_blocks.score_sheet import ScoreSheet, StreetDirection
from scoring.games.city_blocks.table import COLUMNS, ROWS, Board, Building, PlayerTiles, Table
from scoring.outcome import Outcome, outcome_by_rank_keys
from vision.editions.description import Description
from vision.reading import GridReading, LoosePiece, Place, PlaceKind, Reading
from vision.teaching.layout import Layout, fill_rows, make_rows

_BUILDING: Final = re.compile(
    rf"(?P<owner>{'|'.join(Side)})-(?P<kind>{'|'.join(BuildingKind)})(?:-(?P<value>[0-9]{{1,2}}))?"
)
_VALUE: Final = re.compile(r"value-(?P<value>[0-9]{1,2})")
_SLOTS: Final = {StreetDirection.ROW: ROWS, StreetDirection.COLUMN: COLUMNS}
"""Names of the slots, which are those of the streets, and how many there are."""


class BlocksNote(GameNote):
    """Notes of the rules: rulebook, "Spielmaterial" and "Bonus verteilen"."""

    BUILDING_TWICE = (
        "building-twice",
        N_(
            "more {names} were read than the game has: check {places}, scored without the least "
            "certain one"
        ),
        D_("More buildings of a kind than there are: check them"),
    )
    VALUE_TWICE = (
        "value-twice",
        N_("{names} was read more than once: check {places}, scored with one of them"),
        D_("A value tile was read twice: one of them counts"),
    )
    VALUE_LEFT = (
        "value-left",
        N_(
            "a street is full and won, but its value tile still lies beside it: check {places}, "
            "it counts for nobody"
        ),
        D_("A street is won, but its value still lies there"),
    )
    VALUE_GONE = (
        "value-gone",
        N_("a street is full and won, but its value tile is gone: check {places}, it counts 0"),
        D_("A street is won, but its value is gone: counts 0"),
    )
    VALUES_BESIDE = (
        "values-beside",
        N_(
            "value tiles lie beside the board and with the players: scored are those of the players"
        ),
        D_("Values beside the board are not counted"),
    )
    VALUES_FEWER = (
        "values-fewer",
        N_(
            "value tiles with the players: {given}, gone from streets that were won: {streets}; "
            "look whether one is hidden (one that was paid for a building is gone)"
        ),
        D_("Fewer values than streets won: is one hidden?"),
    )
    VALUES_MORE = (
        "values-more",
        N_(
            "value tiles with the players: {given}, full streets: only {streets}; take the spare "
            "tiles away that were drawn at the start"
        ),
        D_("More values than full streets: spare tiles?"),
    )
    NO_VALUES = (
        "no-values",
        N_("no value tile was found: nobody has points"),
        D_("No value tile was found: nobody has points"),
    )


class CityBlocks(Game):
    """The game in which blue and red build on one board."""

    name = NAME
    title = N_("City Blocks")
    bgg_title = "City Blocks"
    requirements = EditionRequirements(
        (5, 6),
        (1, 1),
        has_board=True,
        faces=re.compile(
            r"(?:blue|red)-(?:house-[1-5]|shop-[2-6]|factory-[3-7]|school|power-plant|mall|court)"
            r"|value-(?:[1-9]|1[0-5])"
        ),
    )
    notes = BlocksNote
    supply_notes = frozenset((BlocksNote.BUILDING_TWICE, BlocksNote.VALUE_TWICE))
    face_words: ClassVar[Mapping[str, Phrase]] = FACE_WORDS
    slot_words: ClassVar[Mapping[str, Phrase]] = SLOT_WORDS
    short_slot_words: ClassVar[Mapping[str, Phrase]] = SHORT_SLOT_WORDS
    print_help: ClassVar[Mapping[str, str]] = {}

    def arrangements(self, description: Description) -> Mapping[str, Layout]:
        """Return the arrangements: a row for each kind of building; values in rows of five."""
        names = [face.name for face in description.faces]
        layouts = {}
        for colour in ("blue", "red"):
            of_colour = [name for name in names if name.startswith(f"{colour}-")]
            kinds = ["house", "shop", "factory"]
            rows = [[name for name in of_colour if name.split("-")[1] == kind] for kind in kinds]
            rows.append([name for name in of_colour if name.split("-")[1] not in kinds])
            layouts[colour] = fill_rows(row for row in rows if row)
        layouts["values"] = make_rows([name for name in names if name.startswith("value-")], 5)
        return {name: layout for name, layout in layouts.items() if layout}

    def list_findings(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Sequence[Finding]:
        if not reading.grids:
            return ()
        grid = reading.grids[0]
        return (
            *unknown_faces(reading, lambda face: _parse_building(face) is not None),
            *_unknown_pieces(grid),
            *_surplus_buildings(grid),
            *_repeated_values(grid),
            *_street_findings(grid),
        )

    def player_results(self, sheet: ScoreSheet) -> tuple[PlayerResult, ...]:
        return results_from_totals(asdict(sheet.totals), sheet.winners)

    def table_from_reading(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Table:
        """Return the board with the value tiles of the players, else those beside streets."""
        if options.players is not None:
            raise UsageError(
                "players-are-colours",
                "the players of this game are blue and red: leave out --players",
                "--players",
            )
        grid = reading.grids[0]
        board, (beside, collected) = _board(grid), _values(grid)
        if any(collected.values()):
            blue, red = (tuple(collected[side]) for side in (Side.BLUE, Side.RED))
            return Table(board, collected=PlayerTiles(blue, red))
        rows, columns = (
            tuple(beside.get((line, index)) for index in range(count))
            for line, count in _SLOTS.items()
        )
        return Table(board, rows, columns)

    def outcome_of_sheet(self, sheet: ScoreSheet, sheet_as_read: ScoreSheet) -> Outcome:
        """Compare blue, then red; the totals decide alone."""
        return outcome_by_rank_keys((), [(sheet.totals[side],) for side in Side])

    def open_board(
        self, scan: Scan, sure: Reading, contents: Mapping[Place, Sequence[str | None]]
    ) -> OpenBoard:
        """Return the board; the rules know each building and value tile by its face."""
        grid = sure.grids[0]
        beside, collected = _values(grid)
        values = {(line.value, index): value for (line, index), value in beside.items()}
        values |= {
            (side.value, number): value
            for side, own in collected.items()
            for number, value in enumerate(own)
        }
        return OpenBoard(_board(grid), values, contents, _pieces(scan.description))

    def winner_line(self, sheet: ScoreSheet, numbers: ShownNumbers) -> str:
        return winner_sentence(sheet, numbers)

    def further_views(self, scan: Scan) -> Sequence[ResultView]:
        from firmware.games.city_blocks.views import streets

        return tuple(streets(scan.sheet))

    def badges(self, scan: Scan) -> tuple[str, ...]:
        letters = super().badges(scan)
        if scan.sheet is None:
            return letters
        totals = (
            f"{shown_name_of_colour(side.value)} "
            f"{dollars(scan.shown_numbers.final(seat, scan.sheet.totals[side]))}"
            for seat, side in enumerate(Side)
        )
        return (", ".join(totals), *letters[1:])

    def label(self, face: str) -> str:
        """Return ``H3`` for a building, ``$7`` for a value tile."""
        building, value = _parse_building(face), _parse_value(face)
        if building is not None:
            number = "" if building.value is None else building.value
            return f"{LETTER_OF_KIND[building.kind]}{number}"
        return face if value is None else f"${value}"

    def group_of(self, face: str) -> str:
        building = _parse_building(face)
        return face if building is None else f"{building.owner}-{building.kind}"

    def owner_colour(self, face: str) -> str | None:
        building = _parse_building(face)
        return None if building is None else building.owner.value

    @property
    def _json_forms(self) -> JsonFormsModule:
        from firmware.games.city_blocks import json_forms

        return json_forms

    @property
    def _text(self) -> TextModule:
        from firmware.games.city_blocks import text

        return text

    @property
    def _views(self) -> ViewsModule:
        from firmware.games.city_blocks import views

        return views

    @property
    def _printables(self) -> PrintablesModule:
        from firmware.games.city_blocks import printables

        return printables


GAME: Final = CityBlocks()


@cache
def _parse_building(face: str) -> Building | None:
    """Return the building that a face shows; None if the rules know no such building."""
    match = _BUILDING.fullmatch(face)
    if match is None:
        return None
    kind, value = BuildingKind(match["kind"]), match["value"]
    if (value is None) != (kind in SPECIALS):
        return None
    if value is None:
        return Building(Side(match["owner"]), kind)
    return Building(Side(match["owner"]), kind, int(value)) if int(value) in VALUES[kind] else None


def _parse_value(face: str) -> int | None:
    """Return the dollars on a value tile; None if it is none."""
    match = _VALUE.fullmatch(face)
    return int(match["value"]) if match and int(match["value"]) in VALUE_TILES else None


def _pieces(description: Description) -> dict[str, Building | int]:
    """Return building or value of each face that the rules know."""
    names = [face.name for face in description.faces]
    buildings = {
        name: building for name in names if (building := _parse_building(name)) is not None
    }
    values = {name: value for name in names if (value := _parse_value(name)) is not None}
    return {**buildings, **values}


def _surplus(grid: GridReading) -> frozenset[Cell]:
    """Return the least certain of those buildings of which more were read than the game has."""
    surest_first = sorted(
        faces_in(grid), key=lambda found: (-grid.confidence[found[0][0]][found[0][1]], found[0])
    )
    counted: Counter[Building] = Counter()
    left_out = set()
    for cell, face in surest_first:
        building = _parse_building(face)
        if building is not None:
            counted[building] += 1
            if counted[building] > SPECIALS.get(building.kind, 1):
                left_out.add(cell)
    return frozenset(left_out)


def _board(grid: GridReading) -> Board:
    surplus = _surplus(grid)
    buildings = {
        cell: _parse_building(face) for cell, face in faces_in(grid) if cell not in surplus
    }
    return tuple(
        tuple(buildings.get((row, column)) for column in range(len(names)))
        for row, names in enumerate(grid.faces)
    )


def _values(
    grid: GridReading,
) -> tuple[dict[tuple[StreetDirection, int], int], dict[Side, list[int]]]:
    """Return the value tiles beside the streets, and those of each player; none of them twice."""
    once: dict[int, LoosePiece] = {}
    for piece in sorted(grid.loose, key=lambda piece: -piece.confidence):
        value = _parse_value(piece.face)
        if value is not None:
            once.setdefault(value, piece)
    beside: dict[tuple[StreetDirection, int], int] = {}
    collected: dict[Side, list[int]] = {side: [] for side in Side}
    for value, piece in sorted(once.items()):
        if piece.container in set(_SLOTS):
            beside[StreetDirection(piece.container), piece.number] = value
        elif piece.container in set(Side):
            collected[Side(piece.container)].append(value)
    return beside, collected


def _place(piece: LoosePiece) -> Place:
    return Place(PlaceKind.LOOSE, 0, piece.key)


def _unknown_pieces(grid: GridReading) -> Iterator[Finding]:
    for piece in grid.loose:
        if _parse_value(piece.face) is None:
            yield make_finding(ScanNote.UNKNOWN_FACE, (_place(piece),), names=piece.face)


def _surplus_buildings(grid: GridReading) -> Iterator[Finding]:
    surplus = {grid.face(cell) for cell in _surplus(grid)}
    for face in sorted(name for name in surplus if name is not None):
        places = [Place(PlaceKind.TILE, 0, cell) for cell, name in faces_in(grid) if name == face]
        yield make_finding(BlocksNote.BUILDING_TWICE, places, counts_by_itself=True, names=face)


def _repeated_values(grid: GridReading) -> Iterator[Finding]:
    count = Counter(piece.face for piece in grid.loose if _parse_value(piece.face) is not None)
    for face, times in count.items():
        if times > 1:
            places = [_place(piece) for piece in grid.loose if piece.face == face]
            yield make_finding(BlocksNote.VALUE_TWICE, places, names=face)


def _street_findings(grid: GridReading) -> Iterator[Finding]:
    """Yield value tiles that should have been taken, or were taken and are not in the photo."""
    if grid.size != (ROWS, COLUMNS):
        return
    beside, collected = _values(grid)
    rows = _board(grid)
    streets = (StreetDirection.ROW, rows), (StreetDirection.COLUMN, zip(*rows, strict=True))
    won = [
        Place(PlaceKind.LOOSE, 0, (direction.value, index))
        for direction, parallel in streets
        for index, buildings in enumerate(parallel)
        if street_winner(buildings)
    ]
    lying = {Place(PlaceKind.LOOSE, 0, (direction.value, index)) for direction, index in beside}
    if any(collected.values()):
        if lying:
            yield make_finding(BlocksNote.VALUES_BESIDE)
        left = [slot for slot in won if slot in lying]
        if left:
            yield make_finding(BlocksNote.VALUE_LEFT, left)
        yield from _count_findings(grid, set(won) - set(left))
    elif not lying:
        yield make_finding(BlocksNote.NO_VALUES, counts_by_itself=True)
    else:
        gone = [slot for slot in won if slot not in lying]
        if gone:
            yield make_finding(BlocksNote.VALUE_GONE, gone)


def _count_findings(grid: GridReading, won: Collection[Place]) -> Iterator[Finding]:
    """Yield value tiles with the players of which some were not seen, or that nobody has won.

    A tile that was paid to replace a building is gone, so fewer may be right than streets were
    won; never are more than there are full streets.

    Args:
        grid: Board.
        won: Slots of won streets beside which no tile was read.
    """
    riddles = [place for place in grid.unsure_slots if grid.piece(place) is None]
    in_heaps = sum(name in set(Side) for name, _ in riddles)
    taken = sum(place.piece not in riddles for place in won)
    with_players = [
        piece
        for piece in grid.loose
        if piece.container in set(Side) and _parse_value(piece.face) is not None
    ]
    given = len(with_players)
    certain = len({piece.face for piece in with_players if not piece.unsure})
    built = {*grid.unsure, *(cell for cell, _ in faces_in(grid))}  # or may be
    rows = [[(row, column) for column in range(COLUMNS)] for row in range(ROWS)]
    full = sum(built.issuperset(line) for line in (*rows, *zip(*rows, strict=True)))
    if certain > full:
        yield make_finding(
            BlocksNote.VALUES_MORE, counts_by_itself=True, streets=full, given=certain
        )
    elif given + in_heaps < taken:
        yield make_finding(BlocksNote.VALUES_FEWER, streets=taken, given=given)
