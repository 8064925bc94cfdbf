"""``settings.toml`` is read as it is meant; what cannot be used is named and stops nobody.

What is chosen on the device is written into it; all else in it stays.
"""

import argparse
import os
import re
import tomllib
import unicodedata
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from firmware.base.language import LANGUAGES
from firmware.commands.options import fill_in_defaults
from firmware.settings import (
    ButtonSettings,
    CameraSettings,
    DisplaySettings,
    Settings,
    SignalSettings,
    StorageSettings,
    create_settings_file,
    load_settings,
    seat_names,
    set_damaged_aside,
    settings_path,
    store_settings,
)
from firmware.settings.defaults import MqttSettings, PageSettings, values_by_key
from firmware.settings.file import documented_defaults
from firmware.settings.rules import as_toml
from firmware.wording.problem_text import problem_line
from scoring.games import GAMES
from scoring.legality import has_visible_characters
from tests.refusals import refused

MEANT = Settings(
    language="hu",
    game="cities",
    level=3,
    edition="my-copy",
    players=("Ann", "", "Őze"),
    camera=CameraSettings("folder", (640, 480), 1, "~/photos", upside_down=True),
    display=DisplaySettings("none", "spi", "sh1106", 3, 0x3D, 1, 1, 5, 6, True, 1, 0.5, 0),
    buttons=ButtonSettings(12, 13, 16),
    signals=SignalSettings(20, 21),
    storage=StorageSettings(0, 1, 30),
    page=PageSettings(on=True, port=9000),
    mqtt=MqttSettings("broker.local", 8883, True, "scanner", "~/password"),
)
ALL = "".join(f"{key} = {as_toml(value)}\n" for key, value in values_by_key(MEANT).items())
OWN = """\
# our box in the living room
level = 1   # children play along
game="between-two-cities"

  edition = 'our-copy'  # bought 2019

future = "kept"           # of a later version
[display]   # the large one
controller = "sh1106"
contrast = 20000 # too bright!
# the end
"""
"""A file that somebody has written."""


TABLES = ("camera", "display", "buttons", "signals", "storage", "page", "mqtt")


@pytest.fixture
def path(tmp_path):
    (tmp_path / "box").mkdir()
    return tmp_path / "box" / "settings.toml"


@pytest.fixture
def loaded(path):
    """Writes a settings file and loads it."""

    def load(text):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_settings(path)

    return load


@pytest.fixture
def own(path):
    path.write_text(OWN)
    return path


def changed_lines(before, path):
    lines = zip(before.splitlines(), path.read_text("utf-8").splitlines(), strict=True)
    return [(old, new) for old, new in lines if old != new]


