"""Stored scans and statistics of them as text for a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from firmware.base.errors import FirmwareError, printable
from firmware.base.language import N_, _, _n, format_decimal
from firmware.base.terminal import Json
from firmware.games.game import Game
from firmware.games.player_words import shown_name
from firmware.games.registry import find_game, game_or_unscored, games
from firmware.games.scoring_options import STANDARD_VARIANT
from firmware.games.text_layout import UNSURE_STYLE
from firmware.history import ScanRecord, StoredScan
from firmware.history.stats import BestKind, BestResult, GameStats
from firmware.history.stored_sheet import parse_results, parse_shown_numbers, summarize_winners
from firmware.wording.places import cell_name
from firmware.wording.winners import bounds_sentence
from scoring.errors import ScoringError
from vision.editions.description import READING_ONLY

NOT_SCORED: Final = N_("there are no rules for this game: it is read, but not scored")
NOTHING: Final = "."
"""Mark of an empty cell."""

_MOST: Final = N_("record: {points}, {player} (game {scan})")
_FEWEST: Final = N_("fewest: {points}, {player} (game {scan})")

_HEALTH: Final = {
    "under-voltage": N_("The supply of the computer was too weak"),
    "too-hot": N_("The computer was too hot"),
    "throttled": N_("The computer had to go slower"),
}
"""Sentence for each problem in ``ScanRecord.health``."""


def summary_lines(scan: StoredScan) -> Iterator[str]:
    """Yield two or three lines: number, time and game; winner; number of places to check."""
    yield _heading_line(scan)
    yield f"  {_winner_line(scan)}"
    yield from (f"  {line}" for line in _doubt_lines(scan))


def fact_lines(scan: StoredScan, photo: Path | None) -> Iterator[str]:
    """Yield the facts of a scan except its sheet, a line each."""
    record = scan.record
    yield _heading_line(scan)
    yield _("Variant: {variant}, level: {level}, edition: {edition}").format(
        variant=record.variant, level=record.level, edition=record.edition
    )
    if record.replaced is not None:
        before = summarize_winners(record.replaced["sheet"])
        yield _("Scanned again, before: {result}").format(result=before)
    if record.before_correction is not None:
        before = summarize_winners(record.before_correction["sheet"])
        yield _("Corrected later, before: {result}").format(result=before)
    if record.corrections:
        yield _("Corrections: {corrections}").format(corrections=" ".join(record.corrections))
    yield from _doubt_lines(scan)
    unsure = [_place(one, record.game) for one in record.sheet.get("unsure") or ()]
    if unsure:
        yield _("Not sure: {places}").format(places="; ".join(unsure))
    yield from (_(_HEALTH[problem]) if problem in _HEALTH else problem for problem in record.health)
    kept = _("Photo: {path}").format(path=photo)
    yield _("Photo: not kept") if photo is None else kept


def print_stored_sheet(console: Console, scan: StoredScan, *, reasons: bool) -> None:
    """Print the sheet of a stored scan, scored again from its table.

    If the rules have been corrected since, a line reports it.
    """
    record = scan.record
    if record.game == READING_ONLY:
        _print_reading(console, record)
        return
    try:
        game, table, sheet = _score_again(record)
    except (FirmwareError, ScoringError):
        console.print(Text(_winner_line(scan)))
        console.print(Text(_("The stored game cannot be scored any more."), style=UNSURE_STYLE))
        return
    numbers = parse_shown_numbers(record.sheet)
    is_same = game.player_results(sheet) == parse_results(record.sheet)
    shown = numbers if is_same and numbers.is_open else None
    game.print_score_sheet(console, sheet, table, None, shown, reasons=reasons)
    if shown is not None and (sentence := bounds_sentence(shown)):
        console.print(Text(sentence, style=UNSURE_STYLE))
    if not is_same:
        sentence = _("The stored sheet differs: it was scored by an earlier version.")
        console.print(Text(sentence, style=UNSURE_STYLE))


def _score_again(record: ScanRecord) -> tuple[Game, Any, Any]:
    """Score a stored table again; return game, table and sheet.

    Raises:
        FirmwareError: The table is not one of its game.
        ScoringError: The rules refuse it.
    """
    game = find_game(record.game)
    table = game.table_from_json(record.table)
    return game, table, game.rules.score(table, lenient=True)


def _print_reading(console: Console, record: ScanRecord) -> None:
    """Print what lay where, row by row, with ``.`` for empty cells."""
    console.print(Text(_(NOT_SCORED)))
    for grid in record.reading.get("cities") or ():
        console.print()
        console.print(Text(printable(_("City {letter}").format(letter=grid["name"]))))
        for row in grid["grid"]:
            names = (NOTHING if name is None else str(name) for name in row)
            console.print(Text(printable("  " + " ".join(names))), soft_wrap=True)


def title_with_level(game: str, variant: str, level: int) -> str:
    """Return the title of a game with its level, or with a variant other than the default."""
    title = _(game_or_unscored(game).title)
    if game in games() and len(find_game(game).rules.LEVELS) > 1:
        return _("{game}, level {n}").format(game=title, n=level)
    return title if variant == STANDARD_VARIANT else f"{title}, {variant}"


def best_sentence(best: BestResult, game: str) -> str:
    """Return the sentence for a best of all games."""
    if best.kind is BestKind.HIGHEST:
        player = shown_name(best.player)
        return _("Highest score ever: {points}, {player}").format(points=best.points, player=player)
    if best.kind is BestKind.CLOSEST:
        return _n(
            "Closest game ever: {n} point between the first two",
            "Closest game ever: {n} points between the first two",
            best.points,
        )
    part = game_or_unscored(game).part_name(best.part)
    return _("Most points ever for {part}: {points}").format(part=part, points=best.points)


def print_stats(console: Console, stats: Iterable[GameStats]) -> None:
    """Print the statistics of each game: number of games, players, points by building type."""
    for each in stats:
        title = _n(
            "{game}: {n} game, {average} points on average",
            "{game}: {n} games, {average} points on average",
            each.games,
            game=title_with_level(each.game, each.variant, each.level),
            average=format_decimal(each.average),
        )
        console.print(Text(printable(title), style="bold"), soft_wrap=True)
        if each.unsure:
            open_games = _n(
                "{n} game has open questions; it counts as it was read.",
                "{n} games have open questions; they count as they were read.",
                each.unsure,
            )
            console.print(Text(f"  {open_games}"), soft_wrap=True)
        for wording, extreme in ((_MOST, each.highest), (_FEWEST, each.lowest)):
            text = _(wording).format(
                points=extreme.points, player=shown_name(extreme.player), scan=extreme.seq
            )
            console.print(Text(printable(f"  {text}")), soft_wrap=True)
        closest = [one for one in each.best if one.kind is BestKind.CLOSEST]
        for one in closest:
            text = _("{record} (game {scan})").format(
                record=best_sentence(one, each.game), scan=one.seq
            )
            console.print(Text(f"  {text}"), soft_wrap=True)
        players = [
            (shown_name(one.name), one.games, one.wins, format_decimal(one.average), one.best)
            for one in each.players
        ]
        parts = [
            (game_or_unscored(each.game).part_name(one.part), format_decimal(one.average), one.best)
            for one in each.parts
        ]
        labels = _("player"), _("games"), _("wins"), _("average"), _("record")
        print_rows(console, labels, players)
        print_rows(console, (_("points for"), _("average"), _("record")), parts)
        console.print()


def print_rows(console: Console, labels: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print numbers below their labels, the first column to the left; nothing without rows."""
    table = RichTable(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for number, label in enumerate(labels):
        table.add_column(label, justify="right" if number else "left")
    for row in rows:
        table.add_row(*(printable(str(cell)) for cell in row))
    if rows:
        console.print(Padding(table, (0, 0, 0, 2), expand=False))


def _place(unsure: Json, game: str) -> str:
    """Return the words for an unsure place: ``A, row 3, column 4``; beside a board ``A, row 2``."""
    letter, (first, second) = str(unsure["city"]), unsure["at"]
    if isinstance(first, str):
        return f"{letter}, {game_or_unscored(game).slot_name((first, second))}"
    return cell_name(letter, (first, second))


def _heading_line(scan: StoredScan) -> str:
    text = _("Game {number}: {time}, {game}")
    return text.format(number=scan.seq, time=scan.at, game=scan.record.game)


def _winner_line(scan: StoredScan) -> str:
    record = scan.record
    if record.game == READING_ONLY:
        return _(NOT_SCORED)
    with suppress(FirmwareError, ScoringError):
        game, _table, sheet = _score_again(record)
        sentence = game.winner_line(sheet, parse_shown_numbers(record.sheet))
        if sentence is not None and game.player_results(sheet) == parse_results(record.sheet):
            return sentence
    return summarize_winners(record.sheet).sentence or _("no result")


def _doubt_lines(scan: StoredScan) -> Iterator[str]:
    if count := summarize_winners(scan.record.sheet).open_count:
        yield _n("{n} place was not sure", "{n} places were not sure", count)
