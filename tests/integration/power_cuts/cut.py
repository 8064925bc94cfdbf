"""Cut the power of a virtual machine again and again, while its scanner stores something.

    python cut.py ROOT DISK FOLDER

ROOT is the system that the machine shares with this one, DISK the image with the scanner's data.
The machine is User-Mode Linux: its processes are stopped, the image is copied to FOLDER/N.img, and
they go on. What the machine had not written to its disk is missing in the copy, as after a power
cut. FOLDER/N.json says what has to be on the copy.
"""

import ctypes
import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

State = dict[str, Any]

CUTS: Final = {
    "write_unsynced": 1,
    "scan": 30,
    "change_setting": 10,
    "rename": 10,
    "teach": 10,
    "calibrate": 10,
}
"""Operations that are interrupted, and the number of copies made meanwhile."""
CUTS_A_ROUND: Final = 5
FIRST: Final = ("scan", "scan", "first_names", "change_setting", "rename", "teach", "calibrate")
"""Operations without a cut, so that there is something to lose."""
LIMIT_S: Final = 600.0
"""Longest duration of an operation."""
MEMORY: Final = "mem=700M"
_IN_MODIFY: Final = 2
_INOTIFY_BYTES: Final = 16
"""Size of a report about one file."""


def say(line: str) -> None:
    """Tell what was done."""
    sys.stdout.write(f"  {line}\n")
    sys.stdout.flush()


