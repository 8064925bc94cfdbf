"""``stadtblick doctor``: is everything there that the appliance needs, and does it work?"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar

from PIL import Image, ImageDraw

from firmware.base.errors import (
    Diagnostic,
    ExitCode,
    UsageError,
    error_line,
    message_of,
    reason,
    translated,
)
from firmware.base.language import N_, _, _n
from firmware.base.terminal import Json, print_lines, write_json
from firmware.base.user_data import calibration_path, check_new, user_folder, write_named_file
from firmware.camera.aim import BRIGHT, DARK
from firmware.camera.cameras import open_camera_of
from firmware.report.support_bundle import bundle
from firmware.screens import typeset
from firmware.settings import (
    ButtonSettings,
    CameraSettings,
    DisplaySettings,
    Settings,
    SignalSettings,
    load_settings,
    settings_path,
)
from firmware.settings.file import setting_place
from firmware.settings.model import STANDARD_EDITION
from firmware.teaching.user_editions import load_edition, stored_names
from hardware.buttons import Button, ButtonEvent, Buttons, open_buttons
from hardware.camera import Camera, Frame, SteadyCamera, brightness
from hardware.display import Display, open_display
from hardware.errors import HardwareError
from hardware.health import HealthSource, RaspberryHealth
from hardware.signals import Signal, Signals, open_signals
from hardware.timeouts import NeverReturnedError, call_with_limit
from vision.calibration import load_calibration
from vision.errors import Message, VisionError

Result = TypeVar("Result")

EPILOG: Final = N_("""\
examples:
  stadtblick doctor                          look at everything
  stadtblick doctor --interactive            see the display, press the buttons
  stadtblick doctor --out seen.jpg           keep the picture that the camera took
  stadtblick doctor --bundle support.zip     one file to attach to a question

The running appliance holds its devices, so they are not examined: stop it first (sudo systemctl
stop stadtblick), and start it again afterwards. exit codes: 0 all is well, 1 something has to be
looked at, 3 a device is missing or broken.
""")

CAPTURE_TIMEOUT_S: Final = 10.0
DEVICE_LIMIT_S: Final = 10.0
"""To open a display or the buttons; a bus that hangs must not hang the examination."""
PATIENCE_S: Final = 20.0
"""For somebody to press a button."""
LITTLE_ROOM_MB: Final = 200
"""Below this the photos of a few evenings fill the disk."""

UNIT: Final = "stadtblick.service"
SERVICE_FOLDER: Final = Path("/var/lib/stadtblick")
SERVICE_COMMAND: Final = "/usr/local/bin/stadtblick"

_LOOK_EVERY_S: Final = 0.02
_NO: Final = "n"
"""The first letter of no, nein and nem."""
_LABELS: Final = {Button.SCAN: "SCAN", Button.NEXT: "NEXT", Button.OK: "OK"}
_FRAME_QUESTION: Final = N_(
    "Does the display show a frame along all four edges, and upright: 1 2 3? [y/n]"
)
_FULL_QUESTION: Final = N_("Is the whole display lit now, without dark lines? [y/n]")


class State(StrEnum):
    """How a part is."""

    FINE = "fine"
    UNUSED = "unused"
    """Not there, and nothing is wrong with that."""
    LOOK = "look"
    """It works, or can be done without, but a person should look at it."""
    BROKEN = "broken"
    """The appliance does not work without it, and it is missing or fails."""


_SENTENCES: Final = {
    State.FINE: N_("{part}: fine. {found}"),
    State.UNUSED: N_("{part}: not used. {found}"),
    State.LOOK: N_("{part}: please look! {found}"),
    State.BROKEN: N_("{part}: BROKEN! {found}"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found out about a part.

    Attributes:
        state: how it is.
        message: one line; of a problem what is wrong, then after a colon what to do, in English.
        code: of a problem: short stable identifier.
        where: of a problem: the device or file that is meant.
    """

    state: State
    message: str
    code: str = ""
    where: str = ""


