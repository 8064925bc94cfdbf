"""The units, users and rules that are installed fit each other and what the appliance needs."""

import ipaddress
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from firmware.settings.defaults import PageSettings
from tests.limits import PROCESS_LIMIT_S

SYSTEMD = Path(__file__).parents[2] / "systemd"

SERVICES = sorted(path.name for path in SYSTEMD.glob("*.service"))
MAX_EXPOSED = 1.0
"""By ``systemd-analyze security``."""
FIRST_TO_RESTART_SLOWLY = 254
"""First systemd that knows the pauses between restarts."""


def unit(name):
    """All values of each key of a unit file, in their order."""
    values: dict[str, list[str]] = defaultdict(list)
    for line in (SYSTEMD / name).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith(("#", "[")):
            continue
        key, _equals, value = line.partition("=")
        values[key].append(value)
    return values


def seconds(text):
    """A time as systemd writes it, with one unit: ``30min``, ``1s``, ``15``."""
    for ending, factor in (("min", 60), ("ms", 0.001), ("s", 1)):
        if text.endswith(ending):
            return float(text.removesuffix(ending)) * factor
    return float(text)


def rules(name):
    """The lines of a sysusers or tmpfiles file as their fields."""
    lines = (SYSTEMD / name).read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def the(unit_name, key):
    (value,) = unit(unit_name)[key]
    return value


def service(key):
    return the("stadtblick.service", key)


def test_service_tells_state_reaches_gpio_and_cannot_fill_card():
    assert service("Type") == "notify"
    assert 10 <= seconds(service("WatchdogSec")) <= 60
    assert service("Restart") == "always"
    assert "ProcSubset" not in unit("stadtblick.service")
    assert "PrivateDevices" not in unit("stadtblick.service")
    writable = f"/run/{service('RuntimeDirectory')}"
    assert service("WorkingDirectory") == writable
    assert f"LG_WD={writable}" in unit("stadtblick.service")["Environment"]
    journal = unit("stadtblick.journald.conf")
    assert journal["SystemMaxUse"] == ["48M"]
    assert journal["SystemKeepFree"] == ["256M"]
    assert "LogRateLimitBurst" in unit("stadtblick.service")


def test_service_has_no_network_but_the_given_socket():
    assert service("PrivateNetwork") == "yes"
    assert service("IPAddressDeny") == "any"
    assert "AF_INET" not in service("RestrictAddressFamilies")
    assert service("Sockets") == "stadtblick.socket"
    assert the("stadtblick.socket", "PartOf") == "stadtblick.service"
    assert the("stadtblick.socket", "ListenStream") == f"0.0.0.0:{PageSettings().port}"
    assert the("stadtblick.socket", "IPAddressDeny") == "any"
    allowed = the("stadtblick.socket", "IPAddressAllow").split()
    assert all(is_of_a_home(each) for each in allowed)


def is_of_a_home(network):
    """Return whether a network holds no address of the internet."""
    if network in ("localhost", "link-local"):
        return True
    return ipaddress.ip_network(network).is_private


def test_user_groups_data_and_devices_fit_each_other():
    folder = f"/var/lib/{service('StateDirectory')}"
    assert f"STADTBLICK_HOME={folder}" in unit("stadtblick.service")["Environment"]
    rule = ["d", folder, service("StateDirectoryMode"), "stadtblick", "stadtblick", "-"]
    assert rule in rules("stadtblick.tmpfiles.conf")
    groups = set(service("SupplementaryGroups").split())
    made = rules("stadtblick.sysusers.conf")
    assert {name for kind, name, *_ in made if kind == "g"} == groups
    assert {group for kind, user, group, *_ in made if kind == "m"} == groups
    assert service("User") in {name for kind, name, *_ in made if kind == "u"}
    udev = (SYSTEMD / "60-stadtblick.rules").read_text(encoding="utf-8")
    assert {part.split('"')[1] for part in udev.split() if part.startswith("GROUP=")} == groups
    allowed = {value.split()[0] for value in unit("stadtblick.service")["DeviceAllow"]}
    assert service("DevicePolicy") == "closed"
    devices = ("gpiochip", "i2c", "spi", "video4linux", "media", "dma_heap", "vcio")
    assert allowed == {f"char-{name}" for name in devices}


