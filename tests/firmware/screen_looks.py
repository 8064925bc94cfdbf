"""Texts, pixels and checks of a screen."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image, ImageChops

from firmware.base.language import current_language, use_language
from firmware.screens.canvas import Screen
from firmware.screens.render import render
from firmware.screens.view import View
from firmware.wording.ranges import RANGE_SIGN


@contextmanager
def speaking(language: str) -> Iterator[None]:
    before = current_language()
    use_language(language)
    try:
        yield
    finally:
        use_language(before)


def shown(screen: Screen) -> list[str]:
    return [text.shown for text in screen.texts]


def body(screen: Screen) -> str:
    """The rows between title and hints."""
    return " ".join(text.shown for text in screen.texts if 13 <= text.box[1] < 50)


def by_name(screens: tuple[Screen, ...]) -> dict[str, Screen]:
    return {screen.name: screen for screen in screens}


def lit(screen: Screen, x: int, y: int) -> bool:
    return bool(screen.image.getpixel((x, y)))


def same(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.logical_xor(one, other).getbbox() is None


def assert_nothing_is_cut_off(screen: Screen) -> None:
    assert screen.image.mode == "1"
    assert screen.image.size == (128, 64)
    for text in screen.texts:
        left, top, right, bottom = text.box
        assert 0 <= left < right <= 128, text
        assert 0 <= top < bottom <= 64, text
        if text.shown.endswith("…"):
            assert text.whole.startswith(text.shown[:-1]), text
    for one, other in itertools.combinations(screen.texts, 2):
        apart_x = one.box[2] <= other.box[0] or other.box[2] <= one.box[0]
        apart_y = one.box[3] <= other.box[1] or other.box[3] <= one.box[1]
        assert apart_x or apart_y, (one, other)


def assert_all_is_said(expected: View | Screen, advice: str = "") -> None:
    screen = expected if isinstance(expected, Screen) else render(expected)
    assert_nothing_is_cut_off(screen)
    has_ranges = screen.name.startswith("winner") and RANGE_SIGN in " ".join(shown(screen))
    if screen.name.startswith("standings") or has_ranges:
        return  # rank and points beside each name, so that long names are shortened
    cut_off = [text.whole for text in screen.texts if text.shown != text.whole]
    assert not cut_off, advice or f"{screen.name}: give a shorter wording as well of {cut_off}"