class TestReading:
    def test_every_setting_can_be_read(self, loaded):
        assert loaded(ALL) == (MEANT, ())
        as_windows_saves_it = b"\xef\xbb\xbf" + ALL.replace("\n", "\r\n").encode()
        assert loaded(as_windows_saves_it) == (MEANT, ())

    def test_without_a_file_there_are_the_defaults(self, tmp_path):
        assert load_settings(tmp_path / "no" / "settings.toml") == (Settings(), ())
        assert Settings() == Settings("en", "between-two-cities", "standard", 1, "standard")

    def test_the_usual_place(self, tmp_path, monkeypatch):
        monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path))
        settings_path().write_text("level = 1\nlanguage = 'de'\n")
        assert settings_path() == tmp_path / "settings.toml"
        assert load_settings()[0].language == "de"
        monkeypatch.delenv("STADTBLICK_HOME")
        monkeypatch.setenv("XDG_DATA_HOME", "/data")
        assert str(settings_path()) == "/data/stadtblick/settings.toml"
        monkeypatch.delenv("XDG_DATA_HOME")
        monkeypatch.setenv("HOME", "/home/box")
        assert str(settings_path()) == "/home/box/.local/share/stadtblick/settings.toml"

    def test_the_language_of_the_system(self, loaded, monkeypatch):
        monkeypatch.setenv("LANGUAGE", "fr:hu:de")
        assert [loaded(text)[0].language for text in ("", 'language = "system"')] == ["hu", "hu"]
        assert loaded('language = "de"') == (Settings(language="de"), ())

    def test_file_and_page_say_the_default_of_every_setting(self, loaded):
        assert loaded(documented_defaults()) == (Settings(), ())
        content = tomllib.loads(documented_defaults())
        documented = [f"{table}.{key}" for table in TABLES for key in content.pop(table)]
        documented += content
        page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
        rows = re.findall(r"^\| `([a-z0-9_.]+)` \| `([^`]+)` \|", page, re.MULTILINE)
        assert sorted(documented) == sorted(key for key, _ in rows)
        assert sorted(values_by_key(Settings())) == sorted(documented)
        assert loaded("\n".join(f"{key} = {default}" for key, default in rows)) == (Settings(), ())


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ('language = "fr"', "language", '"en" is used instead: use "system", "en", "de" or "hu"'),
        ("language = 3", "language", '3 is not allowed; "en" is used instead: use "system", '),
        ('game = "chess"', "game", ", ".join(f'"{game}"' for game in GAMES) + ' or "reading-only"'),
        (
            'variant = "solo"',
            "variant",
            '"standard" is used instead: use "standard" or "two-player"',
        ),
        ("level = 4", "level", "4 is not allowed; 1 is used instead: use 1, 2 or 3"),
        ("level = true", "level", "true is not allowed; 1 is used instead: use 1, 2 or 3"),
        ("level = 1.0", "level", "1.0 is not allowed; 1 is used instead: use 1, 2 or 3"),
        ('edition = "a b"', "edition", "use the name of an edition: 1 to 40 letters, digits, - an"),
        ('edition = "-x"', "edition", "use the name of an edition: 1 to 40 letters, digits, - an"),
        ('edition = ""', "edition", '"" is not allowed'),
        ('players = "Ann"', "players", "use a list of at most 7 different names of at most 18"),
        ('players = ["Ann", "Ann"]', "players", '["Ann", "Ann"] is not allowed'),
        ('players = ["A\\tB"]', "players", "is not allowed"),
        (f"players = {['x' * 21]}", "players", "is not allowed"),
        (f"players = {list('abcdefgh')}", "players", "is not allowed"),
        ("players = [1]", "players", "[1] is not allowed"),
        ('players = ["..."]', "players", "none invisible or of dots alone"),
        ('players = [". ."]', "players", "is not allowed"),
        ('players = ["\u3164"]', "players", "is not allowed"),
        ('players = ["\u0301\ufe0f"]', "players", "is not allowed"),
        ("camera = 3", "camera", "3 is no table: write [camera] and its settings below it"),
        ("level = {}", "level", "a table is not allowed"),
        ('camera.kind = "webcam"', "camera.kind", 'use "picamera", "v4l2", "folder", "file" or'),
        ("camera.size_wh = [640]", "camera.size_wh", "[2304, 1296] is used instead: use a"),
        ("camera.size_wh = [640, 9999]", "camera.size_wh", "from 320 to 8192"),
        ("camera.source = 1", "camera.source", "use the path of a folder or file"),
        (
            "camera.upside_down = 1",
            "camera.upside_down",
            "false is used instead: use true or false",
        ),
        ("display.i2c_address = 0x99", "display.i2c_address", "number from 0x08 to 0x77"),
        ("display.contrast = 256", "display.contrast", "a whole number from 0 to 255"),
        (
            "display.dim_after_s = nan",
            "display.dim_after_s",
            "120.0 is used instead: use a number from 0",
        ),
        ("display.dim_after_s = true", "display.dim_after_s", "true is not allowed"),
        (f"display.dim_after_s = {'9' * 900}", "display.dim_after_s", "very many digits is not"),
        (
            "buttons.ok_gpio = 28",
            "buttons.ok_gpio",
            "28 is not allowed; 22 is used instead: use a whole",
        ),
        ("storage.photos_max = -1", "storage.photos_max", "-1 is not allowed"),
        ('mqtt.host = "mqtt://box"', "mqtt.host", "use the name or address of a computer"),
        (f"level = {'9' * 900}", "level", "very many digits is not allowed"),
        ("storage.photos_max = 1979-05-27", "storage.photos_max", "1979-05-27 is not allowed"),
    ],
)
def test_a_value_that_is_not_allowed(loaded, path, text, key, expected):
    """Names file, key and what is allowed; the default is used for it, and all else is kept."""
    settings, (warning,) = loaded(text)
    assert settings == Settings()
    assert (warning.code, warning.where) == ("setting-not-allowed", f"{path}, {key}")
    assert expected in warning.message
    assert problem_line(warning).isprintable()
    assert f"settings.toml, {key}): {warning.message.split(': ')[-1]}" in problem_line(warning)


