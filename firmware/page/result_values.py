"""Values of results for the templates, in the language of the response.

``firmware.page.result_overview`` adds the overview of a result and the pictures of answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any, Final
from zlib import crc32

from rich.console import Console

from firmware.appliance.result import Result, answers_to_offer
from firmware.base.language import _, format_month
from firmware.games.doubts import DoubtfulPlace, guesses_at
from firmware.games.player_words import shown_name
from firmware.games.registry import game_or_unscored
from firmware.games.scan import Scan
from firmware.games.scores import PointReason
from firmware.history import ScanRecord, StoredScan
from firmware.history.stored_sheet import parse_results, summarize_winners
from firmware.history.text import best_sentence
from firmware.report.points_table import headline, points_table, stored_points_table
from firmware.scan.corrections import has_place, parse_place, places_beside
from firmware.scan.outlines import place_outline
from firmware.screens import words
from firmware.screens.question_views import FaceGroup, SpecialAnswer
from firmware.wording.notes import notes_to_read
from firmware.wording.places import short_block, short_cells
from firmware.wording.problem_text import translate
from scoring.faces import city_name
from vision.reading import GridReading, NoteCode, Place, PlaceKind

MAX_OTHERS: Final = 3
"""Number of players besides the winners in a line of the list."""
_TEXT_COLUMNS: Final = 48
"""Width of a sheet that is shown as text."""


def picture_version(result: Result) -> str:
    """Return a text that changes with the pictures of a result; two cities may become one."""
    return f"{result.result_id}-{len(result.reading_to_correct.grids)}"


def place_id(place: Place, scan: Scan) -> str:
    """Return a place as it stands in an address: ``A:3,4``, as in a correction."""
    return scan.naming.written_place(place)


def find_place(text: str, scan: Scan) -> Place | None:
    """Return the place that an address means; None if the scan has no such place."""
    place = parse_place(text, scan.description)
    is_there = place is not None and has_place(scan.reading, scan.description, place)
    return place if is_there else None


def place_name(place: Place, scan: Scan) -> str:
    """Return a place in words."""
    return scan.naming.place(place)


def piece_name(game: str, face: str | None, kind: PlaceKind = PlaceKind.TILE) -> str:
    """Return a face or kind of figure in words; for None the words for nothing."""
    return str(words.NOTHING[kind]) if face is None else game_or_unscored(game).full_name(face)


@dataclass(frozen=True, slots=True)
class CellOnPage:
    """Cell of a grid.

    Attributes:
        id: Place as it stands in an address.
        label: Content in a few letters.
        description: Place and content in words; empty if the label has the whole content.
        unsure: True if a person has to look.
        corrected: True if a person has corrected it.
        figure: Kind of the figure that stands on it, in words; empty if there is none.
    """

    id: str
    label: str
    description: str
    unsure: bool
    corrected: bool
    figure: str


@dataclass(frozen=True, slots=True)
class PlaceChoice:
    """Content that a person may choose for a place.

    Attributes:
        value: Value in the form.
        content: Content in words.
        now: True if the sheet has this content.
    """

    value: str
    content: str
    now: bool


NOTHING: Final = "none"
LATER: Final = "later"


def sheet_values(result: Result) -> dict[str, Any]:
    """Return the values of the page of a result."""
    scan = result.corrected_scan
    grids = len(scan.reading.grids)
    badges = ("",) * grids if scan.game is None else scan.game.badges(scan)
    page_values: dict[str, Any] = {
        "game": _(game_or_unscored(result.game_id).title),
        "edition": scan.edition_line,
        "shows_unknown_tiles": any(note.code == NoteCode.OTHER_EDITION for note in scan.notes),
        "table": result.result_id,
        "picture_version": picture_version(result),
        "annotated_version": f"{result.result_id}-{crc32(repr(result.given_answers).encode()):x}",
        "crowded": _crowded_grids(scan),
        "doubts": [_doubt(doubt, scan) for doubt in scan.doubts.listed if not doubt.is_missing],
        "missing": [place_name(each.place, scan) for each in scan.doubts.missing_places],
        "unread": [scan.sentence(each.reason) for each in scan.doubts.unread],
        "notes": scan.note_sentences,
        "grids": [
            _grid(index, grid, badge, result, scan)
            for index, (grid, badge) in enumerate(zip(scan.reading.grids, badges, strict=True))
        ],
        "owners": [
            {"value": ",".join(map(str, choice)), "label": _owners_label(choice)}
            for choice in result.owner_choices
        ],
        "has_picture": result.photo is not None,
        "fault": None,
        "unsaved": result.save_problem is not None,
        "trial": result.trial,
        "seq": result.seq,
        "again": same_table_values(result),
        "bests": [best_sentence(each, result.game_id) for each in result.new_bests],
        "has_best_arrangements": False,
        "points": None,
    }
    scored = result.scan
    if scored is None:
        page_values["fault"] = translate(result.scan_or_problem.message)  # type: ignore[union-attr]
        return page_values
    if scored.sheet is None or scored.game is None:
        return page_values
    scored_values = {
        "headline": headline(scored),
        "has_best_arrangements": scored.game.has_best_arrangements,
    }
    return page_values | {"points": points_table(scored)} | scored_values


def _crowded_grids(scan: Scan) -> list[dict[str, Any]]:
    """Return the grids with too many unsure tiles to list each, with reasons and cells."""
    alone = replace(scan.naming, lettered=False)
    entries = []
    for index, cells in scan.doubts.crowded.items():
        grid = scan.reading.grids[index]
        entries.append(
            {
                "index": index,
                "why": [
                    scan.sentence(note, alone)
                    for note in notes_to_read(each.in_grid(index) for each in grid.notes)
                ],
                "places": short_block(cells, grid.size),
                "letter": city_name(index) if scan.naming.lettered else "",
            }
        )
    return entries


def same_table_values(result: Result) -> dict[str, Any] | None:
    """Return whether the table was scanned before; None if it is new.

    Returns:
        ``certain``: True if its game was updated, False if a person is asked; ``scan``: number of
        that game in the history, None if it is not stored.
    """
    earlier = result.possible_earlier or result.earlier
    if earlier is None:
        return None
    return {"certain": result.possible_earlier is None, "scan": earlier.seq}


def reason_values(result: Result) -> dict[str, Any]:
    """Return the reasons of all points by city, or as text for games without city points."""
    scan = result.scan
    if scan is None or scan.sheet is None or scan.game is None:
        return {"cities": [], "players": [], "text": ""}
    cities = [
        (
            city.name,
            scan.shown_city_points(index, city.total),
            [_reason(each, result.game_id) for each in city.reasons],
        )
        for index, city in enumerate(scan.game.city_points(scan.sheet))
        if city.reasons
    ]
    players = points_table(scan).players if cities else ()
    return {"cities": cities, "players": players, "text": "" if cities else _as_text(scan)}


def better_values(result: Result) -> list[dict[str, Any]]:
    """Return what the tiles of each city could have scored; empty if that is not known."""
    scan = result.scan
    if scan is None or scan.sheet is None or scan.game is None:
        return []
    game = scan.game
    if not game.has_best_arrangements:
        return []
    return [
        {
            "name": city["name"],
            "sentences": game.better_words(city),
            "rows": [
                ["" if face is None else game.name_in_cell(face) for face in row]
                for row in city["grid"]
            ],
            "is_better": city["total"] > city["given"],
        }
        for city in game.better_json(scan.table)
    ]


def _reason(reason: PointReason, game: str) -> dict[str, Any]:
    return {
        "points": reason.points,
        "part": game_or_unscored(game).part_name(reason.part),
        "text": reason.text,
        "cells": short_cells(reason.cells),
    }


def _as_text(scan: Scan) -> str:
    """Return the sheet with all reasons as the terminal prints it; takes a moment."""
    console = Console(file=StringIO(), width=_TEXT_COLUMNS, color_system=None)
    assert scan.game is not None  # noqa: S101 - it was scored
    scan.game.print_score_sheet(
        console, scan.sheet, scan.table, scan.all_doubts, scan.shown_numbers, reasons=True
    )
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def _doubt(doubt: DoubtfulPlace, scan: Scan) -> dict[str, Any]:
    game, kind = scan.reading.game, doubt.place.kind
    others = [piece_name(game, each, kind) for each in doubt.alternatives]
    return {
        "id": place_id(doubt.place, scan),
        "place": place_name(doubt.place, scan),
        "read": piece_name(game, doubt.read, kind),
        "others": others,
        "is_seen": place_outline(scan.reading, scan.description, doubt.place) is not None,
    }


def _grid(index: int, grid: GridReading, badge: str, result: Result, scan: Scan) -> dict[str, Any]:
    corrected = {each.place for each in result.corrections}
    beside = [
        _beside(Place(PlaceKind.LOOSE, index, (name, number)), grid, scan)
        for name, count in places_beside(grid, scan.description).items()
        for number in range(count)
    ]
    lettered = scan.naming.lettered
    return {
        "index": index,
        "name": city_name(index) if lettered else "",
        "total": badge.removeprefix(city_name(index)).strip() if lettered else badge,
        "size": grid.size,
        "unsure": bool(grid.unsure or grid.unsure_figures),
        "rows": [
            [
                _cell(Place(PlaceKind.TILE, index, (row, column)), grid, scan, corrected)
                for column in range(grid.size[1])
            ]
            for row in range(grid.size[0])
        ],
        "beside": beside,
    }


def _cell(place: Place, grid: GridReading, scan: Scan, corrected: set[Place]) -> CellOnPage:
    game, face = scan.reading.game, grid.face(place.cell)
    figure = grid.figure(place.cell)
    unsure = place.cell in grid.unsure or place.cell in grid.unsure_figures
    name = piece_name(game, face)
    in_short = face or ""
    if scan.game is not None and face is not None:
        in_short = scan.game.name_in_cell(face)
    stands = "" if figure is None else game_or_unscored(game).face_name(figure.kind)
    description = ", ".join(filter(None, (place_name(place, scan), name, stands)))
    doubt = _("not sure")
    description = f"{description}, {doubt}" if unsure else description
    if in_short == name and figure is None:
        description = ""
    return CellOnPage(
        place_id(place, scan), in_short, description, unsure, place in corrected, stands
    )


def _beside(place: Place, grid: GridReading, scan: Scan) -> dict[str, Any]:
    piece = grid.piece(place.piece)
    return {
        "id": place_id(place, scan),
        "place": place_name(place, scan),
        "read": piece_name(scan.reading.game, piece.face if piece else None, place.kind),
        "unsure": place.piece in grid.unsure_slots or (piece is not None and piece.unsure),
    }


def _owners_label(choice: Sequence[int]) -> str:
    shares = (
        "".join(city_name(city) for city, owner in enumerate(choice) if owner == player)
        for player in range(max(choice) + 1)
    )
    return " · ".join(shares)


def place_values(result: Result, place: Place) -> dict[str, Any]:
    """Return the values of the page of a place."""
    scan = result.corrected_scan
    grid, game = scan.reading.grids[place.grid], result.game_id
    now = guesses_at(grid, place)[0]
    return {
        "id": place_id(place, scan),
        "place": place_name(place, scan),
        "now": piece_name(game, now, place.kind),
        "unsure": place in result.open_places,
        "corrected": any(each.place == place for each in result.corrections),
        "likely": [_choice(each, place, result, now) for each in _likely(result, place)],
        "others": [_choice(each, place, result, now) for each in _unlikely(result, place)],
        "reasons": _reasons(result, place),
        "figure": _figure_there(place, grid, scan),
        "table": result.result_id,
        "picture_version": picture_version(result),
        "has_picture": result.photo is not None,
        "is_seen": place_outline(scan.reading, scan.description, place) is not None,
    }


def _figure_there(place: Place, grid: GridReading, scan: Scan) -> dict[str, str] | None:
    """Return the link to the figure on the same cell; None in games without figures."""
    if place.kind is not PlaceKind.TILE or not scan.description.tokens:
        return None
    on_it = Place(PlaceKind.FIGURE, place.grid, place.cell)
    figure = grid.figure(place.cell)
    name = piece_name(scan.reading.game, None if figure is None else figure.kind, on_it.kind)
    return {"id": place_id(on_it, scan), "name": name}


def _choices(result: Result, place: Place) -> list[str | SpecialAnswer]:
    """Return all possible answers, the likeliest first; groups of faces are resolved to faces."""
    found: list[str | SpecialAnswer] = []
    for each in answers_to_offer(result, place):
        faces = (
            answers_to_offer(result, place, each.name) if isinstance(each, FaceGroup) else (each,)
        )
        found += [answer for answer in faces if not isinstance(answer, FaceGroup)]
    return list(dict.fromkeys(found))


def _likely(result: Result, place: Place) -> list[str | SpecialAnswer]:
    guesses = guesses_at(result.corrected_scan.reading.grids[place.grid], place)
    seen = guesses_at(result.eye_reading.grids[place.grid], place)
    wanted = [SpecialAnswer.NO_TILE if each is None else each for each in (*guesses, *seen)]
    return [
        each for each in _choices(result, place) if each in wanted or each is SpecialAnswer.LATER
    ]


def _unlikely(result: Result, place: Place) -> list[str | SpecialAnswer]:
    likely = _likely(result, place)
    return [each for each in _choices(result, place) if each not in likely]


def _choice(
    answer: str | SpecialAnswer, place: Place, result: Result, now: str | None
) -> PlaceChoice:
    value = _value(answer)
    if answer is SpecialAnswer.LATER:
        return PlaceChoice(value, _("leave it open"), now=False)
    face = None if isinstance(answer, SpecialAnswer) else answer
    return PlaceChoice(value, piece_name(result.game_id, face, place.kind), now=now == face)


def parse_choice(text: str, result: Result, place: Place) -> str | SpecialAnswer | None:
    """Return the content that a form chooses for a place; None if it cannot be chosen."""
    for answer in _choices(result, place):
        if _value(answer) == text:
            return answer
    return None


def _value(answer: str | SpecialAnswer) -> str:
    """Return the value of a choice in a form."""
    if isinstance(answer, SpecialAnswer):
        return LATER if answer is SpecialAnswer.LATER else NOTHING
    return answer


def _reasons(result: Result, place: Place) -> list[dict[str, Any]]:
    """Return the points that a cell of a city takes part in."""
    scan = result.scan
    if scan is None or scan.game is None or scan.sheet is None or place.kind is not PlaceKind.TILE:
        return []
    cities = scan.game.city_points(scan.sheet)
    reasons = cities[place.grid].reasons if place.grid < len(cities) else ()
    return [_reason(each, result.game_id) for each in reasons if place.cell in each.cells]


def past_game_values(scan: StoredScan) -> dict[str, Any]:
    """Return the values of a stored scan in the list."""
    record = scan.record
    victory, results = summarize_winners(record.sheet), parse_results(record.sheet)
    first = [one for seat, one in enumerate(results) if one.won or seat in victory.contenders]
    others = sorted((one for one in results if one not in first), key=lambda one: one.rank)
    names, points = victory.list_entry
    before = record.before_correction
    shown = [
        f"{shown_name(one.name)} {victory.shown_numbers.final(results.index(one), one.points)}"
        for one in others[:MAX_OTHERS]
    ]
    return {
        "month": format_month(scan.at.utc.astimezone()) if scan.at.known else "",
        "day": scan.at.day if scan.at.known else "",
        "players": len(results),
        "others": " · ".join(shown) + (" …" if len(others) > MAX_OTHERS else ""),
        "open_count": victory.open_count,
        "is_corrected": before is not None,
        "seq": scan.seq,
        "when": str(scan.at),
        "game": _(game_or_unscored(record.game).title),
        "winners": names,
        "points": points,
        "photo": record.photo,
        "before_correction": "" if before is None else str(summarize_winners(before["sheet"])),
    }


def past_sheet_values(record: ScanRecord) -> dict[str, Any]:
    """Return the values of the page of a stored scan that cannot be read any more."""
    return {"points": stored_points_table(record)}
