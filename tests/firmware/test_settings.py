"""``settings.toml`` is read as it is meant; what cannot be used is named and stops nobody."""

import os
import re
import tomllib
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.settings import (
    ButtonSettings,
    CameraSettings,
    DisplaySettings,
    Settings,
    StorageSettings,
    load_settings,
    seat_names,
    settings_path,
)
from firmware.settings.allowed import ALLOWED
from firmware.settings.storing import documented_defaults
from firmware.settings.wiring import button_wiring, camera_wiring, display_rest, display_wiring
from hardware.buttons import ButtonWiring
from hardware.camera import CameraWiring
from hardware.display import DisplayWiring, Rest

ALL = """\
language = "hu"
game = "cities"
level = 3
edition = "my-copy"
players = ["Ann", "", "Őze"]
[camera]
kind = "folder"
size_wh = [640, 480]
number = 1
source = "~/photos"
upside_down = true
[display]
kind = "none"
connection = "spi"
controller = "sh1106"
i2c_port = 3
i2c_address = 0x3D
spi_port = 1
spi_device = 1
gpio_dc = 5
gpio_reset = 6
upside_down = true
contrast = 1
dim_after_s = 0.5
[buttons]
scan_gpio = 12
next_gpio = 13
ok_gpio = 16
[storage]
photos_max = 0
photos_max_mb = 1
"""


@pytest.fixture
def loaded(tmp_path):
    """Writes a settings file and loads it."""

    def load(text):
        path = tmp_path / "settings.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_settings(path)

    return load


def keys(settings=None, table=""):
    settings = Settings() if settings is None else settings
    for one in fields(settings):
        value = getattr(settings, one.name)
        yield from keys(value, f"{one.name}.") if is_dataclass(value) else [f"{table}{one.name}"]


def test_all_that_can_be_set(loaded):
    assert loaded(ALL) == (
        Settings(
            language="hu",
            game="cities",
            level=3,
            edition="my-copy",
            players=("Ann", "", "Őze"),
            camera=CameraSettings("folder", (640, 480), 1, "~/photos", upside_down=True),
            display=DisplaySettings(
                "none", "spi", "sh1106", 3, 0x3D, 1, 1, 5, 6, True, 1, 0.5
            ),
            buttons=ButtonSettings(12, 13, 16),
            storage=StorageSettings(0, 1),
        ),
        (),
    )  # fmt: skip


def test_without_a_file_there_are_the_defaults(tmp_path):
    assert load_settings(tmp_path / "no" / "settings.toml") == (Settings(), ())
    assert Settings() == Settings(
        language="en", game="between-two-cities", variant="standard", level=1, edition="standard"
    )


def test_the_usual_place(tmp_path, monkeypatch):
    monkeypatch.setenv("STADTBLICK_HOME", str(tmp_path))
    settings_path().write_text("level = 1\nlanguage = 'de'\n")
    assert settings_path() == tmp_path / "settings.toml"
    assert load_settings()[0].language == "de"


def test_the_language_of_the_system(loaded, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "fr:hu:de")
    assert [loaded(text)[0].language for text in ("", 'language = "system"')] == ["hu", "hu"]
    assert loaded('language = "de"') == (Settings(language="de"), ())


def test_the_documented_file_says_the_defaults_of_every_setting(loaded):
    assert loaded(documented_defaults()) == (Settings(), ())
    content = tomllib.loads(documented_defaults())
    given = [
        f"{name}.{inner}" if isinstance(value, dict) else name
        for name, value in content.items()
        for inner in (value if isinstance(value, dict) else [""])
    ]
    assert sorted(given) == sorted(keys()) == sorted(ALLOWED)


