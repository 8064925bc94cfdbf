"""Scans of every game whose result is shown: usual ones, and those with the longest values."""

from dataclasses import replace

from firmware.games.scan import Scan
from firmware.games.scoring_options import ScoringOptions
from firmware.scan.make_scan import make_scan
from firmware.wording.ranges import Range, Ranges
from scoring.games.between_two_cities.score_sheet import Points, TieBreaker
from scoring.games.city_blocks.table import PlayerTiles
from scoring.ranking import TieBreak
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    DICE_BOARD,
    FULL_BOARD,
    READING_ONLY,
    blocks,
    cards,
    city,
    grid_reading,
    piece,
    reading,
    sign,
    slots,
)
from tests.firmware.samples import example, scored, with_sheet
from vision.reading import Note, NoteCode

LONGEST_NAME = "Wilhelmine-Antonia"
"""Name of 18 letters, the most that every screen shows whole."""


def cities_scan(**further: object) -> Scan:
    first = city(
        tourists={(0, 0): "red", (2, 2): "red", (0, 5): "red"},
        unsure=tuple((7, column) for column in range(8)),
        unsure_figures=((6, 1),),
    )
    second = city("." * 8 + "/" + "/".join(["SSCCPPWW"] * 7), {(1, 0): "blue"}, position=1)
    seen = reading(CITIES, first, second, **further)
    return make_scan(seen, CITIES, options=ScoringOptions(level=2))


def blocks_scan(*beside: object, text: str = FULL_BOARD) -> Scan:
    return make_scan(reading(CITY_BLOCKS, blocks(text, *beside)), CITY_BLOCKS)


def dice_scan() -> Scan:
    laid = [*sign(4, 4, "red-bakery"), *sign(0, 0, "red-theatre"), *sign(8, 0, "red-tramway")]
    laid += [(11, 11, "red-gasworks-nw", 0), *sign(8, 8, "blue-newspaper")[:2]]
    return make_scan(reading(DICE_BOARD, cards(*laid)), DICE_BOARD)


SCANS = {
    "cities": cities_scan(unread=[Note(NoteCode.CITY_UNREADABLE)]),
    "cities-alone": make_scan(reading(CITIES, city()), CITIES),
    "blocks": blocks_scan(*slots([7, 0, 15, 6, 1], [2, 4, 5, 8, 9, 10])),
    "collected": blocks_scan(piece("blue", 0, 7), piece("red", 0, 12), piece("row", 0, 3)),
    "dice": dice_scan(),
    "reading-only": make_scan(
        reading(READING_ONLY, grid_reading(READING_ONLY, [["sun", None, "moon"], ["sun"] * 3])),
        READING_ONLY,
    ),
}


def stretched(breaker: TieBreaker | None) -> Scan:
    """Seven players of Between Two Cities with all that a game can give, and more."""
    scan = scored(*["SSSF/EBMD/OOOF/PPPF"] * 7, unsure={0: ((0, 0),)})
    points, ranks = (Range(100, 119),) * 7, (Range(1, 7),) * 7
    ranges = Ranges((Range(47, 62),) * 7, points, ranks, tuple(range(7)), False, ())
    numbers = (None, None) if breaker is None else (168, 157)
    longest = {"name": LONGEST_NAME, "final": 168, "rank": 7}
    tie = TieBreak((1,), breaker, *numbers)
    return with_sheet(
        replace(scan, ranges=ranges),
        players=tuple(replace(each, **longest, tie_break=tie) for each in scan.sheet.players),
        cities=tuple(replace(city, points=Points(*[64] * 6)) for city in scan.sheet.cities),
    )


def _longest_tourists() -> Scan:
    scan = SCANS["cities"]
    one = scan.sheet.players[0].tourists[0]
    tourists = tuple(replace(one, points=points) for points in (64, 32, 16, 16, 15, 13, 12))
    longest = {"name": LONGEST_NAME, "final": 168, "tie_break": TieBreak((1,), 1, 64, 48)}
    players = scan.sheet.players
    return with_sheet(
        scan, players=tuple(replace(each, **longest, tourists=tourists) for each in players)
    )


def _longest_values() -> Scan:
    scan = SCANS["blocks"]
    tiles = tuple(range(15, 4, -1))
    totals = replace(scan.sheet.totals, blue=110, red=110)
    return with_sheet(scan, tiles=PlayerTiles(tiles, tiles), totals=totals)


def _longest_companies() -> Scan:
    scan = SCANS["dice"]
    names = {name: f"{LONGEST_NAME[:-1]}{n}" for n, (name, _) in enumerate(scan.sheet.totals)}
    return with_sheet(
        scan,
        companies=tuple(replace(each, player=names[each.player]) for each in scan.sheet.companies),
        totals=tuple((name, 168) for name in names.values()),
        winners=tuple(names.values()),
    )


LONGEST = {
    "between-two-cities": stretched(TieBreaker.HIGHER_CITY),
    "cities": _longest_tourists(),
    "city-blocks": _longest_values(),
    "dice-board": _longest_companies(),
    "example": example(),
}
