"""Static files of the page, with how long a browser keeps them."""

import os
from importlib import resources
from typing import Final
from urllib.parse import parse_qs
from zlib import crc32

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STAMPED: Final = ("page.css", "more.css", "photos.css", "page.js", "photos.js")
"""Files that pages ask for with their stamp."""
STAMPED_CACHE: Final = "max-age=31536000, immutable"
"""Cache header of a file requested with its stamp: changed content has another address."""
OTHER_CACHE: Final = "max-age=3600"
"""Cache header of icons and pictures; an update shows within the hour."""


def static_stamp() -> str:
    """Return the stamp of scripts and style sheets, which changes with their content."""
    folder = resources.files("firmware.page") / "static"
    return f"{crc32(b''.join((folder / name).read_bytes() for name in STAMPED)):08x}"


class PageStaticFiles(StaticFiles):
    """Static files with cache headers; without them a phone loads all of them for each page."""

    def __init__(self) -> None:
        super().__init__(packages=[("firmware.page", "static")])

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return a file, or the response that the browser's copy is current."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        has_stamp = "v" in parse_qs(scope.get("query_string", b"").decode("latin-1"))
        response.headers["Cache-Control"] = STAMPED_CACHE if has_stamp else OTHER_CACHE
        return response
