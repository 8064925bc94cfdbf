"""Start ``stadtblick serve``, send it a photo, and compare the winner's points with the truth.

    python serve_photo.py PHOTO.jpg TRUTH.json

The command ``stadtblick`` must be on the path.
"""

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from press_scan import say, scored

PORT = 8431
LIMIT_S = 60.0
ADDRESS = f"http://127.0.0.1:{PORT}"


def fetch(path: str, photo: bytes | None = None) -> tuple[int, bytes]:
    """Return status and body; the status is 0 while nobody listens."""
    headers = {} if photo is None else {"Content-Type": "image/jpeg", "Origin": ADDRESS}
    request = urllib.request.Request(ADDRESS + path, photo, headers)  # noqa: S310 - our own server
    try:
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:  # noqa: S310
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError:
        return 0, b""


def wait_for(path: str) -> bytes:
    """Return the body as soon as the answer is 200.

    Raises:
        SystemExit: The answer is another one for ``LIMIT_S``.
    """
    deadline_s = time.monotonic() + LIMIT_S
    status, body = 0, b""
    while time.monotonic() < deadline_s:
        status, body = fetch(path)
        if status == 200:
            return body
        time.sleep(0.2)
    sys.exit(f"{path} answers {status}: {body[:300]!r}")


def main(photo: Path, truth: Path) -> None:
    """Load the page, send the photo, compare the points."""
    points, _ = scored(truth)
    server = subprocess.Popen(["stadtblick", "serve", "--port", str(PORT)])  # noqa: S607
    try:
        page = wait_for("/")
        say(f"the page has {len(page)} bytes")
        status, body = fetch("/api/v1/scan", photo.read_bytes())
        if status not in (200, 202):
            sys.exit(f"the photo is refused with {status}: {body[:300]!r}")
        sheet = json.loads(wait_for("/api/v1/sheet"))
        won = max(player["final"] for player in sheet["players"])
        say(f"the winner has {won} points")
        if won != points:
            sys.exit(f"the winner of the true table has {points} points")
    finally:
        server.terminate()
        code = server.wait(timeout=LIMIT_S)
    if code != 0:
        sys.exit(f"it ended with exit code {code}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
