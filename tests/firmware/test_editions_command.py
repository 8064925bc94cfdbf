"""``stadtblick editions``, and ZIP files that mean harm."""

import io
import zipfile
from functools import partial

import cv2
import numpy as np
import pytest

from firmware.editions import (
    MAX_ARCHIVE_BYTES,
    archive_of,
    load_edition,
    save_edition,
    stored_names,
)
from scoring.faces import Face
from tests.firmware.commanded import editions
from tests.firmware.commanded import refusal as refusal_of
from tests.vision.taught_cities import cities_edition
from vision.editions.folder import edition_files
from vision.eye import with_model


def drawn(name="my-copy"):
    rng = np.random.default_rng(1)
    pictures = {face: (rng.integers(0, 255, (96, 96, 3), dtype=np.uint8),) for face in Face}
    return cities_edition(name, pictures)


refusal = partial(refusal_of, editions)


def zipped(tmp_path, files):
    """A ZIP with these files, names as given, in this order."""
    path = tmp_path / "given.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return path


def good_files():
    return [(f"my-copy/{name}", data) for name, data in edition_files(drawn()).items()]


def changed(name, data):
    return [(n, data if n == f"my-copy/{name}" else d) for n, d in good_files()]


def png(side):
    return cv2.imencode(".png", np.zeros((side, side, 3), np.uint8))[1].tobytes()


def test_it_lists_and_shows(capsys):
    assert editions() == 0
    built_in = capsys.readouterr().out.splitlines()
    assert "No edition has been taught" in built_in.pop()
    assert "standard: cities, 24 faces, 24 pictures, built in" in built_in
    folder = save_edition(drawn())
    assert editions() == 0
    line = "my-copy: between-two-cities, 9 faces, 9 pictures"
    assert capsys.readouterr().out.splitlines() == [*built_in, line]
    assert editions("show", "my-copy") == 0
    assert str(folder) in capsys.readouterr().out
    (folder / "edition.toml").unlink()
    assert editions() == 1
    assert "my-copy: " in capsys.readouterr().out
    assert refusal("show", "other") == "unknown-edition"


def test_removing_asks(monkeypatch):
    save_edition(drawn())
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    assert refusal("remove", "my-copy") == "edition-not-removed"
    terminal = io.StringIO("no\nyes\n")
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    assert editions("remove", "my-copy") == 1
    assert stored_names() == ["my-copy"]
    assert editions("remove", "my-copy") == 0
    assert stored_names() == []
    assert refusal("remove", "my-copy", "--yes") == "unknown-edition"


def test_an_export_is_imported_as_it_was(tmp_path):
    save_edition(drawn())
    out = tmp_path / "out.zip"
    assert editions("export", "my-copy", "--out", out) == 0
    assert refusal("export", "my-copy", "--out", out) == "archive-exists"
    assert out.read_bytes() == archive_of(with_model(drawn()))
    assert refusal("import", out) == "edition-exists"
    assert editions("remove", "my-copy", "--yes") == 0
    assert editions("import", out) == 0
    assert edition_files(load_edition("my-copy", None)) == edition_files(with_model(drawn()))
    assert editions("import", out, "--replace") == 0


@pytest.mark.parametrize(
    "extra",
    ["../evil.png", "my-copy/../evil.png", "/evil.png", "my-copy/a/evil.png", "my-copy/run.sh",
     "other/shop-1.png", "my-copy\\evil.png", "my-copy/unlisted-1.png"],
)  # fmt: skip
def test_files_that_belong_to_no_edition_are_refused(tmp_path, extra):
    assert refusal("import", zipped(tmp_path, [*good_files(), (extra, png(96))])) == (
        "archive-refused"
    )
    assert stored_names() == []
    assert not list(tmp_path.rglob("evil*"))


def test_duplicates_links_and_floods_are_refused(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate"):
        path = zipped(tmp_path, [*good_files(), ("my-copy/shop-1.png", png(96))])
    assert refusal("import", path) == "archive-refused"
    link = zipfile.ZipInfo("my-copy/link-1.png")
    link.external_attr = 0o120777 << 16
    flood = [(f"my-copy/park-{n}.png", b"") for n in range(2, 100)]
    for files in (
        [*good_files(), (link, "/etc/passwd")],
        [*good_files(), *flood],
        changed("park-1.png", bytes(50_000_000)),
        [],
    ):
        assert refusal("import", zipped(tmp_path, files)) == "archive-refused"
    assert stored_names() == []


def test_what_is_no_archive_is_refused(tmp_path):
    path = tmp_path / "given.zip"
    assert refusal("import", path) == "archive-missing"
    assert refusal("import", tmp_path) == "edition-file"
    for data in (b"PK nothing", archive_of(drawn())[:-30], bytes(MAX_ARCHIVE_BYTES + 1)):
        path.write_bytes(data)
        assert refusal("import", path) == "archive-refused"


@pytest.mark.parametrize("data", [b"", b"no picture", png(20), png(4000)])
def test_pictures_that_are_none_are_refused(tmp_path, data):
    assert refusal("import", zipped(tmp_path, changed("park-1.png", data))) == "edition-picture"
    assert stored_names() == []


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [('name = "my-copy"', 'name = "other"', "archive-refused"),
     ('name = "my-copy"', 'name = "../x"', "description-value"),
     ("format = 2", "format = 3", "description-format"),
     ("rows = 4", "rows = 5", "description-game"),
     ('"park-1.png"', '"../park-1.png"', "description-value"),
     ("[[faces]]", "[[faces", "description-not-toml")],
)  # fmt: skip
def test_a_wrong_description_is_refused(tmp_path, old, new, code):
    text = dict(good_files())["my-copy/edition.toml"].decode()
    assert old in text
    path = zipped(tmp_path, changed("edition.toml", text.replace(old, new)))
    assert refusal("import", path) == code
    assert stored_names() == []


def test_an_edition_taught_before_there_was_one_format_for_all_games_is_imported(tmp_path):
    names = [face.value for face in Face]
    text = (
        'format = 1\nname = "old"\ngame = "between-two-cities"\nlayout = "free-tiles"\n'
        f"rows = 4\ncolumns = 4\nfaces = {names}\n[examples]\n"
        + "".join(f'{name} = ["{name}-1.png"]\n' for name in names)
    )
    files = [("old/edition.toml", text.encode())]
    files += [
        (f"old/{name}-1.png", data) for name, data in zip(names, map(grey, range(9)), strict=True)
    ]
    assert editions("import", zipped(tmp_path, files)) == 0
    edition = load_edition("old", "between-two-cities")
    assert {face: int(some[0][0, 0, 0]) for face, some in edition.pictures.items()} == {
        name: 20 * number for number, name in enumerate(names)
    }


def grey(number):
    return cv2.imencode(".png", np.full((96, 96, 3), 20 * number, np.uint8))[1].tobytes()
