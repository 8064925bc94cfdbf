"""The USB camera, on a fake that behaves like OpenCV's."""

import cv2
import numpy as np
import pytest

from hardware.camera.v4l2 import open_v4l2
from hardware.settings import CameraSettings
from tests.refusals import refused

AUTO, MANUAL = 3, 1


def scene():
    picture = np.full((48, 64, 3), 100, np.uint8)
    picture[:, :32, 0] = 180
    return picture


class FakeVideoCapture:
    """A USB camera whose driver has frames ready; each says which one it is at its top left."""

    BUFFERED = 4

    def __init__(self, *, tells_exposure=True, opened=True):
        self.properties = {cv2.CAP_PROP_AUTO_EXPOSURE: AUTO}
        self.tells_exposure = tells_exposure
        self.opened = opened
        self.released = False
        self.light = 1.0
        self.exposed_for = 1.0
        self.frame = 0
        self.ready = []
        self.grabs_fail = self.decoding_fails = False
        self.wait()

    def wait(self):
        """Let time go by: the driver fills its buffers, and the oldest ones stay in them."""
        while len(self.ready) < self.BUFFERED:
            self.expose()

    def expose(self):
        self.frame += 1
        if self.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO:
            self.exposed_for = self.light
        elif not self.tells_exposure:
            self.exposed_for = 10.0  # whatever it was told is far too short
        picture = np.clip(scene() * (self.light / self.exposed_for), 0, 255).astype(np.uint8)
        picture[0, 0] = self.frame % 256
        self.ready.append(picture)

    def isOpened(self):  # noqa: N802 - OpenCV calls it so
        return self.opened

    def set(self, name, value):
        self.properties[name] = value
        return True

    def get(self, name):
        assert name == cv2.CAP_PROP_EXPOSURE
        return 157.0 if self.tells_exposure else 3.0

    def grab(self):
        self.expose()
        self.grabbed = self.ready.pop(0)
        return not self.grabs_fail

    def retrieve(self):
        return (False, None) if self.decoding_fails else (True, self.grabbed)

    def release(self):
        self.released = True


@pytest.fixture
def fake():
    return FakeVideoCapture()


def opened(fake, clock=lambda: 9.0, **settings):
    settings = CameraSettings(kind="v4l2", number=2, **settings)
    return open_v4l2(settings, make=lambda _number: fake, clock=clock)


def shows_scene(frame):
    return np.array_equal(frame.image_bgr[1:], scene()[1:])


def test_picture_is_current_not_the_buffered_one(fake):
    camera = opened(fake)
    fake.wait()
    last_before = fake.frame
    frame = camera.capture(1.0)
    assert shows_scene(frame)
    assert frame.taken_s == 9.0
    assert frame.image_bgr[0, 0, 0] > last_before


def test_camera_gets_the_size_and_holds_what_it_found(fake):
    opened(fake, size_wh=(1920, 1080))
    assert (
        fake.properties.items()
        >= {
            cv2.CAP_PROP_FRAME_WIDTH: 1920,
            cv2.CAP_PROP_FRAME_HEIGHT: 1080,
            cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),  # fits through the cable
            cv2.CAP_PROP_AUTO_EXPOSURE: MANUAL,
            cv2.CAP_PROP_EXPOSURE: 157.0,
            cv2.CAP_PROP_AUTO_WB: 0,
            cv2.CAP_PROP_AUTOFOCUS: 0,
        }.items()
    )


def test_exposure_stays_automatic_where_holding_it_would_darken_the_picture():
    fake = FakeVideoCapture(tells_exposure=False)
    camera = opened(fake)
    assert fake.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO
    assert shows_scene(camera.capture(1.0))


def test_in_another_light_it_settles_anew_and_says_so(fake):
    camera = opened(fake)
    fake.light = 2.2
    frame = camera.capture(1.0)
    assert frame.settled_anew
    assert shows_scene(frame)
    assert not camera.capture(1.0).settled_anew
    image = opened(fake, upside_down=True).capture(1.0).image_bgr
    assert np.array_equal(image[:-1], scene()[::-1, ::-1][:-1])


@pytest.mark.parametrize(
    ("trouble", "code"), [("grabs_fail", "camera-silent"), ("decoding_fails", "camera-broken")]
)
def test_a_camera_that_sends_nothing_or_rubbish(fake, trouble, code):
    camera = opened(fake)
    setattr(fake, trouble, True)
    with refused(code) as caught:
        camera.capture(1.0)
    assert caught.value.where == "/dev/video2"
    with refused(code):
        opened(fake)
    assert fake.released, "from the start: it is let go of"


def test_camera_that_is_in_use_is_released():
    closed = FakeVideoCapture(opened=False)
    with refused("camera-busy"):
        opened(closed)
    assert closed.released


def clock_of(fake, frame_s):
    """Return a clock that moves by some seconds with each frame."""
    return lambda: fake.frame * frame_s


@pytest.mark.parametrize("tells_exposure", [True, False])
@pytest.mark.parametrize("frame_s", [0.2, 0.33])
def test_slow_camera_settles_anew_in_time(frame_s, tells_exposure):
    fake = FakeVideoCapture(tells_exposure=tells_exposure)
    clock = clock_of(fake, frame_s)
    camera = opened(fake, clock=clock)
    fake.light = 2.2
    asked_s = clock()
    camera.capture(10.0)
    assert clock() - asked_s <= 10.0


def test_slow_camera_opens_in_time():
    fake = FakeVideoCapture(tells_exposure=False)
    clock = clock_of(fake, 1.0)
    opened(fake, clock=clock)
    assert clock() < 30.0


def test_camera_that_is_too_slow_is_not_called_silent(fake):
    camera = opened(fake, clock=clock_of(fake, 3.0))
    with refused("camera-slow", "too slowly: set a smaller picture size"):
        camera.capture(10.0)


def test_closing_frees_the_camera_once(fake):
    camera = opened(fake)
    camera.close()
    camera.close()
    assert fake.released
    with refused("camera-closed"):
        camera.capture(1.0)
