"""Build hook that refuses to install Stadtblick on a 32-bit system.

pip builds the package before it fetches the dependencies. Without the hook it would go on to
compile numpy and OpenCV, for hours.
"""

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MESSAGE = (
    "stadtblick: this is a 32-bit system, for which numpy and OpenCV are not published: "
    "use a 64-bit system, on a Raspberry Pi the 64-bit Raspberry Pi OS"
)


class RefuseOn32Bit(BuildHookInterface[Any]):
    """Hook that ends the build if Python is a 32-bit program."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """End the build with a message if Python is a 32-bit program."""
        # Not by the name of the machine: a 32-bit Raspberry Pi OS has a 64-bit kernel
        if sys.maxsize < 2**32:
            raise SystemExit(MESSAGE)
