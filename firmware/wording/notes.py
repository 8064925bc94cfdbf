"""Words of the notes of the eye, of a scan and of the rules."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Final, Self

from firmware.base.errors import printable
from firmware.base.language import D_, N_, Phrase, _
from firmware.wording.places import Naming
from scoring.faces import city_name
from vision.reading import Note, NoteCode


class GameNote(StrEnum):
    """Base of the notes of a game's rules: a code, its sentence, and the same for the display.

    ``ON_WATER = "on-water", N_("tourists cannot stand on {places}"), D_("A tourist on water")``.
    The display text names no places and fits into three rows.
    """

    text: str
    short: Phrase

    def __new__(cls, code: str, text: str, short: Phrase) -> Self:
        """Create a member that equals its code."""
        note = str.__new__(cls, code)
        note._value_ = code
        note.text, note.short = text, short
        return note


class ScanNote(StrEnum):
    """Codes of the notes that `firmware` adds to those of the eye (`NoteCode`), in any game."""

    NO_CITY = "no-city"
    """No city of ``rows`` x ``columns`` tiles was found."""
    NO_TILES = "no-tiles"
    NO_BOARD = "no-board"
    NO_RULES = "no-rules"
    MORE_BOARDS = "more-boards"
    UNKNOWN_FACE = "unknown-face"
    """The rules know no ``names``."""
    ORDER_ASSUMED = "order-assumed"
    """The photos do not show the order of the cities; ``order`` is assumed."""
    PERHAPS_SAME = "perhaps-same"
    """Cities ``first`` and ``second`` may be one, seen twice."""
    PHOTO_EMPTY = "photo-shows-nothing"
    """Nothing of the game is in ``photo``, one of several."""
    PHOTO_OTHER_TILES = "photo-other-tiles"
    """The tiles in ``photo``, one of several, look different."""
    PHOTO_REPEATED = "photo-repeated"
    """``photo`` is the same as ``other``."""
    PHOTO_UNUSABLE = "photo-unusable"
    """``photo``, one of several, cannot be used; values are those of the error and its template."""
    ANSWER_DROPPED = "answer-dropped"
    """Another tile lies at the places than when a person answered."""


_TEXTS: Final[Mapping[str, str]] = {
    NoteCode.OTHER_EDITION: N_(
        "the tiles look different from those of edition {name}: choose their edition, or teach them"
    ),
    NoteCode.MUCH_LIGHT: N_(
        "much of the photo is white, so that a city may have been missed: use less light"
    ),
    NoteCode.DARK: N_("the photo is dark, so that a city may have been missed: use more light"),
    NoteCode.BLURRED: N_(
        "the photo is blurred, so that a city may have been missed: focus the camera"
    ),
    NoteCode.MOTION_BLURRED: N_(
        "the photo is smeared, so that more tiles are asked about: hold the camera still"
    ),
    NoteCode.FILE_END_MISSING: N_(
        "the file of the photo is damaged at its end, but no part of the picture is missing"
    ),
    NoteCode.CITY_GONE: N_("city {letter} of an earlier photo is not there any more"),
    NoteCode.CITY_GONE_OTHERS_MOVED: N_(
        "city {letter} of an earlier photo is not there any more: "
        "the cities after it have moved up by a letter"
    ),
    NoteCode.CALIBRATION_OTHER_SIZE: N_(
        "the calibration is for photos of another size: it was not used"
    ),
    NoteCode.CALIBRATION_MOVED: N_(
        "the calibration does not fit, the camera was moved or turned: it was not used, "
        "calibrate again with stadtblick calibrate --plane-only"
    ),
    NoteCode.CALIBRATION_UNUSABLE: N_("the calibration was not used: {why}"),
    ScanNote.NO_CITY: N_(
        "no city found: lay each city as {rows} x {columns} tiles and take the whole table from "
        "above"
    ),
    ScanNote.NO_TILES: N_("nothing of the game was found: lay it flat and whole in the picture"),
    ScanNote.NO_BOARD: N_(
        "no board was found: show all of it, from above, with nothing over its edges"
    ),
    NoteCode.GLARE: N_("glare at {places}: move the lamp or shade the city"),
    NoteCode.OVER_THE_EDGE: N_(
        "runs off the {edges} edge of the picture: move the city or the camera"
    ),
    NoteCode.TOO_SMALL: N_("its tiles are only {n} pixels wide: move the camera closer"),
    NoteCode.TOO_DARK: N_("it is too dark: use more light"),
    NoteCode.OUT_OF_FOCUS: N_("it is blurred: focus the camera and hold it still"),
    NoteCode.ALL_UNCLEAR: N_("so much of this city is unclear that all of it must be checked"),
    NoteCode.EDGE_ROW_EMPTY: N_("an edge row is empty: all tiles may be one row off"),
    NoteCode.OTHER_SIZE: N_(
        "its tiles are of another size than those of the table: all must be checked"
    ),
    NoteCode.NO_TILE: N_("no tile to be seen: {places}"),
    NoteCode.UPSIDE_DOWN: N_("tile upside down: {places}"),
    NoteCode.ON_ITS_SIDE: N_("tile on its side: {places}"),
    NoteCode.HIDDEN: N_("tile covered or not from this game: {places}"),
    NoteCode.OVER_SUPPLY: N_(
        "more tiles on the table show {face} than the game has: check {places}"
    ),
    NoteCode.UNKNOWN_EDITION: N_("the tiles here look different: teach them"),
    NoteCode.CITY_UNREADABLE: N_("this looks like a city but cannot be read"),
    NoteCode.GRID_UNREADABLE: N_("this looks like a grid of this edition but cannot be read"),
    NoteCode.POSITION_UNCERTAIN: N_(
        "it cannot be told for certain where this grid ends: part of it is hidden or missing"
    ),
    NoteCode.WAY_UP_UNCERTAIN: N_("which way up this grid lies cannot be told from its tiles"),
    NoteCode.LIGHT_HIDES: N_(
        "so much light that tiles cannot be seen here: move the lamp or shade the table"
    ),
    ScanNote.NO_RULES: N_("there are no rules for this game: it is read, but not scored"),
    ScanNote.MORE_BOARDS: N_("more than one board was read: only A is scored"),
    ScanNote.ORDER_ASSUMED: N_(
        "the photos do not show in which order the cities lie round the table; taken clockwise as "
        "{order}: say it with --order, like --order {order}"
    ),
    ScanNote.PERHAPS_SAME: N_(
        "city {second} may be city {first}, seen twice: say it with --order, like --order {same}, "
        "or name both: --order {both}"
    ),
    ScanNote.PHOTO_EMPTY: N_(
        "nothing of the game was found in this photo: take it again from above, or leave it out"
    ),
    ScanNote.PHOTO_OTHER_TILES: N_(
        "the tiles in this photo look different from the others: is it of another game? Leave it "
        "out, or teach the tiles"
    ),
    ScanNote.PHOTO_REPEATED: N_("this is the same photo as {other}: leave one of them out"),
    ScanNote.PHOTO_UNUSABLE: N_("this photo was left out, {why}"),
    ScanNote.UNKNOWN_FACE: N_("the rules know no {names}: left out at {places}"),
    ScanNote.ANSWER_DROPPED: N_(
        "another tile lies at {places} than when you corrected or confirmed it: it is read again"
    ),
}
_FACES: Final = frozenset(("names", "face"))
"""Names of values that hold one face or several."""
_EDGES: Final = {"left": N_("left"), "top": N_("top"), "right": N_("right"), "bottom": N_("bottom")}


def note_template(code: str) -> str:
    """Return the English text of a note of the eye or of a scan, with its values in braces."""
    return _TEXTS[code]


def note_sentence(
    note: Note,
    naming: Naming,
    texts: Mapping[str, str] = _TEXTS,
    face_name: Callable[[str], str] = str,
) -> str:
    """Return the sentence of a note; if letters distinguish the grids it begins with the letter.

    Args:
        note: Note of a reading or of the rules.
        naming: Names of the places in it.
        texts: Sentences of the notes of the game's rules; other notes have theirs here.
        face_name: Function that returns the name of a face.
    """
    text = texts.get(note.code) or _TEXTS[note.code]
    values = dict(note.values)
    if "template" in values:
        values["why"] = _(str(values["template"])).format(**values)
    if "other" in values:
        values["other"] = photo_name(str(values["other"]))
    if "edges" in values:
        values["edges"] = _(" and ").join(_(_EDGES[edge]) for edge in str(values["edges"]).split())
    for key in _FACES.intersection(values) if note.code != ScanNote.UNKNOWN_FACE else ():
        values[key] = ", ".join(map(face_name, str(values[key]).split(", ")))
    is_of_rules = note.code in texts and note.code not in _TEXTS
    shown = replace(naming, lettered=naming.lettered and is_of_rules)
    city = "" if note.grid is None else city_name(note.grid)
    sentence = _(text).format(places=shown.places(note.places), city=city, **values)
    if note.grid is not None and naming.lettered and not is_of_rules:
        sentence = _("city {letter}: {note}").format(letter=city, note=sentence)
    if "photo" in values:
        return _("{photo}: {note}").format(photo=photo_name(str(values["photo"])), note=sentence)
    return sentence


def photo_name(name: str) -> str:
    """Return the name of one of several photos; those from the page have numbers alone."""
    return _("photo {n}").format(n=name) if name.isdecimal() else printable(name)


ABOUT_ONE_TILE: Final = frozenset(
    (
        NoteCode.NO_TILE,
        NoteCode.UPSIDE_DOWN,
        NoteCode.ON_ITS_SIDE,
        NoteCode.HIDDEN,
        NoteCode.OVER_SUPPLY,
    )
)
"""Notes on single places that a person is asked about anyway."""
HARMLESS: Final = frozenset(
    (
        NoteCode.CALIBRATION_OTHER_SIZE,
        NoteCode.CALIBRATION_MOVED,
        NoteCode.CALIBRATION_UNUSABLE,
        NoteCode.FILE_END_MISSING,
        ScanNote.PHOTO_REPEATED,
    )
)
"""Codes of notes that leave nothing to check.