def restart_delays_s():
    """The pauses between as many starts as are allowed, by systemd's formula."""
    first = seconds(service("RestartSec"))
    steps = int(service("RestartSteps"))
    ratio = seconds(service("RestartMaxDelaySec")) / first
    starts = int(service("StartLimitBurst"))
    return [first * ratio ** (min(n, steps) / steps) for n in range(starts - 1)]


@pytest.mark.parametrize("failing", ["at once", "before it is ready", "after it is ready"])
def test_a_series_of_failures_comes_to_an_end_however_they_fail(failing):
    # More starts than this in the interval are refused; if they took longer, none ever would be
    start_s = seconds(service("TimeoutStartSec"))
    stop_s = seconds(service("TimeoutStopSec"))
    each_s = {
        "at once": 0.0,
        "before it is ready": start_s + stop_s,
        "after it is ready": start_s + seconds(service("WatchdogSec")) + stop_s,
    }[failing]
    in_all_s = sum(restart_delays_s()) + each_s * int(service("StartLimitBurst"))
    assert in_all_s < seconds(service("StartLimitIntervalSec"))


def test_safe_mode_comes_before_the_reboot_which_comes_once():
    incomplete_starts_before_safe_mode = 3
    assert int(service("StartLimitBurst")) > incomplete_starts_before_safe_mode + 1
    assert service("OnFailure") == "stadtblick-reboot.service"
    # Without it, OnFailure comes with the first failure
    assert service("RestartMode") == "direct"
    (condition,) = unit("stadtblick-reboot.service")["ConditionPathExists"]
    done = condition.removeprefix("!")
    assert condition.startswith("!")
    commands = unit("stadtblick-reboot.service")["ExecStart"]
    written = next(at for at, command in enumerate(commands) if command.endswith(f"touch {done}"))
    kept = next(at for at, command in enumerate(commands) if command.startswith("/bin/sync"))
    assert written < kept
    assert the("stadtblick-reboot.service", "SuccessAction") == "reboot"
    assert done == f"/var/lib/{the('stadtblick-reboot.service', 'StateDirectory')}/done"
    assert service("ExecStartPost") == f"+/bin/rm -f {done}"


ANALYZE = shutil.which("systemd-analyze")


@pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is missing")
@pytest.mark.parametrize("name", SERVICES)
def test_little_of_the_system_is_exposed_to_it(name):
    options = ("--offline=true", f"--threshold={MAX_EXPOSED * 10:.0f}", "--no-pager")
    done = subprocess.run(
        [ANALYZE, "security", *options, SYSTEMD / name],
        capture_output=True,
        text=True,
        check=False,
        timeout=PROCESS_LIMIT_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Overall exposure level" in done.stdout


@pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is missing")
@pytest.mark.parametrize("name", [*SERVICES, "stadtblick.socket"])
def test_units_are_verified_without_a_word(name, tmp_path):
    version = subprocess.run(
        [ANALYZE, "--version"], capture_output=True, text=True, check=True, timeout=PROCESS_LIMIT_S
    )
    is_old = int(version.stdout.split()[1]) < FIRST_TO_RESTART_SLOWLY
    for path in (*SYSTEMD.glob("*.service"), *SYSTEMD.glob("*.socket")):
        # The program need not be installed here
        text = re.sub(r"/opt/stadtblick\S+", shutil.which("true"), path.read_text("utf-8"))
        if is_old:
            text = re.sub(r"(?m)^Restart(Mode|Steps|MaxDelaySec)=.*\n", "", text)
        (tmp_path / path.name).write_text(text, "utf-8")
    done = subprocess.run(
        [ANALYZE, "verify", "--man=no", tmp_path / name],
        capture_output=True,
        text=True,
        check=False,
        timeout=PROCESS_LIMIT_S,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_mqtt_reaches_homes_alone():
    assert the("stadtblick-mqtt.service", "IPAddressDeny") == "any"
    allowed = the("stadtblick-mqtt.service", "IPAddressAllow").split()
    assert all(is_of_a_home(each) for each in allowed)
