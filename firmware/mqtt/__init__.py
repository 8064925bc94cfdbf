"""MQTT: the scanner as a device of Home Assistant and other programs: ``stadtblick mqtt``.

``bridge`` speaks with broker and scanner, ``messages`` has what is said to the broker, ``scanner``
asks the appliance. A process of its own, so that the appliance itself needs no network; see
docs/mqtt.md.
"""
