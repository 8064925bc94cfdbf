"""Editions learned from photos."""