A calibration or a repeated photo was not used, or the file lacks bytes but no pixels.
"""

UNUSED_PHOTO_CODES: Final = frozenset(
    (ScanNote.PHOTO_EMPTY, ScanNote.PHOTO_OTHER_TILES, ScanNote.PHOTO_UNUSABLE)
)
"""Notes on one of several photos that adds nothing, so that a city may be missing."""

_ABOUT_ALL_TILES: Final = frozenset(
    (
        NoteCode.ALL_UNCLEAR,
        NoteCode.EDGE_ROW_EMPTY,
        NoteCode.OTHER_SIZE,
        NoteCode.POSITION_UNCERTAIN,
    )
)
"""Notes after which every tile of a grid has to be checked."""


def notes_to_read(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return notes as people read them: causes first, and one note for what has one cause.

    Tiles of a grid with the same note share one. If all tiles of a grid have to be checked, the
    notes on single ones are left out.
    """
    notes = tuple(notes)
    whole = {note.grid for note in notes if note.code in _ABOUT_ALL_TILES}
    causes = [note for note in notes if note.code not in ABOUT_ONE_TILE]
    merged: dict[object, Note] = {}
    for note in notes:
        if note.code not in ABOUT_ONE_TILE or (note.grid is not None and note.grid in whole):
            continue
        key = note.code, note.grid, note.values
        first = merged.get(key)
        merged[key] = note if first is None else replace(first, places=first.places + note.places)
    return (*causes, *merged.values())


