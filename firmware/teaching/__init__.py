"""Editions of the user: store, archive and teaching."""
