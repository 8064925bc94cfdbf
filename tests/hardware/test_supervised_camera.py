"""A camera that is opened again when it fails, and never keeps anybody waiting."""

import errno
import queue
import threading

import numpy as np
import pytest

from hardware.camera import Hang, StandInCamera, SupervisedCamera
from hardware.errors import CameraError
from hardware.timeouts import LONGEST_WAIT_S, BackOff, NeverReturnedError, call_with_limit
from tests.hardware.impatience import LONG_S, until_caught
from tests.refusals import refused

PICTURE = np.full((4, 6, 3), 77, np.uint8)
MISSING = CameraError("camera-missing", "no camera was found: plug it in", "camera 0")
SILENT = CameraError("camera-silent", "the camera does not answer: check its cable", "camera 0")
SLOW = CameraError("camera-slow", "the camera sends its pictures too slowly", "camera 0")
BROKEN = CameraError("camera-broken", "the camera failed: switch off", "camera 0")


def script(*steps, **more):
    return StandInCamera(list(steps), **more)


class Bench:
    """Cameras that are found one after the other, and a clock that is moved by hand.

    Args:
        found: Camera or error that each attempt to open one finds.
        hangs: Hangs that calls may be caught in.
    """

    def __init__(self, *found, hangs=()):
        self.found, self.opened, self.now_s = found, 0, 0.0
        call = until_caught(*hangs)
        self.camera = SupervisedCamera(self.open, clock=lambda: self.now_s, call=call)

    def open(self):
        self.opened += 1
        found = self.found[min(self.opened, len(self.found)) - 1]
        if isinstance(found, Exception):
            raise found
        return found

    def codes(self, captures=1):
        """The codes of the errors that captures end in; None: they gave the picture."""
        codes = []
        for _ in range(captures):
            try:
                assert np.array_equal(self.camera.capture(0.0).image_bgr, PICTURE)
                codes.append(None)
            except CameraError as error:
                codes.append(error.code)
        return codes


@pytest.fixture
def hangs():
    made = [Hang(), Hang()]
    yield made
    for hang in made:
        hang.release()


@pytest.fixture(params=["told by the driver", "hanging"])
def silences(request, hangs):
    """Two captures that give no picture in time."""
    return [SILENT, SILENT] if request.param == "told by the driver" else hangs


def test_camera_is_opened_once_at_the_first_use():
    bench = Bench(script(PICTURE))
    assert not bench.camera.is_open
    assert bench.codes(captures=3) == [None] * 3
    assert bench.opened == 1
    with refused("camera-broken", "failed (KeyError 'Sensor\\nTimestamp'): switch off"):
        Bench(script(KeyError("Sensor\nTimestamp"))).camera.capture(0.0)


def test_preparing_opens_without_taking_a_picture_and_closing_can_be_undone():
    first, second = script(PICTURE), script(PICTURE)
    bench = Bench(first, second)
    bench.camera.prepare()
    assert bench.camera.is_open
    bench.camera.close()
    bench.camera.close()
    assert (first.captures, first.closed) == (0, True)
    assert bench.codes() == [None]
    assert second.captures == 1


def test_missing_camera_is_sought_more_rarely_and_used_again():
    bench = Bench(*[MISSING] * 9, script(PICTURE))
    tried_s = []
    while bench.opened < 9:
        before = bench.opened
        assert bench.codes() == ["camera-missing"]
        tried_s += [bench.now_s] * (bench.opened - before)
        bench.now_s += 1.0
    assert tried_s == [0, 1, 3, 7, 15, 31, 63, 123, 183]
    bench.now_s += 60.0
    assert bench.codes() == [None]


def test_repeated_error_does_not_hold_ever_more_frames():
    bench, sizes = Bench(MISSING), set()
    for _ in range(5):
        with pytest.raises(CameraError) as caught:
            bench.camera.prepare()
        sizes.add(len(caught.traceback))
    assert bench.opened == 1
    assert max(sizes) < 10


