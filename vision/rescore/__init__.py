"""Rescoring: a further photo of a table that was read before.

``read_again`` re-uses where the cities lie, if camera and table stayed where they were, and reads
the photo in full otherwise. In both cases the cities keep their names. See docs/rescoring.md.
"""

from vision.rescore.again import can_remember, read_again
from vision.rescore.memory import Memory, remember

__all__ = ["Memory", "can_remember", "read_again", "remember"]
