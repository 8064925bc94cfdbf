"""Base class of the views, and the values that views are made of.

A view is the content of a screen as data; ``firmware.screens.render`` draws it. Words
(``firmware.screens.words``) are translated into the user's language when the view is drawn; names
that people gave are plain texts. Sentences of notes and problems without words for the display are
translated when the view is made, so a view belongs to the language of that time. Every view has the
meaning of the three buttons on it (``hints``), so that the hint row is always right.
"""

from collections.abc import Callable
from dataclasses import dataclass

from firmware.base.language import D_, Phrase, Worded
from firmware.screens.words import Hint
from scoring.legality import has_visible_characters, seat_number
from vision.reading import Place, Quad, Reading


@dataclass(frozen=True, slots=True)
class Hints:
    """Words of the hint row, from the left.

    Attributes:
        scan: Word for the button SCAN.
        next: Word for the button NEXT.
        ok: Word for the button OK.
    """

    scan: Hint = Hint.NOTHING
    next: Hint = Hint.NOTHING
    ok: Hint = Hint.NOTHING


NO_HINTS = Hints()


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Content of a screen of the display, as data; ``canvas.Screen`` is what is drawn of it.

    Attributes:
        hints: Words for the three buttons.
    """

    hints: Hints = NO_HINTS


@dataclass(frozen=True, slots=True)
class Bitmap:
    """Black-and-white picture.

    Attributes:
        size_wh: Width and height in pixels.
        bits: Rows from the top, eight pixels a byte, the leftmost in the highest bit, each row
            filled up to whole bytes; 1 is lit. As ``PIL.Image.tobytes`` of mode ``"1"`` has them.
    """

    size_wh: tuple[int, int]
    bits: bytes


CropAt = Callable[[Place | Quad], Bitmap | None]
"""Function that returns the picture of a place, or of an unread region by its corners; None if the
photo is not known."""


def no_crop(_where: Place | Quad) -> None:
    """Return None, as there is no photo."""


SIGN_SIDE = 11
"""Width and height of a sign in pixels."""
CROP_SIDE = 38
"""Width and height of the picture of a place in pixels."""

SEAT = D_("Player {n}")


@dataclass(frozen=True, slots=True)
class PlayerLabel:
    """Label of a player: the name, or the seat and the own cities of a player without one.

    Attributes:
        number: Number of the seat, from 1.
        name: Name of the player; the seat is shown if it has no visible letter.
        cities: Letters of the player's own cities, in the order of the alphabet.
    """

    number: int
    name: str = ""
    cities: tuple[str, ...] = ()

    def __str__(self) -> str:
        name = self._name
        return f"{name} ({' '.join(self.cities)})" if self.cities and self.is_nameless else name

    @property
    def wordings(self) -> tuple[str, ...]:
        """The text in full, then shorter and shorter."""
        if not (self.cities and self.is_nameless):
            return (str(self),)
        return str(self), f"{self._name} ({''.join(self.cities)})", self._name

    @property
    def is_nameless(self) -> bool:
        """True for a player without a name, who is called by the seat and the own cities."""
        return not has_visible_characters(self.name) or seat_number(self.name) is not None

    @property
    def _name(self) -> str:
        if not self.is_nameless:
            return self.name
        return str(SEAT.fill(n=seat_number(self.name) or self.number))


Text = str | Phrase | Worded | PlayerLabel
"""Text in the user's language when it is drawn, or a name."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that may lie on the table, with its words.

    Attributes:
        name: Identifier of a face, a kind of figure, a place beside a board, or
            a ``SpecialAnswer``.
        word: Words for it; each is shortened to its first letters where they have no room.
        sign: Sign of ``SIGN_SIDE`` pixels; None if it has none.
    """

    name: str
    word: Text
    sign: Bitmap | None = None


MenuLabel = Piece | Text


@dataclass(frozen=True, slots=True)
class TableMap:
    """Map of the cities or boards.

    Attributes:
        cities: Corners of each as read upright, in pixels of the photo.
        unread: Corners of each region that looks like one but was not read.
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
        """True if there are several things to distinguish."""
        return len(self.cities) + len(self.unread) > 1
