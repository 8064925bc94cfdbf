"""The parts of the installer that change nothing, or only a file that they are given.

Installing, updating, failing half-way and removing are tested in a real Debian 13, by
``bash .ci/realstack``.
"""

import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.limits import PROCESS_LIMIT_S

SYSTEMD = Path(__file__).parents[2] / "systemd"
INSTALLER = shlex.quote(str(SYSTEMD / "installer"))
CONFIG = "# a comment\ndtparam=audio=on\ncamera_auto_detect=1\n\n[cm4]\notg_mode=1\n"


def run(*command):
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=PROCESS_LIMIT_S,
    )


def bash(script, *arguments):
    return run("/bin/bash", "-c", f"set -Eeuo pipefail; {script}", "bash", *arguments)


def install(*options):
    return run(SYSTEMD / "install.sh", *options)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--frobnicate"], "no option --frobnicate"),
        (["install"], "no option install"),
        ([""], "there is no option"),
        (["--purge"], "add --uninstall"),
        (["--uninstall", "--spi"], "--spi and --no-start are for installing"),
        (["--no-start", "--uninstall"], "--spi and --no-start are for installing"),
    ],
)
def test_options_that_make_no_sense_are_refused_before_anything_is_done(options, says):
    done = install(*options)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stdout == ""


def test_help_names_every_option():
    done = install("--help")
    assert done.returncode == 0
    for option in ("--spi", "--no-start", "--uninstall", "--purge", "--help"):
        assert option in done.stdout


TRIXIE = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nVERSION_CODENAME=trixie\n'
BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n'


@pytest.mark.parametrize(
    ("release", "architecture", "says"),
    [
        (TRIXIE, "arm64", ()),
        (TRIXIE, "amd64", ()),
        (BOOKWORM, "arm64", ("bookworm", "numpy", "Flash Raspberry Pi OS Trixie")),
        (TRIXIE, "armhf", ("32-bit", "64-bit")),
        ("NAME=Fedora\n", "arm64", ("an unknown system", "Raspberry Pi OS Trixie")),
        ("", "arm64", ("an unknown system",)),
    ],
)
def test_trixie_is_taken_and_other_systems_are_refused_with_the_reason(
    release, architecture, says, tmp_path
):
    file = tmp_path / "os-release"
    file.write_text(release)
    sources = f"source {INSTALLER}/report.sh; source {INSTALLER}/checks.sh; "
    done = bash(sources + 'check_system "$@"', str(file), architecture)
    assert (done.returncode, done.stdout) == (2 if says else 0, "")
    assert bool(done.stderr) == bool(says)
    assert all(word in done.stderr for word in says)


def config_text(text, folder, spi="no", function="config_text"):
    file = folder / "config.txt"
    file.write_text(text)
    done = bash(f'source {INSTALLER}/config_txt.sh; {function} "$@"', str(file), spi)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_buses_are_switched_on_for_all_models_spi_if_asked_for(tmp_path):
    lines = config_text(CONFIG, tmp_path).splitlines()
    assert lines.index("[all]") > lines.index("[cm4]")
    assert lines.index("dtparam=i2c_arm=on") > lines.index("[all]")
    assert "dtparam=spi=on" not in lines
    assert "dtparam=spi=on" in config_text(CONFIG, tmp_path, spi="yes").splitlines()
    file = tmp_path / "config.txt"
    source = f"source {INSTALLER}/config_txt.sh; "
    for spi, remembered in (("yes", 0), ("no", 1)):
        file.write_text(CONFIG)
        file.write_text(config_text(CONFIG, tmp_path, spi))
        assert bash(source + 'wants_spi "$1"', str(file)).returncode == remembered


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("", 1),
        ("# camera_auto_detect=1\n", 1),
        ("camera_auto_detect=1\n", 0),
        ("camera_auto_detect=0\ndtoverlay=imx519\n", 0),
    ],
)
def test_the_camera_is_found_by_itself_unless_somebody_has_said_how(text, added, tmp_path):
    lines = config_text(text, tmp_path).splitlines()
    shown = [line for line in text.splitlines() if line.startswith("camera")]
    assert [line for line in lines if line.startswith("camera")] == shown + [
        "camera_auto_detect=1"
    ] * added


LINES = st.lists(
    st.sampled_from(["", "[all]", "[pi5]", "dtparam=i2c_arm=off", "#x", "camera_auto_detect=0"]),
    max_size=6,
)


@settings(max_examples=12, deadline=None)
@given(lines=LINES, spi=st.sampled_from(["yes", "no"]))
def test_writing_twice_is_writing_once_and_removing_gives_back_what_was(
    lines, spi, tmp_path_factory
):
    folder = tmp_path_factory.mktemp("boot")
    text = "".join(f"{line}\n" for line in lines)
    once = config_text(text, folder, spi)
    assert config_text(once, folder, spi) == once
    assert config_text(once, folder, function="without_block") == text


def release_calls(folder, command):
    """Run functions of ``program.sh`` with a stand-in for Python; return the calls of ``sync``."""
    calls = folder / "calls"
    stand_ins = f"""
        log={shlex.quote(str(folder / "log"))}
        source {INSTALLER}/report.sh; source {INSTALLER}/program.sh
        releases=$1/releases; current=$1/current
        python3() {{ mkdir -p "$4/bin"; ln -s /bin/true "$4/bin/pip"; }}
        try_release() {{ true; }}
        sync() {{
          echo "$1 $(basename "$2"): $(find "$2" -name complete) $(readlink "$current")" >>"$seen"
        }}
        seen=$1/calls
    """
    done = bash(stand_ins + command, str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    return calls.read_text().splitlines()


def test_release_is_on_the_disk_before_it_is_complete(tmp_path):
    """Otherwise a power cut could leave empty files that no second installation mends."""
    calls = release_calls(tmp_path, "build_release /source new")
    assert (tmp_path / "releases/new/complete").exists()
    assert calls == ["--file-system new:  "]


def test_link_to_the_release_is_on_the_disk(tmp_path):
    (tmp_path / "releases/new").mkdir(parents=True)
    calls = release_calls(tmp_path, "use_release new")
    assert calls == [f"--file-system releases:  {tmp_path}/releases/new"]


def test_wifi_that_a_power_cut_left_unfinished_is_set_up_again(tmp_path):
    """Profile and password are set up once, so neither may exist without its content."""
    (tmp_path / "profiles").mkdir()
    set_up = f"""
        log=$1/log
        source {INSTALLER}/report.sh; source {INSTALLER}/config_txt.sh
        source {INSTALLER}/hotspot.sh
        hotspot_profile=$1/profiles/stadtblick.nmconnection hotspot_key=$1/hotspot
        install() {{ : >"${{@: -1}}"; }}
        nmcli() {{ true; }}
    """
    cut = bash(f"{set_up} cat() {{ exit 3; }}; set_up_hotspot", str(tmp_path))
    assert cut.returncode == 3
    done = bash(f"{set_up} set_up_hotspot", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    name, password = (tmp_path / "hotspot").read_text().split()
    profile = (tmp_path / "profiles/stadtblick.nmconnection").read_text()
    assert f"ssid={name}\n" in profile
    assert f"psk={password}\n" in profile