def test_one_wrong_value_does_not_spoil_the_others(loaded):
    settings, warnings = loaded(ALL.replace("level = 3", "level = 9").replace("12", "99"))
    assert [warning.where.split(", ")[1] for warning in warnings] == ["level", "buttons.scan_gpio"]
    assert settings == replace(MEANT, level=1, buttons=ButtonSettings(17, 13, 16))


@pytest.mark.parametrize(
    ("text", "code", "key", "expected"),
    [
        ("lewel = 1", "setting-unknown", "lewel", "no setting lewel: did you mean level"),
        ("camera.fps = 3", "setting-unknown", "camera.fps", "camera.fps: known are kind, siz"),
        ('"a\\u0007" = 1', "setting-unknown", "a�", "there is no setting a�"),
        *[
            (text, "setting-conflict", key, expected)
            for text, key, expected in (
                ("level = 2", "level", "between-two-cities has no level 2; level 1 is used"),
                ('game = "reading-only"', "game",
                 'known only by its edition; "between-two-cities" is used instead: set edition'),
                ("buttons.ok_gpio = 17", "buttons.ok_gpio", "17 is also used for buttons.scan_gpi"),
                ("buttons.ok_gpio = 2", "buttons.ok_gpio", "2 is also used for the display's data"),
                ('display.connection = "spi"\nbuttons.scan_gpio = 24', "buttons.scan_gpio", "dc"),
                ("signals.lamp_gpio = 22", "signals.lamp_gpio", "buttons.ok_gpio"),
                ('display.connection = "spi"\ndisplay.gpio_dc = 17', "buttons.scan_gpio",
                 "display.gpio_dc, so buttons and display are taken to be wired as in the wiring"),
                ('display.connection = "spi"\ndisplay.gpio_dc = 8', "display.gpio_dc",
                 "GPIO 8 is also used for the display's chip select"),
            )
        ],
    ],
)  # fmt: skip
def test_keys_that_nobody_knows_and_settings_that_contradict_each_other(
    loaded, path, text, code, key, expected
):
    settings, (warning,) = loaded(text)
    assert replace(settings, display=Settings().display) == Settings()
    assert replace(settings.display, connection="i2c") == DisplaySettings()
    assert (warning.code, warning.where) == (code, f"{path}, {key}")
    assert expected in warning.message


