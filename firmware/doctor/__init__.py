"""Checks of the device."""
