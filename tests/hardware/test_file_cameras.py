"""Files and folders as cameras, the stand-in, and the choice between all kinds."""

import os
import struct
import threading
import zlib

import numpy as np
import pytest
from PIL import Image

from hardware.camera import (
    CameraWiring,
    FileCamera,
    FolderCamera,
    Hang,
    StandInCamera,
    open_camera,
)
from hardware.camera.files import MOST_BYTES, MOST_PIXELS
from hardware.errors import CameraError, HardwareError
from vision import photo

BLUE_BGR, RED_BGR, GREEN_BGR = (200, 0, 0), (0, 0, 200), (0, 200, 0)


def picture(path, colour_bgr, size_wh=(40, 30), **saved):
    """A file of one colour with a white mark at its top left."""
    image = Image.new("RGB", size_wh, colour_bgr[::-1])
    image.paste((255, 255, 255), (0, 0, 8, 8))
    image.save(path, **saved)
    return path


def colour(frame):
    return tuple(int(value) for value in frame.image_bgr[-1, -1])


class TestFolderCamera:
    def test_pictures_come_in_turn_by_name_and_begin_again(self, tmp_path):
        picture(tmp_path / "b.png", RED_BGR)
        picture(tmp_path / "a.png", BLUE_BGR)
        (tmp_path / "notes.txt").write_text("no picture")
        camera = FolderCamera(tmp_path)
        given = [colour(camera.capture(1.0)) for _ in range(3)]
        assert given == [BLUE_BGR, RED_BGR, BLUE_BGR]

    def test_a_picture_added_meanwhile_is_noticed(self, tmp_path):
        picture(tmp_path / "a.png", BLUE_BGR)
        camera = FolderCamera(tmp_path)
        camera.capture(1.0)
        picture(tmp_path / "c.PNG", RED_BGR)
        assert colour(camera.capture(1.0)) == RED_BGR

    def test_a_removed_picture_is_passed_over(self, tmp_path):
        for name, colour_bgr in (("a", BLUE_BGR), ("b", RED_BGR), ("c", GREEN_BGR)):
            picture(tmp_path / f"{name}.png", colour_bgr)
        camera = FolderCamera(tmp_path)
        camera.capture(1.0)
        (tmp_path / "a.png").unlink()
        (tmp_path / "b.png").unlink()
        assert colour(camera.capture(1.0)) == GREEN_BGR

    def test_a_broken_picture_is_passed_over(self, tmp_path):
        (tmp_path / "a.png").write_bytes(b"broken")
        for name, colour_bgr in (("b", BLUE_BGR), ("d", RED_BGR)):
            picture(tmp_path / f"{name}.png", colour_bgr)
        whole = (tmp_path / "b.png").read_bytes()
        (tmp_path / "c.png").write_bytes(whole[: len(whole) // 2])
        camera = FolderCamera(tmp_path)
        assert [colour(camera.capture(1.0)) for _ in range(3)] == [BLUE_BGR, RED_BGR, BLUE_BGR]

    def test_a_folder_of_broken_pictures_is_refused(self, tmp_path):
        (tmp_path / "a.png").write_bytes(b"broken")
        with pytest.raises(CameraError, match=r"a\.png is no JPEG or PNG"):
            FolderCamera(tmp_path)

    def test_its_size_is_that_of_the_picture_given_last(self, tmp_path):
        picture(tmp_path / "a.png", BLUE_BGR, (40, 30))
        picture(tmp_path / "b.png", BLUE_BGR, (64, 48))
        camera = FolderCamera(tmp_path)
        assert camera.size_wh == (40, 30)
        camera.capture(1.0)
        camera.capture(1.0)
        assert camera.size_wh == (64, 48)

    def test_an_empty_or_absent_folder_is_refused(self, tmp_path):
        for folder, said in ((tmp_path, "has no JPEG or PNG"), (tmp_path / "no", "cannot be read")):
            with pytest.raises(CameraError, match=said) as caught:
                FolderCamera(folder)
            assert caught.value.code == "camera-picture"


class TestFileCamera:
    def test_a_replaced_file_is_the_next_picture(self, tmp_path):
        path = picture(tmp_path / "table.png", BLUE_BGR)
        camera = FileCamera(path, clock=lambda: 3.0)
        first = camera.capture(1.0)
        picture(path, RED_BGR)
        assert [colour(first), colour(camera.capture(1.0))] == [BLUE_BGR, RED_BGR]
        assert first.taken_s == 3.0

    @pytest.mark.parametrize("suffix", ["jpg", "png"])
    @pytest.mark.parametrize(
        ("orientation", "mark_yx"),
        [
            (0, (2, 2)),
            (1, (2, 2)),
            (2, (2, 37)),
            (3, (27, 37)),
            (4, (27, 2)),
            (5, (2, 2)),
            (6, (2, 27)),
            (7, (37, 27)),
            (8, (37, 2)),
            (9, (2, 2)),
        ],
    )
    def test_a_photo_is_turned_upright_as_exif_says(self, tmp_path, orientation, mark_yx, suffix):
        exif = Image.Exif()
        exif[0x0112] = orientation
        path = picture(tmp_path / f"table.{suffix}", BLUE_BGR, exif=exif, quality=95)
        camera = FileCamera(path)
        known_wh = camera.size_wh
        image = camera.capture(1.0).image_bgr
        assert known_wh == camera.size_wh == (image.shape[1], image.shape[0])
        assert image[mark_yx].min() > 200
        assert (image[:, :, 2] > 200).sum() < 150

    def test_the_size_is_known_before_the_first_picture(self, tmp_path):
        exif = Image.Exif()
        exif[0x0112] = 6
        path = picture(tmp_path / "table.jpg", BLUE_BGR, exif=exif)
        assert FileCamera(path).size_wh == (30, 40)

    def test_a_file_cut_short_is_refused_and_not_half_grey(self, tmp_path):
        path = tmp_path / "table.jpg"
        noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), dtype=np.uint8)
        Image.fromarray(noise).save(path)
        path.write_bytes(path.read_bytes()[:5000])
        camera = FileCamera(path)
        with pytest.raises(CameraError, match="is cut short or broken: name a") as caught:
            camera.capture(1.0)
        assert caught.value.code == "camera-picture"
        assert caught.value.where == str(path)

    @pytest.mark.parametrize("suffix", ["jpg", "png"])
    def test_a_file_cut_short_anywhere_is_refused(self, tmp_path, suffix):
        path = tmp_path / f"table.{suffix}"
        exif = Image.Exif()
        exif[0x0112] = 6
        noise = np.random.default_rng(1).integers(0, 255, (40, 30, 3), dtype=np.uint8)
        Image.fromarray(noise).save(path, exif=exif)
        whole = path.read_bytes()
        # The last 20 bytes of a PNG only say that this was all.
        for length in range(len(whole) - 20):
            path.write_bytes(whole[:length])
            with pytest.raises(CameraError) as caught:
                FileCamera(path).capture(1.0)
            assert caught.value.code == "camera-picture"

    @pytest.mark.parametrize("mode", ["1", "L", "P", "RGBA", "LA", "I;16"])
    def test_pictures_of_every_kind_are_given_in_colour(self, tmp_path, mode):
        path = tmp_path / "table.png"
        image = Image.new("L", (40, 30), 255)
        (image if mode == "I;16" else image.convert("RGB")).convert(mode).save(path)
        given = FileCamera(path).capture(1.0).image_bgr
        assert (given.shape, given.dtype) == ((30, 40, 3), np.uint8)

    def test_the_blue_of_a_photo_comes_first(self, tmp_path):
        assert colour(FileCamera(picture(tmp_path / "a.png", BLUE_BGR)).capture(1.0)) == BLUE_BGR

    def test_a_pipe_is_refused_and_not_waited_for(self, tmp_path):
        os.mkfifo(tmp_path / "table.jpg")
        with pytest.raises(CameraError, match="is no file"):
            FileCamera(tmp_path / "table.jpg")

    @pytest.mark.parametrize("content", [b"", b"no picture", b"GIF89a" + bytes(100)])
    def test_what_is_no_picture_is_refused(self, tmp_path, content):
        path = tmp_path / "table.jpg"
        path.write_bytes(content)
        with pytest.raises(CameraError, match="is no JPEG or PNG"):
            FileCamera(path)

    def test_a_missing_file_is_refused(self, tmp_path):
        with pytest.raises(CameraError, match="cannot be read"):
            FileCamera(tmp_path / "table.jpg")

    @pytest.mark.parametrize("size_wh", [(6000, 4001), (9000, 8000), (20_000, 20_000)])
    def test_a_small_file_that_claims_a_huge_picture_is_not_decoded(self, tmp_path, size_wh):
        assert size_wh[0] * size_wh[1] > MOST_PIXELS["PNG"]
        path = tmp_path / "table.png"
        Image.new("L", (1, 1)).save(path)
        small = path.read_bytes()
        size = struct.pack(">II", *size_wh)
        header = b"IHDR" + size + small[24:29]
        path.write_bytes(small[:12] + header + struct.pack(">I", zlib.crc32(header)) + small[33:])
        with pytest.raises(CameraError, match="has too many pixels"):
            FileCamera(path)