def test_variants_and_levels_that_another_game_has(loaded):
    dominoes = Settings(game="reading-only", edition="dominoes")
    text = 'game = "reading-only"\nedition = "dominoes"\n'
    assert loaded(text) == (dominoes, ())
    for wrong, usual, shown in (
        ('game = "cities"\nvariant = "two-player"', Settings(game="cities"), "no variant two-play"),
        (f"{text}level = 2", dominoes, "reading-only has no level 2"),
    ):
        settings, (warning,) = loaded(wrong)
        assert (settings, warning.code) == (usual, "setting-conflict")
        assert shown in warning.message
    for text in (
        "buttons.ok_gpio = 24",  # the display hangs on I2C
        'display.kind = "none"\nbuttons.ok_gpio = 2',
        "display.i2c_port = 3\nbuttons.ok_gpio = 2",
        'display.connection = "spi"\ndisplay.spi_device = 1\nbuttons.ok_gpio = 8',
        'display.connection = "spi"\ndisplay.spi_port = 1\nbuttons.ok_gpio = 8',
    ):
        assert loaded(text)[1] == ()


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"level = ", ", end of document"), (b"level = 1\nlevel = 1\n", ", line 2, column 10"),
        (b"\0" * 200, ", line 1, column 1"), (b"\xff\xfe", ""),
        (b"players = [\n" + b"[\n" * 5000, ""), (b"level = " + b"[" * 900, ""),
        (b"#\n" + b"a." * 600 + b"a = 1", ", line 2"), (b"#" * 70_000, ""),
        (b"level = " + b"9" * 950 + b"e1_", ", line 1"),
    ],
)  # fmt: skip
def test_file_that_is_no_toml_is_set_aside(loaded, path, data, place):
    settings, (warning,) = loaded(data)
    assert settings == Settings()
    assert warning.code == "settings-not-toml"
    assert warning.where.startswith(f"{path}{place}")
    (renamed,) = set_damaged_aside([warning], path)
    assert renamed == replace(warning, message=renamed.message)
    assert renamed.message.endswith(
        ", so the defaults are used: the file is now called settings.toml.bad-1"
    )
    assert path.with_name("settings.toml.bad-1").read_bytes() == data
    assert loaded("level = 1") == (Settings(), ())


def test_damaged_files_do_not_pile_up(loaded, path):
    for number in range(6):
        set_damaged_aside(loaded(f"= {number}")[1], path)
    kept = {each.suffix: each.read_text() for each in path.parent.iterdir()}
    assert kept == {".bad-1": "= 0", ".bad-2": "= 1", ".bad-3": "= 5"}


def test_loading_leaves_a_damaged_file_where_it_is(path):
    path.write_text("level =")
    settings, (warning,) = load_settings(path)
    assert (settings, path.read_text()) == (Settings(), "level =")
    assert warning.message.endswith(", so the defaults are used: correct it")


def test_a_file_that_cannot_be_read(tmp_path):
    pipe, loop = tmp_path / "pipe", tmp_path / "loop"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    for path in (pipe, loop, tmp_path):
        settings, (warning,) = load_settings(path)
        assert (settings, warning.code) == (Settings(), "settings-unreadable")
        assert warning.where == str(path)
    assert loop.is_symlink()


VALUES = ["1", "-1", "true", '"x"', "[]", "[1, 2]", "{}", "1e400", "0x41", "[[]]"]


