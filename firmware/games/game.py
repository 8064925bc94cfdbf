"""Base class of the games."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from firmware.base.errors import UsageError
from firmware.base.json_text import to_plain
from firmware.base.language import N_
from firmware.games.doubts import Doubts
from firmware.games.edition_check import EditionRequirements
from firmware.games.findings import Finding
from firmware.games.game_words import GameWords
from firmware.games.scores import CityPoints, PlayerResult
from firmware.games.scoring_options import ScoringOptions
from firmware.printing.print_options import PrintOptions
from firmware.screens.result_views import ResultView, Standing
from firmware.wording.ranges import ShownNumbers
from scoring.errors import Breach
from scoring.faces import CityCell, city_name
from scoring.games import GameRules, find_rules
from scoring.outcome import AssignmentScorer, Contribution, Outcome
from vision.editions.description import READING_ONLY, Description
from vision.reading import Note, Place, Reading
from vision.teaching.layout import Layout

if TYPE_CHECKING:
    from rich.console import Console

    from firmware.base.terminal import Json
    from firmware.games.scan import Scan
    from firmware.printing.piece_sheets import PrintedSheet


class Game(GameWords):
    """Base class of the games: makes tables of readings, writes, shows and words their results.

    Tables and sheets are of the types of the game's rules. The methods here serve every game that
    needs nothing special.
    """

    name: ClassVar[str]
    """Identifier in files, JSON and ``--game``."""
    title: ClassVar[str]
    """Title for people, marked for the catalogue."""
    bgg_title: ClassVar[str | None] = None
    """Title on BoardGameGeek; None if the game was never published."""
    named_seats: ClassVar[int] = 0
    """Number of seats, so most players whose names are asked for; 0 if pieces name them.

    It does not limit the number of grids.
    """
    has_owners: ClassVar[bool] = False
    """True if a person may name the owner of each grid."""
    has_best_arrangements: ClassVar[bool] = False
    """True if the best scores of the same tiles, laid differently, can be computed."""
    taught_on_device: ClassVar[bool] = False
    """True if the display can teach a user's tiles, laid as the first of ``arrangements``, whose
    order the eye checks."""
    supply: ClassVar[Mapping[str, int] | None] = None
    """Number of tiles of each face in the box, for the eye; None if it is not limited by face."""
    turn_affects_score: ClassVar[bool] = False
    """True if the quarter turn of a tile can change the score."""
    requirements: ClassVar[EditionRequirements | None] = None
    """Requirements on an edition; None if any will do."""
    print_help: ClassVar[Mapping[str, str] | None] = None
    """Help text of each of the ``PrintOptions`` that the game uses, by its name; None if it has
    nothing to print."""

    @property
    def rules(self) -> GameRules:
        """Rules that score its tables."""
        return find_rules(self.name)

    # ----------------------------------------------------------------- from a reading to a table

    def check_description(self, description: Description, where: str) -> None:
        """Refuse an edition whose tables could not be scored.

        Raises:
            DescriptionError: ``description-game``.
        """
        if self.requirements is not None:
            self.requirements.check(description, where)

    def arrangements(self, description: Description) -> Mapping[str, Layout]:
        """Return the ways in which its tiles are laid out for teaching, by their names.

        ``teach --faces`` takes the names; together they have each face, and may repeat one to fill
        a row. Arrange at least 3 x 3 tiles, as nearly square as possible: of tiles that are not
        known yet, two rows are not located for sure, and a single row is never found.
        """
        return {}

    def check_count(self, reading: Reading, options: ScoringOptions) -> None:
        """Refuse a reading with too few or too many grids; by default any number is accepted.

        Raises:
            UsageError: The number of grids cannot be scored.
        """

    def list_findings(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Sequence[Finding]:
        """Return the objections of the rules to a reading that can be scored nevertheless.

        Defaults that stand in for missing information count as objections.
        """
        return ()

    def table_from_reading(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Any:
        """Return the table that a reading of one grid or more shows.

        Raises:
            UsageError: The options do not fit it.
        """
        raise NotImplementedError

    def missing_cells(self, table: Any) -> Sequence[CityCell]:
        """Return the empty cells of a table that must not be empty."""
        return ()

    def explain_breach(self, breach: Breach, scan: "Scan") -> UsageError | None:
        """Word a breach of the rules for someone who has the photo; None for the standard words."""
        return None

    def player_count(self, grids: int, options: ScoringOptions) -> int:
        """Return the number of players at a table with this number of grids."""
        return grids

    def parse_owners(self, text: str, options: ScoringOptions) -> tuple[int, ...]:
        """Parse the option with the owner of each grid.

        Raises:
            UsageError: The text is malformed.
        """
        raise NotImplementedError

    def owner_choices(self, scan: "Scan") -> tuple[tuple[int, ...], ...]:
        """Return the possible owners of the grids of a scan, the default ones first.

        Returns:
            For each choice the number of a player, from 0, for each grid; empty if the owners are
            known.
        """
        return ()

    def score_may_change(self, scan: "Scan", grid: int) -> bool:
        """Return whether the score of a grid may still change once its doubts are resolved."""
        doubts = scan.doubts
        return bool(doubts.notes) or doubts.touches_grid(grid)

    def seats_matter(self, options: ScoringOptions) -> bool:
        """Return whether the order of the grids round the table decides who owns which."""
        return False

    def order_effects(self, scan: "Scan") -> tuple[str, ...]:
        """Return in words what the order of the grids decides, while it is open."""
        return ()

    # ------------------------------------------------------------------------------- JSON, text

    def table_from_json(self, value: object) -> Any:
        """Parse a table.

        Raises:
            UsageError: The value does not have the shape of a table; ``where`` is the place in it.
        """
        return self._json_forms.table_from_json(value)

    def table_defaults(self, board: Path | None) -> Mapping[str, object]:
        """Return keys that a JSON table has unless it gives other values.

        Args:
            board: File that describes an own print of the board; None for the default board.

        Raises:
            UsageError: The file cannot be used.
        """
        return {}

    def table_json(self, table: Any) -> "Json":
        """Return a table as ``stadtblick score`` takes it."""
        return {"game": self.name, **to_plain(self._json_forms.table_json(table))}

    def sheet_json(self, sheet: Any) -> "Json":
        """Return a score sheet as JSON."""
        missing = [{"city": city_name(city), "at": list(cell)} for city, cell in sheet.missing]
        return {
            "game": self.name,
            **to_plain(self._json_forms.sheet_json(sheet)),
            "missing": missing,
        }

    def print_score_sheet(
        self,
        console: "Console",
        sheet: Any,
        table: Any,
        doubts: Doubts | None,
        numbers: ShownNumbers | None = None,
        *,
        reasons: bool,
    ) -> None:
        """Print a score sheet.

        Args:
            console: Console to print on.
            sheet: Sheet of the table.
            table: Table that was scored.
            doubts: Doubts of its scan; None for a table that was typed in.
            numbers: Points and ranks as people see them; None for a table that was typed in, whose
                points have a ``?`` if something is missing.
            reasons: Whether the reasons for the points are printed as well.
        """
        if numbers is None:
            numbers = ShownNumbers(mark="?" if sheet.missing else "")
        self._text.print_score_sheet(console, sheet, table, doubts, numbers, reasons=reasons)

    def print_grids(self, console: "Console", scan: "Scan") -> bool:
        """Print the grids of a reading in a form of its own; return False for the standard form."""
        return False

    def winner_line(self, sheet: Any, numbers: ShownNumbers) -> str | None:
        """Return a sentence of its own on who has won; None for the standard one.

        Args:
            sheet: Sheet of the table.
            numbers: Points and ranks as people see them.
        """
        return None

    def better_json(self, table: Any) -> "list[Json]":
        """Return the best scores of each city's tiles; only where ``has_best_arrangements``."""
        raise NotImplementedError

    def better_words(self, city: "Json") -> Sequence[str]:
        """Return one city of ``better_json`` in sentences."""
        raise NotImplementedError

    def print_better(self, console: "Console", table: Any) -> None:
        """Print ``better_json`` in words."""
        raise NotImplementedError

    def player_results(self, sheet: Any) -> tuple[PlayerResult, ...]:
        """Return points and rank of each player, in the order of the sheet."""
        return tuple(
            PlayerResult(player.name, player.final, player.rank, seat in sheet.winners)
            for seat, player in enumerate(sheet.players)
        )

    def tie_break(self, sheet: Any, seat: int) -> str:
        """Return in words how a tie of a player is broken; empty if nobody has the same points."""
        return ""

    def city_points(self, sheet: Any) -> tuple[CityPoints, ...]:
        """Return the points of each city; empty for games without city points."""
        return ()

    # ----------------------------------------------------------- points and ranks of open tables

    supply_notes: ClassVar[frozenset[str]] = frozenset()
    """Codes of its notes on more pieces of a kind than the box has."""
    has_separate_cities: ClassVar[bool] = False
    """True if each city contributes to the outcome on its own, see ``contribution``."""
    most_points: ClassVar[int] = 999
    """Upper bound of the points of a city if ``has_separate_cities``, else of a player."""

    def contribution(self, table: Any, grid: int) -> Contribution | None:
        """Return the contribution of a city to the outcome; only where cities are separate.

        Returns:
            Contribution; None if the city cannot have been laid like that.
        """
        raise NotImplementedError

    def rank_contributions(
        self, table: Any, contributions: Sequence[Contribution]
    ) -> Outcome | None:
        """Return points and ranks of a table with these contributions of its cities.

        Returns:
            Outcome; None if the box does not hold so many tiles.
        """
        raise NotImplementedError

    def final_scores(self, table: Any, totals: Sequence[int]) -> tuple[int, ...]:
        """Return the players' final scores for these points of the cities."""
        raise NotImplementedError

    def open_board(
        self, scan: "Scan", sure: Reading, contents: Mapping[Place, Sequence[str | None]]
    ) -> AssignmentScorer | None:
        """Return a scorer that scores many assignments of the open places of a board quickly.

        Args:
            scan: Scan that was scored.
            sure: Reading with nothing at the open places.
            contents: Contents of each open place.

        Returns:
            The scorer; None for games that score each assignment from a table.
        """
        return None

    def outcome_of_sheet(self, sheet: Any, sheet_as_read: Any) -> Outcome:
        """Return the points and ranks of a score sheet, for the players of the table as read.

        Args:
            sheet: Score sheet, with some contents of the open places.
            sheet_as_read: Score sheet of the table as read, whose players are ranked; unused where
                the players are the same on every sheet.
        """
        results = self.player_results(sheet)
        cities = tuple(city.total for city in getattr(sheet, "cities", ()))
        finals = tuple(each.points for each in results)
        return Outcome(cities, finals, tuple(each.rank for each in results))

    # ------------------------------------------------------------------------ display, printing

    def winner_view(self, scan: "Scan") -> ResultView:
        """Return the first view of a scored table: the winner."""
        return self._views.winner_view(scan)

    def player_standings(self, scan: "Scan") -> Sequence[Standing]:
        """Return rank and views of each player, in seat order."""
        return self._views.player_standings(scan)

    def further_views(self, scan: "Scan") -> Sequence[ResultView]:
        """Return views that follow those on players and the map."""
        return ()

    def finding_view(self, scan: "Scan", note: Note) -> ResultView | None:
        """Return a view of its own for a note of its rules; None if the standard words will do."""
        return None

    def change_views(self, before: "Scan", after: "Scan") -> tuple[ResultView, ...]:
        """Return views on the changes since an earlier scan of the same table."""
        return ()

    def printed_sheets(
        self, paper_mm: tuple[float, float], options: PrintOptions
    ) -> "list[PrintedSheet]":
        """Return printable sheets of its built-in edition, for upright paper of this size."""
        return self._printables.printed_sheets(paper_mm, options)

    def badges(self, scan: "Scan") -> tuple[str, ...]:
        """Return a text beside each grid on the annotated photo; empty texts are left out."""
        return tuple(
            city_name(index) if scan.naming.lettered else ""
            for index in range(len(scan.reading.grids))
        )

    # ------------------------------------------------------ modules, imported when they are needed

    @property
    def _json_forms(self) -> "JsonFormsModule":
        raise NotImplementedError(_no_module(self.name, "json_forms"))

    @property
    def _text(self) -> "TextModule":
        raise NotImplementedError(_no_module(self.name, "text"))

    @property
    def _views(self) -> "ViewsModule":
        raise NotImplementedError(_no_module(self.name, "views"))

    @property
    def _printables(self) -> "PrintablesModule":
        raise NotImplementedError(_no_module(self.name, "printables"))