Findings = Iterator[Finding]


@dataclass(frozen=True, slots=True)
class Service:
    """What the service manager says of the scanner.

    Attributes:
        state: as systemd calls it, such as ``active`` and ``failed``; empty: it is not installed.
        enabled: whether it starts at each boot.
    """

    state: str = ""
    enabled: bool = False


def service_state() -> Service:
    """What systemd says; where there is none, it is not installed."""
    asked = ("systemctl", "show", "--property=LoadState,ActiveState,UnitFileState", UNIT)
    try:
        said = subprocess.run(asked, capture_output=True, text=True, timeout=5, check=True).stdout  # noqa: S603 - fixed words
    except (OSError, subprocess.SubprocessError):
        return Service()
    told = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    if told.get("LoadState") != "loaded":
        return Service()
    return Service(told.get("ActiveState", ""), told.get("UnitFileState") == "enabled")


@dataclass(frozen=True, slots=True)
class Devices:
    """How devices are opened, and what tells the time; others in tests."""

    open_camera: Callable[[CameraSettings], Camera] = open_camera_of
    open_display: Callable[[DisplaySettings], Display] = open_display
    open_buttons: Callable[[ButtonSettings], Buttons] = open_buttons
    open_signals: Callable[[SignalSettings], Signals] = open_signals
    health: HealthSource = field(default_factory=RaspberryHealth)
    service: Callable[[], Service] = service_state
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@dataclass(slots=True)
class Examination:
    """What is examined, and what later parts need of earlier ones.

    Attributes:
        devices: how they are opened.
        settings: that hold.
        warnings: what cannot be used of them.
        interactive: whether a person is asked.
        left_open: what is closed at the end.
        service: of the scanner.
        display: open, since it says which button to press; None: there is none.
        frame: the picture that the camera took; None: it took none.
    """

    devices: Devices
    settings: Settings
    warnings: Sequence[Diagnostic]
    interactive: bool
    left_open: ExitStack
    service: Service
    display: Display | None = None
    frame: Frame | None = None


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--interactive",
        action="store_true",
        help=_("show test pictures and ask for each button to be pressed"),
    )
    parser.add_argument(
        "--out", metavar=_("FILE.jpg"), type=Path, help=_("keep the picture that the camera took")
    )
    parser.add_argument(
        "--bundle",
        metavar="FILE.zip",
        type=Path,
        help=_("write one file to attach to a question: findings, settings, log, last sheet"),
    )
    parser.add_argument("--photo", action="store_true", help=_("with the last photo in it"))
    parser.add_argument("--replace", action="store_true", help=_("write over such a file"))
    parser.add_argument("--json", action="store_true", help=_("print the findings as JSON"))


def run(options: argparse.Namespace, devices: Devices | None = None) -> ExitCode:
    """Examine everything and print what was found, part by part as soon as it is known.

    Returns:
        ``DEVICE`` if one is missing or broken, ``NEEDS_A_PERSON`` if something else is to be
        looked at.
    """
    if options.interactive:
        _check_somebody_is_there(as_json=options.json)
    _check_files(options)
    settings, warnings = load_settings(keep_damaged=True)
    told: list[Json] = []
    lines: list[str] = []
    with ExitStack() as left_open:
        devices = devices or Devices()
        service = devices.service()
        if service.state == "active" and (options.interactive or options.out is not None):
            raise UsageError(
                "doctor-service-runs",
                "the running scanner holds its devices: sudo systemctl stop stadtblick, and start "
                "it again afterwards",
                UNIT,
            )
        here = Examination(devices, settings, warnings, options.interactive, left_open, service)
        held = _HELD if service.state == "active" else ()
        for part, (name, examine) in PARTS.items():
            found = [] if part in held else _found(examine, here)
            told += [_as_json(part, finding) for finding in found]
            lines += [_line(_(name), finding) for finding in found]
            if not options.json:
                print_lines(*lines[len(lines) - len(found) :])
    _write_files(options, here.frame, lines)
    if options.json:
        write_json({"findings": told})
    states = {finding["state"] for finding in told}
    if State.BROKEN in states:
        return ExitCode.DEVICE
    return ExitCode.NEEDS_A_PERSON if State.LOOK in states else ExitCode.DONE