@given(
    st.binary(max_size=80)
    | st.text(max_size=80).map(lambda text: f"level = 1\n{text}".encode())
    | st.dictionaries(
        st.sampled_from(sorted(values_by_key(Settings()))), st.sampled_from(VALUES), max_size=8
    ).map(lambda given: "\n".join(f"{key} = {value}" for key, value in given.items()).encode())
)
@effort(max_examples=30)
def test_any_file_content_gives_settings(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any-settings.toml"
    path.write_bytes(data)
    settings, warnings = load_settings(path)
    assert isinstance(settings, Settings)
    assert all(problem_line(warning).isprintable() for warning in warnings)


@pytest.mark.parametrize(
    ("players", "count", "names"),
    [
        ((), 3, None), (("", ""), 3, None), (("Ann", "Ben", "Cid"), 3, ("Ann", "Ben", "Cid")),
        (("Ann", "Ben", "Cid"), 2, ("Ann", "Ben")), (("Ann",), 3, ("Ann", "P2", "P3")),
        (("", "P1", ""), 3, ("P2", "P1", "P3")), (("", "", "", "Dan"), 3, None),
    ],
)  # fmt: skip
def test_the_names_for_a_table(players, count, names):
    assert seat_names(players, count) == names


class TestStoring:
    def test_without_a_file_the_documented_one_is_begun(self, path):
        settings = Settings(language="hu", players=("Ann", "Őze"))
        store_settings(settings, path)
        assert changed_lines(documented_defaults(), path) == [
            ('language = "system"', 'language = "hu"'),
            ("players = []", 'players = ["Ann", "Őze"]'),
        ]
        assert load_settings(path) == (settings, ())

    @pytest.mark.parametrize("stores", [False, True])
    def test_a_file_to_begin_with(self, path, stores):
        store_settings(Settings(), path) if stores else create_settings_file(path)
        assert path.read_text("utf-8") == documented_defaults()
        path.write_text("level = 1")
        assert not create_settings_file(path)
        assert path.read_text() == "level = 1"

    def test_only_what_has_changed_is_written(self, own):
        settings, warnings = load_settings(own)
        assert len(warnings) == 2
        before = own.stat().st_mtime_ns, own.stat().st_ino
        store_settings(settings, own)
        assert (own.stat().st_mtime_ns, own.stat().st_ino) == before
        # One that was not allowed is put right
        display = replace(settings.display, contrast=9)
        store_settings(replace(settings, edition="other", display=display), own)
        assert changed_lines(OWN, own) == [
            ("  edition = 'our-copy'  # bought 2019", '  edition = "other"  # bought 2019'),
            ("contrast = 20000 # too bright!", "contrast = 9 # too bright!"),
        ]

    def test_settings_that_the_file_lacks_are_added_to_their_tables(self, own):
        settings = replace(
            load_settings(own)[0],
            variant="two-player",
            display=DisplaySettings(controller="sh1106", i2c_address=0x3D),
            storage=StorageSettings(photos_max=7),
        )
        store_settings(settings, own)
        text = own.read_text()
        assert all(line in text.splitlines() for line in OWN.splitlines())
        assert 'variant = "two-player"' in text.split("[display]")[0]
        assert "i2c_address = 0x3D" in text
        assert load_settings(own)[0] == settings

    @pytest.mark.parametrize(
        "text",
        [
            "camera = 3\n",
            'camera = {kind = "none"}\n',
            'camera.kind = "none"\ncamera.number = 2\n',
            '[camera]\n[buttons]\nscan_gpio = 5\n',
            '"level" = 1\n\'camera\' . "kind" = "none"\n',
            "level = 1\r\n# as Windows saves it\r\n[camera]\r\nnumber = 2\r\n",
            "\ufeff# as Windows saves it\nlevel = 1\n",
            "",
            "# only a comment",
        ],
    )  # fmt: skip
    def test_however_the_file_is_written(self, loaded, path, text):
        camera = CameraSettings("folder", (640, 480), 5, "/photos", upside_down=True)
        settings = replace(loaded(text)[0], edition="other", camera=camera)
        store_settings(settings, path)
        assert load_settings(path) == (settings, ())
        stored = path.read_text("utf-8")
        assert all(line in stored for line in text.splitlines() if line.startswith("#"))
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    @pytest.mark.parametrize("text", ["level = ", f"level = 1\nfuture = {'[' * 200}{']' * 200}\n"])
    def test_broken_or_unchangeable_settings_file_is_set_aside(self, path, text):
        path.write_text(text)
        assert load_settings(path)[0] == Settings()
        store_settings(Settings(edition="x"), path)
        assert load_settings(path) == (Settings(edition="x"), ())
        assert path.with_name("settings.toml.bad-1").read_text() == text

    def test_the_language_of_the_system_stays_that_of_the_system(self, path, monkeypatch):
        create_settings_file(path)
        monkeypatch.setenv("LANGUAGE", "de")
        settings, _ = load_settings(path)
        store_settings(replace(settings, edition="other"), path)
        assert 'language = "system"' in path.read_text("utf-8")
        store_settings(replace(settings, language="en"), path)
        assert 'language = "en"' in path.read_text("utf-8")

    def test_unreadable_settings_file_is_not_replaced(self, path):
        path.mkdir()
        with refused("file-not-writable", "so nothing is written over them") as caught:
            store_settings(Settings(level=1), path)
        assert caught.value.where == str(path)
        assert path.is_dir()
        below = path.parent / "in the way" / "settings.toml"
        below.parent.touch()
        for write in (create_settings_file, lambda path: store_settings(Settings(), path)):
            with refused("file-not-writable"):
                write(below)

    def test_each_setting_can_be_stored(self, path):
        """None is left out when the file is written."""
        given, usual = values_by_key(MEANT), values_by_key(Settings())
        assert {key for key in given if given[key] == usual[key]} == {"variant"}
        store_settings(MEANT, path)
        assert load_settings(path) == (MEANT, ())
        contradicting = Settings(level=3, buttons=ButtonSettings(5, 5, 6), edition="x")
        store_settings(contradicting, path)
        assert load_settings(path) == (Settings(edition="x"), ())


def test_names_are_stored_with_accents_on_their_letters(path):
    store_settings(Settings(players=("A\u0301nn", "Bo")), path)
    assert load_settings(path) == (Settings(players=("\u00c1nn", "Bo")), ())


ANY_SETTINGS = st.builds(
    Settings,
    language=st.sampled_from(LANGUAGES),
    game=st.sampled_from(list(GAMES)),
    edition=st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,39}", fullmatch=True),
    players=st.lists(
        st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), max_size=18)
        .map(partial(unicodedata.normalize, "NFC"))
        .filter(lambda name: not name or (has_visible_characters(name) and name.strip(".")))
        .filter(lambda name: len(name) <= 18),
        max_size=7,
        unique=True,
    ).map(tuple),
    camera=st.builds(
        CameraSettings,
        kind=st.sampled_from(["picamera", "v4l2", "folder", "file", "none"]),
        size_wh=st.tuples(st.integers(320, 8192), st.integers(320, 8192)),
        source=st.sampled_from(["", "/a b/\"c'\\d", "ő#="]),
        upside_down=st.booleans(),
    ),
    display=st.builds(
        DisplaySettings, i2c_address=st.integers(0x08, 0x77), dim_after_s=st.floats(0, 86_400)
    ),
    buttons=st.permutations([5, 6, 12, 13, 16, 26]).map(lambda lines: ButtonSettings(*lines[:3])),
    storage=st.builds(StorageSettings, photos_max=st.integers(0, 100_000)),
    page=st.builds(PageSettings, on=st.booleans(), port=st.integers(1024, 65_535)),
)


