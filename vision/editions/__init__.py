"""Editions: the description of a game, and what the tiles of one print of it look like."""
