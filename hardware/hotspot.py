"""A Wi-Fi network of the scanner's own, for phones where there is no other.

NetworkManager makes it, by a profile that the installer has left there with a name and a password
(``systemd/installer/hotspot.sh``); the scanner may switch the profile on and off, and no more. It
is off again after each start of the computer. The stand-in remembers how it was switched.
"""

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from hardware.errors import N_, HotspotError

PROFILE: Final = "stadtblick"
"""Name of the profile."""
KEY_FILE: Final = Path("/etc/stadtblick/hotspot")
"""Name and password of the network, a line each; for the scanner to show."""
MAX_KEY_FILE_BYTES: Final = 200
"""Longest part of ``KEY_FILE`` that is read."""
QUERY_TIMEOUT_S: Final = 10.0
"""Timeout of a query to NetworkManager, in seconds."""
SWITCH_LIMIT_S: Final = 45.0
"""Longest time in seconds to switch a network on or off."""

_NO_MANAGER: Final = 8
"""Exit code of ``nmcli``: NetworkManager does not run."""
_TIMED_OUT: Final = 3
"""Exit code of ``nmcli``: it took too long."""
_NOT_THERE: Final = 10
"""Exit code of ``nmcli``: there is no such connection."""
_UNUSABLE: Final = ("unavailable", "unmanaged")


@dataclass(frozen=True, slots=True)
class Network:
    """A Wi-Fi network to join.

    Attributes:
        name: Name of the network.
        password: Password of the network.
    """

    name: str
    password: str


class Hotspot(Protocol):
    """Device that can open a Wi-Fi network of its own."""

    def switch_on(self) -> Network:
        """Open the network and leave the one that the computer is in; takes some seconds.

        Raises:
            HotspotError: The network cannot be made; the one before stays.
        """
        ...

    def switch_off(self) -> None:
        """Close the network, if it is open; the computer joins the one that it knows.

        Raises:
            HotspotError: The network does not end.
        """
        ...


Nmcli = Callable[[Sequence[str], float], tuple[int, str]]
"""Function that runs ``nmcli`` with arguments and a limit in seconds; returns exit code, output."""


def nmcli(arguments: Sequence[str], limit_s: float) -> tuple[int, str]:
    """Run the real ``nmcli``.

    Raises:
        OSError: It is not installed.
        subprocess.TimeoutExpired: It takes too long.
    """
    done = subprocess.run(  # noqa: S603 - words of this module
        ("nmcli", *arguments),  # noqa: S607 - wherever the system has it
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        text=True,
        errors="replace",
        timeout=limit_s,
        check=False,
    )
    return done.returncode, done.stdout


class ManagedHotspot:
    """Hotspot that NetworkManager switches.

    Args:
        run: Function that runs ``nmcli``.
        key_file: File of the password, see ``KEY_FILE``.
    """

    def __init__(self, run: Nmcli = nmcli, key_file: Path = KEY_FILE) -> None:
        self._run, self._key_file = run, key_file

    def switch_on(self) -> Network:
        """Open the network."""
        output = self._nmcli_lines(QUERY_TIMEOUT_S, "--get-values", "TYPE,STATE", "device")
        states = [line.removeprefix("wifi:") for line in output if line.startswith("wifi:")]
        if not states:
            why = N_("this computer has no Wi-Fi: plug in a stick that has")
            raise HotspotError("hotspot-no-wifi", why, "Wi-Fi")
        if all(state in _UNUSABLE for state in states):
            why = N_("Wi-Fi is switched off: set its country, sudo raspi-config")
            raise HotspotError("hotspot-wifi-off", why, "Wi-Fi")
        network = self._network()
        self._nmcli_lines(SWITCH_LIMIT_S, "--wait", "30", "connection", "up", "id", PROFILE)
        return network

    def switch_off(self) -> None:
        """Close the network."""
        self._nmcli_lines(SWITCH_LIMIT_S, "--wait", "30", "connection", "down", "id", PROFILE)

    def _network(self) -> Network:
        try:
            with self._key_file.open("rb") as file:
                name, password = file.read(MAX_KEY_FILE_BYTES).decode("utf-8").split("\n")[:2]
        except (OSError, ValueError) as error:
            raise _not_set_up(str(self._key_file)) from error
        return Network(name, password)

    def _nmcli_lines(self, limit_s: float, *arguments: str) -> list[str]:
        """Run ``nmcli``; return its lines."""
        try:
            code, output = self._run(arguments, limit_s)
        except OSError as error:
            raise _no_manager() from error
        except subprocess.TimeoutExpired as error:
            raise _too_slow() from error
        if code == _NO_MANAGER:
            raise _no_manager()
        if code == _TIMED_OUT:
            raise _too_slow()
        if code == _NOT_THERE and "up" in arguments:
            raise _not_set_up(PROFILE)
        if code and not (code == _NOT_THERE and "down" in arguments):
            raise _hotspot_error(" ".join(output.split())[:120])
        return output.splitlines()


class StandInHotspot:
    """Hotspot without hardware that notes how it was switched.

    Attributes:
        network: Network that ``switch_on`` returns.
        error: Error to raise at each call; None to work.
        is_on: True while the network is on.
    """

    def __init__(self, network: Network = Network("Stadtblick-4f2c", "rk3mxw7apq")) -> None:
        self.network, self.is_on = network, False
        self.error: HotspotError | None = None

    def switch_on(self) -> Network:
        """Note that the network is open."""
        self._fail()
        self.is_on = True
        return self.network

    def switch_off(self) -> None:
        """Note that the network is closed."""
        self._fail()
        self.is_on = False

    def _fail(self) -> None:
        if self.error is not None:
            raise self.error


def _no_manager() -> HotspotError:
    why = N_("NetworkManager does not run here: sudo apt install network-manager")
    return HotspotError("hotspot-no-manager", why, "nmcli")


def _not_set_up(where: str) -> HotspotError:
    why = N_("the scanner Wi-Fi is not set up: run install.sh once more")
    return HotspotError("hotspot-not-set-up", why, where)


def _too_slow() -> HotspotError:
    why = N_("NetworkManager takes too long to switch the scanner Wi-Fi: try again")
    return HotspotError("hotspot-failed", why, "nmcli")


def _hotspot_error(output: str) -> HotspotError:
    why = N_("NetworkManager cannot switch the scanner Wi-Fi ({reason}): try again")
    return HotspotError("hotspot-failed", why, "nmcli", reason=output)
