"""Loading photo files: pixels, or one clear error."""

import contextlib
import gc
import os
import socket
import struct
import threading
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.refusals import refused
from vision.errors import PhotoError
from vision.photo import captured_stderr, heic
from vision.photo import load as photo_module
from vision.photo.heic import HeicFile
from vision.photo.load import Photo, decode_photo, load_photo

WIDTH, HEIGHT = 481, 361
HEIC_FOLDER = Path(__file__).parents[1] / "data"
HEIC = (HEIC_FOLDER / "corners-upright.heic").read_bytes()
"""400 x 330 pixels, colours in the corners as of ``scene``; the other one is turned by its file."""


def scene(width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    """A smooth random picture whose four corners differ: red, green, blue, white."""
    small = np.random.default_rng(7).integers(40, 120, (9, 12, 3), dtype=np.uint8)
    image = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    box = min(width, height) // 4
    image[:box, :box] = (0, 0, 255)
    image[:box, -box:] = (0, 255, 0)
    image[-box:, -box:] = (255, 0, 0)
    image[-box:, :box] = (255, 255, 255)
    return image


def jpeg(image: np.ndarray | None = None, *, progressive: bool = False) -> bytes:
    options = [cv2.IMWRITE_JPEG_PROGRESSIVE, int(progressive)]
    return cv2.imencode(".jpg", scene() if image is None else image, options)[1].tobytes()


def png(image: np.ndarray | None = None) -> bytes:
    return cv2.imencode(".png", scene() if image is None else image)[1].tobytes()


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def handmade_png(
    width: int, height: int, bit_depth: int, colour_type: int, rows: bytes, *extra: bytes
) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, bit_depth, colour_type, 0, 0, 0)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n", png_chunk(b"IHDR", header), *extra,
            png_chunk(b"IDAT", zlib.compress(rows)), png_chunk(b"IEND", b""),
        ]
    )  # fmt: skip


def exif(orientation: int, byte_order: str = ">") -> bytes:
    start = b"MM\0*" if byte_order == ">" else b"II*\0"
    return start + struct.pack(byte_order + "IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)


def with_exif(data: bytes, tiff: bytes) -> bytes:
    body = b"Exif\0\0" + tiff
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]


def code_of(data: bytes) -> str:
    with pytest.raises(PhotoError) as caught:
        decode_photo(data, "table.jpg")
    assert caught.value.where == "table.jpg"
    assert "\n" not in caught.value.message
    assert ": " in caught.value.message, "says what to do"
    return caught.value.code


def file_error(path: str | os.PathLike[str], **limits: int) -> PhotoError:
    with pytest.raises(PhotoError) as caught:
        load_photo(path, **limits)
    assert caught.value.where == os.fspath(path)
    return caught.value


