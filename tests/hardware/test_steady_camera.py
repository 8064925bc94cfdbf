"""A camera that is opened again when it fails, and never keeps anybody waiting."""

import threading

import numpy as np
import pytest

from hardware.back_off import LONGEST_S, BackOff
from hardware.camera import Hang, StandInCamera, SteadyCamera
from hardware.errors import CameraError
from hardware.time_limit import NeverReturnedError, call_with_limit
from tests.hardware.impatience import LONG_S, until_caught

PICTURE = np.full((4, 6, 3), 77, np.uint8)
MISSING = CameraError("camera-missing", "no camera was found: plug it in", "camera 0")
SILENT = CameraError("camera-silent", "the camera does not answer: check its cable", "camera 0")
BROKEN = CameraError("camera-broken", "the camera failed: switch off", "camera 0")


class Bench:
    """Cameras that are found one after the other, and a clock that is moved by hand.

    Args:
        found: what each attempt to open one finds: a script of a stand-in, a camera, or an error.
    """

    def __init__(self, *found):
        self.found = list(found)
        self.opened = []
        self.now_s = 0.0
        self.camera = SteadyCamera(
            self.open, clock=lambda: self.now_s, grace_s=LONG_S, close_limit_s=LONG_S
        )

    def open(self):
        found = self.found.pop(0) if len(self.found) > 1 else self.found[0]
        self.opened.append(found)
        if isinstance(found, Exception):
            raise found
        return found

    def code(self):
        """The code of the error that a capture ends in; None: it gave the picture."""
        try:
            frame = self.camera.capture(0.0)
        except CameraError as error:
            assert self.camera.problem is not None
            return error.code
        assert np.array_equal(frame.image_bgr, PICTURE)
        assert self.camera.problem is None
        return None


def test_it_is_opened_at_the_first_use_and_once():
    bench = Bench(StandInCamera([PICTURE]))
    assert bench.opened == []
    assert not bench.camera.is_open
    assert [bench.code() for _ in range(3)] == [None] * 3
    assert len(bench.opened) == 1
    assert bench.camera.size_wh == (6, 4)


def test_preparing_opens_without_taking_a_picture():
    camera = StandInCamera([PICTURE])
    bench = Bench(camera)
    bench.camera.prepare()
    assert bench.camera.is_open
    assert camera.captures == 0


def test_a_missing_camera_is_looked_for_ever_more_rarely():
    bench = Bench(MISSING)
    tried_s = []
    for second in range(200):
        bench.now_s = float(second)
        before = len(bench.opened)
        assert bench.code() == "camera-missing"
        if len(bench.opened) > before:
            tried_s.append(second)
    assert tried_s == [0, 1, 3, 7, 15, 31, 63, 123, 183]


def test_a_camera_that_comes_back_is_used():
    bench = Bench(MISSING, StandInCamera([PICTURE]))
    assert bench.code() == "camera-missing"
    bench.now_s = 1.0
    assert bench.code() is None


def test_an_error_that_is_no_silence_is_told_at_once_and_the_camera_opened_anew_later():
    first = StandInCamera([BROKEN])
    bench = Bench(first, StandInCamera([PICTURE]))
    assert bench.code() == "camera-broken"
    assert first.closed
    assert bench.code() == "camera-broken"
    bench.now_s = 1.0
    assert bench.code() is None


def test_an_error_that_the_driver_should_not_raise_is_told_in_one_line():
    bench = Bench(StandInCamera([KeyError("Sensor\nTimestamp")]))
    with pytest.raises(CameraError, match=r"failed .KeyError .*: switch off") as caught:
        bench.camera.capture(0.0)
    assert caught.value.code == "camera-broken"
    assert "\n" not in caught.value.message


def test_silence_opens_the_camera_once_more():
    first, second = StandInCamera([PICTURE, SILENT]), StandInCamera([PICTURE])
    bench = Bench(first, second)
    assert [bench.code(), bench.code()] == [None, None]
    assert first.closed
    assert second.captures == 1


def test_silence_twice_is_told():
    first, second = StandInCamera([SILENT]), StandInCamera([SILENT])
    bench = Bench(first, second, StandInCamera([PICTURE]))
    assert bench.code() == "camera-silent"
    assert first.closed
    assert second.closed
    assert len(bench.opened) == 2
    bench.now_s = 1.0
    assert bench.code() is None


def test_a_failed_closing_does_not_hinder_opening_again():
    first = StandInCamera([SILENT], closing=RuntimeError("Camera in Running state"))
    bench = Bench(first, StandInCamera([PICTURE]))
    assert bench.code() is None


def test_after_closing_it_opens_again():
    first, second = StandInCamera([PICTURE]), StandInCamera([PICTURE])
    bench = Bench(first, second)
    assert bench.code() is None
    bench.camera.close()
    bench.camera.close()
    assert first.closed
    assert bench.code() is None
    assert second.captures == 1


def test_a_camera_that_opens_too_late_is_closed_when_it_comes():
    opening, closed = Hang(), threading.Event()

    class Late(StandInCamera):
        def close(self):
            super().close()
            closed.set()

    def open_it():
        opening.wait()
        return Late([PICTURE])

    steady = SteadyCamera(open_it, call=until_caught(opening))
    with pytest.raises(CameraError) as caught:
        steady.prepare()
    assert caught.value.code == "camera-silent"
    opening.release()
    assert closed.wait(LONG_S)


def test_waiting_doubles_up_to_a_limit():
    back_off, waits = BackOff(), []
    assert back_off.due(0.0)
    for _ in range(50):
        back_off = back_off.after_failure(100.0)
        waits.append(back_off.next_try_s - 100.0)
    assert waits[:7] == [1, 2, 4, 8, 16, 32, LONGEST_S]
    assert set(waits[7:]) == {LONGEST_S}
    assert not back_off.due(159.9)
    assert back_off.due(160.0)


class TestCallWithLimit:
    def test_it_gives_what_the_call_gives(self):
        assert call_with_limit(lambda: 42, LONG_S) == 42

    def test_it_raises_what_the_call_raises(self):
        with pytest.raises(ZeroDivisionError):
            call_with_limit(lambda: 1 // 0, LONG_S)

    def test_it_does_not_wait_for_ever(self):
        hang = Hang()
        with pytest.raises(NeverReturnedError):
            call_with_limit(hang.wait, 0.01)
        hang.release()