def _check_files(options: argparse.Namespace) -> None:
    if options.out is not None:
        check_new("photo-exists", options.out, replace=options.replace)
    if options.bundle is not None:
        check_new("archive-exists", options.bundle, replace=options.replace)


def _write_files(options: argparse.Namespace, frame: Frame | None, lines: Sequence[str]) -> None:
    if options.out is not None and frame is not None:
        write_named_file(options.out, _jpeg(frame))
    if options.bundle is not None:
        packed = bundle(lines, with_photo=options.photo)
        write_named_file(options.bundle, packed, "--bundle")


def lines_beside_appliance() -> list[tuple[State, str]]:
    """What can be said of all but the devices and the service, while the appliance has these."""
    settings, warnings = load_settings(keep_damaged=True)
    told = []
    with ExitStack() as left_open:
        here = Examination(
            Devices(), settings, warnings, interactive=False, left_open=left_open, service=Service()
        )
        for part in ("settings", "disk", "computer", "calibration", "editions"):
            name, examine = PARTS[part]
            told += [(each.state, _line(_(name), each)) for each in _found(examine, here)]
    return told


def _found(examine: Callable[[Examination], Findings], here: Examination) -> list[Finding]:
    try:
        return list(examine(here))
    except HardwareError as error:
        return [Finding(State.BROKEN, message_of(error), error.code, error.where)]


def _check_somebody_is_there(*, as_json: bool) -> None:
    if as_json:
        raise UsageError("usage", "--interactive does not go with --json", _("command line"))
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(
            "doctor-nobody-there",
            "nobody can be asked here: leave out --interactive, or use a terminal",
            "--interactive",
        )


def _line(part: str, finding: Finding) -> str:
    found = translated(finding.message)
    if finding.code:
        found = error_line(UsageError(finding.code, finding.message, finding.where))
    return _(_SENTENCES[finding.state]).format(part=part, found=found)


def _as_json(part: str, finding: Finding) -> Json:
    message = translated(finding.message)
    told: Json = {"part": part, "state": finding.state.value, "message": message}
    return told | ({"code": finding.code, "where": finding.where} if finding.code else {})


def _jpeg(frame: Frame) -> bytes:
    import cv2

    return cv2.imencode(".jpg", frame.image_bgr)[1].tobytes()


def _service(here: Examination) -> Findings:
    """Whether the scanner starts by itself, and works on these data."""
    service = here.service
    if not service.state:
        yield Finding(State.UNUSED, _("It is not installed: sudo systemd/install.sh"))
        return
    if user_folder() != SERVICE_FOLDER:
        message = Message(
            "these settings are not those of the scanner: use {program}", program=SERVICE_COMMAND
        )
        yield Finding(State.LOOK, message, code="other-data", where=str(user_folder()))
        return
    if not service.enabled:
        message = Message("it does not start by itself: sudo systemctl enable {unit}", unit=UNIT)
        yield Finding(State.LOOK, message, code="service-not-enabled", where=UNIT)
    if service.state == "active":
        yield Finding(
            State.FINE,
            _("It runs, so its devices are not examined; to do so: sudo systemctl stop stadtblick"),
        )
    elif service.state == "failed":
        message = Message(
            "it could not be kept running: see journalctl -u stadtblick, then sudo systemctl "
            "restart stadtblick"
        )
        yield Finding(State.BROKEN, message, code="service-failed", where=UNIT)
    elif service.enabled:
        yield Finding(State.FINE, _("It starts with the computer; now it is stopped."))


