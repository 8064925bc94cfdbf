import pytest

from firmware.screens import typeset


class TestTypesetting:
    @pytest.mark.parametrize("size", typeset.SIZES)
    def test_every_size_of_the_font_has_the_letters_of_three_languages(self, size):
        missing = typeset.glyphs(typeset.NO_CHARACTER, size).tobytes()
        for letter in "áéíóöőúüűÁÉÍÓÖŐÚÜŰäöüßÄÖÜ0123456789…►?�":
            assert typeset.glyphs(letter, size).tobytes() != missing, letter

    def test_the_smallest_letters_are_as_wide_as_stated(self):
        assert typeset.cell_width(typeset.SMALLEST) == typeset.SMALLEST_WIDTH

    @pytest.mark.parametrize(
        ("text", "readable"),
        [
            ("Árvíztűrő", "Árvíztűrő"), ("o\N{COMBINING DOUBLE ACUTE ACCENT}", "ő"),
            (" two\n\twords ", "two words"), ("山a", "�a"), ("x\N{ZERO WIDTH JOINER}y\0", "xy"),
            ("", ""),
        ],
    )  # fmt: skip
    def test_unknown_letters_become_readable_ones(self, text, readable):
        assert typeset.in_font(text) == readable

    @pytest.mark.parametrize(
        ("text", "letters", "expected"),
        [("Emily", 5, "Emily"), ("Emily", 4, "Emi…"), ("Em ily", 4, "Em…"), ("Emily", 0, "")],
    )
    def test_shortened_text_ends_with_an_ellipsis(self, text, letters, expected):
        assert typeset.ellipsize(text, letters) == expected

    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("", ()),
            ("one two three", ("one two", "three")),
            ("unbreakable", ("unbreak", "able")),
            ("a unbreakable b", ("a", "unbreak", "able b")),
        ],
    )
    def test_text_breaks_at_spaces_then_within_words(self, text, lines):
        assert typeset.wrap(text, 7) == lines