def test_camera_error_is_told_at_once_and_camera_reopened():
    first = script(BROKEN)
    bench = Bench(first, script(PICTURE))
    assert bench.codes(captures=2) == ["camera-broken"] * 2
    assert first.closed
    assert first.captures == 1
    bench.now_s = 1.0
    assert bench.codes() == [None]


@pytest.mark.parametrize("closing", [None, RuntimeError("Camera in Running state")])
def test_silence_opens_the_camera_once_more_however_closing_fails(silences, hangs, closing):
    first, second = script(PICTURE, silences[0], closing=closing), script(PICTURE)
    bench = Bench(first, second, hangs=hangs[:1])
    assert bench.codes(captures=2) == [None, None]
    assert first.closed is (closing is None)
    assert second.captures == 1


def test_slow_camera_is_opened_once_more():
    bench = Bench(script(SLOW), script(PICTURE))
    assert bench.codes() == [None]
    assert Bench(script(SLOW), script(SLOW)).codes() == ["camera-slow"]


def test_silence_twice_is_told(silences, hangs):
    first, second = (script(silence) for silence in silences)
    bench = Bench(first, second, script(PICTURE), hangs=hangs)
    assert bench.codes() == ["camera-silent"]
    assert (first.closed, second.closed, bench.opened) == (True, True, 2)
    bench.now_s = 1.0
    assert bench.codes() == [None]


def test_camera_that_cannot_be_closed_is_not_tried_again(hangs):
    bench = Bench(script(hangs[0], closing=hangs[1]), hangs=hangs)
    for now_s in (0.0, 100.0):
        bench.now_s = now_s
        assert bench.codes() == ["camera-stuck"]
        assert bench.camera.is_stuck
    assert bench.opened == 1


def test_a_camera_that_opens_too_late_is_closed_when_it_comes():
    opening, closed = Hang(), threading.Event()
    late = script(PICTURE)
    late.close = closed.set
    supervised = SupervisedCamera(lambda: opening.wait() or late, call=until_caught(opening))
    with refused("camera-silent"):
        supervised.prepare()
    opening.release()
    assert closed.wait(LONG_S)


def test_waiting_doubles_up_to_a_limit():
    back_off, waits = BackOff(), []
    assert back_off.is_due(0.0)
    for _ in range(50):
        back_off = back_off.after_failure(100.0)
        waits.append(back_off.next_try_s - 100.0)
    assert waits[:7] == [1, 2, 4, 8, 16, 32, LONGEST_WAIT_S]
    assert set(waits[7:]) == {LONGEST_WAIT_S}
    assert not back_off.is_due(159.9)
    assert back_off.is_due(160.0)


def test_result_that_comes_at_the_limit_is_given_or_dropped():
    dropped = queue.SimpleQueue()
    for number in range(300):
        try:
            result = call_with_limit(lambda: number, 0.0, drop=dropped.put)  # noqa: B023
        except NeverReturnedError:
            result = dropped.get(timeout=LONG_S)
        assert result == number
    assert dropped.empty()


def test_late_result_that_cannot_be_dropped_is_no_crash(monkeypatch):
    crashes, dropped = [], threading.Event()
    monkeypatch.setattr(threading, "excepthook", crashes.append)
    hang = Hang()

    def drop(_result):
        driver.append(threading.current_thread())
        dropped.set()
        raise OSError(errno.EIO, "no answer")

    driver = []
    with pytest.raises(NeverReturnedError):
        call_with_limit(hang.wait, 0.0, drop=drop)
    hang.release()
    assert dropped.wait(LONG_S)
    driver[0].join(LONG_S)
    assert crashes == []


def test_a_call_with_a_limit_gives_or_raises_what_the_call_does():
    assert call_with_limit(lambda: 42, LONG_S) == 42
    with pytest.raises(ZeroDivisionError):
        call_with_limit(lambda: 1 // 0, LONG_S)
    hang = Hang()
    with pytest.raises(NeverReturnedError):
        call_with_limit(hang.wait, 0.0)
    hang.release()
