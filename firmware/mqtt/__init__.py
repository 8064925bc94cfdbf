"""MQTT: the scanner as a device of Home Assistant and other programs: ``stadtblick mqtt``.

``bridge`` connects broker and scanner, ``messages`` has the topics and payloads, ``scanner_client``
sends requests to the scanner, ``other_scanners`` collects the games of others for a club evening.
This is a process of its own, so that the scanner's needs no network; see docs/mqtt.md.
"""
