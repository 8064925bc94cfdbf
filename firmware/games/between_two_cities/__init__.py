"""Between Two Cities: from the tiles that were read to the table that is scored, with its words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from typing import ClassVar, Final

from rich.console import Console

from firmware.base.errors import UsageError, as_typed
from firmware.base.json_text import to_plain
from firmware.base.language import N_, NN_, Phrase, _
from firmware.base.photo_quads import unread_positions
from firmware.base.terminal import Json
from firmware.games.between_two_cities.signs import SIGNS
from firmware.games.between_two_cities.words import (
    BUILDING_TYPE_NAMES,
    FACE_WORDS,
    OWNERS_ON_PHOTO,
    better_sentences,
    full_face_name,
    order_sentences,
    reason_sentence,
    tie_break_sentence,
)
from firmware.games.edition_check import EditionRequirements
from firmware.games.findings import Finding, faces_in, make_finding
from firmware.games.game import Game, JsonFormsModule, PrintablesModule, TextModule, ViewsModule
from firmware.games.player_words import shown_name
from firmware.games.scan import Scan
from firmware.games.scores import CityPoints, PointReason
from firmware.games.scoring_options import ScoringOptions
from firmware.screens.result_views import ResultView
from firmware.screens.view import Bitmap
from firmware.wording.notes import GameNote
from firmware.wording.places import cell_name
from firmware.wording.problem_text import CountedMessage
from scoring.areas import empty_cells_of_grids
from scoring.errors import Breach
from scoring.faces import CityCell, Face, Grid, city_name
from scoring.games.between_two_cities import NAME
from scoring.games.between_two_cities.contributions import (
    CityContribution,
    city_contribution,
    final_scores,
    outcomes_by_order,
    rank_contributions,
)
from scoring.games.between_two_cities.legality import CITY_COUNTS, SUPPLY, TableBreach
from scoring.games.between_two_cities.points import DEFAULT_OWNERS
from scoring.games.between_two_cities.score_sheet import ScoreSheet
from scoring.games.between_two_cities.table import City, Table, Variant
from scoring.legality import SharedBreach
from scoring.outcome import Outcome
from vision.editions.description import Description
from vision.message import Message
from vision.reading import GridReading, Note, Reading
from vision.teaching.layout import Layout, make_rows

_MAX_PLACES: Final = 6
"""Number of places named in an error."""


_MIN_LEAD: Final = 0.5
"""Least lead in agreement of direction of the best pairing of cities over any other."""
_FACES: Final = {face.value: face for face in Face}
_OWNERS: Final = re.compile(r"[01](,[01]){3}")


class TwoPlayerNote(GameNote):
    """Notes of the rules for two players."""

    OWNERS_ASSUMED = (
        "owners-assumed",
        N_(
            "the cities do not show by the way they face to whom they belong: A and D are taken "
            "to be the first player's, B and C the second's; say it with --owners, like "
            "--owners 0,1,1,0"
        ),
        OWNERS_ON_PHOTO,
    )


class BetweenTwoCities(Game):
    """The game with a city between each two neighbours."""

    name = NAME
    title = N_("Between Two Cities")
    bgg_title = "Between Two Cities"
    named_seats = max(most for _fewest, most in CITY_COUNTS.values())
    has_owners = True
    has_best_arrangements = True
    taught_on_device = True
    supply: ClassVar[Mapping[str, int]] = {face: tiles.total for face, tiles in SUPPLY.items()}
    requirements = EditionRequirements(
        (4, 4), (1, 1), has_board=False, faces=re.compile("|".join(face.value for face in Face))
    )
    notes = TwoPlayerNote
    face_words: ClassVar[Mapping[str, Phrase]] = FACE_WORDS
    part_words: ClassVar[Mapping[str, Phrase]] = BUILDING_TYPE_NAMES
    print_help: ClassVar[Mapping[str, str]] = {
        "copies": N_("of each of the nine kinds, 1 to 20 (default: 6, three cities)"),
        "is_full": N_("as many tiles as in the box"),
        "is_duplex": N_("tiles get backs"),
    }

    def print_grids(self, console: Console, scan: Scan) -> bool:
        from firmware.games.between_two_cities.text import print_grids, unsure_cells

        grids = [faces_of(grid) for grid in scan.reading.grids]
        print_grids(console, grids, unsure_cells(scan.doubts))
        return True

    def arrangements(self, description: Description) -> Mapping[str, Layout]:
        """Return the arrangement: one tile of each face, as a square."""
        return {"faces": make_rows([face.name for face in description.faces], 3)}

    def list_findings(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Sequence[Finding]:
        """Return the finding that the owners are assumed, if nothing names them."""
        if Variant(options.variant) is Variant.STANDARD or _owners(reading, options) is not None:
            return ()
        return (make_finding(TwoPlayerNote.OWNERS_ASSUMED, counts_by_itself=True),)

    def check_count(self, reading: Reading, options: ScoringOptions) -> None:
        """Refuse a number of cities with which the variant is not played."""
        found, unread = len(reading.grids), len(reading.unread)
        fewest, most = CITY_COUNTS[Variant(options.variant)]
        if fewest <= found <= most:
            return
        more: str = ""
        if unread:
            more = Message(
                N_(" and {unread} more that cannot be read ({where})"),
                unread=unread,
                where=unread_positions(reading),
            )
        advice = (
            Message("is a city outside the picture?")
            if found < fewest
            else Message("choose the other variant, or photograph one game alone.")
        )
        raise UsageError(
            "city-count",
            "found {cities}{more}, {variant} needs {needed}: {advice} stadtblick read PHOTO shows "
            "what was read",
            reading.photo_name,
            cities=CountedMessage("{n} city", "{n} cities", found),
            more=more,
            variant=options.variant,
            needed=f"{fewest}" if fewest == most else Message("{n} to {most}", n=fewest, most=most),
            advice=advice,
        )

    def city_points(self, sheet: ScoreSheet) -> tuple[CityPoints, ...]:
        return tuple(
            CityPoints(
                city.name,
                city.total,
                asdict(city.points),
                tuple(
                    PointReason(each.category, each.points, reason_sentence(each), each.cells)
                    for each in city.reasons
                ),
            )
            for city in sheet.cities
        )

    def table_from_reading(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Table:
        variant = Variant(options.variant)
        owners = _owners(reading, options) if variant is Variant.TWO_PLAYER else None
        cities = tuple(City(faces_of(grid)) for grid in reading.grids)
        order = None
        if variant is Variant.STANDARD:
            order = options.order or (None if reading.join is None else reading.join.order)
        if order == tuple(range(len(cities))) and options.order is None:
            order = None  # one that a person gave is kept, so that it is stored as known
        return Table(cities, variant, owners, options.players, order)

    def seats_matter(self, options: ScoringOptions) -> bool:
        """Return whether seats matter; with two players the owners are asked instead."""
        return Variant(options.variant) is Variant.STANDARD

    def order_effects(self, scan: Scan) -> tuple[str, ...]:
        """Return which neighbours win in how many orders."""
        if scan.sheet is None or not self.seats_matter(scan.options):
            return ()
        totals = [city.total for city in scan.sheet.cities]
        return order_sentences(outcomes_by_order(scan.table, totals))

    def missing_cells(self, table: Table) -> Sequence[CityCell]:
        """Return the cells without a tile: a city is full at the end."""
        return empty_cells_of_grids(city.grid for city in table.cities)

    def explain_breach(self, breach: Breach, scan: Scan) -> UsageError | None:
        """Explain which tiles of a face to look at, or how many names are needed."""
        reading, values = scan.reading, breach.values
        if breach.code == TableBreach.TOO_MANY_TILES.code:
            face = Face(str(values["face"]))
            return UsageError(
                breach.code,
                "{given} tiles {face} were read, but the game has {allowed}: correct with --set "
                "what is really something else, such as {places}, stadtblick read PHOTO shows "
                "what was read",
                reading.photo_name,
                given=values["given"],
                face=face.value,
                allowed=values["allowed"],
                places=_places_of(face, reading),
            )
        if breach.code == SharedBreach.PLAYER_COUNT.code and reading.unread:
            return UsageError(
                breach.code,
                "names: {given}, players: {players}, and {cities} ({places}): take the photo "
                "again, or name those of the cities read",
                "--players",
                given=values["given"],
                players=values["players"],
                cities=CountedMessage(
                    *NN_("{n} city was not read", "{n} cities were not read"), len(reading.unread)
                ),
                places=unread_positions(reading),
            )
        return None

    def tie_break(self, sheet: ScoreSheet, seat: int) -> str:
        names = [shown_name(player.name) for player in sheet.players]
        tie = sheet.players[seat].tie_break
        return "" if tie is None else tie_break_sentence(tie, names)

    has_separate_cities = True
    most_points = 80
    """No tile is worth more than 5."""

    def contribution(self, table: Table, grid: int) -> CityContribution | None:
        """Return the points without factories, and the tiles by type."""
        return city_contribution(table.cities[grid])

    def rank_contributions(  # type: ignore[override]
        self, table: Table, contributions: Sequence[CityContribution]
    ) -> Outcome | None:
        """Rank the factories first, then the players."""
        return rank_contributions(table, contributions)

    def final_scores(self, table: Table, totals: Sequence[int]) -> tuple[int, ...]:
        """Return the points of the lower city of each player; with two players of both."""
        return final_scores(table, totals)

    def score_may_change(self, scan: Scan, grid: int) -> bool:
        """Return whether a city may change, by its own tiles or by factories elsewhere."""
        from firmware.games.between_two_cities.open_points import total_may_change

        return total_may_change(scan.doubts, grid, faces_of(scan.reading.grids[grid]))

    def parse_owners(self, text: str, options: ScoringOptions) -> tuple[int, ...]:
        """Parse the owners of the cities, as ``0,1,1,0``; for two players only."""
        if Variant(options.variant) is not Variant.TWO_PLAYER:
            raise UsageError(
                "usage",
                "--owners is for two players: add --variant {variant}",
                "--owners",
                variant=Variant.TWO_PLAYER.value,
            )
        owners = text.replace(" ", "")
        if _OWNERS.fullmatch(owners) is None or owners.count("0") != 2:
            raise UsageError(
                "owners-malformed",
                "these are no owners of four cities: write the player, 0 or 1, who owns A, B, C "
                "and D, two each, like 0,1,1,0",
                as_typed("--owners", text),
            )
        return tuple(map(int, owners.split(",")))

    def player_count(self, grids: int, options: ScoringOptions) -> int:
        """Return the number of players: as many as cities, unless two share four."""
        return 2 if Variant(options.variant) is Variant.TWO_PLAYER else grids

    def owner_choices(self, scan: Scan) -> tuple[tuple[int, ...], ...]:
        """List all ways to share four cities between two players, if the owners are unknown."""
        if all(each.note.code != TwoPlayerNote.OWNERS_ASSUMED for each in scan.findings):
            return ()
        cities = range(len(DEFAULT_OWNERS))
        of_first = sorted(
            combinations(cities, 2), key=lambda own: any(DEFAULT_OWNERS[city] for city in own)
        )
        return tuple(tuple(int(city not in own) for city in cities) for own in of_first)

    def badges(self, scan: Scan) -> tuple[str, ...]:
        names = [city_name(index) for index in range(len(scan.reading.grids))]
        if scan.sheet is None:
            return tuple(names)
        return tuple(
            f"{name} {scan.shown_city_points(n, scan.sheet.cities[n].total)}"
            for n, name in enumerate(names)
        )

    def label(self, face: str) -> str:
        return self.face_name(face)

    def full_name(self, face: str) -> str:
        """Return the name with what a tavern offers."""
        return full_face_name(_FACES[face]) if face in _FACES else face

    def name_in_cell(self, face: str) -> str:
        return self.full_name(face)

    def better_json(self, table: Table) -> list[Json]:
        from firmware.games.between_two_cities.json_forms import better_json

        found: list[Json] = to_plain(better_json(table))
        return found

    def better_words(self, city: Json) -> Sequence[str]:
        return better_sentences(city)

    def print_better(self, console: Console, table: Table) -> None:
        from firmware.games.between_two_cities.text import print_better

        print_better(console, self.better_json(table))

    @property
    def signs(self) -> Mapping[str, Bitmap]:
        return SIGNS

    def further_views(self, scan: Scan) -> Sequence[ResultView]:
        from firmware.games.between_two_cities.views import city_views

        return city_views(scan)

    def finding_view(self, scan: Scan, note: Note) -> ResultView | None:
        from firmware.games.between_two_cities.views import owners_view

        return owners_view(scan) if note.code == TwoPlayerNote.OWNERS_ASSUMED else None

    def change_views(self, before: Scan, after: Scan) -> tuple[ResultView, ...]:
        from firmware.games.between_two_cities.views import change_views

        return change_views(before, after)

    @property
    def _json_forms(self) -> JsonFormsModule:
        from firmware.games.between_two_cities import json_forms

        return json_forms

    @property
    def _text(self) -> TextModule:
        from firmware.games.between_two_cities import text

        return text

    @property
    def _views(self) -> ViewsModule:
        from firmware.games.between_two_cities import views

        return views

    @property
    def _printables(self) -> PrintablesModule:
        from firmware.games.between_two_cities import printables

        return printables


GAME: Final = BetweenTwoCities()


def faces_of(grid: GridReading) -> Grid:
    """Return the tiles of a city; None: no tile, or none that the rules know."""
    return tuple(tuple(_FACES.get(name or "") for name in row) for row in grid.faces)


def _owners(reading: Reading, options: ScoringOptions) -> tuple[int, ...] | None:
    return options.owners if options.owners is not None else _owners_shown(reading)


def _owners_shown(reading: Reading) -> tuple[int, ...] | None:
    """Return the owner of each of four cities by the way it faces; player 0 owns the first.

    Rulebook, "Zwei-Spieler Variante": the two cities of a player lie upright for that player.
    None: they do not show it, or are not four.
    """
    if len(reading.grids) != CITY_COUNTS[Variant.TWO_PLAYER][0] or reading.join is not None:
        return None  # photos from different sides do not show it
    up = [_up_direction(city) for city in reading.grids]
    agreement: Mapping[tuple[int, ...], float] = {
        owners: sum(
            (up[a] * up[b].conjugate()).real
            for a, b in combinations(range(4), 2)
            if owners[a] == owners[b]
        )
        for owners in ((0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0))
    }
    second, best = sorted(agreement, key=agreement.__getitem__)[1:]
    return None if agreement[best] - agreement[second] < _MIN_LEAD else best


def _up_direction(city: GridReading) -> complex:
    """Return the up direction of a city in the photo as a complex number of length 1."""
    top_left, top_right, bottom_right, bottom_left = (
        complex(*corner) for corner in city.corners_px
    )
    up = top_left + top_right - bottom_left - bottom_right
    return up / (abs(up) or 1.0)


def _places_of(face: Face, reading: Reading) -> str:
    """Return the places of a face in words, the least certain first; unsure ones with a ``?``."""
    doubt = {
        (index, (row, column)): ((row, column) not in city.unsure, city.confidence[row][column])
        for index, city in enumerate(reading.grids)
        for (row, column), found in faces_in(city)
        if found == face
    }
    places = sorted(doubt, key=doubt.__getitem__)
    named = [
        f"{cell_name(city_name(index), cell)}{'' if doubt[index, cell][0] else '?'}"
        for index, cell in places[:_MAX_PLACES]
    ]
    more = len(places) - len(named)
    return "; ".join(named) + (_(" and {n} more").format(n=more) if more else "")