class Writes:
    """Number of writes to a file so far, by inotify; those in quick succession count as one."""

    def __init__(self, path: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self.file = libc.inotify_init1(os.O_NONBLOCK)
        if libc.inotify_add_watch(self.file, os.fsencode(path), _IN_MODIFY) < 0:
            raise OSError(ctypes.get_errno(), "inotify_add_watch")
        self._count = 0

    def count(self) -> int:
        """Return the number, with what was reported since."""
        with suppress(BlockingIOError):
            self._count += len(os.read(self.file, 65536)) // _INOTIFY_BYTES
        return self._count


class Machine:
    """Virtual machine that is operated by its console."""

    def __init__(self, root: Path, disk: Path) -> None:
        command = [
            *("linux.uml", MEMORY, "quiet", "root=/dev/root", "rootfstype=hostfs"),
            *(f"rootflags={root}", "ro", f"ubd0={disk}", "con=null", "con0=fd:0,fd:1"),
            "init=/opt/cuts/init",
        ]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._keys, self.console = self._process.stdin, self._process.stdout.fileno()
        self._text = b""

    def ask(self, word: str) -> None:
        """Write a line to the console."""
        self._keys.write(f"{word}\n".encode())

    def lines(self) -> list[str]:
        """Return the lines that have come; wait for none.

        Raises:
            SystemExit: The machine has ended.
        """
        while select.select([self.console], [], [], 0)[0]:
            read = os.read(self.console, 65536)
            if not read:
                sys.exit(f"the machine has ended: {self._text.decode()[-2000:]}")
            self._text += read
        *whole, self._text = self._text.split(b"\n")
        return [line.decode("utf-8", "replace").strip() for line in whole]

    def freeze(self) -> None:
        """Stop its kernel; return when all of it stands still."""
        processes = self._kernel()
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        while not all(_stat(process)[0] in "TtZ" for process in processes):
            time.sleep(0.0005)

    def thaw(self) -> None:
        """Let it go on."""
        for process in self._kernel():
            os.kill(process, signal.SIGCONT)

    def kill(self) -> None:
        """End it at once."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _kernel(self) -> list[int]:
        """Return all processes but those of its programs, which stand still without the kernel."""
        found = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
        return [
            one for one in found if _stat(one)[2] == str(self._process.pid) and not _traced(one)
        ]


def _stat(process: int) -> list[str]:
    """Return state, parent, group and what else is known of a process; zombie if it is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["Z", "", ""]


def _traced(process: int) -> bool:
    try:
        return "TracerPid:\t0\n" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return True


@dataclass(frozen=True, slots=True)
class Moment:
    """Moment of an operation: so many seconds after its begin, or after so many writes."""

    seconds: float = 0.0
    writes: int = 0

    def __str__(self) -> str:
        return f"after {self.writes} writes" if self.writes else f"after {self.seconds:.2f} s"


class Cutter:
    """Has operations done, and copies the disk meanwhile.

    Args:
        machine: Virtual machine.
        disk: Image of its disk.
        folder: Folder of the copies.
    """

    def __init__(self, machine: Machine, disk: Path, folder: Path) -> None:
        self._machine, self._disk, self._folder = machine, disk, folder
        self._writes = Writes(disk)
        self._console = (folder / "console.txt").open("w", encoding="utf-8", buffering=1)
        self._state: State = {}
        self._copies = 0

    def start(self) -> None:
        """Wait until the scanner is ready."""
        while "ready" not in self._lines():
            select.select([self._machine.console], [], [], 1.0)

    def do(self, name: str, moments: list[Moment]) -> tuple[float, int, int]:
        """Have an operation done, and copy the disk at these moments, which are in order.

        Returns:
            Seconds, writes and copies; the operation may have been done before the last moments.
        """
        self._machine.ask(name)
        while f"begin {name}" not in self._lines():
            select.select([self._machine.console], [], [], LIMIT_S)
        begin_s, writes, cuts, waiting = time.monotonic(), self._writes.count(), [], list(moments)
        frozen_s, done = 0.0, ""
        while not done:
            done = self._answer()
            passed_s = time.monotonic() - begin_s - frozen_s
            written = self._writes.count() - writes
            if waiting and (
                done or (written >= waiting[0].writes and passed_s >= waiting[0].seconds)
            ):
                since_s = time.monotonic()
                self._machine.freeze()
                done = done or self._answer()
                moment = waiting.pop(0)
                cuts.append({"operation": name, "moment": str(moment), "is_done": bool(done)})
                self._copy(len(cuts))
                self._machine.thaw()
                frozen_s += time.monotonic() - since_s
            elif not done:
                if passed_s > LIMIT_S:
                    sys.exit(f"{name} does not end")
                wait_s = max(0.0, waiting[0].seconds - passed_s) if waiting else 1.0
                files = [self._machine.console, self._writes.file]
                select.select(files, [], [], wait_s or 1.0)
        before, self._state = self._state, json.loads(done)
        for number, cut in enumerate(cuts, start=self._copies + 1):
            expected = {**cut, "before": before, "after": self._state}
            (self._folder / f"{number}.json").write_text(json.dumps(expected), "utf-8")
        self._copies += len(cuts)
        return passed_s, written, len(cuts)

    def _answer(self) -> str:
        answers = [line for line in self._lines() if line.startswith("done ")]
        return answers[0].removeprefix("done ") if answers else ""

    def _lines(self) -> list[str]:
        lines = self._machine.lines()
        for line in lines:
            self._console.write(f"{line[:200]}\n")
            if "Error" in line:
                sys.exit(f"in the machine: {line}")
        return lines

    def _copy(self, number: int) -> None:
        target = self._folder / f"{self._copies + number}.img"
        subprocess.run(["cp", "--sparse=always", self._disk, target], check=True)  # noqa: S607


def main(root: Path, disk: Path, folder: Path) -> None:
    """Do everything once without a cut, then with cuts."""
    chance = random.Random(47)  # noqa: S311 - no secret
    machine = Machine(root, disk)
    try:
        cutter = Cutter(machine, disk, folder)
        cutter.start()
        seen = {}
        for name in FIRST:
            seen[name] = cutter.do(name, [])
            say(f"{name}: {seen[name][0]:.1f} s, {seen[name][1]} writes")
        for name, wanted in CUTS.items():
            seconds, writes, _ = seen.get(name, (0.0, 0, 0))
            cuts = rounds = 0
            while cuts < wanted:
                count = min(CUTS_A_ROUND, wanted - cuts)
                if rounds % 2 == 0:
                    times = sorted(chance.uniform(0, seconds) for _ in range(count))
                    moments = [Moment(seconds=time_s) for time_s in times]
                else:
                    numbers = sorted(chance.sample(range(1, max(writes, count) + 1), count))
                    moments = [Moment(writes=number) for number in numbers]
                seconds, writes, made = cutter.do(name, moments)
                say(f"{name}: {made} cuts, {seconds:.1f} s, {writes} writes")
                cuts, rounds = cuts + made, rounds + 1
    finally:
        machine.kill()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