def _no_module(game: str, name: str) -> str:
    return f"the class of {game} has to override _{name}: see docs/new-game.md"


class GameWithoutRules(Game):
    """Game that is read and not scored."""

    name = READING_ONLY
    title = N_("Reading only")


GAME_WITHOUT_RULES: Final = GameWithoutRules()


class JsonFormsModule(Protocol):
    """Module ``json_forms`` of a game: JSON forms of its tables and sheets."""

    def table_from_json(self, value: object) -> Any:
        """See ``Game.table_from_json``."""

    def table_json(self, table: Any) -> "Json":
        """Return a table without the name of the game."""

    def sheet_json(self, sheet: Any) -> "Json":
        """Return a sheet without the name of the game and the missing cells."""


class TextModule(Protocol):
    """Module ``text`` of a game: its sheets on a terminal."""

    def print_score_sheet(
        self,
        console: "Console",
        sheet: Any,
        table: Any,
        doubts: Doubts | None,
        numbers: ShownNumbers,
        *,
        reasons: bool,
    ) -> None:
        """See ``Game.print_score_sheet``."""


class ViewsModule(Protocol):
    """Module ``views`` of a game: its views on the display."""

    def winner_view(self, scan: "Scan") -> ResultView:
        """See ``Game.winner_view``."""

    def player_standings(self, scan: "Scan") -> Sequence[Standing]:
        """See ``Game.player_standings``."""


class PrintablesModule(Protocol):
    """Module ``printables`` of a game: the sheets to print."""

    def printed_sheets(
        self, paper_mm: tuple[float, float], options: PrintOptions
    ) -> "list[PrintedSheet]":
        """See ``Game.printed_sheets``."""
