"""Measure the time from a press of SCAN to the winner, compared with ``scan`` in process.

    python -m bench.press

Both read the same photo: once as ``stadtblick scan`` does, loaded, read and scored in this process,
once through the whole appliance with its threads, display and disk, with the photo as its camera.
A press counts until the winner is on the (emulated) display; ``again`` is a further press with the
table unmoved. The two take turns, so that a busy machine slows both.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NoReturn

from firmware.appliance.features.ready import ReadyMode
from firmware.appliance.features.results import ResultMode
from firmware.appliance.runner.button_service import ButtonService
from firmware.appliance.runner.launch import initial_state, supervised_camera
from firmware.appliance.runner.loop import Appliance, ApplianceParts
from firmware.appliance.runner.screen_outputs import DisplayOutput
from firmware.appliance.runner.tasks import TaskRunner, WakeUp
from firmware.data import SAMPLE
from firmware.scan.make_scan import make_scan, read_file
from firmware.settings import CameraSettings, Settings
from hardware.buttons import Button, StandInButtons
from hardware.display import StandInDisplay
from vision.editions.folder import built_in_edition

LIMIT = 1.5
"""Maximum time of a press, in times of ``scan``."""
LONG_S = 120.0
"""Time after which the appliance counts as hanging."""


class Bench:
    """An appliance whose buttons are pressed by a program.

    Args:
        photo: Photo that its camera sees.
        folder: Folder of its user's files.
    """

    def __init__(self, photo: Path, folder: Path) -> None:
        self._wake_up = WakeUp()
        self._tasks = TaskRunner(self._wake_up.wake)
        self._buttons = StandInButtons()
        self._display = StandInDisplay()
        camera = CameraSettings(kind="file", source=str(photo))
        settings = Settings(language="en")
        self._appliance = Appliance(
            ApplianceParts(
                folder=folder,
                state=initial_state(settings, self._tasks.now_s()),
                tasks=self._tasks,
                make_outputs=(
                    lambda report: DisplayOutput(
                        settings.display, self._tasks, report, lambda _wiring: self._display
                    ),
                ),
                buttons=ButtonService(lambda: self._buttons),
                open_page=refuse_page,
                make_camera=lambda: supervised_camera(camera),
            )
        )
        self._turn_until(lambda: isinstance(self._appliance.state.mode, ReadyMode))

    def press(self, button: Button, wanted: type) -> None:
        """Press a button, and run the loop until a screen of the wanted mode is on the display."""
        self._buttons.press(button)
        self._appliance.run_due()
        self._turn_until(lambda: isinstance(self._appliance.state.mode, wanted))
        self._turn_until(lambda: not self._tasks.is_running("display"))

    def close(self) -> None:
        """Release everything."""
        self._appliance.close()
        self._turn_until(lambda: self._appliance.is_closed)
        self._wake_up.close()

    def _turn_until(self, reached: Callable[[], bool]) -> None:
        until_s = self._tasks.now_s() + LONG_S
        self._appliance.run_due()
        while not reached():
            if self._tasks.now_s() > until_s:
                raise TimeoutError("the appliance does not get there")
            self._wake_up.wait(self._appliance.next_due_s() - self._tasks.now_s())
            self._appliance.run_due()


def refuse_page(*_link_and_socket: object) -> NoReturn:
    """Fail as where the packages of the page are not installed."""
    raise ImportError("no page is served here")


def scan(photo: Path) -> None:
    """Load, read and score a photo in this process."""
    edition = built_in_edition("between-two-cities")
    make_scan(read_file(photo, edition)[1], edition.description)


def measure(work: Callable[[], None]) -> tuple[float, float]:
    """Return the seconds that something takes, by the clock and of all processors."""
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall_s, time.process_time() - cpu_s


def main() -> int:
    """Measure and print; return 1 if a press takes too long."""
    parser = argparse.ArgumentParser(description="press of SCAN to winner screen")
    parser.add_argument("--photo", type=Path, default=SAMPLE, help="default: the sample table")
    parser.add_argument("--repeats", type=int, default=7, help="default: %(default)s")
    options = parser.parse_args()
    times: dict[str, list[tuple[float, float]]] = {"scan": [], "press": [], "again": []}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.photo, Path(folder))
        scan(options.photo)  # loads the networks
        for _ in range(options.repeats):
            times["scan"].append(measure(lambda: scan(options.photo)))
            times["press"].append(measure(lambda: bench.press(Button.SCAN, ResultMode)))
            times["again"].append(measure(lambda: bench.press(Button.SCAN, ResultMode)))
            bench.press(Button.OK, ReadyMode)
        bench.close()
    for name, measured in times.items():
        wall_s, cpu_s = ([one[kind] for one in measured] for kind in (0, 1))
        spread = f"{min(wall_s):.3f} to {max(wall_s):.3f}"
        print(f"{name:6} {median(wall_s):.3f} s ({spread}), CPU {median(cpu_s):.3f} s")
    wall, cpu = (_ratio(times["press"], times["scan"], kind) for kind in (0, 1))
    print(f"a press takes {wall:.2f} times as long as scan, and {cpu:.2f} times its CPU")
    print(f"at most {LIMIT} times as long is wanted")
    return 0 if wall <= LIMIT else 1


def _ratio(these: list[tuple[float, float]], those: list[tuple[float, float]], kind: int) -> float:
    return median(one[kind] for one in these) / median(one[kind] for one in those)


if __name__ == "__main__":
    sys.exit(main())
