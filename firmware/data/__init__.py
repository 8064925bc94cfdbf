"""Bundled data: a photo of a finished table, named after its game."""

from pathlib import Path
from typing import Final

SAMPLE: Final = min(Path(__file__).parent.glob("*.jpg"))
"""The photo that the demo reads, and that lies on the table where there is no camera."""
SAMPLE_GAME: Final = SAMPLE.stem