class TestGoodPhotos:
    def test_jpeg_from_a_file(self, tmp_path):
        path = tmp_path / "table.jpg"
        path.write_bytes(jpeg())
        photo = load_photo(path)
        assert photo.name == str(path)
        assert photo.size_wh == (WIDTH, HEIGHT)
        assert photo.scale == 1
        assert photo.image_bgr.shape == (HEIGHT, WIDTH, 3)
        assert photo.image_bgr.dtype == np.uint8
        assert not photo.image_bgr.flags.writeable
        path.write_bytes(png())
        assert load_photo(path).size_wh == (WIDTH, HEIGHT)

    def test_png_progressive_and_grey_jpeg(self):
        np.testing.assert_array_equal(decode_photo(png(), "p").image_bgr, scene())
        assert decode_photo(jpeg(progressive=True), "p").size_wh == (WIDTH, HEIGHT)
        grey = cv2.cvtColor(scene(), cv2.COLOR_BGR2GRAY)
        assert decode_photo(jpeg(grey), "p").image_bgr.shape == (HEIGHT, WIDTH, 3)

    @pytest.mark.parametrize("tail", [b"\0" * 5000, jpeg(), b"SEFT"])
    def test_trailer_that_a_phone_appends_is_ignored(self, tail):
        plain = decode_photo(jpeg(), "p").image_bgr
        np.testing.assert_array_equal(decode_photo(jpeg() + tail, "p").image_bgr, plain)

    @pytest.mark.parametrize(
        ("bit_depth", "colour_type", "pixel"),
        [
            (8, 0, b"\x80"), (16, 0, b"\x80\x00"), (8, 2, b"\x80\x80\x80"),
            (16, 2, b"\x80\x00" * 3), (8, 4, b"\x80\xff"), (8, 6, b"\x80\x80\x80\x10"),
            (16, 6, b"\x80\x00" * 3 + b"\x10\x00"), (8, 3, b"\x01"),
        ],
    )  # fmt: skip
    def test_every_kind_of_png_becomes_eight_bit_colour(self, bit_depth, colour_type, pixel):
        palette = [png_chunk(b"PLTE", b"\0\0\0\x80\x80\x80")] if colour_type == 3 else []
        data = handmade_png(400, 330, bit_depth, colour_type, (b"\0" + pixel * 400) * 330, *palette)
        image = decode_photo(data, "p").image_bgr
        assert image.shape == (330, 400, 3)
        assert np.all(image == 0x80)


CORNERS = {
    1: "RGBW", 2: "GRWB", 3: "BWRG", 4: "WBGR", 5: "RWBG", 6: "WRGB", 7: "BGRW", 8: "GBWR",
}  # fmt: skip
"""Colours clockwise from the top left by Exif orientation (Exif 2.32, 4.6.4 A)."""


class TestOrientation:
    @staticmethod
    def corners(image: np.ndarray) -> str:
        colours = {"R": (0, 0, 255), "G": (0, 255, 0), "B": (255, 0, 0), "W": (255, 255, 255)}
        picked = [image[9, 9], image[9, -9], image[-9, -9], image[-9, 9]]
        return "".join(
            min(colours, key=lambda c: np.abs(pixel.astype(int) - colours[c]).sum())
            for pixel in picked
        )

    @pytest.mark.parametrize("byte_order", ["<", ">"])
    @pytest.mark.parametrize("orientation", range(1, 9))
    def test_orientation_is_applied_once(self, orientation, byte_order):
        data = with_exif(jpeg(), exif(orientation, byte_order))
        photo = decode_photo(data, "p")
        lies = orientation >= 5
        assert photo.size_wh == ((HEIGHT, WIDTH) if lies else (WIDTH, HEIGHT))
        assert photo.image_bgr.shape[1::-1] == photo.size_wh
        assert self.corners(photo.image_bgr) == CORNERS[orientation]

    @pytest.mark.parametrize("orientation", range(1, 9))
    def test_agrees_with_other_programs(self, orientation):
        data = with_exif(jpeg(), exif(orientation))
        theirs = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        np.testing.assert_array_equal(decode_photo(data, "p").image_bgr, theirs)

    def test_orientation_of_a_png_is_applied(self):
        rows = (b"\0" + b"\x80" * 3 * 400) * 330
        data = handmade_png(400, 330, 8, 2, rows, png_chunk(b"eXIf", exif(6)))
        assert decode_photo(data, "p").size_wh == (330, 400)

    @pytest.mark.parametrize(
        "tiff",
        [exif(0), exif(9), exif(6)[:17], b"MM\0*\xff\xff\xff\xff", b"", b"XX\0*" + exif(6)[4:]],
    )
    def test_nonsense_counts_as_upright(self, tiff):
        assert decode_photo(with_exif(jpeg(), tiff), "p").size_wh == (WIDTH, HEIGHT)


