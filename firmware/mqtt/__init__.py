"""MQTT: the scanner as a device of Home Assistant and other programs: ``stadtblick mqtt``.

``bridge`` connects broker and appliance, ``messages`` has the topics and payloads,
``appliance_client`` sends requests to the appliance. This is a process of its own, so that the
appliance itself needs no network; see docs/mqtt.md.
"""
