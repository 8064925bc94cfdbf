"""Views of a scan, and their pictures: winner, doubts, players, map, the game's own.

``firmware.screens.result_views`` has the types of the views. ``firmware.appliance.display_views``
adds hints, alerts and changes to them for the display of the appliance.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from firmware.base.language import Phrase
from firmware.games.game import Game
from firmware.games.registry import game_or_unscored
from firmware.games.scan import Scan
from firmware.screens import words
from firmware.screens.canvas import BODY_ROWS, WIDTH, Screen
from firmware.screens.draw_result import note_parts, split_standings
from firmware.screens.render import render
from firmware.screens.result_views import (
    MapView,
    NoteView,
    PlacesView,
    ResultView,
    Row,
    ScoreView,
    Standing,
    StandingsView,
    UnreadView,
    ViewNumber,
    WinnerView,
)
from firmware.screens.typeset import SMALLEST_WIDTH
from firmware.screens.view import CropAt, TableMap, Text, no_crop
from firmware.wording.notes import ABOUT_ONE_TILE, TEACH_IN_MENU, TEACH_ON_PHONE, remedy, short_note
from scoring.faces import city_name
from vision.editions.edition import STANDARD_EDITION
from vision.reading import Note, PlaceKind

_CHECKS: Final = {
    PlaceKind.TILE: words.CHECK_TILES,
    PlaceKind.FIGURE: words.CHECK_FIGURES,
    PlaceKind.LOOSE: words.CHECK_PIECES,
}
"""Titles of the lists of unsure places."""


def scan_screens(scan: Scan, crop_at: CropAt = no_crop) -> tuple[Screen, ...]:
    """Return all views of a scan as pictures, in their order.

    Args:
        scan: Scan that was scored, or of a game without rules.
        crop_at: Function that returns the picture of an unread region.

    Returns:
        ``winner``, without rules ``read``, ``standings``, then ``unread-1`` …, ``where-1`` …,
        ``note-1`` …, ``remark-1`` …, ``rough`` and ``check-1`` … if there is such a doubt, the
        views on each player, the best first, ``map`` where there is more than one city or board,
        what the game adds, and with rules ``edition``.
    """
    return tuple(map(render, scan_views(scan, crop_at)))


def scan_views(scan: Scan, crop_at: CropAt = no_crop) -> tuple[ResultView, ...]:
    """Return all views of a scan, in their order; numbered again if the appliance adds some.

    Args:
        scan: Scan that was scored, or of a game without rules.
        crop_at: Function that returns the picture of an unread region.
    """
    game = None if scan.sheet is None else scan.game
    table = TableMap.of(scan.reading)
    standings = (
        [] if game is None else sorted(game.player_standings(scan), key=lambda each: each.rank)
    )
    views: tuple[ResultView, ...] = (
        _read_view(scan) if game is None else _winner_view(game, scan),
        *_standings_views(standings),
        *remark_views(scan, crop_at),
        *(view for standing in standings for view in standing.views),
        *((MapView(table=table),) if table.is_worth_showing else ()),
        *(() if game is None else (*game.further_views(scan), _edition_view(scan))),
    )
    return tuple(
        replace(view, view_number=ViewNumber(number, len(views)), to_check=scan.doubt_count)
        for number, view in enumerate(views, start=1)
    )


def _winner_view(game: Game, scan: Scan) -> ResultView:
    """Return the view of the winner, or of all who can still win."""
    view, numbers = game.winner_view(scan), scan.shown_numbers
    if not isinstance(view, WinnerView) or view.title is not None:
        return view
    if not numbers.contenders:
        return replace(view, wins_anyway=numbers.wins_anyway)
    players = game.player_standings(scan)
    contenders = [players[seat] for seat in numbers.contenders]
    return replace(
        view,
        winners=tuple(each.name for each in contenders),
        open_points=tuple(each.views[0].points for each in contenders),
        tie=(),
    )


def _standings_views(standings: Sequence[Standing]) -> Iterator[StandingsView]:
    if len(standings) < 2:
        return
    for number, part in enumerate(split_standings(standings), start=1):
        yield StandingsView(
            name="standings" if number == 1 else f"standings-{number}", standings=part
        )


def remark_views(scan: Scan, crop_at: CropAt = no_crop) -> tuple[ResultView, ...]:
    """Return the remarks on a scan: views on unread regions, notes, findings and open places.

    Args:
        scan: Scan of the photo.
        crop_at: Function that returns the picture of an unread region.
    """
    return (
        *_unread_views(scan, crop_at),
        *_numbered("note", _note_texts(scan)),
        *_finding_views(scan),
        *_rough_views(scan),
        *_places_views(scan),
    )


def _numbered(name: str, texts: Iterable[tuple[tuple[Text, ...], Text]]) -> Iterator[NoteView]:
    parts = ((title, text, part) for title, text in texts for part in range(note_parts(text)))
    for number, (title, text, part) in enumerate(parts, start=1):
        yield NoteView(name=f"{name}-{number}", title=title, text=text, part=part)


def _short_text(scan: Scan, note: Note) -> Phrase | None:
    game = scan.game
    taught_here = game is not None and game.taught_on_device
    texts = {} if game is None else game.short_note_texts
    return short_note(note, {**texts, **(TEACH_IN_MENU if taught_here else TEACH_ON_PHONE)})


def _display_text(scan: Scan, note: Note) -> Text:
    """Return the display text of a note; without one its sentence."""
    plain = replace(scan.naming, lettered=False)
    return _short_text(scan, note) or scan.sentence(note, plain)


def _unread_views(scan: Scan, crop_at: CropAt) -> Iterator[ResultView]:
    """Yield views on why regions were not read, then on where they are."""
    unread = scan.doubts.unread
    title = words.UNREAD.fill(n=len(unread))
    if scan.description.board is not None:
        title = words.BOARD_UNREAD
    texts = dict.fromkeys(_display_text(scan, each.reason) for each in unread)
    yield from _numbered("unread", [((title,), text) for text in texts])
    for number, each in enumerate(unread, start=1):
        yield UnreadView(
            name=f"where-{number}",
            table=TableMap.of(scan.reading),
            index=number - 1,
            remedy=remedy(each.reason),
            crop=crop_at(each.corners_px),
        )


def _note_texts(scan: Scan) -> Iterator[tuple[tuple[Text, ...], Text]]:
    """Yield title and text of each note; cities with the same note share one."""
    texts: dict[object, tuple[Text, list[int]]] = {}
    for note in scan.reading.all_notes:
        if note.code in ABOUT_ONE_TILE:
            continue
        key = note.code if note.grid is not None and _short_text(scan, note) else note
        _first, grids = texts.setdefault(key, (_display_text(scan, note), []))
        grids += [] if note.grid is None else [note.grid]
    for text, grids in texts.values():
        yield _note_title(scan, grids, words.ABOUT_PHOTO), text


def _finding_views(scan: Scan) -> Iterator[ResultView]:
    """Yield a view for each kind of finding of the rules, with all its cities."""
    kinds: dict[object, tuple[Text, set[int]]] = {}
    for finding in scan.findings:
        note = finding.note
        own = None if scan.game is None else scan.game.finding_view(scan, note)
        if own is not None:
            yield own
            continue
        key = note.code if _short_text(scan, note) else note
        _first, grids = kinds.setdefault(key, (_display_text(scan, note), set()))
        grids.update(place.grid for place in (*finding.places, *note.places))
    texts = [
        (_note_title(scan, sorted(grids), words.ABOUT_RULES), text)
        for text, grids in kinds.values()
    ]
    yield from _numbered("remark", texts)


def _rough_views(scan: Scan) -> Iterator[NoteView]:
    """Yield a view that says that the ranges are only bounds."""
    if scan.sheet is not None and scan.shown_numbers.shows_bounds:
        yield NoteView(name="rough", title=(words.ROUGH_RANGES,), text=words.ROUGH_TEXT)


def _note_title(scan: Scan, grids: Sequence[int], otherwise: Phrase) -> tuple[Text, ...]:
    """Return the letters of the cities of a note as its title; ``otherwise`` without cities."""
    letters = [city_name(grid) for grid in grids] if scan.naming.lettered else []
    if not letters:
        return (otherwise,)
    if len(letters) == 1:
        return (words.CITY.fill(letter=letters[0]),)
    together = " ".join(letters)
    return words.CITIES.fill(letters=together), together


def _read_view(scan: Scan) -> ScoreView:
    """Return the view of a game without rules: edition and number of pieces read."""
    grids, description = scan.reading.grids, scan.description
    lying = sum(name is not None for grid in grids for row in grid.tiles for name in row)
    beside = sum(len(grid.loose) for grid in grids)
    places = description.tile_rows * description.tile_columns
    if description.board is not None and description.board.plots:
        places = len(description.board.plots)
    counts = [words.PIECES.fill(n=lying + beside)]
    empty = len(grids) * places - lying
    if empty:
        counts.append(words.EMPTY.fill(n=empty))
    return ScoreView(
        name="read",
        title=(words.READ,),
        rows=(Row((scan.reading.edition,)), *(Row((count,)) for count in counts)),
    )


def _edition_view(scan: Scan) -> ScoreView:
    """Return the view that names the edition."""
    name = scan.reading.edition
    shown = words.MenuWord.STANDARD_EDITION.value if name == STANDARD_EDITION else name
    return ScoreView(name="edition", title=(words.MenuWord.EDITION.value,), statement=shown)


def _places_views(scan: Scan) -> Iterator[PlacesView]:
    """Yield views that list the unsure places by kind, then the missing tiles."""
    doubts = scan.doubts
    is_whole_tile = scan.description.tile_cells == (1, 1)
    missing = words.TILES_MISSING if is_whole_tile else words.FIELDS_MISSING
    groups = [(title, doubts.read_of_kind(kind)) for kind, title in _CHECKS.items()]
    if not is_whole_tile:
        groups[0] = (words.CHECK_FIELDS, groups[0][1])
    game, number = game_or_unscored(scan.reading.game), 0
    for title, group in (*groups, (missing, doubts.missing_places)):
        places = [game.place_text(doubt.place, scan.naming) for doubt in group]
        columns = _columns(places)
        size = columns * BODY_ROWS
        for start in range(0, len(places), size):
            number += 1
            yield PlacesView(
                title=title.fill(n=len(places)),
                places=tuple(places[start : start + size]),
                unsure=title is not missing,
                columns=columns,
                number=number,
            )


def _columns(places: Sequence[Text]) -> int:
    """Return 2 where all places are short, such as ``row 2?``, else 1."""
    longest = max((len(words.mark_unsure(place, unsure=True)) for place in places), default=0)
    return 2 if 2 * longest * SMALLEST_WIDTH <= WIDTH else 1
