"""Words of the operating system for an error are translated wherever they reach a person."""

import errno
import os
import sqlite3

import pytest
from aiomqtt import MqttError

from firmware.appliance.runner.page_service import page_problem
from firmware.base.errors import system_reason
from firmware.base.language import _
from firmware.history.database import Database
from firmware.history.errors import HistoryError, not_saved
from firmware.mqtt.bridge import Bridge
from firmware.mqtt.messages import Topics
from firmware.settings.defaults import MqttSettings
from firmware.wording.problem_text import problem_line
from hardware.camera import FileCamera, SupervisedCamera
from hardware.errors import CameraError, HardwareError, error_reason
from tests.firmware.screen_looks import speaking


def camera_problem(error):
    """Return the problem of a camera whose driver fails."""

    def fail():
        raise error

    with pytest.raises(CameraError) as caught:
        SupervisedCamera(fail).capture(1.0)
    return caught.value


def missing_picture(path, **options):
    with pytest.raises(CameraError) as caught:
        FileCamera(path / "gone", **options)
    return caught.value


@pytest.mark.parametrize("language", ["de", "hu"])
class TestReason:
    def assert_translated(self, language, problem, number):
        english = os.strerror(number)
        with speaking(language):
            assert _(english) != english
            assert _(english) in problem_line(problem)

    def test_of_a_picture_that_is_missing(self, language, tmp_path):
        self.assert_translated(language, missing_picture(tmp_path), errno.ENOENT)

    def test_of_a_folder_of_pictures_that_is_missing(self, language, tmp_path):
        problem = missing_picture(tmp_path, in_turn=True)
        self.assert_translated(language, problem, errno.ENOENT)

    def test_of_a_camera(self, language):
        problem = camera_problem(OSError(errno.ENODEV, os.strerror(errno.ENODEV)))
        self.assert_translated(language, problem, errno.ENODEV)

    def test_of_other_devices(self, language):
        reason = error_reason(OSError(errno.EIO, os.strerror(errno.EIO)))
        problem = HardwareError("buttons-broken", "failed ({reason})", "GPIO", reason=reason)
        self.assert_translated(language, problem, errno.EIO)

    def test_of_a_disk(self, language):
        self.assert_translated(language, not_saved(OSError(errno.EIO, ""), "x"), errno.EIO)

    def test_of_a_port(self, language):
        problem = page_problem(OSError(errno.EADDRINUSE, "in use (by 0.0.0.0)"), 80)
        self.assert_translated(language, problem, errno.EADDRINUSE)

    def test_of_a_broker(self, language):
        bridge = Bridge(MqttSettings(host="x"), None, None, Topics("mine"), None)
        error = OSError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        self.assert_translated(language, bridge._problem(error), errno.ECONNREFUSED)

    @pytest.mark.parametrize(
        "words",
        [
            "Operation timed out",
            "Disconnected during message iteration",
            "[code:7] The connection was lost.",
            "[code:136] Server unavailable",
            "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed (_ssl.c:1006)",
            "[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)",
            "a message is too long",
        ],
    )
    def test_of_a_lost_connection_to_a_broker(self, language, words):
        bridge = Bridge(MqttSettings(host="x"), None, None, Topics("mine"), None)
        problem = bridge._problem(MqttError(words))
        with speaking(language):
            line = problem_line(problem)
        assert not {"timed", "lost", "long", "Server", "verify", "version", "during"} & {
            *line.replace(".", " ").split()
        }

    def test_of_past_games_that_are_in_use(self, language, tmp_path):
        database = Database(tmp_path / "history.sqlite", make_room=lambda: False)
        with pytest.raises(HistoryError) as caught, database.reading():
            raise sqlite3.OperationalError("database is locked")
        with speaking(language):
            assert "database" not in problem_line(caught.value)


def test_reason_without_a_known_number_is_the_name_of_its_error():
    assert system_reason(OSError()) == "OSError"
