"""The games as the appliance knows them: one package each, found by itself.

A game is a package here that has ``GAME``, its rules in the module of the same name in
``scoring.games``, and an edition. ``GAME`` makes a table of what was read; beside it the package
has ``tables`` (JSON), ``text`` (the terminal), ``pages`` (the display), ``words`` for these, and
``sheets`` (what is printed). ``registered`` adds a game from outside. A ``Scan`` is what a game is
asked about; ``firmware.scan.scan`` makes it.
"""

import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from firmware.base.errors import UsageError, printable
from firmware.base.json_shapes import to_plain
from firmware.base.language import N_, Phrase, _, join_word
from firmware.games.scores import CityPoints, PlayerResult
from firmware.wording.doubts import Doubts, Finding, doubts_of
from firmware.wording.notes import HARMLESS, GameNote, ScanNote, note_sentence, notes_to_read
from firmware.wording.places import Naming, slot_name
from scoring.errors import Breach
from scoring.faces import Cell, city_name
from scoring.faces import Place as CityCell
from scoring.games import Game as Rules
from scoring.games import find_game as find_rules
from scoring.outcome import Contribution, Outcome
from scoring.ranking import TieBreak
from vision.editions.description import READING_ONLY, Description
from vision.editions.edition import STANDARD as STANDARD_EDITION
from vision.editions.edition import DescriptionError
from vision.errors import Message
from vision.reading import GridReading, Note, Place, PlaceKind, Reading
from vision.teaching.layout import Layout

if TYPE_CHECKING:
    from rich.console import Console

    from firmware.base.terminal import Json
    from firmware.printing.sheet import Sheet
    from firmware.screens.views import Bitmap, ResultView, Standing

MOST_COPIES: Final = 20
MOST_SETS: Final = 4
"""Of what is printed."""

STANDARD: Final = "standard"
"""The variant of a game that is played unless another one is named."""


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """What a person says about how a reading is scored.

    Attributes:
        level: of games that have levels.
        variant: of games that have variants.
        players: names; None: players are called by their pieces or seats.
        owners: who owns each grid, by the player's number from 0; None: as the pieces show it.
    """

    level: int = 1
    variant: str = STANDARD
    players: tuple[str, ...] | None = None
    owners: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """What a person says about what is printed; what is not said is as each game sees fit.

    Attributes:
        copies: of each face, 1 to ``MOST_COPIES``.
        is_full: everything that is in the box of the game.
        sets: of tiles, 1 to ``MOST_SETS``.
        is_duplex: for printing on both sides of the paper.
    """

    copies: int | None = None
    is_full: bool = False
    sets: int | None = None
    is_duplex: bool = False


@dataclass(frozen=True, slots=True)
class GameFaces:
    """What a description of a game with rules must hold so that its tables can be scored.

    Attributes:
        size: rows and columns of its grid; None: any.
        tile_cells: what a tile covers.
        has_board: whether there is a printed board.
        faces: pattern of the names of faces.
        cells: what cells of a tile may show; empty: whatever a face is called.
    """

    size: tuple[int, int] | None
    tile_cells: tuple[int, int]
    has_board: bool
    faces: re.Pattern[str]
    cells: frozenset[str] = frozenset()


