"""Cities: from the tiles and tourists that were read to the cities scored."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from firmware.base.language import D_, N_, Phrase
from firmware.games.cities.words import CATEGORY_NAMES, FACE_WORDS, tie_break_sentence
from firmware.games.edition_check import EditionRequirements
from firmware.games.findings import Finding, make_finding, unknown_faces
from firmware.games.game import Game, JsonFormsModule, PrintablesModule, TextModule, ViewsModule
from firmware.games.player_words import colour_of_figure, shown_name, stored_name_of_colour
from firmware.games.scan import Scan
from firmware.games.scoring_options import ScoringOptions
from firmware.wording.notes import GameNote
from scoring.areas import empty_cells_of_grids
from scoring.faces import Cell, CityCell, Field, city_name
from scoring.games.cities import NAME
from scoring.games.cities.contributions import (
    CityContribution,
    city_contribution,
    rank_contributions,
)
from scoring.games.cities.notation import LETTER_OF_FIELD
from scoring.games.cities.score_sheet import ScoreSheet
from scoring.games.cities.table import TOURISTS_PER_PLAYER, City, Fields, Table
from scoring.outcome import Outcome
from vision.editions.description import Description
from vision.reading import Figure, GridReading, Place, PlaceKind, Reading
from vision.teaching.layout import Layout, make_rows

_FIELDS: Final = {field.value: field for field in Field}


class CitiesNote(GameNote):
    """Notes of the rules: rulebook, "Spielmaterial" and "Spielablauf"."""

    TILE_TWICE = (
        "tile-twice",
        N_("{names} was read more than once in city {city}: check the tiles at {places}"),
        D_("A tile number was read twice: one is wrong"),
    )
    TILES_DIFFER = (
        "tiles-differ",
        N_(
            "not all cities have {names}, though all are built of the same 16 numbers: "
            "check the tiles at {places}"
        ),
        D_("Not all cities have the same 16 tiles: check these"),
    )
    ON_WATER = (
        "on-water",
        N_("tourists cannot stand on water: scored without {places}"),
        D_("A tourist on water does not count: check it"),
    )
    NO_FIELD = (
        "no-field",
        N_("tourists where no tile was read, worth nothing: check {places}"),
        D_("A tourist stands where no tile was read"),
    )
    COLOURS_MIXED = (
        "colours-mixed",
        N_("tourists of more than one colour in city {city} ({names}): check {places}"),
        D_("Tourists of several colours: check them"),
    )
    TOO_MANY_TOURISTS = (
        "too-many-tourists",
        N_("{count} tourists in city {city}, but a player has 7: scored with 7 of them"),
        D_("More than 7 tourists: 7 of them are scored"),
    )


class Cities(Game):
    """The game in which everybody builds an own city and sends tourists into it."""

    name = NAME
    title = N_("Cities")
    bgg_title = "Cities"
    named_seats = 4
    requirements = EditionRequirements(
        (8, 8),
        (2, 2),
        has_board=False,
        faces=re.compile(r"tile-(?:[1-9]|1\d|2[0-4])"),
        cells=frozenset(("sight", "cafe", "park", "water")),
    )
    notes = CitiesNote
    face_words: ClassVar[Mapping[str, Phrase]] = FACE_WORDS
    part_words: ClassVar[Mapping[str, Phrase]] = CATEGORY_NAMES
    print_help: ClassVar[Mapping[str, str]] = {
        "sets": N_("sets of 24 tiles, one for each player, 1 to 4 (default: 2)")
    }

    def arrangements(self, description: Description) -> Mapping[str, Layout]:
        """Return all tiles, six in a row."""
        return {"tiles": make_rows([face.name for face in description.faces], 6)}

    def list_findings(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Sequence[Finding]:
        return (
            *unknown_faces(reading, _FIELDS.__contains__),
            *_repeated_tiles(reading, description),
            *_differing_tiles(reading, description),
            *(
                found
                for index, grid in enumerate(reading.grids)
                for found in _tourist_findings(index, grid)
            ),
        )

    def table_from_reading(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Table:
        """Return the cities in their order; a player is called by the colour of the tourists."""
        names = _colour_names(reading.grids) if options.players is None else options.players
        cities = tuple(City(_fields_of(grid), _scored_tourists(grid)) for grid in reading.grids)
        return Table(cities, options.level, names)

    def missing_cells(self, table: Table) -> Sequence[CityCell]:
        """Return the cells without a field: a city is full at the end."""
        return empty_cells_of_grids(city.fields for city in table.cities)

    def tie_break(self, sheet: ScoreSheet, seat: int) -> str:
        names = [shown_name(player.name) for player in sheet.players]
        tie = sheet.players[seat].tie_break
        return "" if tie is None else tie_break_sentence(tie, names)

    has_separate_cities = True

    def contribution(self, table: Table, grid: int) -> CityContribution | None:
        return city_contribution(table.cities[grid], table.level)

    def rank_contributions(  # type: ignore[override]
        self, table: Table, contributions: Sequence[CityContribution]
    ) -> Outcome:
        return rank_contributions(contributions)

    def final_scores(self, table: Table, totals: Sequence[int]) -> tuple[int, ...]:
        """Return the points of the cities: each player has one."""
        return tuple(totals)

    def badges(self, scan: Scan) -> tuple[str, ...]:
        if scan.sheet is None:
            return super().badges(scan)
        return tuple(
            f"{city_name(n)} {shown_name(player.name)} {scan.shown_numbers.final(n, player.final)}"
            for n, player in enumerate(scan.sheet.players)
        )

    def label(self, face: str) -> str:
        return LETTER_OF_FIELD[_FIELDS[face]] if face in _FIELDS else face

    @property
    def _json_forms(self) -> JsonFormsModule:
        from firmware.games.cities import json_forms

        return json_forms

    @property
    def _text(self) -> TextModule:
        from firmware.games.cities import text

        return text

    @property
    def _views(self) -> ViewsModule:
        from firmware.games.cities import views

        return views

    @property
    def _printables(self) -> PrintablesModule:
        from firmware.games.cities import printables

        return printables


GAME: Final = Cities()


def _fields_of(grid: GridReading) -> Fields:
    """Return the field of each cell; None where nothing lies or the rules do not know it."""
    return tuple(tuple(_FIELDS.get(name or "") for name in row) for row in grid.faces)


def _main_colour(grid: GridReading) -> str | None:
    """Return the colour of most tourists of a city; None if there are none."""
    kinds = Counter(figure.kind for figure in grid.figures)
    return colour_of_figure(kinds.most_common(1)[0][0]) if kinds else None


def _colour_names(grids: Sequence[GridReading]) -> tuple[str, ...] | None:
    """Return the names of the players; with several sets a colour may be there twice."""
    colours = [_main_colour(grid) for grid in grids]
    if not any(colours):
        return None
    names = []
    for index, colour in enumerate(colours):
        name = f"P{index + 1}" if colour is None else stored_name_of_colour(colour)
        names.append(f"{name} {city_name(index)}" if colours.count(colour) > 1 and colour else name)
    return tuple(names)


def _scored_tourists(grid: GridReading) -> tuple[Cell, ...]:
    """Return at most seven tourists on fields where they may stand, the certain ones first."""
    colour = _main_colour(grid)

    def doubtful(figure: Figure) -> tuple[bool, bool, Cell]:
        return figure.at in grid.unsure_figures, colour_of_figure(figure.kind) != colour, figure.at

    ashore = [figure for figure in grid.figures if not _is_on_water(grid, figure.at)]
    cells = dict.fromkeys(figure.at for figure in sorted(ashore, key=doubtful))
    return tuple(sorted(list(cells)[:TOURISTS_PER_PLAYER]))


def _is_on_water(grid: GridReading, cell: Cell) -> bool:
    return grid.faces[cell[0]][cell[1]] == Field.WATER.value


def _fields_of_tile(index: int, tile: Cell, description: Description) -> tuple[Place, ...]:
    height, width = description.tile_cells
    top, left = tile[0] * height, tile[1] * width
    return tuple(
        Place(PlaceKind.TILE, index, (top + row, left + column))
        for row in range(height)
        for column in range(width)
    )


def _tiles(grid: GridReading) -> dict[str, list[Cell]]:
    """Return the places of each tile by its number."""
    found: dict[str, list[Cell]] = {}
    for row, names in enumerate(grid.tiles):
        for column, name in enumerate(names):
            if name is not None:
                found.setdefault(name, []).append((row, column))
    return found


def _tile_finding(
    code: CitiesNote,
    names: Sequence[str],
    tiles: Sequence[tuple[int, Cell]],
    description: Description,
    city: int | None = None,
) -> Finding:
    """Return a finding on tiles: all their fields are unsure, the first of each is named."""
    fields = [_fields_of_tile(index, at, description) for index, at in tiles]
    places = [place for of_tile in fields for place in of_tile]
    first = [of_tile[0] for of_tile in fields]
    return make_finding(code, places, named=first, grid=city, names=", ".join(names))


def _repeated_tiles(reading: Reading, description: Description) -> Iterator[Finding]:
    for index, grid in enumerate(reading.grids):
        for name, places in _tiles(grid).items():
            if len(places) > 1:
                tiles = [(index, at) for at in places]
                yield _tile_finding(CitiesNote.TILE_TWICE, (name,), tiles, description, index)


def _differing_tiles(reading: Reading, description: Description) -> Iterator[Finding]:
    """Yield findings on tiles that no more cities have than full ones lack; others may hide them.

    Rulebook, "Aktion 3": when a tile is drawn, all players lay their own of the same number.
    """
    tiles = [_tiles(grid) for grid in reading.grids]
    full = [all(None not in row for row in grid.tiles) for grid in reading.grids]
    odd: dict[str, list[tuple[int, Cell]]] = {}
    for name in sorted({name for each in tiles for name in each}, key=_by_number):
        having = [index for index, each in enumerate(tiles) if name in each]
        lacking = sum(full[index] and name not in each for index, each in enumerate(tiles))
        if lacking >= len(having):
            odd[name] = [(index, at) for index in having for at in tiles[index][name]]
    if odd:
        places = [place for of_name in odd.values() for place in of_name]
        yield _tile_finding(CitiesNote.TILES_DIFFER, list(odd), places, description)


def _by_number(name: str) -> tuple[int, str]:
    number = name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0, name


def _tourist_findings(index: int, grid: GridReading) -> Iterator[Finding]:
    def places(cells: Sequence[Cell]) -> tuple[Place, ...]:
        return tuple(Place(PlaceKind.FIGURE, index, cell) for cell in cells)

    wet = [figure.at for figure in grid.figures if _is_on_water(grid, figure.at)]
    if wet:
        yield make_finding(CitiesNote.ON_WATER, places(wet), grid=index)
    nowhere = [figure.at for figure in grid.figures if grid.face(figure.at) is None]
    if nowhere:
        yield make_finding(CitiesNote.NO_FIELD, places(nowhere), grid=index)
    colour = _main_colour(grid)
    others = [figure.at for figure in grid.figures if colour_of_figure(figure.kind) != colour]
    if others:
        kinds = dict.fromkeys(figure.kind for figure in grid.figures)
        yield make_finding(
            CitiesNote.COLOURS_MIXED, places(others), grid=index, names=", ".join(kinds)
        )
    standing = {figure.at for figure in grid.figures}
    if len(standing) > TOURISTS_PER_PLAYER:
        yield make_finding(
            CitiesNote.TOO_MANY_TOURISTS, places(sorted(standing)), grid=index, count=len(standing)
        )
