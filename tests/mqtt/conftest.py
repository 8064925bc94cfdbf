from importlib.util import find_spec

if find_spec("aiomqtt") is None or find_spec("amqtt") is None:  # see test_broker_parts.py
    collect_ignore_glob = ["test_mqtt*.py"]
