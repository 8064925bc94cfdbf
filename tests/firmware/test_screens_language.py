"""The display and the annotated photo speak the language of the rest, unless told another."""

import numpy as np
import pytest

from firmware.annotate import annotate
from firmware.language import use_language
from firmware.screens import (
    error_screens,
    hold_still_screen,
    pictograms,
    reading_screen,
    ready_screen,
    result_screens,
)
from firmware.screens.views import Other
from scoring.faces import Face
from scoring.games.between_two_cities.sheet import Category
from tests.firmware.samples import example, ring_reading
from tests.firmware.screen_looks import same, shown

SAID = {"en": ("Winner", "Ready"), "de": ("Gewinner", "Bereit"), "hu": ("Nyertes", "Készen áll")}

in_each_language = pytest.mark.parametrize("language", SAID)


@pytest.fixture
def spoken():
    """Speak a language for one test."""
    yield use_language
    use_language("en")


@in_each_language
def test_is_that_of_all_texts(spoken, language):
    spoken(language)
    assert shown(result_screens(*example())[0])[0] == SAID[language][0]
    assert SAID[language][1] in shown(ready_screen())


@in_each_language
def test_may_be_named(spoken, language):
    spoken("hu" if language == "en" else "en")
    assert shown(result_screens(*example(), language=language)[0])[0] == SAID[language][0]
    assert SAID[language][1] in shown(ready_screen(language))


def test_of_the_simple_screens():
    assert "Stillhalten" in shown(hold_still_screen("de"))
    assert "Lapkák olvasása" in shown(reading_screen("hu"))
    assert shown(error_screens("the camera is missing", "hu")[0])[0] == "Hiba"


def test_of_the_annotated_photo():
    reading = ring_reading(3)
    width, height = reading.size_wh
    photo = np.zeros((height, width, 3), np.uint8)
    pictures = {language: annotate(photo, reading, language=language) for language in SAID}
    assert (pictures["en"] != pictures["de"]).any()
    assert (pictures["de"] != pictures["hu"]).any()
    assert (annotate(photo, reading) == pictures["en"]).all()


class TestPictograms:
    def test_are_squares_of_one_size(self):
        for sign in (*map(pictograms.face_sign, (*Face, *Other)),):
            assert sign.mode == "1"
            assert sign.size == (pictograms.SIDE, pictograms.SIDE)

    def test_of_faces_can_be_told_apart(self):
        pictures = [pictograms.face_sign(face).tobytes() for face in (*Face, *Other)]
        assert len(set(pictures)) == len(pictures)

    def test_of_a_building_type_are_those_of_its_faces(self):
        assert same(pictograms.category_sign(Category.PARKS), pictograms.face_sign(Face.PARK))
        signs = {pictograms.category_sign(category).tobytes() for category in Category}
        assert len(signs) == len(Category)