def test_the_page_lists_every_setting_with_its_default(loaded):
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z0-9_.]+)` \| `([^`]+)` \|", page, re.MULTILINE)
    assert sorted(key for key, _ in rows) == sorted(ALLOWED)
    assert loaded("\n".join(f"{key} = {default}" for key, default in rows)) == (Settings(), ())


def test_the_defaults_are_allowed_and_those_of_the_hardware():
    settings = Settings()
    assert camera_wiring(settings.camera) == CameraWiring()
    assert display_wiring(settings.display) == DisplayWiring()
    assert display_rest(settings.display) == Rest()
    assert button_wiring(settings.buttons) == ButtonWiring()


def test_the_wiring_as_set(loaded, monkeypatch):
    monkeypatch.setenv("HOME", "/home/box")
    settings, _ = loaded(ALL)
    camera = camera_wiring(settings.camera)
    assert (camera.kind, str(camera.source), camera.upside_down) == (
        "folder", "/home/box/photos", True,
    )  # fmt: skip
    display = display_wiring(settings.display)
    assert (display.controller, display.i2c_address, display.gpio_dc) == ("sh1106", 0x3D, 5)
    assert display_rest(settings.display).after_s == 0.5
    assert button_wiring(settings.buttons).ok_gpio == 16


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        (
            'language = "fr"',
            "language",
            '"fr" is not allowed, so it is "en": use "system", "en", "de" or "hu"',
        ),
        ("language = 3", "language", '3 is not allowed, so it is "en": use "system", '),
        ('game = "chess"', "game", '"cities", "city-blocks", "dice-board" or "reading-only"'),
        ('variant = "solo"', "variant", 'so it is "standard": use "standard" or "two-player"'),
        ("level = 4", "level", "4 is not allowed, so it is 1: use 1, 2 or 3"),
        ("level = true", "level", "true is not allowed, so it is 1: use 1, 2 or 3"),
        ("level = 1.0", "level", "1.0 is not allowed, so it is 1: use 1, 2 or 3"),
        ('edition = "a b"', "edition", "use the name of an edition: 1 to 40 letters, digits, - an"),
        ('edition = ""', "edition", '"" is not allowed'),
        ('players = "Ann"', "players", "use a list of at most 7 different names of at most 18"),
        ('players = ["Ann", "Ann"]', "players", '["Ann", "Ann"] is not allowed'),
        ('players = ["A\\tB"]', "players", "is not allowed"),
        (f"players = {['x' * 21]}", "players", "is not allowed"),
        (f"players = {list('abcdefgh')}", "players", "is not allowed"),
        ("players = [1]", "players", "[1] is not allowed"),
        ("camera = 3", "camera", "3 is no table: write [camera] and its settings below it"),
        ("level = {}", "level", "a table is not allowed"),
        ('[camera]\nkind = "webcam"', "camera.kind", 'use "picamera", "v4l2", "folder", "file" or'),
        (
            "[camera]\nsize_wh = [640]",
            "camera.size_wh",
            "[640] is not allowed, so it is [2304, 1296]: use a",
        ),
        ("[camera]\nsize_wh = [640, 9999]", "camera.size_wh", "from 320 to 8192"),
        (
            "[camera]\nupside_down = 1",
            "camera.upside_down",
            "so it is false: use true or false",
        ),
        ("[display]\ni2c_address = 0x99", "display.i2c_address", "number from 0x08 to 0x77"),
        ("[display]\ncontrast = 256", "display.contrast", "a whole number from 0 to 255"),
        (
            "[display]\ndim_after_s = nan",
            "display.dim_after_s",
            "so it is 120.0: use a number from 0",
        ),
        ("[display]\ndim_after_s = true", "display.dim_after_s", "true is not allowed"),
        (
            "[buttons]\nok_gpio = 28",
            "buttons.ok_gpio",
            "28 is not allowed, so it is 22: use a whole",
        ),
        ("[storage]\nphotos_max = -1", "storage.photos_max", "-1 is not allowed"),
        (f"level = {'9' * 900}", "level", "very many digits is not allowed"),
        ("[storage]\nphotos_max = 1979-05-27", "storage.photos_max", "1979-05-27 is not allowed"),
    ],
)
def test_a_value_that_is_not_allowed(loaded, tmp_path, text, key, said):
    """Names file, key and what is allowed; the default is used for it, and all else is kept."""
    settings, (warning,) = loaded(text)
    assert settings == Settings()
    assert warning.code == "setting-not-allowed"
    assert warning.where == f"{tmp_path / 'settings.toml'}, {key}"
    assert said in warning.message
    assert warning.line.isprintable()
    assert f"settings.toml, {key}): {warning.message.split(': ')[-1]}" in warning.line


def test_one_wrong_value_does_not_spoil_the_others(loaded):
    settings, warnings = loaded(ALL.replace("level = 3", "level = 9").replace("12", "99"))
    assert [warning.where.split(", ")[1] for warning in warnings] == ["level", "buttons.scan_gpio"]
    assert (settings.level, settings.buttons) == (1, ButtonSettings(17, 13, 16))
    assert settings.players == ("Ann", "", "Őze")


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("lewel = 1", "lewel", "there is no setting lewel: did you mean level"),
        ("[camera]\nfps = 3", "camera.fps", "there is no setting camera.fps: known are kind, siz"),
        ('"a\\u0007" = 1', "a�", "there is no setting a�"),
    ],
)
def test_a_key_that_nobody_knows(loaded, tmp_path, text, key, said):
    settings, (warning,) = loaded(text)
    assert settings == Settings()
    assert (warning.code, warning.where) == (
        "setting-unknown", f"{tmp_path / 'settings.toml'}, {key}",
    )  # fmt: skip
    assert said in warning.message


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("level = 2", "level", "between-two-cities has no level 2, so it is 1"),
        (
            'game = "reading-only"',
            "game",
            'known by its edition alone, so it is "between-two-cities": set edition to the name',
        ),
        ('game = "cities"\nvariant = "two-player"', "variant", "cities has no variant two-player"),
        (
            "[buttons]\nok_gpio = 17",
            "buttons.ok_gpio",
            "GPIO 17 is also used for buttons.scan_gpio",
        ),
        ("[buttons]\nok_gpio = 2", "buttons.ok_gpio", "GPIO 2 is also used for the display's data"),
        ('[display]\nconnection = "spi"\n[buttons]\nscan_gpio = 24', "buttons.scan_gpio", "dc"),
        ('[display]\nconnection = "spi"\ngpio_dc = 17', "buttons.scan_gpio", "display.gpio_dc"),
        ('[display]\nconnection = "spi"\ngpio_dc = 8', "display.gpio_dc", "chip select"),
    ],
)
def test_settings_that_contradict_each_other(loaded, tmp_path, text, key, said):
    settings, (warning,) = loaded(text)
    assert (warning.code, warning.where) == (
        "setting-conflict", f"{tmp_path / 'settings.toml'}, {key}",
    )  # fmt: skip
    assert said in warning.message
    assert (settings.level, settings.variant, settings.buttons) == (1, "standard", ButtonSettings())
    assert (settings.display.gpio_dc, settings.display.gpio_reset) == (24, 25)