def _settings(here: Examination) -> Findings:
    for warning in here.warnings:
        yield Finding(State.LOOK, warning.message, warning.code, warning.where)
    if here.warnings:
        return
    path = settings_path()
    if path.exists():
        yield Finding(State.FINE, _("All of {path} can be used.").format(path=path))
    else:
        yield Finding(State.UNUSED, _("There is no file yet; the defaults are used."))


def _camera(here: Examination) -> Findings:
    settings = here.settings.camera
    if settings.kind == "none":
        yield Finding(State.UNUSED, _("The settings name none."))
        return
    with closing(
        SteadyCamera(lambda: here.devices.open_camera(settings), place=settings.place)
    ) as camera:
        here.frame = camera.capture(CAPTURE_TIMEOUT_S)
    image_bgr = here.frame.image_bgr
    light = brightness(image_bgr)
    if DARK <= light <= BRIGHT:
        said = _("It took a picture of {width} x {height} pixels ({where}).")
        height, width = image_bgr.shape[:2]
        place = settings.place
        yield Finding(State.FINE, said.format(width=width, height=height, where=place))
        return
    what = Message("almost black: take off the cap, switch on a light")
    if light > BRIGHT:
        what = Message("almost white: keep lamps and the sun out of the picture")
    message = Message("it works, but its picture is {what}", what=what)
    yield Finding(State.LOOK, message, code="camera-light", where=settings.place)


def _display(here: Examination) -> Findings:
    settings = here.settings.display
    if settings.kind == "none":
        yield Finding(State.UNUSED, _("The settings name none."))
        return
    here.display = _limited(
        lambda: here.devices.open_display(settings), "display-lost", settings.place
    )
    here.left_open.callback(here.display.close)
    if here.interactive:
        yield _seen(here.display, settings.place)
        return
    said = _("It answers: {controller} of {width} x {height} pixels ({where}).")
    width, height = here.display.size_wh
    name, place = settings.controller.upper(), settings.place
    yield Finding(State.FINE, said.format(controller=name, width=width, height=height, where=place))


def _buttons(here: Examination) -> Findings:
    settings = here.settings.buttons
    with closing(
        _limited(lambda: here.devices.open_buttons(settings), "buttons-broken", "GPIO")
    ) as buttons:
        if here.interactive:
            yield from _pressed(buttons, here)
            return
        buttons.poll(here.devices.clock())
    said = _("SCAN is on GPIO {scan}, NEXT on GPIO {next}, OK on GPIO {ok}.")
    numbers = {"scan": settings.scan_gpio, "next": settings.next_gpio, "ok": settings.ok_gpio}
    yield Finding(State.FINE, said.format(**numbers))


def _signals(here: Examination) -> Findings:
    """The appliance works without them; with ``--interactive`` they are given."""
    settings = here.settings.signals
    if not settings.are_there:
        yield Finding(State.UNUSED, _("The settings name none."))
        return
    numbers = {"buzzer": settings.buzzer_gpio, "lamp": settings.lamp_gpio}
    try:
        with closing(here.devices.open_signals(settings)) as signals:
            if here.interactive:
                signals.give(Signal.LOOK)
                print_lines(_("Did the buzzer sound twice, or the lamp flash twice? [y/n]"))
                if sys.stdin.readline().strip().lower().startswith(_NO):
                    message = Message("no signal came: check their wires, and their numbers")
                    yield Finding(State.LOOK, message, code="signals-not-seen", where="GPIO")
                    return
    except HardwareError as error:
        yield Finding(State.LOOK, message_of(error), error.code, error.where)
        return
    said = _("The buzzer is on GPIO {buzzer}, the lamp on GPIO {lamp}; -1: not there.")
    yield Finding(State.FINE, said.format(**numbers))


