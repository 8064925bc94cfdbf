"""Fault: a page on the network that strangers can reach.

Unless somebody switches it on there is none: the appliance opens no port and calls nobody. What
keeps strangers out of it then, is tested in ``tests/page``; see docs/page.md.
"""

from contextlib import suppress
from pathlib import Path

from tests.appliance.run_process import RunProcess

TABLES = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")


def test_appliance_without_page_opens_no_port_and_connects_nowhere(tmp_path):
    with RunProcess(tmp_path, in_terminal=False) as run:
        run.until_shown("players?")
        run.type("s")
        run.until_shown("Winner")
        process = Path(f"/proc/{run.process.pid}")
        assert not sockets_of(process) & internet_sockets(process)
        run.type("q")
        assert run.ended() == 0


def sockets_of(process):
    """Numbers of the sockets that a process has open."""
    links = set()
    for entry in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            links.add(str(entry.readlink()))
    return {link[len("socket:[") : -1] for link in links if link.startswith("socket:[")}


def internet_sockets(process):
    """Numbers of all sockets of the internet protocols where the process lives."""
    tables = [process / "net" / name for name in TABLES]
    lines = [table.read_text().splitlines()[1:] for table in tables if table.exists()]
    return {line.split()[9] for each in lines for line in each}
