"""What is chosen on the device is written into ``settings.toml``; all else in it stays."""

from dataclasses import fields, is_dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.errors import OutputError
from firmware.language import LANGUAGES
from firmware.settings import (
    ButtonSettings,
    CameraSettings,
    DisplaySettings,
    Settings,
    StorageSettings,
    create_settings_file,
    load_settings,
    store_settings,
)
from firmware.settings.storing import documented_defaults
from scoring.games import GAMES

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


@pytest.fixture
def path(tmp_path):
    return tmp_path / "box" / "settings.toml"


@pytest.fixture
def own(path):
    """A file that somebody has written."""
    path.parent.mkdir()
    path.write_text(OWN)
    return path


def changed_lines(before, after):
    return [
        (old, new)
        for old, new in zip(before.splitlines(), after.splitlines(), strict=True)
        if old != new
    ]


def test_without_a_file_the_documented_one_is_begun(path):
    store_settings(Settings(language="hu", players=("Ann", "Őze")), path)
    assert changed_lines(documented_defaults(), path.read_text("utf-8")) == [
        ('language = "system"', 'language = "hu"'),
        ("players = []", 'players = ["Ann", "Őze"]'),
    ]
    assert load_settings(path) == (Settings(language="hu", players=("Ann", "Őze")), ())


def test_the_defaults_are_a_file_as_well(path):
    store_settings(Settings(), path)
    assert path.read_text("utf-8") == documented_defaults()


def test_a_file_to_begin_with(path):
    assert create_settings_file(path)
    assert path.read_text("utf-8") == documented_defaults()
    path.write_text("level = 1")
    assert not create_settings_file(path)
    assert path.read_text() == "level = 1"


def test_only_what_has_changed_is_written(own):
    settings, warnings = load_settings(own)
    assert len(warnings) == 2
    store_settings(replace(settings, edition="other"), own)
    assert changed_lines(OWN, own.read_text()) == [
        ("  edition = 'our-copy'  # bought 2019", '  edition = "other"  # bought 2019')
    ]


def test_nothing_changed_means_nothing_is_written(own):
    before = own.stat().st_mtime_ns, own.stat().st_ino
    store_settings(load_settings(own)[0], own)
    assert (own.stat().st_mtime_ns, own.stat().st_ino) == before


def test_a_value_that_was_not_allowed_is_put_right(own):
    settings, _ = load_settings(own)
    store_settings(replace(settings, display=replace(settings.display, contrast=9)), own)
    assert changed_lines(OWN, own.read_text()) == [
        ("contrast = 20000 # too bright!", "contrast = 9 # too bright!")
    ]


def test_settings_that_the_file_lacks_are_added_to_their_tables(own):
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
    stored, warnings = load_settings(own)
    assert stored == settings
    assert len(warnings) == 2


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
def test_however_the_file_is_written(path, text):
    path.parent.mkdir()
    path.write_bytes(text.encode())
    settings = replace(
        load_settings(path)[0],
        edition="other",
        camera=CameraSettings("folder", (640, 480), 5, "/photos", upside_down=True),
    )
    store_settings(settings, path)
    assert load_settings(path) == (settings, ())
    stored = path.read_text("utf-8")
    assert all(line in stored for line in text.splitlines() if line.startswith("#"))
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_language_of_the_system_stays_that_of_the_system(path, monkeypatch):
    create_settings_file(path)
    monkeypatch.setenv("LANGUAGE", "de")
    settings, _ = load_settings(path)
    store_settings(replace(settings, edition="other"), path)
    assert 'language = "system"' in path.read_text("utf-8")
    store_settings(replace(settings, language="en"), path)
    assert 'language = "en"' in path.read_text("utf-8")


def test_settings_that_contradict_each_other_are_not_stored(path):
    store_settings(
        Settings(level=3, variant="standard", buttons=ButtonSettings(5, 5, 6), edition="x"), path
    )
    assert load_settings(path) == (Settings(edition="x"), ())


def test_a_file_that_is_no_toml_is_set_aside(path):
    path.parent.mkdir()
    path.write_text("level = ")
    store_settings(Settings(edition="x"), path)
    assert load_settings(path) == (Settings(edition="x"), ())
    assert (path.parent / "settings.toml.bad-1").read_text() == "level = "


def test_a_file_that_cannot_be_read_is_not_replaced(path):
    path.mkdir(parents=True)
    with pytest.raises(OutputError) as refused:
        store_settings(Settings(level=1), path)
    assert (refused.value.code, refused.value.where) == ("file-not-writable", str(path))
    assert path.is_dir()


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "box").write_text("in the way")
    path = tmp_path / "box" / "settings.toml"
    for write in (create_settings_file, lambda path: store_settings(Settings(), path)):
        with pytest.raises(OutputError) as refused:
            write(path)
        assert refused.value.code == "file-not-writable"


GPIO = st.permutations([5, 6, 12, 13, 16, 26])
ANY_SETTINGS = st.builds(
    Settings,
    language=st.sampled_from(LANGUAGES),
    edition=st.from_regex(r"[A-Za-z0-9_-]{1,40}", fullmatch=True),
    players=st.lists(
        st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), max_size=18),
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
        DisplaySettings,
        i2c_address=st.integers(0x08, 0x77),
        dim_after_s=st.floats(0, 86_400),
    ),
    buttons=GPIO.map(lambda lines: ButtonSettings(*lines[:3])),
    storage=st.builds(StorageSettings, photos_max=st.integers(0, 100_000)),
)


@given(st.lists(ANY_SETTINGS, min_size=1, max_size=3), st.sampled_from(["", OWN]))
def test_what_was_stored_last_is_loaded(tmp_path_factory, all_settings, text):
    path = tmp_path_factory.mktemp("box") / "settings.toml"
    if text:
        path.write_text(text)
    for settings in all_settings:
        store_settings(settings, path)
        assert load_settings(path)[0] == settings
    assert all(line.partition("#")[2] in path.read_text("utf-8") for line in text.splitlines())


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_chosen(path, game):
    store_settings(Settings(game=game), path)
    assert load_settings(path) == (Settings(game=game), ())


def test_each_setting_alone_can_be_stored(path):
    """None is left out when the file is written."""
    other = Settings(
        "de", "cities", "standard", 3, "x", ("Ann",),
        CameraSettings("v4l2", (640, 480), 1, "x", upside_down=True),
        DisplaySettings("none", "spi", "ssd1309", 0, 0x3D, 1, 1, 4, 5, True, 9, 8.0),
        ButtonSettings(12, 13, 16), StorageSettings(1, 2),
    )  # fmt: skip
    for one in fields(Settings):
        value = getattr(other, one.name)
        assert value != getattr(Settings(), one.name) or one.name == "variant"
        if is_dataclass(value):
            default = getattr(Settings(), one.name)
            assert all(
                getattr(value, inner.name) != getattr(default, inner.name)
                for inner in fields(value)
            )
    store_settings(other, path)
    assert load_settings(path) == (other, ())
