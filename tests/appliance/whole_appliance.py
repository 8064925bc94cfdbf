"""Whole appliance with stand-ins for its devices; the test moves its clock."""

from argparse import Namespace

import numpy as np

from firmware.appliance.runner.button_service import ButtonService
from firmware.appliance.runner.launch import initial_state
from firmware.appliance.runner.loop import Appliance, ApplianceParts, StopRequest
from firmware.appliance.runner.screen_outputs import DisplayOutput, ScreenOutput
from firmware.appliance.runner.service_manager import ServiceManager
from firmware.appliance.runner.tasks import TaskRunner
from firmware.appliance.runner.terminal_front import words_of
from firmware.base.user_data import user_folder
from firmware.commands import run
from firmware.history import History
from firmware.settings import DisplaySettings, Settings, load_settings
from hardware.buttons import Button, StandInButtons
from hardware.camera import StandInCamera, SupervisedCamera
from hardware.health import StandInHealth
from tests.appliance.fake_tables import FakeTables
from tests.cleanup import AT_THE_END
from tests.firmware.history_samples import recent

PASSES = 12
"""More than any chain of answers to one event needs."""

MAX_ENTRIES = 20
"""Upper bound of the entries of a menu."""

PICTURE = np.full((720, 960, 3), 90, np.uint8)
SCAN, NEXT, OK = Button.SCAN, Button.NEXT, Button.OK


def be_the_appliance(*, emulate, camera=None, language=None):
    """Run the command, as if it was typed."""
    settings, warnings = load_settings()
    options = {"emulate": emulate, "camera": camera, "lang": language}
    return run.run(Namespace(**options, settings=settings, setting_warnings=warnings))


def kept_scans():
    """The scans that the user's history has, the latest first."""
    return recent(History(user_folder()))


class HandClock:
    """Monotonic seconds that are moved by hand."""

    def __init__(self):
        self.time_s = 100.0

    def __call__(self):
        return self.time_s


class Launch:
    """Does work where it is begun, except what a test holds back."""

    def __init__(self):
        self.hold = set()
        """Names of the work to hold back."""
        self.held = []

    def __call__(self, name, work):
        if name in self.hold:
            self.held.append((name, work))
        else:
            work()

    def release(self, name):
        """Do what was held back, and hold no more of it."""
        self.hold.discard(name)
        for held_name, work in [entry for entry in self.held if entry[0] == name]:
            self.held.remove((held_name, work))
            work()


class Watcher(ServiceManager):
    """Service manager that keeps its messages."""

    def __init__(self, watchdog_s=8.0):
        super().__init__("unused", watchdog_s)
        self.messages = []

    def _send(self, message):
        self.messages.append(message)

    @property
    def pings(self):
        return self.messages.count("WATCHDOG=1")


class ScreenKeeper(ScreenOutput):
    """Remembers every screen that is shown."""

    def __init__(self):
        self.screens = []

    def show(self, screen):
        self.screens.append(screen)


def no_page(_link, _listening):
    """Serve no page, as where its packages are not installed."""
    raise ImportError


class WholeAppliance:
    """Everything composed as ``stadtblick run`` does it, a second after its start.

    Args:
        eye: Function that reads photos; None for one that sees a table of each game.
        camera: Function that makes a camera, not open yet; None for one that sees a grey picture.
        settings: Settings to start with.
        display: Function that opens a display, beside the kept screens; None for none.
        safe_mode: True if the last starts did not complete.
        clock: Clock that the test moves.
        **more: further parts, such as ``stored_language``; what is asked first (``setup_steps``).
    """

    def __init__(
        self,
        *,
        eye=None,
        camera=None,
        settings=None,
        display=None,
        safe_mode=False,
        clock=None,
        **more,
    ):
        self.clock, self.launch, self.watcher = clock or HandClock(), Launch(), Watcher()
        self.tasks = TaskRunner(lambda: None, self.clock, self.launch)
        self.buttons, self.health = StandInButtons(), StandInHealth()
        self.keeper, self.stop = ScreenKeeper(), StopRequest()
        self.eye = eye or FakeTables()
        settings = settings or Settings(language="en")
        outputs = [lambda _report: self.keeper]
        if display is not None:
            outputs.append(
                lambda report: DisplayOutput(DisplaySettings(), self.tasks, report, display)
            )
        self.is_sound, self.switched_off = False, []
        more.setdefault("open_page", no_page)
        of_state = {
            name: more.pop(name) for name in ("setup_steps", "must_ask_players") if name in more
        }
        self.appliance = Appliance(
            ApplianceParts(
                folder=user_folder(),
                state=initial_state(settings, self.clock.time_s, safe_mode=safe_mode, **of_state),
                tasks=self.tasks,
                make_outputs=tuple(outputs),
                buttons=ButtonService(self._take_buttons),
                make_camera=camera or (lambda: self.supervised(PICTURE)),
                health=self.health,
                service=self.watcher,
                reader=self.eye,
                power_off=lambda _tasks, _report: self.switched_off.append(1),
                stop=self.stop,
                on_complete_start=self._note_good_start,
                **more,
            )
        )
        AT_THE_END.callback(self.close)
        self.advance(1)

    def _take_buttons(self):
        self.buttons.closed = False
        return self.buttons

    def _note_good_start(self):
        self.is_sound = True

    def supervised(self, *script):
        """A camera that plays a script."""
        return SupervisedCamera(lambda: StandInCamera(list(script)), clock=self.clock)

    def advance(self, seconds=0.0, passes=PASSES):
        """Let time pass, a second at a time, then run the loop until nothing more happens."""
        for _ in range(int(seconds)):
            self.clock.time_s += 1.0
            self.appliance.run_due()
        self.clock.time_s += seconds - int(seconds)
        for _ in range(passes):
            self.appliance.run_due()

    def close(self):
        """End as the program does, however much is still held back."""
        self.appliance.close()
        self.launch.release("storing")
        for _ in range(PASSES):
            self.tasks.run_due()

    def press(self, *buttons, long=False):
        """Press buttons one after the other, and let each have its effect."""
        for button in buttons:
            self.buttons.press(button, long=long)
            self.advance()

    def choose_by_words(self, *titles):
        """Open the menu and choose entries by words of the display, each below the one before."""
        self.press(SCAN, long=True)
        for title in titles:
            for _ in range(MAX_ENTRIES):
                if title in self.words.partition("► ")[2].partition(" |")[0]:
                    break
                self.press(NEXT)
            else:
                raise AssertionError(f"no entry shows {title!r} (words, not a code): {self.words}")
            self.press(OK)

    @property
    def words(self):
        """All that the screen says now."""
        return " | ".join(words_of(self.keeper.screens[-1]))

    @property
    def names(self):
        """The names of all screens so far, without repetitions in a row."""
        names = [screen.name for screen in self.keeper.screens]
        return [name for n, name in enumerate(names) if n == 0 or names[n - 1] != name]

    @property
    def seen(self):
        """The words of all screens so far."""
        return [" | ".join(words_of(screen)) for screen in self.keeper.screens]
