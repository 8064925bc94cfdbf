"""Rescoring: a further photo of a table that was read before.

``read_again`` re-uses where the cities lie, if camera and table stayed where they were, and reads
the photo in full otherwise. In both cases the cities keep their names. See docs/rescoring.md.
"""

from vision.rescore.again import can_remember, read_again
from vision.rescore.memory import Memory, remember
from vision.rescore.naming import in_known_order

__all__ = ["Memory", "can_remember", "in_known_order", "read_again", "remember"]
