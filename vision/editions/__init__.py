"""Editions: what the tiles of one print look like, learned from photos of an own copy."""
