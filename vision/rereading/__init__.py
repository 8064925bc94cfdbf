"""Read a further photo of a table that was scanned before (a rescan).

``read_again`` reads the grids in their old places if neither camera nor table moved, and the whole
photo otherwise. In both cases the grids keep their letters. See docs/rescan.md.
"""

from vision.rereading.in_place import can_read_in_place, read_again
from vision.rereading.matching import reorder_grids
from vision.rereading.memory import TableMemory, remember

__all__ = ["TableMemory", "can_read_in_place", "read_again", "remember", "reorder_grids"]