@pytest.mark.parametrize(
    "text",
    [
        "[buttons]\nok_gpio = 24",  # the display hangs on I2C
        '[display]\nkind = "none"\n[buttons]\nok_gpio = 2',
        "[display]\ni2c_port = 3\n[buttons]\nok_gpio = 2",
        '[display]\nconnection = "spi"\nspi_device = 1\n[buttons]\nok_gpio = 8',
    ],
)
def test_a_line_that_is_free(loaded, text):
    assert loaded(text)[1] == ()


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ("level = ", ", end of document"),
        ("level = 1\nlevel = 1\n", ", line 2, column 10"),
        ("\0" * 200, ", line 1, column 1"),
        (b"\xff\xfe", ""),
        ("players = [\n" + "[\n" * 5000, ""),
        ("#\n" + "a." * 600 + "a = 1", ", line 2"),
        ("#" * 70_000, ""),
        (f"level = {'9' * 950}e1_", ", line 1"),
    ],
)
def test_what_is_no_toml_is_set_aside(loaded, tmp_path, data, place):
    settings, (warning,) = loaded(data)
    assert settings == Settings()
    assert warning.code == "settings-not-toml"
    assert warning.where.startswith(f"{tmp_path / 'settings.toml'}{place}")
    assert warning.message.endswith(
        ", so the defaults are used: the file is now called settings.toml.bad-1"
    )
    aside = tmp_path / "settings.toml.bad-1"
    assert aside.read_bytes() == (data if isinstance(data, bytes) else data.encode())
    assert loaded("level = 1") == (Settings(), ())


def test_damaged_files_do_not_pile_up(loaded, tmp_path):
    for number in range(6):
        loaded(f"= {number}")
    kept = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert kept == {
        "settings.toml.bad-1": "= 0", "settings.toml.bad-2": "= 1", "settings.toml.bad-3": "= 5",
    }  # fmt: skip


def test_whoever_only_reads_leaves_a_damaged_file_where_it_is(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("level =")
    settings, (warning,) = load_settings(path, keep_damaged=True)
    assert settings == Settings()
    assert warning.message.endswith(", so the defaults are used: correct it")
    assert path.read_text() == "level ="


def test_a_file_that_cannot_be_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path in (pipe, loop, tmp_path):
        settings, (warning,) = load_settings(path)
        assert (settings, warning.code) == (Settings(), "settings-unreadable")
        assert warning.where == str(path)
    assert loop.is_symlink()


def test_as_windows_saves_it(loaded):
    data = b"\xef\xbb\xbf" + ALL.replace("\n", "\r\n").encode()
    assert loaded(data) == loaded(ALL)


@given(
    st.binary(max_size=80)
    | st.text(max_size=80).map(lambda text: f"level = 1\n{text}".encode())
    | st.lists(
        st.tuples(
            st.sampled_from(sorted(ALLOWED)),
            st.sampled_from(
                ["1", "-1", "true", '"x"', "[]", "[1, 2]", "{}", "1e400", "0x41", "[[]]"]
            ),
        ),
        unique_by=lambda pair: pair[0],
        max_size=8,
    ).map(lambda pairs: "\n".join(f"{key} = {value}" for key, value in pairs).encode())
)
def test_whatever_is_in_the_file_there_are_settings(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any-settings.toml"
    path.write_bytes(data)
    settings, warnings = load_settings(path, keep_damaged=True)
    assert isinstance(settings, Settings)
    assert all(warning.line.isprintable() for warning in warnings)
    assert replace(settings) == settings


@pytest.mark.parametrize(
    ("players", "count", "names"),
    [
        ((), 3, None),
        (("", ""), 3, None),
        (("Ann", "Ben", "Cid"), 3, ("Ann", "Ben", "Cid")),
        (("Ann", "Ben", "Cid"), 2, ("Ann", "Ben")),
        (("Ann",), 3, ("Ann", "P2", "P3")),
        (("", "P1", ""), 3, ("P2", "P1", "P3")),
        (("", "", "", "Dan"), 3, None),
    ],
)
def test_the_names_for_a_table(players, count, names):
    assert seat_names(players, count) == names


def test_a_game_without_rules_is_allowed_with_its_edition(loaded):
    text = 'game = "reading-only"\nedition = "dominoes"'
    assert loaded(text) == (Settings(game="reading-only", edition="dominoes"), ())
    settings, (warning,) = loaded(text + "\nlevel = 2")
    assert (settings.game, settings.level) == ("reading-only", 1)
    assert warning.code == "setting-conflict"