@given(st.lists(ANY_SETTINGS, min_size=1, max_size=3), st.sampled_from(["", OWN]))
@effort(max_examples=25)
def test_settings_stored_last_are_loaded(tmp_path_factory, all_settings, text):
    path = tmp_path_factory.mktemp("box") / "settings.toml"
    if text:
        path.write_text(text)
    for settings in all_settings:
        store_settings(settings, path)
        assert load_settings(path)[0] == settings
    assert all(line.partition("#")[2] in path.read_text("utf-8") for line in text.splitlines())


NONE = {"game": None, "variant": None, "level": None, "edition": None}
OF_TWO = Settings(language="hu", variant="two-player", edition="my-copy")
CITIES = Settings(game="cities", level=3, edition="my-copy")


@pytest.mark.parametrize(
    ("settings", "given", "expected"),
    [
        (None, {}, ("between-two-cities", "standard", 1, "standard")),
        (OF_TWO, {}, ("between-two-cities", "two-player", 1, "my-copy")),
        (OF_TWO, {"game": "between-two-cities", "variant": "standard", "edition": "x"},
         ("between-two-cities", "standard", 1, "x")),
        (CITIES, {}, ("cities", "standard", 3, "my-copy")),
        (CITIES, {"game": "cities", "level": 2}, ("cities", "standard", 2, "my-copy")),
        # What was chosen for another game does not count, and only one game has variants
        (CITIES, {"game": "between-two-cities"},
         ("between-two-cities", "standard", 1, "standard")),
        (Settings(game="cities", level=2, variant="two-player"), {},
         ("cities", "standard", 2, "standard")),
    ],
)  # fmt: skip
def test_command_line_overrides_settings(settings, given, expected):
    if settings is not None:
        store_settings(settings)
    options = argparse.Namespace(**{**NONE, **given}, settings=load_settings()[0])
    fill_in_defaults(options)
    assert tuple(vars(options)[name] for name in NONE) == expected
