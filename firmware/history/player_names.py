"""Names of the players in stored games: give them to one game, replace one in all games."""

import dataclasses
import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from firmware.base.errors import FirmwareError
from firmware.games.player_words import is_colour_name
from firmware.games.registry import games
from firmware.history.errors import HistoryError
from firmware.history.record import ScanRecord
from firmware.settings import MAX_NAME_LETTERS, seat_names
from firmware.settings.rules import find_rule
from scoring.errors import ScoringError
from vision.message import Message

_SEAT_NAME: Final = re.compile(r"P\d+")
_EARLIER_VERSIONS: Final = ("before_correction", "replaced")
"""Fields of a record with an earlier table and sheet: before later corrections, before a rescan."""


def is_seat_name(name: str) -> bool:
    """Return whether a name is that of a seat, such as ``P3``; such a player may be anybody."""
    return _SEAT_NAME.fullmatch(name) is not None


def is_person_name(name: str) -> bool:
    """Return whether a player has the name of a person, not of a seat or a colour."""
    return not is_seat_name(name) and not is_colour_name(name)


def is_name_in_game(name: str, game: str) -> bool:
    """Return whether a game knows a player by a name, not by a seat alone.

    A person's name counts in all games, a colour only in those that take no names.
    """
    takes_names = game in games() and games()[game].named_seats > 0
    return not is_seat_name(name) and not (takes_names and is_colour_name(name))


def named_seat_count(record: ScanRecord) -> int:
    """Return the number of players that can be named; 0 if their pieces name them."""
    game = games().get(record.game)
    if game is None or not game.named_seats:
        return 0
    players = record.sheet.get("players")
    return len(players) if isinstance(players, list) else 0


def given_names(record: ScanRecord) -> tuple[str, ...]:
    """Return the names that people gave, in seat order; ``""`` for a seat without one."""
    names = _names_of(record) if named_seat_count(record) else ()
    return tuple(name if is_person_name(name) else "" for name in names)


def with_names(record: ScanRecord, names: Sequence[str]) -> ScanRecord:
    """Return a record whose players have these names, in seat order.

    Args:
        record: Record of the game.
        names: Names; ``""`` for a seat without one, which keeps the colour of its pieces, and seats
            at the end may be left out.

    Raises:
        HistoryError: ``game-without-names`` or ``names-not-allowed``.
    """
    seats = named_seat_count(record)
    if not seats:
        raise HistoryError(
            "game-without-names",
            "in this game the players are named after the colour of their pieces, "
            "so no names can be given",
            Message("names"),
        )
    given = [tidy_name(name) for name in names]
    while given and not given[-1]:
        given.pop()
    allowed = find_rule("players").convert(given)
    if allowed is None or len(given) > seats:
        raise HistoryError(
            "names-not-allowed",
            "give at most {seats} different names of at most {letters} letters each, none "
            "invisible or of dots alone",
            Message("names"),
            seats=seats,
            letters=MAX_NAME_LETTERS,
        )
    colours = [name if is_colour_name(name) else "" for name in _names_of(record)]
    padded = (*given, *[""] * (seats - len(given)))
    wanted = seat_names(
        tuple(name or colour for name, colour in zip(padded, colours, strict=True)), seats
    )
    changed: dict[str, Any] = _with_players(record.game, _table_and_sheet(record), wanted)
    for field in _EARLIER_VERSIONS:
        version = getattr(record, field)
        fits = version is not None and len(version["sheet"].get("players") or ()) == seats
        changed[field] = _with_players(record.game, version, wanted) if fits else version
    taken_over = tuple(each for each in record.taken_over if each != "players")
    return dataclasses.replace(record, **changed, taken_over=taken_over)


def with_name_replaced(record: ScanRecord, old: str, new: str) -> ScanRecord:
    """Return a record with a player renamed; unchanged if nobody has the old name.

    Raises:
        HistoryError: ``players-together``: both names are those of players of the game.
    """
    changed = dict[str, Any](_with_name_replaced(record.game, _table_and_sheet(record), old, new))
    for field in _EARLIER_VERSIONS:
        version = getattr(record, field)
        changed[field] = version and _with_name_replaced(record.game, version, old, new)
    own_names = tuple(rename_in(names, old, new) for names in record.own_names)
    return dataclasses.replace(record, **changed, own_names=own_names)


def rename_in(names: Sequence[str], old: str, new: str) -> tuple[str, ...]:
    """Return names by seat with a player renamed.

    If another player has the new name already, the seat is left without a name.
    """
    wanted = "" if new in names else new
    return tuple(wanted if name == old else name for name in names)


def check_player_name(name: str) -> str:
    """Refuse a name that cannot be used; return it without needless spaces.

    Raises:
        HistoryError: ``name-not-allowed``.
    """
    tidy = tidy_name(name)
    is_allowed = tidy and find_rule("players").convert([tidy]) == (tidy,) and is_person_name(tidy)
    if not is_allowed:
        raise HistoryError(
            "name-not-allowed",
            "{name} cannot be the name of a person: write 1 to {letters} letters, no seat like P3 "
            "and no colour",
            Message("name"),
            name=repr(name[:40]),
            letters=MAX_NAME_LETTERS,
        )
    return tidy


def _names_of(record: ScanRecord) -> tuple[str, ...]:
    return tuple(str(player["name"]) for player in record.sheet["players"])


def tidy_name(name: str) -> str:
    """Return a name with single spaces, and with accents on their letters (Unicode NFC)."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def _table_and_sheet(record: ScanRecord) -> dict[str, Any]:
    return {"table": record.table, "sheet": record.sheet}


def _with_name_replaced(game: str, version: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    names = [str(name) for name in version["table"].get("players") or ()]
    if old not in names:
        return version
    if new in names:
        raise HistoryError(
            "players-together",
            "{old} and {new} play together in a game: they are two persons",
            Message("name"),
            old=old,
            new=new,
        )
    return _with_players(game, version, tuple(new if name == old else name for name in names))


def _with_players(
    game: str, version: dict[str, Any], names: tuple[str, ...] | None
) -> dict[str, Any]:
    """Return table and sheet with other names; None for those of seats or pieces."""
    table = {key: value for key, value in version["table"].items() if key != "players"}
    if names is not None:
        table["players"] = list(names)
    players, scored = version["sheet"].get("players") or (), _players_scored(game, table)
    named = [
        {**player, **_words_of(player, scored.get(seat), names[seat] if names else f"P{seat + 1}")}
        for seat, player in enumerate(players)
    ]
    return {**version, "table": table, "sheet": {**version["sheet"], "players": named}}


def _players_scored(game: str, table: Mapping[str, Any]) -> dict[int, Mapping[str, Any]]:
    """Return the players of a table scored again, by seat; empty if it cannot be scored."""
    with suppress(FirmwareError, ScoringError, KeyError):
        found = games()[game]
        sheet = found.rules.score(found.table_from_json(table), lenient=True)
        return dict(enumerate(found.sheet_json(sheet)["players"]))
    return {}


def _words_of(
    player: Mapping[str, Any], scored: Mapping[str, Any] | None, name: str
) -> dict[str, Any]:
    """Return the fields of a player that contain names: ``name`` and ``tie_break``."""
    if scored is None or scored["final"] != player["final"]:  # scored by an earlier version
        return {"name": name}
    shown = {"name": scored["name"]}
    return shown | ({"tie_break": scored["tie_break"]} if "tie_break" in scored else {})
