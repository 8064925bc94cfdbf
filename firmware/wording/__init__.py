"""Doubts about a reading, ranges of points, and words for places, notes and problems."""