def test_a_picture_may_be_as_large_as_a_photo_that_is_named():
    assert dict(MOST_PIXELS) == {"JPEG": photo.MAX_PIXELS, "PNG": photo.MAX_PNG_PIXELS}
    assert MOST_BYTES == photo.MAX_BYTES


def test_closed_cameras_say_so(tmp_path):
    path = picture(tmp_path / "a.png", BLUE_BGR)
    cameras = [FileCamera(path), FolderCamera(tmp_path), StandInCamera([np.zeros((4, 4, 3))])]
    for camera in cameras:
        camera.close()
        camera.close()
        with pytest.raises(CameraError, match="open it again") as caught:
            camera.capture(1.0)
        assert caught.value.code == "camera-closed"


class TestStandInCamera:
    def test_it_plays_its_script_and_stays_at_the_end(self):
        dark, light = np.zeros((4, 6, 3), np.uint8), np.full((4, 6, 3), 255, np.uint8)
        broken = CameraError("camera-broken", "it broke: mend it", "stand-in")
        camera = StandInCamera([dark, broken, light], clock=lambda: 8.0)
        assert camera.size_wh == (6, 4)
        assert camera.capture(1.0).image_bgr.max() == 0
        with pytest.raises(CameraError, match="mend it"):
            camera.capture(1.0)
        assert [camera.capture(1.0).image_bgr.min() for _ in range(2)] == [255, 255]
        assert camera.captures == 4

    def test_a_frame_does_not_change_the_script(self):
        camera = StandInCamera([np.zeros((4, 6, 3), np.uint8)])
        camera.capture(1.0).image_bgr[:] = 9
        assert camera.capture(1.0).image_bgr.max() == 0

    def test_a_hang_lasts_until_it_is_released(self):
        hang = Hang()
        camera = StandInCamera([hang], closing=hang)
        said = []

        def capture():
            try:
                camera.capture(0.0)
            except CameraError as error:
                said.append(error.code)

        thread = threading.Thread(target=capture, daemon=True)
        thread.start()
        assert thread.is_alive()
        hang.release()
        thread.join(30)
        assert said == ["camera-silent"]

    def test_closing_can_fail(self):
        camera = StandInCamera([Hang()], closing=RuntimeError("no"))
        with pytest.raises(RuntimeError, match="no"):
            camera.close()

    def test_an_empty_script_is_refused(self):
        with pytest.raises(ValueError, match="one step at least"):
            StandInCamera([])


class TestOpenCamera:
    def test_files_and_folders(self, tmp_path):
        path = picture(tmp_path / "a.png", BLUE_BGR)
        for wiring in (
            CameraWiring(kind="file", source=path),
            CameraWiring(kind="folder", source=tmp_path),
        ):
            assert colour(open_camera(wiring).capture(1.0)) == BLUE_BGR

    @pytest.mark.parametrize(
        ("wiring", "code"),
        [
            (CameraWiring(kind="none"), "camera-none"),
            (CameraWiring(kind="file"), "camera-picture"),
            (CameraWiring(kind="folder"), "camera-picture"),
            (CameraWiring(kind="v4l2", number=250), "camera-missing"),
        ],
    )
    def test_what_is_not_there_is_said(self, wiring, code):
        with pytest.raises(CameraError) as caught:
            open_camera(wiring)
        assert caught.value.code == code
        assert isinstance(caught.value, HardwareError)
