"""Every pixel format becomes blue, green, red."""

import cv2
import numpy as np
import pytest

from hardware.camera.pixel_formats import to_bgr
from hardware.errors import CameraError
from tests.hardware.fake_picamera2 import memory_of

COLOURS_BGR = [(0, 0, 220), (0, 200, 0), (230, 0, 0), (60, 140, 220), (255, 255, 255)]
ALL = ("RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "YVU420", "NV12", "NV21", "MJPEG")


def stripes():
    """Vertical stripes of plain colours, 16 pixels each."""
    row = np.repeat(np.array(COLOURS_BGR, np.uint8), 16, axis=0)
    return np.repeat(row[None], 32, axis=0)


@pytest.mark.parametrize("pixel_format", ALL)
def test_a_picture_keeps_its_colours(pixel_format):
    picture = stripes()
    size_wh = picture.shape[1], picture.shape[0]
    back = to_bgr(memory_of(picture, pixel_format), pixel_format, size_wh)
    assert back.shape == picture.shape
    assert back.dtype == np.uint8
    middles = back[16, 8::16].astype(int)
    assert np.abs(middles - np.array(COLOURS_BGR)).max() <= 6


def test_yuyv_keeps_its_brightness_and_colours():
    picture = stripes()
    yuv = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV)
    packed = np.empty((*picture.shape[:2], 2), np.uint8)
    packed[:, :, 0] = yuv[:, :, 0]
    packed[:, 0::2, 1] = yuv[:, 0::2, 1]
    packed[:, 1::2, 1] = yuv[:, 0::2, 2]
    # OpenCV's YUYV has a narrower range than its YUV: colours alone are compared
    back = to_bgr(packed, "YUYV", (picture.shape[1], picture.shape[0]))
    assert [int(np.argmax(colour)) for colour in back[16, 8:48:16]] == [2, 1, 0]


@pytest.mark.parametrize("pixel_format", ["YUV420", "RGB888"])
def test_the_padding_of_rows_is_cut_off(pixel_format):
    picture = stripes()
    padded = np.concatenate([picture, np.full((32, 48, 3), 7, np.uint8)], axis=1)
    back = to_bgr(memory_of(padded, pixel_format), pixel_format, (80, 32))
    assert back.shape == (32, 80, 3)
    assert np.abs(back[16, 8::16].astype(int) - np.array(COLOURS_BGR)).max() <= 6


def test_the_picture_is_no_window_into_the_driver():
    memory = memory_of(stripes(), "RGB888")
    back = to_bgr(memory, "RGB888", (80, 32))
    memory[:] = 0
    assert np.array_equal(back, stripes())


def test_an_unknown_format_is_refused():
    with pytest.raises(CameraError, match="the camera gives S123, which is not understood"):
        to_bgr(stripes(), "S123", (80, 32))
