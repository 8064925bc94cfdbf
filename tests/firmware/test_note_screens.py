"""What the eye says about a photo and its cities, on the display."""

from dataclasses import replace

import numpy as np
import pytest
from firmware.screens.texts import worded
from firmware.screens.words.notes import NOTES

from firmware.language import LANGUAGES
from firmware.screens import doubtful_notes, note_views, render, result_screens, unread_views
from firmware.screens.views import NoteView
from tests.firmware.samples import example, ring_reading, square
from tests.firmware.screen_looks import assert_nothing_is_cut_off, by_name, shown
from vision.calibrated import CAMERA_MOVED, OTHER_SIZE, WRONG_SIZE
from vision.exposure import LIGHT_HIDES, MUCH_LIGHT
from vision.reading import Unread
from vision.search import PATTERN
from vision.usable import doubts_of_photo, remedy

GLARE = "glare at [0,1], [2,3]: move the lamp or shade the city"
OFF_LEFT = "runs off the left and top edge of the picture: move the city or the camera"
NOT_ALIKE = "the tiles do not look like those of edition grandma-of-the-attic"
GONE = "city C of an earlier photo is not there any more"
KITE = "a kite hangs over the table and hides all that is below it: take the kite down, please"

WHOLE = np.array([[0, 0], [200, 0], [200, 200], [0, 200]], np.float32)


def grey(level):
    return np.full((240, 320, 3), level, np.uint8)


OF_PHOTO = [
    MUCH_LIGHT,
    OTHER_SIZE,
    CAMERA_MOVED,
    "the calibration was not used: the file is damaged: calibrate again",
    NOT_ALIKE,
    GONE,
    GONE + ": the cities after it have moved up by a letter",
    *doubts_of_photo(grey(30)),
]
OF_CITY = [
    GLARE,
    OFF_LEFT,
    WRONG_SIZE,
    "so much of this city is unclear that all of it must be checked",
    "a whole row at the edge has no tile: all may lie a row further",
    remedy(grey(90), WHOLE, 11.0),
    remedy(grey(30), WHOLE, 50.0),
    remedy(grey(128), WHOLE, 50.0),
]


def with_notes(*notes, cities=None):
    """A table of seven cities about which the eye says something."""
    reading = ring_reading(7)
    return replace(
        reading,
        notes=notes,
        cities=tuple(
            replace(city, notes=(cities or {}).get(index, ()))
            for index, city in enumerate(reading.cities)
        ),
    )


def body(screen):
    """The rows between title and hints."""
    return " ".join(text.shown for text in screen.texts if 13 <= text.box[1] < 50)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("note", [*OF_PHOTO, *OF_CITY])
def test_each_note_of_the_eye_has_words_of_its_own_that_fit_one_screen(note, language):
    known = worded(note, NOTES)
    assert known is not None, note
    cities = ("A", "B", "C", "D", "E", "F", "G") if note in OF_CITY else ()
    for unsaved in (False, True):
        screen = render(NoteView(note=note, cities=cities, unsaved=unsaved), language)
        assert_nothing_is_cut_off(screen)
        assert all(text.shown == text.whole for text in screen.texts)
        assert body(screen) == known.said.in_(language).format(**known.values)


def test_every_wording_belongs_to_a_note():
    assert {worded(note, NOTES).pattern for note in (*OF_PHOTO, *OF_CITY)} == set(NOTES)


def test_a_note_on_the_photo_says_that_it_is_one():
    screen = render(note_views(with_notes(NOT_ALIKE))[0], "en")
    assert shown(screen)[0] == "About the photo"
    assert body(screen) == "The tiles do not look like the edition that is chosen"


def test_a_city_that_is_gone_is_named():
    assert body(render(note_views(with_notes(GONE))[0], "de")).startswith("Stadt C von vorhin")


def test_what_is_odd_about_cities_stands_under_their_letters():
    reading = with_notes(cities={1: (GLARE,), 3: (OFF_LEFT,)})
    titles = [shown(render(view, "en"))[0] for view in note_views(reading)]
    assert titles == ["City B", "City D"]


def test_the_same_about_several_cities_is_said_once():
    other_glare = "glare at [3,3]: move the lamp or shade the city"
    [view] = note_views(with_notes(cities={1: (GLARE,), 2: (other_glare,), 6: (GLARE,)}))
    assert view.cities == ("B", "C", "G")


def test_notes_on_single_tiles_are_left_to_the_questions_about_them():
    of_tiles = (
        "the tile lies upside down at [0,1]",
        "no tile can be seen at [3,3]",
        "more tiles on the table show shop than the game has: check [1,2]",
    )
    assert note_views(with_notes(cities={0: of_tiles})) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_note_is_told_in_english_to_its_last_word(language):
    views = note_views(with_notes(KITE))
    assert [view.number for view in views] == [1, 2]
    assert " ".join(body(render(view, language)) for view in views) == KITE


def test_pages_for_notes_come_before_the_unsure_tiles_and_are_counted():
    sheet, reading = example(unsure={0: ((2, 3),)})
    screens = by_name(result_screens(sheet, replace(reading, notes=(MUCH_LIGHT,)), language="en"))
    names = list(screens)
    assert names[:3] == ["winner", "note-1", "unsure-1"]
    assert shown(screens["winner"])[-1] == "check 2"


def test_a_note_alone_makes_the_winner_provisional():
    sheet, reading = example()
    sure, noted = (
        result_screens(sheet, replace(reading, notes=notes), language="en")[0]
        for notes in ((), (MUCH_LIGHT,))
    )
    assert (shown(sure)[0], shown(noted)[0]) == ("Winner", "Winner?")


def test_a_calibration_that_was_not_used_leaves_the_result_as_sure_as_it_is():
    assert doubtful_notes(with_notes(OTHER_SIZE, CAMERA_MOVED)) == 0
    assert doubtful_notes(with_notes(OTHER_SIZE, MUCH_LIGHT, KITE)) == 2


@pytest.mark.parametrize("why", [LIGHT_HIDES, PATTERN])
def test_why_a_city_was_not_read_takes_no_empty_page(why):
    """The English wording of the eye is longer than the screen's."""
    assert len(unread_views([Unread(square((90, 90), 80, 0), why)])) == 1
