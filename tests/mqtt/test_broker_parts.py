import pytest


def test_what_mqtt_needs_is_installed():
    for part in ("aiomqtt", "amqtt"):
        pytest.importorskip(part, reason="MQTT is not tested: pip install -e '.[test]'")
