"""Sockets of the web page: one passed by the service manager, or an own one.

The unit of the installed scanner forbids it to open sockets. systemd passes one to it
(``systemd/stadtblick.socket``), which stays open all the time; while the page is off, nobody
answers there. Programs of the same computer use a Unix socket.
"""

import ctypes
import ipaddress
import os
import socket
import struct
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from typing import Final

from firmware.base.user_data import user_folder

LOCAL: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - phones in the same network are meant to reach it
BACKLOG: Final = 64
PROGRAMS_FILE: Final = "programs.socket"
"""Socket in the user's folder; a program that may open it may do all that the page does."""
FIRST_GIVEN: Final = 3
"""File descriptor of the first socket that the service manager passes."""

_SIOCGIFCONF: Final = 0x8912
_ENTRY_BYTES: Final = 40
"""Size of ``struct ifreq``: a name of 16 bytes, an address of 16, and padding."""
_MAX_ENTRIES: Final = 64


def given_socket() -> socket.socket | None:
    """Return the socket passed by the service manager; None without one."""
    is_for_us = os.environ.get("LISTEN_PID") == str(os.getpid())
    if not is_for_us or not os.environ.get("LISTEN_FDS", "0").isdecimal():
        return None
    if not int(os.environ["LISTEN_FDS"]):
        return None
    return socket.socket(fileno=os.dup(FIRST_GIVEN))


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket: the passed one, whatever its port, or a new one.

    Raises:
        OSError: The port is taken or not allowed.
    """
    given = given_socket()
    if given is None:
        return socket.create_server((host, port), backlog=BACKLOG)
    return given


def programs_path() -> Path:
    """Return the path of the socket for programs of this computer."""
    return user_folder() / PROGRAMS_FILE


def listen_for_programs() -> socket.socket | None:
    """Listen at ``programs_path``; None if that fails, or another scanner listens there."""
    path, listening = programs_path(), socket.socket(socket.AF_UNIX)
    with suppress(OSError):
        if listening.connect_ex(str(path)):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            listening.bind(str(path))
            path.chmod(0o660)  # before anybody can connect
            listening.listen(BACKLOG)
            return listening
    listening.close()
    return None


def own_address(listening: socket.socket) -> str | None:
    """Return the address of a socket for others in the network; None without a network.

    A socket that was passed to the program may be in another network namespace than the program, so
    the system is asked for the addresses by the socket itself.
    """
    room = ctypes.create_string_buffer(_MAX_ENTRIES * _ENTRY_BYTES)
    asked = struct.pack("iP", len(room), ctypes.addressof(room))
    found: list[ipaddress.IPv4Address] = []
    with suppress(OSError):
        length, _address = struct.unpack("iP", ioctl(listening.fileno(), _SIOCGIFCONF, asked))
        entries = (room.raw[start:length] for start in range(0, length, _ENTRY_BYTES))
        found = [ipaddress.IPv4Address(entry[20:24]) for entry in entries]
    routable = [each for each in found if not (each.is_loopback or each.is_link_local)]
    others = [each for each in found if each.is_link_local]
    return next((str(each) for each in (*routable, *others)), None)
