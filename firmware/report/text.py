"""Readings and scans as text for a terminal.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from firmware.base.errors import printable
from firmware.base.language import _, _n
from firmware.base.photo_quads import region_position
from firmware.games.doubts import DoubtfulPlace
from firmware.games.game import Game
from firmware.games.registry import game_or_unscored
from firmware.games.scan import Scan
from firmware.games.text_layout import (
    UNSURE_STYLE,
    StyledLine,
    column_parts,
    grid_text,
    print_legend,
)
from firmware.scan.corrections import NO, NO_TILE, YES
from firmware.wording.notes import ScanNote, photo_name
from firmware.wording.places import cell_name, short_block
from firmware.wording.problem_text import translate
from firmware.wording.winners import bounds_sentence
from scoring.faces import city_name
from vision.editions.description import READING_ONLY, Description
from vision.reading import GridReading, NoteCode, Place, PlaceKind, Reading

_MAX_ALTERNATIVES: Final = 2
"""Alternatives shown for an unsure tile; the JSON has all."""
_NOTHING: Final = "-"
_UNSURE: Final = "?"
_FIGURE: Final = "!"
_EDGE: Final = 3
"""Columns for the number of a row."""
_MAX_CODE_CHARS: Final = 6
"""Letters of a label in the grid; longer names get a number."""


def print_scan(console: Console, scan: Scan, *, reasons: bool = False) -> None:
    """Print the sheet of a photo and its doubts; without rules the reading."""
    if scan.sheet is None or scan.game is None:
        print_reading(console, scan)
        return
    scan.game.print_score_sheet(
        console, scan.sheet, scan.table, scan.all_doubts, scan.shown_numbers, reasons=reasons
    )
    rough = bounds_sentence(scan.shown_numbers)
    if rough:
        console.print(Text(rough, style=UNSURE_STYLE))
    console.print(Text(scan.edition_line, style="dim"))
    _print_notes(console, scan)
    _print_photos(console, scan)
    _print_order_effects(console, scan)
    _print_unsure(console, scan, with_correction=True)


def print_reading(console: Console, scan: Scan) -> None:
    """Print the reading of one photo."""
    title = f"{printable(scan.reading.photo_name)}: {_count_found(scan)}"
    console.print(Text(title, style="bold"), soft_wrap=True)
    if scan.game is None or not scan.game.print_grids(console, scan):
        for index, grid in enumerate(scan.reading.grids):
            _print_grid(console, index, grid, scan)
    _print_duplexes(console, scan)
    console.print(Text(scan.edition_line, style="dim"))
    _print_notes(console, scan)
    _print_unsure(console, scan, with_correction=False)


def _print_photos(console: Console, scan: Scan) -> None:
    """Print the cities that each of several photos shows, in brackets if another photo counts."""
    join = scan.reading.join
    if join is None:
        return
    for photo in join.photos:
        shown = [
            city_name(view.grid) if view.is_best else f"({city_name(view.grid)})"
            for view in photo.grids
        ]
        cities = ", ".join(shown) or _("no city")
        line = _("{photo}: {note}").format(photo=photo_name(photo.name), note=cities)
        console.print(Text(line, style="dim"), soft_wrap=True)


def _print_order_effects(console: Console, scan: Scan) -> None:
    """Print who wins by each order of the cities, where the order is not known."""
    if all(each.note.code != ScanNote.ORDER_ASSUMED for each in scan.findings):
        return
    effects = scan.game.order_effects(scan) if scan.game is not None else ()
    if effects:
        console.print(Text(_("Who wins by the order of the cities:")))
    for each in effects:
        console.print(Text(f"  {each}"))


def _count_found(scan: Scan) -> str:
    """Return the number of boards, cities or, without rules, groups of tiles, in words."""
    found = len(scan.reading.grids)
    if scan.description.board is not None:
        return _n("{n} board", "{n} boards", found) if found else _("no board")
    if scan.game is None:
        return _n("{n} group of tiles", "{n} groups of tiles", found) if found else _("no tiles")
    return _n("{n} city", "{n} cities", found) if found else _("no city")


def _print_duplexes(console: Console, scan: Scan) -> None:
    """Print the places of duplex tiles; nothing is scored by them."""
    places = [
        f"{scan.naming.cell(index, first)} - {cell_name('', second)}"
        for index, grid in enumerate(scan.reading.grids)
        for first, second in grid.duplexes
    ]
    if places:
        console.print(Text(_("Duplex tiles: {places}").format(places="; ".join(places))))


def _print_unsure(console: Console, scan: Scan, *, with_correction: bool) -> None:
    """Print what was not read, and the unsure places with their alternatives."""
    doubts = scan.doubts
    if doubts.count == 0:
        return
    console.print()
    console.print(Text(_("Please check ({n}):").format(n=doubts.count), style=UNSURE_STYLE))
    for region in doubts.unread:
        where = translate(region_position(region, scan.reading))
        template = _("not read, {where} of the photo: {why}")
        why = printable(scan.sentence(region.reason))
        console.print(Text(f"  {template.format(where=where, why=why)}"))
    if doubts.notes:
        console.print(Text("  " + _("see the notes above")))
    for index, cells in doubts.crowded.items():
        block = short_block(cells, scan.reading.grids[index].size)
        console.print(Text(f"  {_grid_prefix(index, scan)}{block}"))
        if with_correction:
            place = Place(PlaceKind.TILE, index, cells[0])
            _print_option(console, scan.naming.correction(place, _("FACE")))
    order, without_effect = scan.open_places, scan.places_without_effect
    listed = sorted(doubts.listed, key=lambda doubt: order.index(doubt.place))
    count = sum(doubt.place in without_effect for doubt in listed)
    for number, doubt in enumerate(listed):
        if count and len(listed) - number == count:
            heading = _n("{n} tile changes no rank:", "{n} tiles change no rank:", count)
            console.print(Text(heading, style=UNSURE_STYLE))
        console.print(Text(f"  {_what_may_lie(doubt, scan)}"))
        for answer in _corrections(doubt) if with_correction else ():
            _print_option(console, scan.naming.correction(doubt.place, answer))


def _grid_prefix(index: int, scan: Scan) -> str:
    return f"{city_name(index)}: " if scan.naming.lettered else ""


def _print_option(console: Console, correction: str) -> None:
    console.print(Text("    ") + Text(f"--set {correction}", no_wrap=True))


def _what_may_lie(doubt: DoubtfulPlace, scan: Scan) -> str:
    """Return a place in words, with the face that was read and its alternatives."""
    names = (doubt.read, *doubt.alternatives[:_MAX_ALTERNATIVES])
    read, *others = (
        _nothing_word(doubt) if name is None else scan.face_name(name) for name in names
    )
    line = f"{scan.naming.place(doubt.place)}: {read}"
    if not others:
        return line
    return f"{line} " + _("or {faces}").format(faces=", ".join(others))


def _nothing_word(doubt: DoubtfulPlace) -> str:
    return _("no figure") if doubt.place.kind is PlaceKind.FIGURE else _("no tile")


def _corrections(doubt: DoubtfulPlace) -> Sequence[str]:
    """Return the likeliest answers for ``--set``, to be copied; ``_what_may_lie`` words them."""
    if doubt.place.kind is PlaceKind.FIGURE:
        return (YES if doubt.read is None else NO,)
    others = doubt.alternatives[:_MAX_ALTERNATIVES]
    return [NO_TILE if name is None else name for name in others] or (_("FACE"),)


def _print_notes(console: Console, scan: Scan) -> None:
    """Print the notes, a paragraph each."""
    for note in scan.note_sentences:
        console.print(Text(_("Note: {note}").format(note=printable(note))))
    if any(note.code == NoteCode.OTHER_EDITION for note in scan.notes):
        command = teaching_command(scan.description, scan.reading)
        line = _("Teach them with: {command}").format(command=command)
        console.print(Text(line), soft_wrap=True)


def teaching_command(description: Description, reading: Reading) -> str:
    """Return the command that teaches the tiles of the photo, the first one of a joined reading.

    Words in capitals are to be chosen.
    """
    name = reading.photo_name if reading.join is None else reading.join.photos[0].name
    command = f"stadtblick teach {shlex.quote(printable(name))} --edition {_('NAME')}"
    if description.game == READING_ONLY:
        return f"{command} --description {_('PATH')} --layout {_('FILE')}"
    if game_or_unscored(description.game).taught_on_device:
        return f"{command} --groups"
    return f"{command} --game {description.game} --faces {_('ARRANGEMENT')}"


def _print_grid(console: Console, index: int, grid: GridReading, scan: Scan) -> None:
    """Print a grid with ``?`` where it is unsure, ``!`` under figures, and the pieces beside it."""
    codes = _codes(grid, game_or_unscored(scan.reading.game))
    count = grid.size[1]
    if _EDGE + count * _width(codes) > console.width:
        codes = _numbered(sorted(codes))
    console.print()
    if scan.naming.lettered:
        console.print(Text(city_name(index), style="bold"))
    for part in column_parts(console, count, _width(codes), _EDGE):
        console.print(grid_text(_lines(grid, part, codes)))
    _print_loose(console, grid, scan)
    _print_legend(console, grid, codes, scan)


def _width(codes: dict[str, str]) -> int:
    """Return the columns that a cell takes: its code, a mark or two, a space."""
    return max(map(len, codes.values()), default=1) + 2


def _lines(grid: GridReading, columns: range, codes: dict[str, str]) -> Iterator[StyledLine]:
    width = _width(codes)
    yield [(" " * _EDGE + "".join(f"{column + 1:<{width}}" for column in columns), "dim")]
    for row, names in enumerate(grid.faces):
        line = [(f"{row + 1:>2} ", "dim")]
        for column in columns:
            name = names[column]
            is_unsure = (row, column) in grid.unsure or (row, column) in grid.unsure_figures
            marks = _FIGURE if grid.figure((row, column)) else ""
            marks += _UNSURE if is_unsure else ""
            text = (_NOTHING if name is None else codes[name]) + marks
            line.append((f"{text:<{width}}", UNSURE_STYLE if is_unsure else "not dim"))
        line[-1] = (line[-1][0].rstrip(), line[-1][1])
        yield line


def _codes(grid: GridReading, game: Game) -> dict[str, str]:
    """Return a short code for each name on the grid; numbers for those without a short label."""
    names = sorted({name for row in grid.faces for name in row if name is not None})
    codes = {}
    for number, name in enumerate(names, start=1):
        owner, label = game.owner_colour(name), game.label(name).replace(" ", "")
        code = label if owner is None else f"{owner[0]}{label}"
        codes[name] = code if len(code) <= _MAX_CODE_CHARS + 1 else str(number)
    return codes if len(set(codes.values())) == len(names) else _numbered(names)


def _numbered(names: Iterable[str]) -> dict[str, str]:
    return {name: str(number) for number, name in enumerate(names, start=1)}


def _print_loose(console: Console, grid: GridReading, scan: Scan) -> None:
    by_container: dict[str, list[str]] = {}
    for piece in grid.loose:
        mark = _UNSURE if piece.unsure else ""
        by_container.setdefault(piece.container, []).append(
            f"{piece.number + 1}: {scan.face_name(piece.face)}{mark}"
        )
    for name, number in grid.unsure_slots:
        by_container.setdefault(name, []).append(f"{number + 1}: {_UNSURE}")
    for name, pieces in by_container.items():
        console.print(Text(f"{scan.face_name(name)}  {', '.join(pieces)}"))


def _print_legend(console: Console, grid: GridReading, codes: dict[str, str], scan: Scan) -> None:
    legend = [f"{code} {scan.face_name(name)}" for name, code in codes.items() if code != name]
    if any(None in row for row in grid.faces):
        legend.append(f"{_NOTHING} " + _("no tile"))
    if grid.figures:
        legend.append(f"{_FIGURE} " + _("figure"))
    if grid.unsure or grid.unsure_figures:
        legend.append(f"{_UNSURE} " + _("unsure"))
    if legend:
        print_legend(console, legend)
