"""The USB camera, on a fake that behaves like OpenCV's."""

import cv2
import numpy as np
import pytest

from hardware.camera import CameraWiring
from hardware.camera.v4l2 import open_v4l2
from hardware.errors import CameraError

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
        if name == cv2.CAP_PROP_EXPOSURE:
            return 157.0 if self.tells_exposure else 3.0
        return self.properties.get(name, 0)

    def grab(self):
        if self.grabs_fail:
            return False
        self.expose()
        self.grabbed = self.ready.pop(0)
        return True

    def retrieve(self):
        if self.decoding_fails:
            return False, None
        return True, self.grabbed

    def release(self):
        self.released = True


def opened(fake, **wiring):
    wiring = CameraWiring(kind="v4l2", number=2, **wiring)
    return open_v4l2(wiring, make=lambda _number: fake, clock=lambda: 9.0)


def test_a_picture_is_what_the_camera_sees():
    camera = opened(FakeVideoCapture())
    frame = camera.capture(1.0)
    assert np.array_equal(frame.image_bgr[1:], scene()[1:])
    assert frame.taken_s == 9.0
    assert camera.size_wh == (64, 48)


def test_frames_that_lay_ready_are_passed_over():
    fake = FakeVideoCapture()
    camera = opened(fake)
    fake.wait()
    last_before = fake.frame
    assert camera.capture(1.0).image_bgr[0, 0, 0] > last_before


def test_it_asks_for_the_size_and_for_pictures_that_fit_through_the_cable():
    fake = FakeVideoCapture()
    opened(fake, size_wh=(1920, 1080))
    assert fake.properties[cv2.CAP_PROP_FRAME_WIDTH] == 1920
    assert fake.properties[cv2.CAP_PROP_FRAME_HEIGHT] == 1080
    assert fake.properties[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")


def test_everything_is_held_once_it_was_found():
    fake = FakeVideoCapture()
    opened(fake)
    assert fake.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == MANUAL
    assert fake.properties[cv2.CAP_PROP_EXPOSURE] == 157.0
    assert fake.properties[cv2.CAP_PROP_AUTO_WB] == 0
    assert fake.properties[cv2.CAP_PROP_AUTOFOCUS] == 0


def test_exposure_stays_automatic_where_holding_it_would_darken_the_picture():
    fake = FakeVideoCapture(tells_exposure=False)
    camera = opened(fake)
    assert fake.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO
    assert np.array_equal(camera.capture(1.0).image_bgr[1:], scene()[1:])


def test_in_another_light_it_settles_anew_and_says_so():
    fake = FakeVideoCapture()
    camera = opened(fake)
    fake.light = 2.2
    frame = camera.capture(1.0)
    assert frame.settled_anew
    assert np.array_equal(frame.image_bgr[1:], scene()[1:])
    assert not camera.capture(1.0).settled_anew


def test_upside_down_turns_the_picture_by_half():
    camera = opened(FakeVideoCapture(), upside_down=True)
    assert np.array_equal(camera.capture(1.0).image_bgr[:-1], scene()[::-1, ::-1][:-1])


def test_a_camera_that_sends_nothing_is_silent():
    fake = FakeVideoCapture()
    camera = opened(fake)
    fake.grabs_fail = True
    with pytest.raises(CameraError, match="does not answer") as caught:
        camera.capture(1.0)
    assert caught.value.code == "camera-silent"
    assert caught.value.where == "/dev/video2"


def test_a_camera_that_takes_too_long_is_silent():
    fake = FakeVideoCapture()
    times = iter([0.0, 0.5, 1.5])
    camera = open_v4l2(CameraWiring(kind="v4l2"), make=lambda _n: fake, clock=lambda: next(times))
    with pytest.raises(CameraError) as caught:
        camera.capture(1.0)
    assert caught.value.code == "camera-silent"


def test_a_broken_picture_is_told():
    fake = FakeVideoCapture()
    camera = opened(fake)
    fake.decoding_fails = True
    with pytest.raises(CameraError, match="cannot be decoded: unplug") as caught:
        camera.capture(1.0)
    assert caught.value.code == "camera-broken"


def test_a_camera_that_does_not_open_is_let_go_of():
    fake = FakeVideoCapture(opened=False)
    with pytest.raises(CameraError) as caught:
        opened(fake)
    assert caught.value.code == "camera-busy"
    assert fake.released


def test_a_camera_that_is_silent_from_the_start_is_let_go_of():
    fake = FakeVideoCapture()
    fake.grabs_fail = True
    with pytest.raises(CameraError) as caught:
        opened(fake)
    assert caught.value.code == "camera-silent"
    assert fake.released


def test_closing_frees_the_camera_once():
    fake = FakeVideoCapture()
    camera = opened(fake)
    camera.close()
    camera.close()
    assert fake.released
    with pytest.raises(CameraError, match="open it again"):
        camera.capture(1.0)


def test_no_such_device():
    with pytest.raises(CameraError, match="plug the USB camera in") as caught:
        open_v4l2(CameraWiring(kind="v4l2", number=250))
    assert caught.value.code == "camera-missing"
    assert caught.value.where == "/dev/video250"
