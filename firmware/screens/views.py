"""Contents of each screen as data; ``firmware.screens.render`` draws a view.

A view holds no finished sentence: words (``firmware.screens.words``) are said in the user's
language when the view is drawn; names that people gave are plain texts. Every view says
what the three buttons do on it (``hints``), so that the hint row tells the truth.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from firmware.base.language import D_, Phrase, Worded
from firmware.screens.words import (
    Alert,
    Hint,
    Notice,
    Question,
    Stage,
    WizardStep,
)
from scoring.faces import Cell
from scoring.legality import seat_number
from vision.reading import Place, Quad, Reading

if TYPE_CHECKING:
    from vision.calibration import Calibration


@dataclass(frozen=True, slots=True)
class Hints:
    """The words of the hint row, from the left.

    Attributes:
        scan: of the button SCAN.
        next: of the button NEXT.
        ok: of the button OK/BACK.
    """

    scan: Hint = Hint.NOTHING
    next: Hint = Hint.NOTHING
    ok: Hint = Hint.NOTHING


NO_HINTS = Hints()
RESULT_HINTS = Hints(Hint.AGAIN, Hint.NEXT, Hint.CHECK)
DOUBT_HINTS = Hints(Hint.BACK, Hint.CHANGE, Hint.ACCEPT)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Content of a screen.

    Attributes:
        hints: what the three buttons do on it.
    """

    hints: Hints = NO_HINTS


@dataclass(frozen=True, slots=True)
class Bitmap:
    """A one-bit picture.

    Attributes:
        size_wh: width and height in pixels.
        bits: rows from the top, eight pixels a byte, the leftmost in the highest bit, each row
            filled up to whole bytes; 1 is lit. As ``PIL.Image.tobytes`` of mode ``"1"`` has them.
    """

    size_wh: tuple[int, int]
    bits: bytes


Crops = Callable[[Place | Quad], Bitmap | None]
"""Gives what the photo shows at a place, and by its corners of what was not read; None: that is not
known."""


def no_crop(_where: Place | Quad) -> None:
    """There is no photo."""


SIGN_SIDE = 11
"""Width and height of a sign in pixels."""
CROP_SIDE = 38
"""Width and height of the picture of a place in pixels."""

SEAT = D_("Player {n}")
_SHORT_SEAT = D_("P{n}")


@dataclass(frozen=True, slots=True)
class Seat:
    """A player; as text the name, or the seat of who has none, and which cities are theirs.

    Attributes:
        number: of the seat, from 1.
        name: without any letter to see the player is called by the seat.
        cities: letters of the player's own, in the order in which they lie, left before right.
    """

    number: int
    name: str = ""
    cities: tuple[str, ...] = ()

    def __str__(self) -> str:
        name = self._name
        return f"{name} ({' '.join(self.cities)})" if self._is_told_by_cities else name

    @property
    def wordings(self) -> tuple[str, ...]:
        """The same, then in ever fewer letters."""
        if not self._is_told_by_cities:
            return (str(self),)
        return str(self), f"{self._name} {''.join(self.cities)}", self._name

    @property
    def _name(self) -> str:
        if not any(unicodedata.category(letter)[0] not in "CMZ" for letter in self.name):
            return str(SEAT.fill(n=self.number))
        seat = seat_number(self.name)
        return self.name if seat is None else str(_SHORT_SEAT.fill(n=seat))

    @property
    def _is_told_by_cities(self) -> bool:
        """``P3`` alone tells nobody at the table who that is."""
        return bool(self.cities) and self.name == f"P{self.number}"


Text = str | Phrase | Worded | Seat
"""Text in the user's language when it is drawn, or a name."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that may lie on the table, with its words.

    Attributes:
        name: Identifier of a face, a kind of figure, a place beside a board, or an ``Other``.
        word: Words for it; each is shortened to its first letters where they have no room.
        sign: Sign of ``SIGN_SIDE`` pixels; None if it has none.
    """

    name: str
    word: Text
    sign: Bitmap | None = None


MenuLabel = Piece | Text


# --------------------------------------------------------------------------- pages of a result


@dataclass(frozen=True, slots=True)
class Page:
    """Number of a page of the result.

    Attributes:
        number: from 1.
        count: of all pages.
    """

    number: int
    count: int