def _limited(job: Callable[[], Result], code: str, place: str) -> Result:
    try:
        return call_with_limit(job, DEVICE_LIMIT_S)
    except NeverReturnedError:
        raise HardwareError(
            code, "it does not answer: switch off, check its wires, switch on", place
        ) from None


def _disk(_here: Examination) -> Findings:
    """Whether results can be stored; the folder is made if it does not exist."""
    folder = user_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0")
            file.flush()
        free_mb = shutil.disk_usage(folder).free // 1_000_000
    except OSError as error:
        message = Message(
            "nothing can be stored ({why}): make room, or check the memory card", why=reason(error)
        )
        yield Finding(State.BROKEN, message, code="disk-not-writable", where=str(folder))
        return
    if free_mb < LITTLE_ROOM_MB:
        message = Message(
            "only {free_mb} MB are free: sudo apt clean, or lower photos_max in the settings",
            free_mb=free_mb,
        )
        yield Finding(State.LOOK, message, code="disk-almost-full", where=str(folder))
    else:
        said = _("{free} MB are free in {path}.").format(free=free_mb, path=folder)
        yield Finding(State.FINE, said)


def _computer(here: Examination) -> Findings:
    """Supply and heat."""
    health = here.devices.health.read()
    weak = health.under_voltage or health.under_voltage_before
    hot = health.too_hot or health.throttled
    if weak:
        message = Message(
            "the supply is or was too weak: use the one made for this Raspberry Pi, and a short "
            "cable"
        )
        yield Finding(State.LOOK, message, code="under-voltage", where="supply")
    if hot:
        message = Message("the computer is slowed down or too hot: give it air or a heat sink")
        yield Finding(State.LOOK, message, code="too-hot", where="processor")
    if weak or hot:
        return
    if health.temperature_c is None:
        yield Finding(State.FINE, _("Temperature and power cannot be read."))
    else:
        said = _("It has {degrees} degrees Celsius.")
        yield Finding(State.FINE, said.format(degrees=round(health.temperature_c)))


def _calibration(here: Examination) -> Findings:
    """Whether there is a calibration, and whether it is one of this camera."""
    path = calibration_path()
    if not path.exists():
        yield Finding(State.UNUSED, _("There is none yet: see stadtblick calibrate --help."))
        return
    try:
        of_width, of_height = load_calibration(path).lens.size_wh
    except VisionError as error:
        yield Finding(State.LOOK, error.message, error.code, error.where)
        return
    height, width = (of_height, of_width) if here.frame is None else here.frame.image_bgr.shape[:2]
    if (of_width, of_height) == (width, height):
        said = _("It is for photos of {width} x {height} pixels.")
        yield Finding(State.FINE, said.format(width=width, height=height))
        return
    message = Message(
        "it is for photos of {its_width} x {its_height} pixels, the camera takes {width} x "
        "{height}: calibrate again",
        its_width=of_width,
        its_height=of_height,
        width=width,
        height=height,
    )
    yield Finding(State.LOOK, message, code="calibration-other-size", where=str(path))


def _editions(here: Examination) -> Findings:
    """Whether the editions can be used, and whether the chosen one is there and of the game."""
    settings, names, damaged = here.settings, stored_names(), False
    wanted = () if settings.edition == STANDARD_EDITION else (settings.edition,)
    for name in dict.fromkeys((*names, *wanted)):
        where = setting_place("edition") if name in wanted else name
        try:
            load_edition(name, settings.game if name in wanted else None, where)
        except (UsageError, VisionError) as error:
            damaged = True
            yield Finding(State.LOOK, error.message, error.code, error.where)
    if damaged:
        return
    if names:
        yield Finding(State.FINE, _n("{n} can be used.", "{n} can be used.", len(names)))
    else:
        yield Finding(State.UNUSED, _("No tiles taught yet."))


