"""Random presses and faults: the appliance keeps running and can scan afterwards."""

import random

import pytest

from firmware.base.errors import OutputError
from hardware.buttons import Button
from hardware.camera import StandInCamera, SupervisedCamera
from hardware.display import StandInDisplay
from hardware.errors import ButtonsError, CameraError, DisplayError
from hardware.health import Health
from scoring.faces import Face
from tests.appliance.fake_tables import FakeTables
from tests.appliance.whole_appliance import NEXT, OK, PICTURE, SCAN, HandClock, WholeAppliance
from tests.firmware.fake_eye import EXAMPLE, FakeEye

STEPS = 150
MISSING = CameraError("camera-missing", "no camera was found: plug it in", "camera 0")
BROKEN = CameraError("camera-broken", "the camera failed: check its cable", "camera 0")
DARK = DisplayError("display-lost", "the display stopped answering: check its wires", "I2C")
DEAF = ButtonsError("buttons-broken", "the buttons failed: check their wires", "GPIO")


class Trouble:
    """Devices that work or not, as a test says."""

    def __init__(self):
        self.camera = self.capture = self.display = None
        """The error that is raised; None: it works."""

    def strike(self, device):
        """Raise the error of a device, without the frames of earlier times."""
        error = getattr(self, device)
        if error is not None:
            raise error.with_traceback(None)

    def open_camera(self):
        self.strike("camera")
        return Flaky(self)

    def open_display(self, _wiring):
        self.strike("display")
        return FlakyDisplay(self)


class Flaky(StandInCamera):
    def __init__(self, trouble):
        super().__init__([PICTURE])
        self._trouble = trouble

    def capture(self, timeout_s):
        self._trouble.strike("capture")
        return super().capture(timeout_s)


class FlakyDisplay(StandInDisplay):
    def __init__(self, trouble):
        super().__init__()
        self._trouble = trouble

    def show(self, image):
        self._trouble.strike("display")
        super().show(image)


@pytest.mark.parametrize("seed", range(8))
def test_appliance_survives_random_trouble_and_recovers(monkeypatch, seed):
    chance, trouble, clock = random.Random(seed), Trouble(), HandClock()  # noqa: S311
    # Four cities can be scored in both variants.
    eye = FakeEye(*EXAMPLE[:4], unsure={(0, (0, 0)): [Face.PARK], (2, (1, 1)): [Face.SHOP]})
    tables = FakeTables()
    tables.between_two_cities = eye
    whole = WholeAppliance(
        eye=tables,
        camera=lambda: SupervisedCamera(trouble.open_camera, clock=clock),
        display=trouble.open_display,
        clock=clock,
    )
    with monkeypatch.context() as patch:
        for _ in range(STEPS):
            disturb(chance, whole, trouble, patch)
            whole.press(chance.choice(list(Button)), long=chance.random() < 0.15)
            whole.advance(chance.choice([0, 0, 0.3, 2, 45]), passes=3)
    trouble.camera = trouble.capture = trouble.display = None
    whole.buttons.fail(None)
    for name in tuple(whole.launch.hold):
        whole.launch.release(name)
    eye.refuses = {}
    whole.advance(240)  # a computer that does not switch itself off says so after a while
    for _ in range(60):
        if whole.names[-1] == "ready":
            break
        find_back(whole)
    assert whole.names[-1] == "ready"
    whole.press(SCAN)
    assert whole.names[-1].split("-")[0] in {"winner", "changes"}, whole.words
    assert whole.watcher.pings > 0


def find_back(whole):
    """Press what leads a step nearer to ready, as the hints say."""
    name, words = whole.names[-1], whole.words
    if name == "name":
        whole.press(OK if words.endswith(("done", "cancel")) else NEXT)
    elif name == "menu" and "| + name " in words:
        whole.press(NEXT, long=True)  # one name back, at last to no names
        whole.press(OK)
    elif name.startswith(("menu", "pick", "tile", "wizard", "confirm", "past", "stats")):
        whole.press(SCAN)
    elif name.startswith(("players", "camera", "notice", "problem")):
        whole.press(OK)
    elif name.startswith(("hold", "stage")):
        whole.press(NEXT)
    else:
        whole.press(NEXT, long=True)


def disturb(chance, whole, trouble, patch):
    """Let something fail, or work again."""
    match chance.randrange(12):
        case 0:
            trouble.camera = chance.choice([None, MISSING])
        case 1:
            trouble.capture = chance.choice([None, BROKEN])
        case 2:
            trouble.display = chance.choice([None, DARK])
        case 3:
            whole.buttons.fail(DEAF if chance.random() < 0.3 else None)
        case 4:
            whole.health.health = Health(under_voltage=chance.random() < 0.5, known=True)
        case 5:
            if "reading" in whole.launch.hold:
                whole.launch.release("reading")
            else:
                whole.launch.hold.add("reading")
        case 6:
            whole.eye.refuses = chance.choice([{}, {"camera": "photo-too-dark"}])
        case 7:
            fails = chance.random() < 0.5
            patch.setattr(
                "firmware.appliance.runner.storage_service.store_settings",
                cannot_write if fails else lambda _settings: None,
            )


def cannot_write(_settings):
    raise OutputError("file-not-writable", "it cannot be written: make room", "settings.toml")