@dataclass(frozen=True, slots=True)
class TableMap:
    """Map of the cities or boards.

    Attributes:
        cities: corners of each as read upright, in pixels of the photo.
        unread: corners of what looks like one but was not read.
    """

    cities: tuple[Quad, ...]
    unread: tuple[Quad, ...] = ()

    @classmethod
    def of(cls, reading: Reading) -> "TableMap":
        """Return the map of a reading."""
        return cls(
            tuple(grid.corners_px for grid in reading.grids),
            tuple(each.corners_px for each in reading.unread),
        )

    @property
    def is_worth_showing(self) -> bool:
        """Whether there is more than one thing to tell apart."""
        return len(self.cities) + len(self.unread) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView(View):
    """A page of a result.

    Attributes:
        page: which one.
        to_check: how many things a person has to look at before the result is sure.
        unsaved: whether the result could not be written.
    """

    page: Page = Page(1, 1)
    to_check: int = 0
    unsaved: bool = False
    hints: Hints = RESULT_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerView(ResultView):
    """Winner of the game.

    Attributes:
        winners: one, or several who share the victory.
        points: of each of them, wordings best first; a question mark is added where there is
            something to check.
        title: None: that they have won.
        tie: how they have won among those with the same points, wordings best first; none: there
            are no such, or they share the victory.
        largest: height of the letters of their names at most.
        alerts: what a person should know beside that, what weighs most first.
    """

    winners: tuple[Text, ...]
    points: tuple[Text, ...]
    title: Text | None = None
    tie: tuple[Text, ...] = ()
    largest: int = 24
    alerts: tuple[Alert, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """Row of a page.

    Attributes:
        label: at the left, wordings best first.
        value: at the right end.
        columns: further texts, each with its left edge in pixels.
        counts: whether it is marked as that which counts; None: rows of this kind have no marks.
    """

    label: tuple[Text, ...]
    value: Text = ""
    columns: tuple[tuple[int, Text], ...] = ()
    counts: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreView(ResultView):
    """A title, large points at the right, and up to three rows.

    Attributes:
        name: of the screen.
        title: wordings, best first.
        rows: those of this page.
        text: in the rows that are left; the first of them ends before the points.
        points: wordings, best first; none: the page has no points.
        points_rows: how many rows high they are; what is below has the whole width.
        statement: one thing in large letters instead of rows.
    """

    name: str
    title: tuple[Text, ...]
    rows: tuple[Row, ...] = ()
    text: Text = ""
    points: tuple[Text, ...] = ()
    points_rows: int = 3
    statement: Text = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player among the others.

    Attributes:
        rank: 1 is best; players who share one leave out the next ones: 1, 1, 3.
        name: of the player.
        pages: on what the player has achieved, all of them with the points.
    """

    rank: int
    name: Text
    pages: tuple[ScoreView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsView(ResultView):
    """All players with their points, the best first.

    Attributes:
        standings: at most eight.
    """

    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignsView(ResultView):
    """Signs in two columns of three, each with a text beside it.

    Attributes:
        name: of the screen.
        title: of the page.
        entries: sign and text; at most six.
        points: large at the right, beside short texts; none: the texts have the whole width.
    """

    name: str
    title: Text
    entries: tuple[tuple[Bitmap, Text], ...]
    points: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView(ResultView):
    """Note on the photo, on cities, or by the rules.

    Attributes:
        name: of the screen.
        title: what it is about, wordings best first.
        text: what is odd.
        part: which three lines of a text of more lines, from 0.
    """

    name: str
    title: tuple[Text, ...]
    text: Text
    part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadView(ResultView):
    """Region that was not read: its place, its look, and what to do.

    Attributes:
        name: of the screen.
        table: where it lies among the cities.
        index: of it in ``table.unread``.
        remedy: what to do, in two rows of twelve letters.
        crop: what the photo shows there; None: there is no picture.
    """

    name: str
    table: TableMap
    index: int
    remedy: Text
    crop: Bitmap | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckView(ResultView):
    """Places that a person must look at, or that were scored without what should lie there.

    Attributes:
        title: Title with the number of places on all such pages.
        places: Words for the places of this page.
        unsure: Whether they get a question mark.
        columns: Number of columns in which they stand.
        number: Number of this page among all that list places, from 1.
    """

    title: Text
    places: tuple[Text, ...]
    unsure: bool = True
    columns: int = 1
    number: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MapView(ResultView):
    """Map with the letter of each city."""

    table: TableMap


# --------------------------------------------------------------------------- questions


class Other(StrEnum):
    """Answers about a place other than a face."""

    NO_TILE = "no-tile"
    """Nothing lies or stands there."""
    LATER = "later"
    """Left undecided for now."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of faces that may lie at a place; which one of them is asked next.

    Attributes:
        name: identifier, as ``firmware.games.Game.kind_of`` gives it.
    """

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PickView(View):
    """A place is chosen on the map of the table, then in its grid.

    Attributes:
        table: Map of the grids.
        grid: Index of the marked grid.
        pieces: Rows of what lies on its cells, None on empty ones; empty while the grid is still
            being chosen.
        marked: Marked cells.
        said: Words for what is marked, a line or more each.
    """

    table: TableMap
    grid: int
    pieces: tuple[tuple[Piece | None, ...], ...] = ()
    marked: tuple[Cell, ...] = ()
    said: tuple[MenuLabel, ...] = ()
    hints: Hints = Hints(Hint.BACK, Hint.NEXT, Hint.CHOOSE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtView(View):
    """Question about a place, or about tiles that look alike.

    Attributes:
        number: Number of this question, from 1.
        count: Number of all questions.
        place: Words for the place; None if tiles that look alike are meant.
        guess: Answer that is offered.
        goes_on: Whether the guess is a kind of faces, of which one is asked next.
        table: Map of the grids.
        grid: Index of the grid with the place; None if no place is meant.
        option: Number of the guess among all answers, from 1.
        options: Number of all answers.
        crop: Picture of the place in the photo; None if there is none.
    """

    number: int
    count: int
    place: Text | None = None
    guess: Piece
    goes_on: bool = False
    table: TableMap = TableMap(())
    grid: int | None = None
    option: int = 1
    options: int = 1
    crop: Bitmap | None = None
    hints: Hints = DOUBT_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnersQuestionView(View):
    """Question about the owners of the cities; NEXT offers another way to share them.

    Attributes:
        owners: the letters of the cities of each player, as offered.
        table: where the cities lie.
        option: number of what is offered, from 1.
        options: how many there are.
    """

    owners: tuple[tuple[tuple[str, ...], Seat], ...]
    table: TableMap
    option: int = 1
    options: int = 1
    hints: Hints = DOUBT_HINTS


# --------------------------------------------------------------------------- ready, busy, faults


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingView(View):
    """The scanner has power and starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyView(View):
    """The scanner waits for a button.

    Attributes:
        game: its title.
        variant: its identifier; None: the game has none.
        level: None: the game has no levels.
        edition: name of the taught look of the tiles; None: the usual one.
        to_check: how much there is to check in the last result, which NEXT shows.
        alerts: what weighs most first; the screen has room for one and counts the others.
        asks: whether it is still asked, before the first scan of an evening, if all is so.
        names: of the players, while that is asked.
    """

    game: Text
    variant: str | None = None
    level: int | None = None
    edition: str | None = None
    to_check: int = 0
    alerts: tuple[Alert, ...] = ()
    asks: bool = False
    names: tuple[str, ...] = ()
    hints: Hints = Hints(Hint.SCAN, Hint.NOTHING, Hint.MENU)


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldStillView(View):
    """The photo is being taken.

    Attributes:
        again: whether the same table is scanned once more.
    """

    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StageView(View):
    """Something is being done; shown with how far a scan is.

    Attributes:
        stage: what is being done now.
    """

    stage: Stage
    hints: Hints = Hints(next=Hint.CANCEL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmView(View):
    """A question to be answered with yes or no."""

    question: Question
    hints: Hints = Hints(Hint.NO, Hint.NOTHING, Hint.YES)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlikeView(View):
    """The question whether a corrected tile is learned that looks like another face.

    Attributes:
        place: Words for the place of the tile.
        seen: Words for the face that the eye takes it for.
        said: Words for the face that a person said.
    """

    place: Text
    seen: Text
    said: Text
    hints: Hints = Hints(Hint.NO, Hint.NOTHING, Hint.YES)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeView(View):
    """Notice in large letters."""

    notice: Notice
    hints: Hints = Hints(ok=Hint.OK)


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultView(View):
    """Something does not work: what, and what to do.

    Attributes:
        code: of the error; one without words of its own is shown with ``detail``.
        detail: the message of the error.
        retrying: whether the scanner tries again by itself.
        page: of a long text; counts on past the last page, which is followed by the first.
    """

    code: str
    detail: str = ""
    retrying: bool = False
    page: int = 0
    hints: Hints = Hints(Hint.RETRY, Hint.MORE, Hint.OK)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastGameView(View):
    """Entry of a past game.

    Attributes:
        when: wordings, best first; empty: it is not known.
        game: its title.
        winners: empty: it is of a game without rules.
        points: of each of them.
        number: of this game, from 1, the last one first.
        count: of all.
    """

    when: tuple[str, ...]
    game: Text
    winners: tuple[Text, ...]
    points: str
    number: int
    count: int
    hints: Hints = Hints(Hint.BACK, Hint.NEXT, Hint.OPEN)


# --------------------------------------------------------------------------- menus and setting up


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuEntry:
    """A line of a menu.

    Attributes:
        label: a word, what lies there, or a name.
        value: what is chosen, at the right end of the line; None: nothing.
        ticked: whether this is the choice in use.
    """

    label: MenuLabel
    value: MenuLabel | None = None
    ticked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuView(View):
    """Menu of entries, one of them marked.

    Attributes:
        title: a word or a name.
        entries: all of them; those round the selected one are shown.
        selected: index of the marked one.
    """

    title: MenuLabel
    entries: tuple[MenuEntry, ...]
    selected: int
    hints: Hints = Hints(Hint.BACK, Hint.NEXT, Hint.CHOOSE)


@dataclass(frozen=True, slots=True, kw_only=True)
class NameView(View):
    """A name is written letter by letter.

    Attributes:
        seat: number of the player, from 1; None: the name of an edition.
        name: what has been written.
        letters: those to choose from, in their order; as many as fit are shown.
        offered: index into ``letters`` of the one that OK takes.
    """

    seat: int | None
    name: str
    letters: str
    offered: int
    hints: Hints = Hints(Hint.LEFT, Hint.RIGHT, Hint.TAKE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WizardView(View):
    """Step of a wizard.

    Attributes:
        step: which says what to do.
        number: of this step, from 1.
        of: how many steps there are.
        signs: Signs of the tiles to teach, in the order in which they are laid.
        worked: whether the photo of the step before was good.
        problem: error code of why it failed; said instead of what to do.
        detail: message of that error, for a code without words of its own.
        page: of a long text; counts on past the last page, which is followed by the first.
    """

    step: WizardStep
    number: int
    of: int
    signs: tuple[Bitmap, ...] = ()
    worked: bool = False
    problem: str = ""
    detail: str = ""
    page: int = 0
    hints: Hints = Hints(Hint.CANCEL, Hint.MORE, Hint.PHOTO)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedView(View):
    """Lens and table are known.

    Attributes:
        error_px: root mean square distance of found and expected corners, in pixels.
        coverage: share of the picture, 0 to 1, that the sheet covered in some photo.
        height_mm: of the camera above the table.
        photos: how many were used.
    """

    error_px: float
    coverage: float
    height_mm: float
    photos: int
    hints: Hints = Hints(scan=Hint.CANCEL, ok=Hint.OK)

    @classmethod
    def of(cls, found: "Calibration", *, table_only: bool = False) -> "CalibratedView":
        """Return the view of a calibration; ``table_only`` if one photo located the table alone."""
        return cls(
            error_px=found.reprojection_error_px,
            coverage=found.coverage,
            height_mm=found.plane.camera_height_mm,
            photos=1 if table_only else found.photo_count,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView(View):
    """Address of the page for phones, as text and as a QR code with the PIN.

    Attributes:
        url: ``http://192.168.1.20:8080``; empty: it is about to be served.
        pin: six digits.
    """

    url: str
    pin: str
    hints: Hints = Hints(Hint.WIFI, Hint.OFF, Hint.OK)


@dataclass(frozen=True, slots=True, kw_only=True)
class HotspotView(View):
    """The scanner's own Wi-Fi: name and password as text and as a QR code that joins it.

    Attributes:
        name: of the network; empty: it is about to be made.
        password: of it.
    """

    name: str = ""
    password: str = ""
    hints: Hints = Hints(Hint.NOTHING, Hint.OFF, Hint.OK)


AIM_PICTURE_WH = (114, 64)
"""Width and height of the live picture; beside it there is room for two bars."""


class AimPage(IntEnum):
    """Pages shown while the camera is aimed; NEXT turns them."""

    PICTURE = 0
    FIGURES = 1
    HEIGHTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class AimView(View):
    """Live picture of the camera while it is being mounted, with advice.

    Attributes:
        advice: what to do first, or that all is well.
        picture: what the camera sees, at most ``AIM_PICTURE_WH``, with the outline of the table.
        light: of the picture, 0 to 1.
        sharpness: 0 to 1.
        players: the most players whose cities fit; 0: not even two, or it is not known.
        height_cm: of the camera above the table; None: it is not known.
        tilt_deg: of the camera; None: it is not known.
        heights_cm: how high it has to be, by the number of players; none: nobody knows.
        page: which part of it is shown.
    """

    advice: Text
    picture: Bitmap
    light: float
    sharpness: float
    players: int = 0
    height_cm: int | None = None
    tilt_deg: int | None = None
    heights_cm: tuple[tuple[str, int], ...] = ()
    page: AimPage = AimPage.PICTURE
    hints: Hints = Hints(Hint.FOCUS, Hint.NEXT, Hint.DONE)
