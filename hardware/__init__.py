"""Devices: a small interface each, with a real driver and a stand-in."""
