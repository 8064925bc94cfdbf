"""The Stadtgesellschaftsspiel, the dice board: from the cards that were read to the companies."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar, Final

from msgspec import convert

from firmware.base.errors import UsageError
from firmware.base.language import D_, N_, Phrase
from firmware.games.dice_board.board_file import load_board
from firmware.games.dice_board.cards import (
    QUARTERS,
    Card,
    card_at,
    cards_on,
    is_complete,
    parse_card,
)
from firmware.games.dice_board.open_board import OpenBoard
from firmware.games.dice_board.words import COMPANY_WORDS, FACE_WORDS
from firmware.games.edition_check import EditionRequirements
from firmware.games.findings import Finding, make_finding, unknown_faces
from firmware.games.game import Game, JsonFormsModule, PrintablesModule, TextModule, ViewsModule
from firmware.games.player_words import (
    COLOUR_WORDS,
    shown_name,
    shown_name_of_colour,
    stored_name_of_colour,
)
from firmware.games.scan import Scan
from firmware.games.scores import PlayerResult, results_from_totals
from firmware.games.scoring_options import ScoringOptions
from firmware.wording.notes import GameNote
from scoring.faces import Cell
from scoring.games.dice_board import NAME
from scoring.games.dice_board.score_sheet import ScoreSheet
from scoring.games.dice_board.table import CARDS_PER_COMPANY, Board, Company, Table
from scoring.outcome import Outcome, outcome_by_totals
from vision.editions.description import Description
from vision.reading import GridReading, Place, PlaceKind, Reading
from vision.teaching.layout import Layout, fill_rows

_LISTED: Final = CARDS_PER_COMPANY - 1
"""Cards of a company whose four cards do not lie in their places: four would be complete."""
_COMPANY_LETTERS: Final = 3
_TURNED: Final = "*"
_SIGNS_A_ROW: Final = 3
"""Signs in a row when they are laid out to be learned."""


class DiceBoardNote(GameNote):
    """Notes of the rules: rulebook, numbers 1, 3 and 4."""

    CARD_TWICE = (
        "card-twice",
        N_("{names} was read more than once: check {places}, scored with one of them"),
        D_("A card was read twice: one of them counts"),
    )
    OUT_OF_PLACE = (
        "out-of-place",
        N_(
            "the four cards of {names} are not each in their place: it is not complete, and only "
            "three of them are listed ({places})"
        ),
        D_("Four cards of a company are not in their places"),
    )
    PARTLY_TURNED = (
        "partly-turned",
        N_("{names} is complete, but only some of its cards are turned over ({places})"),
        D_("Only some cards of a company are turned over"),
    )


class DiceBoard(Game):
    """The game of companies on a board with numbers along its edges."""

    name = NAME
    title = N_("Dice board")
    turn_affects_score = True
    requirements = EditionRequirements(
        None,
        (1, 1),
        has_board=True,
        faces=re.compile(r"(?:red|blue|green|yellow)-[a-z0-9_-]+-(?:nw|ne|se|sw)(?:-sight)?"),
    )
    notes = DiceBoardNote
    supply_notes = frozenset((DiceBoardNote.CARD_TWICE,))
    part_words = COMPANY_WORDS
    face_words: ClassVar[Mapping[str, Phrase]] = FACE_WORDS
    print_help: ClassVar[Mapping[str, str]] = {
        "is_duplex": N_("what has no back gets an empty page")
    }

    def arrangements(self, description: Description) -> Mapping[str, Layout]:
        """Lay the complete signs of each colour, three in a row, and the same turned over."""
        names = [face.name for face in description.faces]
        signs: dict[str, dict[str, None]] = {}
        for name in names:
            match = parse_card(name)
            if match is not None:
                key = match["colour"] + ("" if match["sight"] is None else "-sights")
                signs.setdefault(key, {})[f"{match['colour']}-{match['company']}"] = None
        layouts = {}
        for key, companies in signs.items():
            side = "-sight" if key.endswith("-sights") else ""
            listed = list(companies)
            rows: list[list[str | None]] = []
            for first in range(0, len(listed), _SIGNS_A_ROW):
                beside = listed[first : first + _SIGNS_A_ROW]
                for left, right in (("nw", "ne"), ("sw", "se")):
                    row = [
                        f"{sign}-{quarter}{side}" for sign in beside for quarter in (left, right)
                    ]
                    rows.append([name if name in names else None for name in row])
            layouts[key] = fill_rows(rows)
        return layouts

    def list_findings(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Sequence[Finding]:
        if not reading.grids:
            return ()
        cards = list(cards_on(reading.grids[0]))
        unknown = unknown_faces(reading, lambda face: parse_card(face) is not None)
        return (*unknown, *_repeated_cards(cards), *_company_findings(cards))

    def table_defaults(self, board: Path | None) -> Mapping[str, object]:
        """Return the numbers along the edges of an own print."""
        if board is None:
            return {}
        return asdict(load_board(board))

    def player_results(self, sheet: ScoreSheet) -> tuple[PlayerResult, ...]:
        return results_from_totals(dict(sheet.totals), sheet.winners)

    def table_from_reading(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Table:
        """Return the companies by player and name; the colour of the cards is the player's name."""
        companies = _companies(list(cards_on(reading.grids[0])))
        colours = list(dict.fromkeys(colour for colour, _name in companies))
        names = dict(zip(colours, _names(colours, options.players), strict=True))
        return Table(
            tuple(
                Company(names[colour], _listed_plots(cards), name)
                for (colour, name), cards in companies.items()
            ),
            convert(dict(description.numbers), Board),
        )

    def outcome_of_sheet(self, sheet: ScoreSheet, sheet_as_read: ScoreSheet) -> Outcome:
        """Rank the players of ``sheet_as_read``; one without cards has no points."""
        totals = dict(sheet.totals)
        own = [totals.pop(name, 0) for name, _points in sheet_as_read.totals]
        return outcome_by_totals(own, tuple(totals.values()))

    def open_board(
        self, scan: Scan, sure: Reading, contents: Mapping[Place, Sequence[str | None]]
    ) -> OpenBoard:
        """Return the board; a card that is not the one read may be turned as it fits."""
        grid = scan.reading.grids[0]
        cards = [card for own in _companies(list(cards_on(sure.grids[0]))).values() for card in own]
        possible = {
            place: [
                card
                for face in own
                if face is not None
                and (card := card_at(place.cell, face, _turn(grid, place.cell, face))) is not None
            ]
            for place, own in contents.items()
        }
        colours = dict.fromkeys(colour for colour, _company in _companies(list(cards_on(grid))))
        return OpenBoard(tuple(colours), cards, possible, scan.table.board)

    def badges(self, scan: Scan) -> tuple[str, ...]:
        letters = super().badges(scan)
        if scan.sheet is None:
            return letters
        totals = (
            f"{shown_name(name)} {scan.shown_numbers.final(seat, points)}"
            for seat, (name, points) in enumerate(scan.sheet.totals)
        )
        return (", ".join(totals), *letters[1:])

    def full_name(self, face: str) -> str:
        """Return a company, which begins with its player as in the sheet."""
        name = super().full_name(face)
        return name[:1].upper() + name[1:]

    def label(self, face: str) -> str:
        """Return ``tow nw`` for a card, ``tow nw*`` for one that is turned over."""
        card = parse_card(face)
        if card is None:
            return face
        turned = _TURNED if card["sight"] else ""
        return f"{card['company'][:_COMPANY_LETTERS]} {card['quarter']}{turned}"

    def group_of(self, face: str) -> str:
        card = parse_card(face)
        return face if card is None else f"{card['colour']}-{card['company']}"

    def owner_colour(self, face: str) -> str | None:
        card = parse_card(face)
        return None if card is None else card["colour"]

    @property
    def _json_forms(self) -> JsonFormsModule:
        from firmware.games.dice_board import json_forms

        return json_forms

    @property
    def _text(self) -> TextModule:
        from firmware.games.dice_board import text

        return text

    @property
    def _views(self) -> ViewsModule:
        from firmware.games.dice_board import views

        return views

    @property
    def _printables(self) -> PrintablesModule:
        from firmware.games.dice_board import printables

        return printables