_SHORT: Final[Mapping[str, Phrase]] = {
    NoteCode.OTHER_EDITION: D_("These tiles look different: teach them"),
    NoteCode.MUCH_LIGHT: D_("Photo too bright, a city may be missing: less light"),
    NoteCode.DARK: D_("Photo is dark, a city may be missing: use more light"),
    NoteCode.BLURRED: D_("Photo is blurred, a city may be missing: focus the camera"),
    NoteCode.MOTION_BLURRED: D_("Photo is smeared: hold the camera still, scan again"),
    NoteCode.FILE_END_MISSING: D_("Photo file damaged at its end: nothing is missing"),
    NoteCode.CITY_GONE: D_("City {letter} from before is no longer there"),
    NoteCode.CITY_GONE_OTHERS_MOVED: D_("City {letter} is gone: later cities move up a letter"),
    NoteCode.CALIBRATION_OTHER_SIZE: D_("Calibration not used: it is for another photo size"),
    NoteCode.CALIBRATION_MOVED: D_("The camera was moved: calibrate the table again"),
    NoteCode.CALIBRATION_UNUSABLE: D_("The calibration is of no use: calibrate again"),
    NoteCode.GLARE: D_("Glare hides tiles: move the lamp or give shade"),
    NoteCode.OVER_THE_EDGE: D_("Not whole in the photo: move the city or the camera"),
    NoteCode.TOO_SMALL: D_("Too small in the photo: move the camera closer"),
    NoteCode.TOO_DARK: D_("Too dark: use more light"),
    NoteCode.OUT_OF_FOCUS: D_("Blurred: focus the camera and hold it still"),
    NoteCode.ALL_UNCLEAR: D_("So much is unclear: check all tiles here"),
    NoteCode.EDGE_ROW_EMPTY: D_("An edge row is empty: all tiles may be one row off"),
    NoteCode.OTHER_SIZE: D_("Tiles of another size than the others: check them"),
    NoteCode.UNKNOWN_EDITION: D_("these tiles look different: teach them"),
    NoteCode.CITY_UNREADABLE: D_("this looks like a city but cannot be read"),
    NoteCode.GRID_UNREADABLE: D_("this cannot be read: more light, hands away"),
    NoteCode.POSITION_UNCERTAIN: D_("part of it is hidden or not in the picture"),
    NoteCode.WAY_UP_UNCERTAIN: D_("Which way up it lies is unclear: check all tiles"),
    NoteCode.LIGHT_HIDES: D_("too much light: move the lamp or give shade"),
    ScanNote.NO_RULES: D_("No rules for this game: read, but not scored"),
    ScanNote.MORE_BOARDS: D_("More than one board: only A is scored"),
    ScanNote.ORDER_ASSUMED: D_("Order of the cities is open: say it on the phone"),
    ScanNote.PERHAPS_SAME: D_("One city seen twice? Answer on the phone"),
    ScanNote.PHOTO_EMPTY: D_("A photo shows nothing of the game"),
    ScanNote.PHOTO_OTHER_TILES: D_("A photo shows other tiles: leave it out"),
    ScanNote.PHOTO_REPEATED: D_("A photo was given twice: it counts once"),
    ScanNote.PHOTO_UNUSABLE: D_("A photo could not be used"),
    ScanNote.UNKNOWN_FACE: D_("The rules do not know some of the pieces"),
    ScanNote.ANSWER_DROPPED: D_("A corrected tile was exchanged: it is read again"),
}
"""Texts for the display, which has three rows for each, and for the annotated photo."""