class Game:
    """A game: from readings to tables, how tables and sheets are written, shown and told.

    Tables and sheets are of the types of its rules. What is said here holds for a game that needs
    nothing of its own.
    """

    name: ClassVar[str]
    """Identifier in files, JSON and ``--game``."""
    title: ClassVar[str]
    """For people, as the catalogue has it."""
    variants: ClassVar[tuple[str, ...]] = (STANDARD,)
    seats: ClassVar[int] = 0
    """So many players can be named by their seats; 0: they are named by their pieces."""
    has_owners: ClassVar[bool] = False
    """Whether a person may say who owns each grid."""
    has_better: ClassVar[bool] = False
    """Whether it can be said what the tiles of a city could have scored, laid otherwise."""
    taught_on_device: ClassVar[bool] = False
    """Whether an own copy can be taught without a computer, laid as the first arrangement, of which
    the eye checks the order."""
    supply: ClassVar[Mapping[str, int] | None] = None
    """How many tiles of each face the game has, for the eye; None: that is not limited so."""
    faces: ClassVar[GameFaces | None] = None
    """What an edition must hold; None: that is not checked."""
    notes: ClassVar[Sequence[GameNote] | type[GameNote]] = ()
    """What its rules may find odd."""
    face_words: ClassVar[Mapping[str, Phrase]] = {}
    """What faces and figures are called on the display, by an identifier or a part of one; 12
    letters fit in a row, and a longer word may be broken behind a hyphen and space."""
    part_words: ClassVar[Mapping[str, Phrase]] = {}
    """What points are made of, by its identifier."""
    slot_words: ClassVar[Mapping[str, Phrase]] = {}
    """A place beside the cells, with its number ``{n}``, by the name of the slots or heap."""
    short_slot_words: ClassVar[Mapping[str, Phrase]] = {}
    """The same for the display."""

    print_help: ClassVar[Mapping[str, str] | None] = None
    """The help of each of ``PrintOptions`` that means something for it, by its name; None: there is
    nothing to print."""

    @property
    def rules(self) -> Rules:
        """What scores its tables."""
        return find_rules(self.name)

    @property
    def note_texts(self) -> Mapping[str, str]:
        """The words of the notes of its rules, by their codes."""
        return {note: note.text for note in self.notes}

    @property
    def short_note_texts(self) -> Mapping[str, Phrase]:
        """The same in few words that name no places: three rows of the display."""
        return {note: note.short for note in self.notes}

    def table_from(self, value: object) -> Any:
        """The table that a JSON value describes.

        Raises:
            UsageError: it does not have the shape of a table; ``where`` is the place in it.
        """
        return self._part("tables").table_from(value)

    def table_defaults(self, board: Path | None) -> Mapping[str, object]:
        """Keys that a table has unless it gives others.

        Args:
            board: a file that describes an own print; None: the usual one.

        Raises:
            UsageError: the file cannot be used.
        """
        return {}

    def parse_owners(self, text: str, options: ScoringOptions) -> tuple[int, ...]:
        """Who owns each grid, as somebody wrote it.

        Raises:
            UsageError: it is not written so.
        """
        raise NotImplementedError

    def player_count(self, grids: int, options: ScoringOptions) -> int:
        """How many play at a table with so many grids."""
        return grids

    def owner_choices(self, scan: "Scan") -> tuple[tuple[int, ...], ...]:
        """What a person may say about whose each grid is, the usual first.

        Each is a player's number from 0 for every grid; empty: there is nothing to say.
        """
        return ()

    def table_json(self, table: Any) -> "Json":
        """A table, as ``stadtblick score`` takes it."""
        return {"game": self.name, **to_plain(self._part("tables").table_json(table))}

    def sheet_json(self, sheet: Any) -> "Json":
        """A score sheet as JSON."""
        missing = [{"city": city_name(city), "at": list(cell)} for city, cell in sheet.missing]
        told = to_plain(self._part("tables").sheet_json(sheet))
        return {"game": self.name, **told, "missing": missing}

    def player_results(self, sheet: Any) -> tuple[PlayerResult, ...]:
        """Return points and rank of each player, in the order of the sheet."""
        return tuple(
            PlayerResult(player.name, player.final, player.rank, seat in sheet.winners)
            for seat, player in enumerate(sheet.players)
        )

    def city_points(self, sheet: Any) -> tuple[CityPoints, ...]:
        """Return the points of each city; empty for games without city points."""
        return ()

    def print_sheet(
        self, console: "Console", sheet: Any, table: Any, doubts: Doubts | None, *, reasons: bool
    ) -> None:
        """Print a score sheet; without doubts that of a table that was typed in."""
        self._part("text").print_sheet(console, sheet, table, doubts, reasons=reasons)

    def better_json(self, table: Any) -> "list[Json]":
        """What the tiles of each city could have scored; only where ``has_better``."""
        found: list[Json] = to_plain(self._part("tables").better_json(table))
        return found

    def better_words(self, told: "Json") -> Sequence[str]:
        """One city of ``better_json`` in sentences."""
        sentences: Sequence[str] = self._part("words").better_sentences(told)
        return sentences

    def print_better(self, console: "Console", table: Any) -> None:
        """Print all of that."""
        self._part("text").print_better(console, self.better_json(table))

    def winner_page(self, scan: "Scan") -> "ResultView":
        """The first page of the display for a scored table: who has won."""
        view: ResultView = self._part("pages").winner(scan)
        return view

    def standings(self, scan: "Scan") -> "Sequence[Standing]":
        """Rank and pages of each player, in seat order."""
        found: Sequence[Standing] = self._part("pages").standings(scan)
        return found

    def further_pages(self, scan: "Scan") -> "Sequence[ResultView]":
        """The pages behind those on players and the map."""
        return ()

    def finding_page(self, scan: "Scan", note: Note) -> "ResultView | None":
        """A page of its own on something that its rules find odd; None: it is said in words."""
        return None

    @property
    def signs(self) -> "Mapping[str, Bitmap]":
        """The signs of its faces, if it has some, in the order in which tiles are taught."""
        return {}

    def sheets(self, paper_mm: tuple[float, float], options: PrintOptions) -> "list[Sheet]":
        """Its own drawn edition to cut out, for paper of this size, upright."""
        sheets: list[Sheet] = self._part("sheets").sheets(paper_mm, options)
        return sheets

    def _part(self, name: str) -> Any:
        """A module of the game's package; imported late, as some need much that others do not."""
        return import_module(f"{type(self).__module__}.{name}")

    def arrangements(self, description: Description) -> Mapping[str, Layout]:
        """The ways in which its tiles are laid out to be learned, by their names."""
        return {}

    def check_description(self, description: Description, where: str) -> None:
        """Refuse an edition whose tables could not be scored.

        Raises:
            DescriptionError: ``description-game``.
        """
        misfit = None if self.faces is None else _misfit(description, self.faces)
        if misfit is not None:
            raise DescriptionError(
                "description-game",
                "this does not fit the game {game}, {what}: correct it, or write "
                'game = "reading-only"',
                where,
                game=description.game,
                what=misfit,
            )

    def winner_line(self, sheet: Any, mark: str) -> str | None:
        """Who has won, in words of its own; None: it is said as of any game.

        Args:
            sheet: of the table.
            mark: behind the points: ``?`` where they may still change.
        """
        return None

    def print_grids(self, console: "Console", scan: "Scan") -> bool:
        """Print the grids of a reading in a way of its own; False: print them as of any game."""
        return False

    def check(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Sequence[Finding]:
        """What the rules have against a reading that can be scored nevertheless.

        Also what is taken for granted because nobody said it.
        """
        return ()

    def check_count(self, reading: Reading, options: ScoringOptions) -> None:
        """Refuse a number of grids that cannot be scored.

        Raises:
            UsageError: there are too few or too many.
        """

    def table_of(self, reading: Reading, description: Description, options: ScoringOptions) -> Any:
        """The table that a reading of one grid or more shows.

        Raises:
            UsageError: the options do not fit it.
        """
        raise NotImplementedError

    def missing(self, table: Any) -> Sequence[CityCell]:
        """The cells of a table on which something has to lie and nothing does."""
        return ()

    def refusal(self, breach: Breach, scan: "Scan") -> UsageError | None:
        """A breach of the rules, said for someone who has the photo; None: as usual."""
        return None

    has_separate_cities: ClassVar[bool] = False
    """Whether each city contributes to the outcome on its own, see ``contribution``."""
    most_points: ClassVar[int] = 999
    """More than a city, or else a player, can have."""

    def contribution(self, table: Any, grid: int) -> Contribution | None:
        """Return what one city contributes to the outcome; only where cities are separate.

        None if nobody can have laid the city like that.
        """
        raise NotImplementedError

    def outcome(self, table: Any, contributions: Sequence[Contribution]) -> Outcome | None:
        """Return the outcome of a table whose cities contribute these; as ``contribution``.

        None if the box does not hold so many tiles.
        """
        raise NotImplementedError

    def finals(self, table: Any, totals: Sequence[int]) -> tuple[int, ...]:
        """Return the players' final scores for points of the cities; as ``contribution``."""
        raise NotImplementedError

    def outcome_of(self, sheet: Any, like: Any) -> Outcome:
        """Return the points and ranks of a score sheet, for the players of another one."""
        finals = tuple(player.final for player in sheet.players)
        ranks = tuple(player.rank for player in sheet.players)
        return Outcome((), finals, ranks)

    def may_change(self, scan: "Scan", grid: int) -> bool:
        """Whether what a grid is worth may still change by what a person finds."""
        doubts = scan.doubts
        return bool(doubts.notes) or doubts.of_grid(grid)

    def badges(self, scan: "Scan") -> tuple[str, ...]:
        """What stands beside each grid on the annotated photo; empty: nothing."""
        return tuple(
            city_name(index) if scan.naming.lettered else ""
            for index in range(len(scan.reading.grids))
        )

    def label(self, face: str) -> str:
        """A face in a few letters, for the annotated photo and the terminal."""
        return face

    def face_name(self, face: str) -> str:
        """A face or kind of figure in words."""
        return _in_words(face, self.face_words)

    def full_name(self, face: str) -> str:
        """The same where there is room for all of its words."""
        return join_word(self.face_name(face))

    def cell_name(self, face: str) -> str:
        """The same on a cell of the page."""
        return self.label(face)

    def slot_name(self, place: tuple[str, int]) -> str:
        """A place beside the cells in words: ``column 2``."""
        return slot_name(place, self.slot_words)

    def short_slot_name(self, place: tuple[str, int]) -> str:
        """The same on the display: ``col 2``."""
        return slot_name(place, self.short_slot_words)

    def kind_of(self, face: str) -> str:
        """The beginning of a face that it shares with others of its kind.

        Of many faces a person is asked for the kind first.
        """
        return face

    def part_name(self, part: str) -> str:
        """What points are made of, such as a building type, in words."""
        return str(self.part_words.get(part, part))

    def owner(self, face: str) -> str | None:
        """The colour of the player whose piece shows a face; None: nobody's, or not known."""
        return None

    def changes(self, before: "Scan", after: "Scan") -> tuple["ResultView", ...]:
        """What has changed since the scan before, on pages of their own."""
        return ()


@dataclass(frozen=True)
class Scan:
    """A photo, read, checked and perhaps scored.

    Attributes:
        reading: after the corrections, with the places that the rules doubt as unsure.
        description: what its edition says of the game.
        table: what is scored, of the type of its rules; None: there are no rules, or no grid.
        sheet: its score; None: it was not scored.
        findings: what the rules have against it.
        options: with which it was checked and scored.
    """

    reading: Reading
    description: Description
    table: Any = None
    sheet: Any = None
    findings: tuple[Finding, ...] = ()
    options: ScoringOptions = ScoringOptions()

    @property
    def game(self) -> Game | None:
        """Which it is of; None: it is read without rules."""
        return games().get(self.reading.game)

    @property
    def naming(self) -> Naming:
        """How places of this reading are called."""
        slots = game_called(self.reading.game).slot_words
        return Naming.of(self.reading, self.description, slots)

    @cached_property
    def doubts(self) -> Doubts:
        """What a person has to look at before the result is certain."""
        missing: Sequence[CityCell] = ()
        if self.sheet is not None:
            missing = self.sheet.missing
        elif self.game is not None and self.table is not None:
            missing = self.game.missing(self.table)
        return doubts_of(self.reading, missing, self.findings)

    def may_change(self, grid: int) -> bool:
        """Whether what a grid is worth may still change by what a person finds."""
        return self.game is not None and self.game.may_change(self, grid)

    @property
    def all_doubts(self) -> Doubts:
        """What may still change the result: ``doubts``, and notes on the photo.

        A city may be missing from a photo that has a note. Notes on cities do not count: what they
        are about is unsure anyway. A calibration that was not used makes nothing worse than having
        none.
        """
        notes = [note for note in self.reading.notes if note.code not in HARMLESS]
        return replace(self.doubts, notes=(*self.doubts.notes, *notes))

    @property
    def to_check(self) -> int:
        """How many things there are to look at before the result is sure.

        Until then the points of all players have a ``?`` wherever they are said: who wins depends
        on all of them.
        """
        return self.all_doubts.count

    @property
    def needs_a_person(self) -> bool:
        """Whether the result may be wrong until someone has looked, or nothing was found."""
        return self.doubts.count > 0 or not self.reading.grids

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was odd: about the photo, about each grid, and by the rules."""
        return (*self.reading.all_notes, *(each.note for each in self.findings))

    @property
    def edition_line(self) -> str:
        """Which edition it was read with, in words."""
        name = self.reading.edition
        is_standard = name == STANDARD_EDITION
        return _("Edition: {name}").format(name=_("standard") if is_standard else printable(name))

    @property
    def note_sentences(self) -> tuple[str, ...]:
        """What people are told of them, see ``notes_to_read``."""
        return tuple(self.sentence(note) for note in notes_to_read(self.notes))

    def sentence(self, note: Note, naming: Naming | None = None) -> str:
        """A note of this scan in words, with its places called otherwise if wanted."""
        game = game_called(self.reading.game)
        return note_sentence(note, naming or self.naming, game.note_texts, game.full_name)

    def face_name(self, face: str) -> str:
        """A face or kind of figure in words; of a game without rules as its edition calls it."""
        return face if self.game is None else self.game.full_name(face)


def _in_words(identifier: str, words: Mapping[str, Phrase]) -> str:
    """An identifier part by part; a part without a word stays as it is."""
    if identifier in words:
        return str(words[identifier])
    joined = "|".join(re.escape(word) for word in words if "-" in word)
    parts = re.findall(f"{joined}|[^-]+" if joined else "[^-]+", identifier)
    return " ".join(str(words.get(part, part)) for part in parts)


def _misfit(description: Description, wanted: GameFaces) -> Message | None:
    """What an edition has otherwise than a game needs it; None: it fits."""
    if wanted.size is not None and (description.rows, description.columns) != wanted.size:
        rows, columns = wanted.size
        return Message("its grid has {rows} rows and {columns} columns", rows=rows, columns=columns)
    if description.tile_cells != wanted.tile_cells:
        high, wide = wanted.tile_cells
        return Message("its tiles cover {high} x {wide} cells", high=high, wide=wide)
    if (description.board is not None) != wanted.has_board:
        has_board = Message("it has a printed board")
        return has_board if wanted.has_board else Message("its tiles lie free")
    for face in description.faces:
        if wanted.faces.fullmatch(face.name) is None:
            return Message("it has no face called {face}", face=face.name)
        unknown = {cell for row in face.cells for cell in row} - wanted.cells
        if wanted.cells and unknown:
            return Message(
                "{face} shows {shown}, where {known} are known",
                face=face.name,
                shown=min(unknown),
                known=", ".join(sorted(wanted.cells)),
            )
    return None


def faces_in(grid: GridReading) -> Iterator[tuple[Cell, str]]:
    """What lies on the cells of a grid, in reading order."""
    for row, names in enumerate(grid.grid):
        for column, name in enumerate(names):
            if name is not None:
                yield (row, column), name


def tie_break_sentence(by: Mapping[int, str], tie_break: TieBreak, names: Sequence[str]) -> str:
    """How a player stands to those with the same final score; all names are in seat order."""
    rivals = ", ".join(names[index] for index in tie_break.against)
    if tie_break.by is None:
        return _("equal in everything with {rivals}").format(rivals=rivals)
    decisive, own, other = _(by[tie_break.by]), tie_break.own, tie_break.other
    said = _("{by}: {own}, {rivals} {other}")
    return said.format(by=decisive, own=own, rivals=rivals, other=other)


def unknown_faces(reading: Reading, is_known: Callable[[str], bool]) -> Iterator[Finding]:
    """What lies on cells and the rules do not know."""
    for index, grid in enumerate(reading.grids):
        for cell, name in faces_in(grid):
            if not is_known(name):
                place = Place(PlaceKind.TILE, index, cell)
                yield finding(ScanNote.UNKNOWN_FACE, (place,), names=name, grid=index)


def finding(
    code: str,
    unsure: Sequence[Place] = (),
    *,
    named: Sequence[Place] | None = None,
    grid: int | None = None,
    needs_a_person: bool = False,
    **values: int | str,
) -> Finding:
    """What the rules find odd.

    Args:
        code: of the note.
        unsure: where a person must look.
        named: the places that the note names; None: the same.
        grid: that it is about; None: all, or the only one.
        needs_a_person: whether the result is doubtful even without places.
        **values: of the note.
    """
    places = tuple(unsure if named is None else named)
    note = Note(code, grid, places, tuple(values.items()))
    return Finding(note, tuple(unsure), needs_a_person)


_registered: Final[dict[str, Game]] = {}


@cache
def _own_games() -> Mapping[str, Game]:
    """The games of this package."""
    modules = (
        import_module(f"{__name__}.{each.name}")
        for each in sorted(pkgutil.iter_modules(__path__), key=lambda each: each.name)
        if each.ispkg
    )
    return {module.GAME.name: module.GAME for module in modules}


def games() -> Mapping[str, Game]:
    """Every game by its identifier."""
    return {**_own_games(), **_registered}


def find_game(name: str) -> Game:
    """A game with rules.

    Raises:
        UnknownGameError: there are no rules for a game of this name.
    """
    find_rules(name)
    return games()[name]


class _WithoutRules(Game):
    """Any game that is read and not scored."""

    name = READING_ONLY
    title = N_("Reading only")


_WITHOUT_RULES: Final = _WithoutRules()


def game_called(name: str) -> Game:
    """A game; one without rules has nothing of its own."""
    return games().get(name, _WITHOUT_RULES)


@contextmanager
def registered(game: Game) -> Iterator[None]:
    """A further game, as long as the context lasts; its rules have to be known already.

    Raises:
        ValueError: there is a game of this name.
    """
    if game.name in games():
        raise ValueError(f"there is a game {game.name} already: name yours otherwise")
    _registered[game.name] = game
    try:
        yield
    finally:
        del _registered[game.name]