class TestReducedDecoding:
    def mark_at(self, photo: Photo) -> tuple[float, float]:
        """Centre of the white mark, in pixels of the full photo."""
        rows, cols = np.nonzero(photo.image_bgr.min(axis=2) > 128)
        x, y = photo.to_photo_px([cols.mean(), rows.mean()])
        return float(x), float(y)

    @pytest.mark.parametrize("encode", [jpeg, png])
    @pytest.mark.parametrize(
        ("width", "height", "scale"),
        [(2304, 1296, 1), (4608, 2592, 2), (3001, 2999, 2)],
    )
    def test_coordinates_stay_those_of_the_full_photo(self, encode, width, height, scale):
        image = np.zeros((height, width, 3), np.uint8)
        image[1100:1180, 800:880] = 255
        photo = decode_photo(encode(image), "p")
        assert (photo.size_wh, photo.scale) == ((width, height), scale)
        assert photo.image_bgr.shape == (height // scale, width // scale, 3)
        assert self.mark_at(photo) == pytest.approx((839.5, 1139.5), abs=0.6)

    def test_a_turned_reduced_photo_too(self):
        image = np.zeros((3003, 4001, 3), np.uint8)
        image[1000:1080, 800:880] = 255
        photo = decode_photo(with_exif(jpeg(image), exif(6)), "p")
        assert photo.size_wh == (3003, 4001)
        # turned clockwise the old bottom is on the left; at most one decoded pixel is cut off
        expected = (3002 - 1039.5, 839.5)
        assert self.mark_at(photo) == pytest.approx(expected, abs=photo.scale)

    def test_fifty_megapixels_of_a_phone(self):
        photo = decode_photo(jpeg(np.zeros((6144, 8160, 3), np.uint8)), "p")
        assert photo.size_wh == (8160, 6144)
        assert photo.image_bgr.shape == (1536, 2040, 3)


class TestFilesThatAreNoPhotos:
    def test_missing_impossible_and_folder(self, tmp_path):
        assert file_error(tmp_path / "nowhere.jpg").code == "photo-missing"
        assert file_error(tmp_path / "no" / "where.jpg").code == "photo-missing"
        (tmp_path / "file").write_bytes(jpeg())
        assert file_error(tmp_path / "file" / "table.jpg").code == "photo-missing"
        assert file_error("table\0.jpg").code == "photo-missing"
        assert file_error("x" * 5000).code == "photo-unreadable"
        assert file_error(tmp_path).code == "photo-is-folder"

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_forbidden_by_permissions(self, tmp_path):
        path = tmp_path / "table.jpg"
        path.write_bytes(jpeg())
        path.chmod(0)
        assert file_error(path).code == "photo-unreadable"

    def test_forbidden_file_is_refused(self, tmp_path, monkeypatch):
        def refuse(*_: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
        assert file_error(tmp_path / "table.jpg").code == "photo-unreadable"

    def test_link_to_itself(self, tmp_path):
        path = tmp_path / "table.jpg"
        path.symlink_to(path)
        assert file_error(path).code == "photo-unreadable"
        path = tmp_path / "pipe.jpg"
        os.mkfifo(path)
        assert file_error(path).code == "photo-unreadable"

    def test_socket_is_refused(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("s")
            assert file_error("s").code == "photo-unreadable"

    @pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
    def test_device_is_refused(self, device):
        assert file_error(device).code == "photo-unreadable"

    def test_empty_and_too_many_bytes(self, tmp_path):
        path = tmp_path / "table.jpg"
        path.touch()
        assert file_error(path).code == "photo-empty"
        with path.open("wb") as file:
            file.truncate(2**40)  # sparse: takes no room
        assert file_error(path).code == "photo-too-big"
        path.write_bytes(jpeg())
        size = path.stat().st_size
        assert load_photo(path, max_bytes=size).size_wh == (WIDTH, HEIGHT)
        assert file_error(path, max_bytes=size - 1).code == "photo-too-big"


class TestOtherFormats:
    @pytest.mark.parametrize("data", [b"Hello, I am a text.\n", b"\0" * 1000, b"\xff" * 50, b"P"])
    def test_not_an_image(self, data):
        assert code_of(data) == "photo-not-an-image"

    @pytest.mark.parametrize(
        ("start", "called"),
        [
            (b"GIF89a" + b"\0" * 20, "GIF"), (b"RIFF\x10\0\0\0WEBPVP8 ", "WebP"),
            (b"BM\x36\0\0\0", "BMP"), (b"II*\0\x08\0\0\0", "TIFF"),
            (b"MM\0*\0\0\0\x08", "TIFF"), (b"\0\0\0\x18ftypavif\0\0\0\0", "AVIF"),
            (b"\0\0\0\x18ftypcrx \0\0\0\0", "raw"), (b"\0\0\0\x18ftypmp42\0\0\0\0", "video"),
            (b"%PDF-1.7", "PDF"),
        ],
    )  # fmt: skip
    def test_format_is_named_with_what_to_do(self, start, called):
        with pytest.raises(PhotoError, match=f"{called}.*JPEG") as caught:
            decode_photo(start, "p")
        assert caught.value.code == "photo-unsupported-format"

    def test_animated_png_is_refused(self):
        animation = png_chunk(b"acTL", struct.pack(">II", 1, 0))
        data = handmade_png(400, 330, 8, 0, (b"\0" + b"\x80" * 400) * 330, animation)
        assert code_of(data) == "photo-unsupported-format"


class TestHeic:
    @pytest.mark.parametrize(("name", "corners"), [("upright", "RGBW"), ("turned", "WRGB")])
    def test_heic_is_turned_once_as_viewers_show_it(self, name, corners):
        image = load_photo(HEIC_FOLDER / f"corners-{name}.heic").image_bgr
        assert TestOrientation.corners(image) == corners

    def test_size_is_that_of_the_turned_picture(self):
        assert load_photo(HEIC_FOLDER / "corners-turned.heic").size_wh == (330, 400)

    def test_pixels_are_limited_before_decoding(self, monkeypatch):
        monkeypatch.setattr(photo_module, "_MAX_PIXELS_BY_FORMAT", {"HEIC": 100_000})
        monkeypatch.setattr(HeicFile, "decode", None)
        assert code_of(HEIC) == "photo-too-many-pixels"

    def test_reduced_decoding_keeps_the_picture(self, monkeypatch):
        monkeypatch.setattr(photo_module, "MAX_DECODED_PIXELS", 100_000)
        photo = decode_photo(HEIC, "p")
        assert (photo.scale, photo.image_bgr.shape) == (2, (165, 200, 3))
        assert TestOrientation.corners(photo.image_bgr) == "RGBW"

    @pytest.mark.parametrize("length", [20, 300, len(HEIC) // 2, len(HEIC) - 1])
    def test_cut_short_is_truncated(self, length):
        assert code_of(HEIC[:length]) == "photo-truncated"

    def test_damage_is_a_photo_or_a_photo_error(self):
        rng = np.random.default_rng(5)
        for _ in range(12):
            data = np.frombuffer(HEIC, np.uint8).copy()
            data[rng.integers(16, len(data), 12)] = rng.integers(256, size=12)
            with contextlib.suppress(PhotoError):
                decode_photo(data.tobytes(), "p")

    def test_crash_of_the_decoder_is_a_broken_photo(self, monkeypatch, tmp_path):
        program = tmp_path / "crashing.py"
        program.write_text("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
        monkeypatch.setattr(heic, "_PROGRAM", program)
        assert code_of(HEIC) == "photo-broken"

    def test_without_the_package_the_command_is_named(self, monkeypatch):
        monkeypatch.setattr(heic, "_PACKAGE", "no_such_package")
        with refused("photo-heic-parts-missing", "pip install 'stadtblick[heic]'"):
            decode_photo(HEIC, "p")


class TestDamagedPhotos:
    def test_photo_cut_anywhere_is_refused(self):
        whole = jpeg()
        for length in [1, 2, 3, 4, 20, 100, 700, len(whole) // 2, len(whole) - 9]:
            assert code_of(whole[:length]) == "photo-truncated", length
        half = len(whole) // 2
        assert code_of(whole[:half] + b"\0" * (len(whole) - half)) == "photo-truncated"
        whole = png()
        for length in [1, 7, 8, 20, 33, 60, len(whole) // 2, len(whole) - 1]:
            assert code_of(whole[:length]) == "photo-truncated", length
        whole = jpeg(progressive=True)
        second_scan = whole.index(b"\xff\xda", whole.index(b"\xff\xda") + 2)
        assert code_of(whole[:second_scan]) == "photo-truncated"

    @pytest.mark.parametrize("progressive", [False, True])
    def test_missing_middle_that_the_decoder_would_paint_grey(self, progressive, capfd):
        whole = jpeg(progressive=progressive)
        assert code_of(whole[: len(whole) // 2] + b"\xff\xd9") == "photo-broken"
        assert capfd.readouterr().err == ""

    def test_header_that_claims_more_rows_than_there_are(self):
        whole = bytearray(jpeg())
        height_at = whole.index(b"\xff\xc0") + 5
        whole[height_at : height_at + 2] = struct.pack(">H", HEIGHT + 200)
        assert code_of(bytes(whole)) == "photo-broken"
        whole[height_at : height_at + 2] = b"\0\0"
        assert code_of(bytes(whole)) == "photo-broken"
        assert code_of(b"\xff\xd8\xff\xd9") == "photo-broken"

    def test_png_with_a_changed_bit(self):
        whole = bytearray(png())
        whole[len(whole) // 2] ^= 1
        assert code_of(bytes(whole)) == "photo-broken"
        assert code_of(handmade_png(400, 330, 8, 5, b"")) == "photo-broken"

    def test_png_with_half_of_its_rows(self, capfd):
        assert code_of(handmade_png(400, 330, 8, 0, (b"\0" + b"\x80" * 400) * 165)) == (
            "photo-broken"
        )
        assert capfd.readouterr().err == ""


ADAM7 = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)
]  # fmt: skip
TRAILERS = {
    "film": b"\0\0\0\x18ftypmp42\0\0\0\0" + bytes(range(256)) * 40 + bytes(3000),
    "phone": b"MotionPhoto_Data" + bytes(500) + b"SEFH" + bytes(200) + b"SEFT",
    "segment": b"\xff\xe1\x00\x10 no end of it",
    "picture": jpeg(),
    "nothing": b"",
}


class TestOddPhotos:
    @pytest.mark.parametrize("progressive", [False, True])
    @pytest.mark.parametrize("trailer", TRAILERS)
    def test_trailer_in_place_of_end_marker_is_passed_over(self, trailer, progressive):
        whole = jpeg(progressive=progressive)
        photo = decode_photo(whole[:-2] + TRAILERS[trailer], "p")
        np.testing.assert_array_equal(photo.image_bgr, decode_photo(whole, "p").image_bgr)

    def test_missing_end_marker_is_noted(self):
        assert decode_photo(jpeg()[:-2] + TRAILERS["phone"], "p").is_end_missing
        assert not decode_photo(jpeg() + TRAILERS["phone"], "p").is_end_missing

    @pytest.mark.parametrize("progressive", [False, True])
    @pytest.mark.parametrize("trailer", TRAILERS)
    def test_trailer_in_place_of_pixels_is_no_photo(self, trailer, progressive):
        whole = jpeg(progressive=progressive)
        with pytest.raises(PhotoError) as caught:
            decode_photo(whole[: len(whole) * 2 // 3] + TRAILERS[trailer], "p")
        assert caught.value.code in ("photo-truncated", "photo-broken")

    def test_half_copy_filled_up_with_zeros_is_truncated(self):
        whole = jpeg(np.full((2000, 3000, 3), 90, np.uint8))
        assert code_of(whole[: len(whole) // 2] + bytes(10 * len(whole))) == "photo-truncated"

    def test_stray_bytes_between_segments_are_passed_over(self):
        whole = with_exif(jpeg(), exif(6))
        tables = whole.index(b"\xff\xdb")
        for stray in (b"\0", b"stray", b"\0\xff\0\xff"):
            photo = decode_photo(whole[:tables] + stray + whole[tables:], "p")
            assert photo.size_wh == (HEIGHT, WIDTH)
            expected = decode_photo(whole, "p").image_bgr
            np.testing.assert_array_equal(photo.image_bgr, expected)

    def test_interlaced_png_unpacks_to_its_size(self):
        passes = [scene()[y::dy, x::dx, ::-1] for x, y, dx, dy in ADAM7]
        rows = b"".join(b"\0" + row.tobytes() for part in passes for row in part)
        header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 1)
        data = handmade_png(WIDTH, HEIGHT, 8, 2, rows)
        plain = data[16:29]
        data = data.replace(plain + png_chunk(b"IHDR", plain)[-4:], png_chunk(b"IHDR", header)[8:])
        np.testing.assert_array_equal(decode_photo(data, "p").image_bgr, scene())


class TestDecodersAtTheSameTime:
    @staticmethod
    def decoded_during(monkeypatch, other: bytes) -> list[str]:
        """Codes of a photo that is begun and ended while another one is being decoded."""
        decode, codes, done = cv2.imdecode, [], threading.Event()

        def read() -> None:
            codes.append(code_of(other) if other != jpeg() else str(decode_photo(other, "q").scale))
            done.set()

        def decode_slowly(*arguments: object) -> object:
            monkeypatch.setattr(cv2, "imdecode", decode)
            threading.Thread(target=read).start()
            assert done.wait(20)
            return decode(*arguments)

        monkeypatch.setattr(cv2, "imdecode", decode_slowly)
        decode_photo(jpeg(), "p")
        return codes

    def test_slow_decoder_holds_up_no_other(self, monkeypatch):
        assert self.decoded_during(monkeypatch, jpeg()) == ["1"]

    def test_missing_part_is_reported_of_the_right_one(self, monkeypatch):
        whole = jpeg()
        half = whole[: len(whole) // 2] + b"\xff\xd9"
        assert self.decoded_during(monkeypatch, half) == ["photo-broken"]

    @pytest.mark.parametrize(
        ("encode", "large_bytes", "waits"),
        [(png, 1000, True), (png, 10**6, False), (jpeg, 1000, False)],
    )
    def test_photos_that_take_much_memory_take_turns(self, monkeypatch, encode, large_bytes, waits):
        monkeypatch.setattr(photo_module, "LARGE_DECODING_BYTES", large_bytes)
        decode, held = cv2.imdecode, []

        def decode_watched(*arguments: object) -> object:
            held.append(photo_module._large_photo_lock.locked())
            return decode(*arguments)

        monkeypatch.setattr(cv2, "imdecode", decode_watched)
        decode_photo(encode(), "p")
        assert held == [waits]

    def test_no_garbage_is_collected_where_files_would_stay_open(self, monkeypatch):
        decode, enabled = cv2.imdecode, []

        def decode_watched(*arguments: object) -> object:
            enabled.append(gc.isenabled())
            return decode(*arguments)

        monkeypatch.setattr(cv2, "imdecode", decode_watched)
        decode_photo(jpeg(), "p")
        assert [*enabled, gc.isenabled()] == [False, True]

    @pytest.mark.parametrize("code", ["", "photo-broken"])
    def test_without_descriptors_of_their_own_they_take_turns(self, monkeypatch, capfd, code):
        monkeypatch.setattr(captured_stderr, "_unshare_descriptors", lambda _writer: False)
        whole = jpeg()
        if code:
            assert code_of(whole[: len(whole) // 2] + b"\xff\xd9") == code
        else:
            assert decode_photo(whole, "p").size_wh == (WIDTH, HEIGHT)
        assert capfd.readouterr().err == ""


class TestSize:
    @pytest.mark.parametrize(("width", "height"), [(20_000, 20_000), (2**31 - 1, 2**31 - 1)])
    def test_png_bomb_is_refused_without_decoding(self, width, height, monkeypatch):
        monkeypatch.setattr(cv2, "imdecode", None)
        data = handmade_png(width, height, 8, 2, b"\0" * 1000)
        assert code_of(data) == "photo-too-many-pixels"

    def test_jpeg_bomb_is_refused_without_decoding(self, monkeypatch):
        monkeypatch.setattr(cv2, "imdecode", None)
        whole = bytearray(jpeg())
        size_at = whole.index(b"\xff\xc0") + 5
        whole[size_at : size_at + 4] = struct.pack(">HH", 65500, 65500)
        assert code_of(bytes(whole)) == "photo-too-many-pixels"

    def test_jpeg_with_endless_scans(self):
        whole = jpeg(progressive=True)
        first = whole.index(b"\xff\xda")
        assert code_of(whole[:-2] + whole[first:-2] * 70 + b"\xff\xd9") == "photo-broken"
        image = np.zeros((5000, 5000, 3), np.uint8)
        assert decode_photo(jpeg(image), "p").size_wh == (5000, 5000)
        assert code_of(png(image)) == "photo-too-many-pixels"

    @pytest.mark.parametrize(("width", "height"), [(1, 1), (319, 1000), (1000, 319)])
    def test_too_small_photo_is_refused(self, width, height):
        assert code_of(png(scene(width, height))) == "photo-too-small"

    def test_just_large_enough(self):
        assert decode_photo(png(scene(320, 320)), "p").size_wh == (320, 320)
        assert decode_photo(jpeg(), "p", max_pixels=WIDTH * HEIGHT).scale == 1
        with pytest.raises(PhotoError, match=f"{WIDTH} x {HEIGHT}"):
            decode_photo(jpeg(), "p", max_pixels=WIDTH * HEIGHT - 1)


class TestStandardErrorOfTheDecoder:
    def test_lines_of_other_threads_are_passed_on(self, capfd, monkeypatch):
        decode = cv2.imdecode

        def decode_beside_a_log(*arguments: object) -> object:
            os.write(2, b"camera: frame 7\n")
            return decode(*arguments)

        monkeypatch.setattr(cv2, "imdecode", decode_beside_a_log)
        decode_photo(jpeg(), "p")
        assert capfd.readouterr().err == "camera: frame 7\n"

    def test_works_without_standard_error(self, monkeypatch):
        def no_descriptor(_: int) -> int:
            raise OSError(9, "Bad file descriptor")

        monkeypatch.setattr(os, "dup", no_descriptor)
        assert decode_photo(jpeg(), "p").size_wh == (WIDTH, HEIGHT)


@pytest.mark.parametrize(
    "whole",
    [jpeg(scene(400, 330)), jpeg(scene(400, 330), progressive=True), png(scene(400, 330))],
    ids=["jpeg", "progressive", "png"],
)
def test_no_damage_ends_in_anything_but_a_photo_or_a_photo_error(whole, capfd):
    rng = np.random.default_rng(20)
    refused = 0
    for _ in range(300):
        data = np.frombuffer(whole, np.uint8).copy()
        # half of the changes hit the headers, where the structure is
        reach = len(data) if rng.random() < 0.5 else 700
        hits = rng.integers(reach, size=rng.choice([1, 1, 3, 20]))
        data[hits] = rng.integers(256, size=len(hits))
        if rng.random() < 0.3:
            data = data[: rng.integers(len(data))]
        try:
            photo = decode_photo(data.tobytes(), "fuzz", max_pixels=4_000_000)
        except PhotoError:
            refused += 1
        else:
            height, width = photo.image_bgr.shape[:2]
            assert photo.size_wh == (width * photo.scale, height * photo.scale)
    assert refused > 100
    assert capfd.readouterr().err == ""


def test_a_photo_is_found_by_relative_path(tmp_path, monkeypatch):
    (tmp_path / "table.jpg").write_bytes(jpeg())
    monkeypatch.chdir(tmp_path)
    assert load_photo(Path("table.jpg")).name == "table.jpg"