PARTS: Final[dict[str, tuple[str, Callable[[Examination], Findings]]]] = {
    "service": (N_("Service"), _service),
    "settings": (N_("Settings"), _settings),
    "camera": (N_("Camera"), _camera),
    "display": (N_("Display"), _display),
    "buttons": (N_("Buttons"), _buttons),
    "signals": (N_("Buzzer and lamp"), _signals),
    "disk": (N_("Disk"), _disk),
    "computer": (N_("Computer"), _computer),
    "calibration": (N_("Calibration"), _calibration),
    "editions": (N_("Editions"), _editions),
}
"""What is examined, in this order; each may raise ``HardwareError``: it is broken."""
_HELD: Final = frozenset({"camera", "display", "buttons"})
"""By the running scanner."""


def _seen(display: Display, place: str) -> Finding:
    """Show test pictures and ask what is seen."""
    tests = (
        (frame_picture(display.size_wh), _FRAME_QUESTION,
         Message("the picture is wrong: try another controller, or upside_down, in the settings")),
        (Image.new("1", display.size_wh, 1), _FULL_QUESTION,
         Message("some of its pixels stay dark: check its wires, or use another display")),
    )  # fmt: skip
    for picture, question, advice in tests:
        display.show(picture)
        print_lines(_(question))
        answer = sys.stdin.readline()
        # An empty line means yes, and so does any word but no
        if not answer or answer.strip().lower().startswith(_NO):
            return Finding(State.BROKEN, advice, code="display-wrong", where=place)
    display.show(Image.new("1", display.size_wh))
    return Finding(State.FINE, _("It shows the test pictures."))


def _pressed(buttons: Buttons, here: Examination) -> Findings:
    """Ask for each button to be pressed, on the display as well."""
    all_heard = True
    for wanted, label in _LABELS.items():
        print_lines(_("Press {button} shortly.").format(button=label))
        if here.display is not None:
            with suppress(HardwareError):  # found out already
                here.display.show(_text_picture(here.display.size_wh, label))
        pressed = _first_press(buttons, here.devices)
        if pressed is not None and pressed.button is wanted:
            continue
        all_heard = False
        if pressed is None:
            message = Message(
                "{label} was not heard: check its two wires, and its number", label=label
            )
            yield Finding(State.BROKEN, message, code="button-not-heard", where="GPIO")
        else:
            message = Message(
                "{label} was asked for and {heard} was heard: swap their wires, or their numbers "
                "in the settings",
                label=label,
                heard=_LABELS[pressed.button],
            )
            yield Finding(State.BROKEN, message, code="buttons-swapped", where="GPIO")
    if all_heard:
        yield Finding(State.FINE, _("All three were heard."))


def _first_press(buttons: Buttons, devices: Devices) -> ButtonEvent | None:
    """The first button that is pressed and released; None: nobody has pressed one."""
    buttons.poll(devices.clock())
    until_s = devices.clock() + PATIENCE_S
    while (now_s := devices.clock()) < until_s:
        for event in buttons.poll(now_s):
            if event.kind != "press":
                return event
        devices.sleep(_LOOK_EVERY_S)
    return None


def frame_picture(size_wh: tuple[int, int]) -> Image.Image:
    """A frame along the edges, its diagonals, and digits that show which way is up."""
    picture = Image.new("1", size_wh)
    draw = ImageDraw.Draw(picture)
    right, bottom = size_wh[0] - 1, size_wh[1] - 1
    draw.rectangle((0, 0, right, bottom), outline=1)
    draw.line((0, 0, right, bottom), fill=1)
    draw.line((0, bottom, right, 0), fill=1)
    picture.paste(_text_picture((68, 28), "1 2 3"), (right // 2 - 33, bottom // 2 - 13))
    return picture


def _text_picture(size_wh: tuple[int, int], text: str) -> Image.Image:
    """A short text in large letters, in its middle."""
    picture = Image.new("1", size_wh)
    middle = size_wh[0] / 2, size_wh[1] / 2
    ImageDraw.Draw(picture).text(middle, text, font=typeset.font(24), fill=1, anchor="mm")
    return picture