GAME: Final = DiceBoard()


def _turn(grid: GridReading, cell: Cell, face: str) -> int | None:
    row, column = cell
    return grid.turns[row][column] if grid.face(cell) == face else None


def _companies(cards: Sequence[Card]) -> dict[tuple[str, str], list[Card]]:
    """Return the cards of each company, each quarter once, by colour and then by plot."""
    surest: dict[tuple[tuple[str, str], int], Card] = {}
    for card in sorted(cards, key=lambda card: (-card.confidence, card.cell)):
        surest.setdefault((card.owner, card.quarter), card)
    order = list(COLOUR_WORDS)

    def by_colour(card: Card) -> tuple[int, str, Cell]:
        colour = card.owner[0]
        return order.index(colour) if colour in order else len(order), colour, card.cell

    companies: dict[tuple[str, str], list[Card]] = {}
    for card in sorted(surest.values(), key=by_colour):
        companies.setdefault(card.owner, []).append(card)
    return companies


def _listed_plots(cards: Sequence[Card]) -> tuple[Cell, ...]:
    plots = tuple(card.cell for card in cards)
    return plots if is_complete(cards) else plots[:_LISTED]


def _names(colours: Sequence[str], players: tuple[str, ...] | None) -> tuple[str, ...]:
    if players is None:
        return tuple(map(stored_name_of_colour, colours))
    if len(players) != len(colours):
        raise UsageError(
            "player-count",
            "names: {names}, players: {players}; name those of the cards on the board, in this "
            "order: {colours}",
            "--players",
            names=len(players),
            players=len(colours),
            colours=", ".join(map(shown_name_of_colour, colours)),
        )
    return players


def _places(cards: Sequence[Card]) -> tuple[Place, ...]:
    return tuple(Place(PlaceKind.TILE, 0, card.cell) for card in cards)


def _repeated_cards(cards: Sequence[Card]) -> Iterator[Finding]:
    same: dict[tuple[tuple[str, str], int], list[Card]] = {}
    for card in cards:
        same.setdefault((card.owner, card.quarter), []).append(card)
    for (owner, quarter), group in same.items():
        if len(group) > 1:
            name = "-".join((*owner, QUARTERS[quarter]))
            yield make_finding(DiceBoardNote.CARD_TWICE, _places(group), names=name)


def _company_findings(cards: Sequence[Card]) -> Iterator[Finding]:
    for owner, own in _companies(cards).items():
        if len(own) < CARDS_PER_COMPANY:
            continue
        name = "-".join(owner)
        if not is_complete(own):
            yield make_finding(DiceBoardNote.OUT_OF_PLACE, named=_places(own)[:_LISTED], names=name)
        elif len({card.has_sight for card in own}) > 1:
            yield make_finding(DiceBoardNote.PARTLY_TURNED, named=_places(own), names=name)
