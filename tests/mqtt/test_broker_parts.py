import pytest


def test_packages_for_mqtt_are_installed():
    for part in ("aiomqtt", "amqtt"):
        pytest.importorskip(part, reason="MQTT is not tested: pip install -e '.[test]'")
