"""Options that do nothing without another one are refused without it."""

import pytest

from firmware.base.errors import UsageError
from tests.firmware.commanded import command
from tests.refusals import refused

CORNERS = ("1,1", "9,1", "9,9", "1,9")


@pytest.mark.parametrize(
    ("option", "needed", "words"),
    [
        ("--board-corners", "--board", ["teach", "a.jpg", "--board-corners", *CORNERS]),
        ("--faces", "PHOTO", ["teach", "--board", "b.jpg", "--faces", "blue"]),
        ("--shop-at", "PHOTO", ["teach", "--board", "b.jpg", "--shop-at", "top-left"]),
        ("--sure", "PHOTO", ["teach", "--board", "b.jpg", "--sure"]),
        ("--photo", "--bundle", ["doctor", "--photo"]),
        ("--replace", "--bundle / --out", ["doctor", "--replace"]),
        ("--replace", "--out", ["history", "export", "--csv", "--replace"]),
        ("--limit", "--json / --csv", ["history", "export", "--bgsplay", "1", "--limit", "2"]),
    ],
)
def test_option_is_refused_without_the_other(option, needed, words):
    edition = ["--edition", "mine"] if words[0] == "teach" else []
    with refused("usage", f"{option} does nothing without {needed}", where=option):
        command(*words, *edition)


def test_sure_is_refused_where_single_tiles_are_learned():
    words = ["teach", "a.jpg", "--edition", "mine", "--set", "A:1,1=park", "--sure"]
    with pytest.raises(UsageError, match="--set takes one photo"):
        command(*words)
