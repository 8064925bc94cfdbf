"""MQTT: the scanner as a device of Home Assistant and other programs: ``stadtblick mqtt``.

``bridge`` speaks with broker and appliance, ``messages`` has what is said to the broker,
``appliance_client`` asks the appliance. A process of its own, so that the appliance itself needs no
network; see docs/mqtt.md.
"""
