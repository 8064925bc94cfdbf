"""Views of screens without a result: ready, busy, problems, past games, menus, setting up."""

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from firmware.screens.view import Bitmap, Hints, MenuLabel, Text, View
from firmware.screens.words import Alert, Hint, Notice, Stage, WizardStep

if TYPE_CHECKING:
    from vision.calibration import Calibration


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingView(View):
    """Screen of the scanner while it starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyView(View):
    """Screen of the scanner while it waits for a button.

    Attributes:
        game: Title of the game.
        variant: Identifier of the variant; None if the game has none.
        level: Level; None if the game has none.
        edition: Name of the taught edition; None for the standard one.
        to_check: Number of things to check in the last result, which NEXT shows.
        alerts: Alerts, the most important first; the screen has room for one and counts the others.
        asks: Whether the players are still asked about, before the first scan of an evening.
        names: Names of the players, while they are asked about.
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
class HandsOffView(View):
    """Screen while the photo is being taken.

    Attributes:
        is_rescan: Whether the table of the last scan is scanned again.
    """

    is_rescan: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StageView(View):
    """Stage of a job, with the progress of a scan.

    Attributes:
        stage: Stage that is being done now.
    """

    stage: Stage
    hints: Hints = Hints(next=Hint.CANCEL)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeView(View):
    """Notice in large letters."""

    notice: Notice
    hints: Hints = Hints(ok=Hint.OK)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemView(View):
    """Problem: what does not work, and what to do.

    Attributes:
        code: Code of the error; one without words of its own is shown with ``detail``.
        detail: Message of the error.
        retrying: Whether the scanner tries again by itself.
        part: Part of a long text; counts on past the last part, which is followed by the first.
    """

    code: str
    detail: str = ""
    retrying: bool = False
    part: int = 0
    hints: Hints = Hints(Hint.RETRY, Hint.MORE, Hint.OK)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastGameView(View):
    """Entry of a past game.

    Attributes:
        when: Wordings of the time, best first; empty if it is not known.
        game: Title of the game.
        winners: Names of the winners; empty for a game without rules.
        points: Points of each winner.
        number: Number of this game, from 1, the last one first.
        count: Number of all past games.
    """

    when: tuple[str, ...]
    game: Text
    winners: tuple[Text, ...]
    points: str
    number: int
    count: int
    hints: Hints = Hints(Hint.BACK, Hint.NEXT, Hint.OPEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuEntry:
    """Line of a menu.

    Attributes:
        label: Word, piece or name.
        value: Choice, at the right end of the line; None if there is none.
        ticked: Whether this is the choice in use.
    """

    label: MenuLabel
    value: MenuLabel | None = None
    ticked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuView(View):
    """Menu of entries, one of them marked.

    Attributes:
        title: Word or name.
        entries: All entries; those round the selected one are shown.
        selected: Index of the marked entry.
    """

    title: MenuLabel
    entries: tuple[MenuEntry, ...]
    selected: int
    hints: Hints = Hints(Hint.BACK, Hint.DOWN, Hint.CHOOSE)


@dataclass(frozen=True, slots=True, kw_only=True)
class NameView(View):
    """Name that is written letter by letter.

    Attributes:
        seat: Number of the player, from 1; None for the name of an edition.
        name: Letters written so far.
        letters: Letters to choose from, in their order; as many as fit are shown.
        offered: Index into ``letters`` of the one that OK takes.
    """

    seat: int | None
    name: str
    letters: str
    offered: int
    hints: Hints = Hints(Hint.PREVIOUS, Hint.NEXT, Hint.TAKE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WizardView(View):
    """Step of a wizard.

    Attributes:
        step: Step with its instruction.
        number: Number of this step, from 1.
        count: Number of all steps.
        signs: Signs of the tiles to teach, in the order in which they are laid.
        worked: Whether the photo of the step before was good.
        problem: Code of the error of the last photo, shown instead of what to do; empty if none.
        detail: Message of that error, for a code without words of its own.
        part: Part of a long text; counts on past the last part, which is followed by the first.
    """

    step: WizardStep
    number: int
    count: int
    signs: tuple[Bitmap, ...] = ()
    worked: bool = False
    problem: str = ""
    detail: str = ""
    part: int = 0
    hints: Hints = Hints(Hint.CANCEL, Hint.MORE, Hint.PHOTO)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedView(View):
    """Result of a calibration.

    Attributes:
        error_px: Root mean square distance of found and expected corners, in pixels.
        coverage: Share of the picture, 0 to 1, that the sheet covered in some photo.
        height_mm: Height of the camera above the table.
        photos: Number of photos used.
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
        url: Address such as ``http://192.168.1.20:8080``; empty while the server starts.
        pin: Six digits.
    """

    url: str
    pin: str
    hints: Hints = Hints(next=Hint.MENU, ok=Hint.OK)


@dataclass(frozen=True, slots=True, kw_only=True)
class HotspotView(View):
    """Wi-Fi of the scanner: name and password as text and as a QR code that joins it.

    Attributes:
        name: Name of the network; empty while it is being set up.
        password: Password of the network.
    """

    name: str = ""
    password: str = ""
    hints: Hints = Hints(next=Hint.MENU, ok=Hint.OK)


AIM_PICTURE_WH = (114, 51)
"""Width and height of the live picture; there is room for two bars beside it and hints below."""


class AimPart(IntEnum):
    """Parts of the screen for aiming, shown one at a time; NEXT goes to the next."""

    PICTURE = 0
    FIGURES = 1
    HEIGHTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class AimView(View):
    """Live picture of the camera while it is being mounted, with advice.

    Attributes:
        advice: Most important advice, or that all is well.
        picture: Live picture, at most ``AIM_PICTURE_WH``, with the outline of the table.
        light: Brightness of the picture, 0 to 1.
        sharpness: Sharpness of the picture, 0 to 1.
        players: Most players whose cities fit; 0 if fewer than two or not known.
        height_cm: Height of the camera above the table; None if it is not known.
        tilt_deg: Tilt of the camera; None if it is not known.
        heights_cm: Height that is needed, by the number of players; empty if not known.
        part: Part that is shown.
    """

    advice: Text
    picture: Bitmap
    light: float
    sharpness: float
    players: int = 0
    height_cm: int | None = None
    tilt_deg: int | None = None
    heights_cm: tuple[tuple[str, int], ...] = ()
    part: AimPart = AimPart.PICTURE
    hints: Hints = Hints(Hint.FOCUS, Hint.NEXT, Hint.DONE)
