"""Files and folders as cameras, the stand-in, and the choice between all kinds."""

import os
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from hardware.camera import FileCamera, StandInCamera, open_camera
from hardware.camera.files import MAX_FILE_BYTES, MAX_FILE_PIXELS
from hardware.errors import CameraError
from hardware.settings import CameraSettings
from tests.refusals import refused
from vision.photo import load as photo

BLUE_BGR, RED_BGR, GREEN_BGR = (200, 0, 0), (0, 0, 200), (0, 200, 0)
ON_ITS_SIDE = 6


def picture(path, colour_bgr=BLUE_BGR, **saved):
    """A file of one colour with a white mark at its top left."""
    image = Image.new("RGB", (40, 30), colour_bgr[::-1])
    image.paste((255, 255, 255), (0, 0, 8, 8))
    image.save(path, **saved)
    return path


def oriented(orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif


def colours(camera, captures):
    frames = [camera.capture(1.0) for _ in range(captures)]
    return [tuple(int(value) for value in frame.image_bgr[-1, -1]) for frame in frames]


class TestFolder:
    @pytest.fixture
    def folder(self, tmp_path):
        for name, colour_bgr in (("b.png", RED_BGR), ("a.png", BLUE_BGR)):
            picture(tmp_path / name, colour_bgr)
        (tmp_path / "notes.txt").write_text("no picture")
        return tmp_path

    def test_pictures_come_in_turn_by_name_and_begin_again(self, folder):
        camera = FileCamera(folder, in_turn=True)
        assert colours(camera, 3) == [BLUE_BGR, RED_BGR, BLUE_BGR]
        (folder / "a0.png").write_bytes((folder / "a.png").read_bytes()[:80])
        (folder / "0.png").write_bytes(b"broken")
        camera = FileCamera(folder, in_turn=True)
        assert colours(camera, 3) == [BLUE_BGR, RED_BGR, BLUE_BGR]

    def test_pictures_added_and_removed_meanwhile_are_noticed(self, folder):
        camera = FileCamera(folder, in_turn=True)
        assert colours(camera, 1) == [BLUE_BGR]
        picture(folder / "c.PNG", GREEN_BGR)
        (folder / "a.png").unlink()
        (folder / "b.png").unlink()
        assert colours(camera, 1) == [GREEN_BGR]

    def test_a_folder_without_pictures_is_refused(self, tmp_path):
        with refused("camera-picture", "cannot be read"):
            FileCamera(tmp_path / "no", in_turn=True)
        with refused("camera-picture", "has no JPEG or PNG"):
            FileCamera(tmp_path, in_turn=True)
        (tmp_path / "a.png").write_bytes(b"broken")
        with refused("camera-picture", "a.png is no JPEG or PNG"):
            FileCamera(tmp_path, in_turn=True)


class TestFile:
    def test_a_replaced_file_is_the_next_picture(self, tmp_path):
        path = picture(tmp_path / "table.png")
        camera = FileCamera(path, clock=lambda: 3.0)
        assert camera.capture(1.0).taken_s == 3.0
        picture(path, RED_BGR)
        assert colours(camera, 1) == [RED_BGR]

    @pytest.mark.parametrize("suffix", ["jpg", "png"])
    @pytest.mark.parametrize(
        ("orientation", "mark_yx"),
        [
            (0, (2, 2)), (1, (2, 2)), (2, (2, 37)), (3, (27, 37)), (4, (27, 2)),
            (5, (2, 2)), (6, (2, 27)), (7, (37, 27)), (8, (37, 2)), (9, (2, 2)),
        ],
    )  # fmt: skip
    def test_a_photo_is_turned_upright_as_exif_says(self, tmp_path, orientation, mark_yx, suffix):
        path = tmp_path / f"table.{suffix}"
        image = FileCamera(picture(path, exif=oriented(orientation), quality=95)).capture(1.0)
        assert image.image_bgr.shape[:2] == ((40, 30) if 5 <= orientation <= 8 else (30, 40))
        assert image.image_bgr[mark_yx].min() > 200
        assert (image.image_bgr[:, :, 2] > 200).sum() < 150

    @pytest.mark.parametrize("suffix", ["jpg", "png"])
    def test_a_file_cut_short_anywhere_is_refused_and_not_half_grey(self, tmp_path, suffix):
        path = tmp_path / f"table.{suffix}"
        noise = np.random.default_rng(1).integers(0, 255, (24, 18, 3), dtype=np.uint8)
        Image.fromarray(noise).save(path, exif=oriented(ON_ITS_SIDE))
        whole = path.read_bytes()
        # The last 20 bytes of a PNG only say that this was all.
        for length in [*range(60), *range(60, len(whole) - 20, 13), len(whole) - 21]:
            path.write_bytes(whole[:length])
            with refused("camera-picture") as caught:
                FileCamera(path).capture(1.0)
            assert caught.value.where == str(path)

    @pytest.mark.parametrize("mode", ["1", "L", "P", "RGBA", "LA", "I;16"])
    def test_pictures_of_every_kind_are_given_in_colour(self, tmp_path, mode):
        path = tmp_path / "table.png"
        image = Image.new("L", (40, 30), 255)
        (image if mode == "I;16" else image.convert("RGB")).convert(mode).save(path)
        given = FileCamera(path).capture(1.0).image_bgr
        assert (given.shape, given.dtype) == ((30, 40, 3), np.uint8)

    @pytest.mark.parametrize(
        ("make", "expected"),
        [
            (os.mkfifo, "is no file"),  # and is not waited for
            (lambda path: path.write_bytes(b""), "is no JPEG or PNG"),
            (lambda path: path.write_bytes(b"no picture"), "is no JPEG or PNG"),
            (lambda path: path.write_bytes(b"GIF89a" + bytes(100)), "is no JPEG or PNG"),
            (lambda path: os.truncate(picture(path), MAX_FILE_BYTES + 1), "is larger than 40 MiB"),
            (lambda path: None, "cannot be read"),
        ],
        ids=["pipe", "empty", "text", "gif", "large", "missing"],
    )
    def test_file_without_a_picture_is_refused(self, tmp_path, make, expected):
        make(tmp_path / "table.jpg")
        with refused("camera-picture", expected):
            FileCamera(tmp_path / "table.jpg")

    @pytest.mark.parametrize("size_wh", [(6000, 4001), (9000, 8000), (20_000, 20_000)])
    def test_a_small_file_that_claims_a_huge_picture_is_not_decoded(self, tmp_path, size_wh):
        assert size_wh[0] * size_wh[1] > MAX_FILE_PIXELS["PNG"]
        path = tmp_path / "table.png"
        Image.new("L", (1, 1)).save(path)
        small = path.read_bytes()
        header = b"IHDR" + struct.pack(">II", *size_wh) + small[24:29]
        path.write_bytes(small[:12] + header + struct.pack(">I", zlib.crc32(header)) + small[33:])
        with refused("camera-picture", "has too many pixels"):
            FileCamera(path)


def test_closed_cameras_say_so(tmp_path):
    for camera in (FileCamera(picture(tmp_path / "a.png")), StandInCamera([np.zeros((4, 4, 3))])):
        camera.close()
        camera.close()
        with refused("camera-closed", "open it again"):
            camera.capture(1.0)
    assert MAX_FILE_PIXELS == {"JPEG": photo.MAX_PIXELS, "PNG": photo.MAX_PNG_PIXELS}
    assert MAX_FILE_BYTES == photo.MAX_PHOTO_BYTES


def test_the_stand_in_plays_its_script_and_stays_at_the_end():
    dark, light = np.zeros((4, 6, 3), np.uint8), np.full((4, 6, 3), 255, np.uint8)
    broken = CameraError("camera-broken", "it broke: mend it", "stand-in")
    camera = StandInCamera([dark, dark, broken, light])
    camera.capture(1.0).image_bgr[:] = 9  # does not change the script
    assert camera.capture(1.0).image_bgr.max() == 0
    with refused("camera-broken"):
        camera.capture(1.0)
    assert [camera.capture(1.0).image_bgr.min() for _ in range(2)] == [255, 255]
    assert camera.captures == 5


class TestOpening:
    @pytest.mark.parametrize(("kind", "name"), [("file", "a.png"), ("folder", "")])
    def test_files_and_folders_also_below_home(self, tmp_path, monkeypatch, kind, name):
        picture(tmp_path / "a.png")
        monkeypatch.setenv("HOME", str(tmp_path))
        settings = CameraSettings(kind=kind, source=f"~/{name}")
        assert settings.where == str(tmp_path / name)
        assert colours(open_camera(settings), 1) == [BLUE_BGR]

    @pytest.mark.parametrize(
        ("settings", "code", "where"),
        [
            (CameraSettings(kind="none"), "camera-none", "camera"),
            (CameraSettings(kind="file"), "camera-picture", "file of pictures"),
            (CameraSettings(kind="folder"), "camera-picture", "folder of pictures"),
            (CameraSettings(kind="v4l2", number=250), "camera-missing", "/dev/video250"),
        ],
    )
    def test_missing_camera_is_reported(self, settings, code, where):
        assert settings.where == where
        with refused(code):
            open_camera(settings)
