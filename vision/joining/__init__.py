"""Joining: one table from several photos, each of which shows a part of it.

``join_readings`` finds the grids that several photos show, unites what was read of each, and
derives the order of the grids round the table from photos that show several of them. What the
photos do not prove stays open, for a person to answer. See docs/joining.md.
"""

from vision.joining.join import MergedReading, PlacedReading, join_readings, merge_grids

__all__ = ["MergedReading", "PlacedReading", "join_readings", "merge_grids"]