TEACH_IN_MENU: Final[Mapping[str, Phrase]] = {
    NoteCode.OTHER_EDITION: D_("These tiles look different: teach them in the menu"),
    NoteCode.UNKNOWN_EDITION: D_("these tiles look different: teach them in the menu"),
}
"""Display texts of notes, for games that are taught on the device."""

TEACH_ON_PHONE: Final[Mapping[str, Phrase]] = {
    NoteCode.OTHER_EDITION: D_("These tiles look different: teach them on the phone"),
    NoteCode.UNKNOWN_EDITION: D_("these tiles look different: teach them on the phone"),
}
"""Display texts of notes, for games that the device's menu does not teach."""


_REMEDIES: Final[Mapping[str, Phrase]] = {
    NoteCode.POSITION_UNCERTAIN: D_("Show all of it"),
    NoteCode.LIGHT_HIDES: D_("Move the lamp"),
    NoteCode.UNKNOWN_EDITION: D_("Teach these tiles"),
}
_DEFAULT_REMEDY: Final = D_("More light, hands away")


def remedy(note: Note) -> Phrase:
    """Return advice on making a region readable, in two rows of twelve letters."""
    return _REMEDIES.get(note.code, _DEFAULT_REMEDY)


def short_note(note: Note, texts: Mapping[str, Phrase]) -> Phrase | None:
    """Return the display text of a note; None if it has none."""
    phrase = texts.get(note.code) or _SHORT.get(note.code)
    return None if phrase is None else phrase.fill(**dict(note.values))
