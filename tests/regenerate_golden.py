"""Replace the kept pictures of the screens and texts of sheets by what the program gives now.

``python -m tests.regenerate_golden`` draws the new pictures into a folder to look at, and asks at
the terminal before it writes; without a terminal it refuses, unless ``--yes`` says that a person
has looked at them.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from PIL import Image, ImageChops

from firmware.screens.canvas import Screen
from tests.firmware.golden_screens import FOLDER, cases, golden_file
from tests.firmware.tables import GOLDEN_TEXTS, golden_text

LARGER = 4
"""Factor by which the pictures to look at are larger than the display."""


def main(arguments: list[str] | None = None) -> int:
    """Write changed pictures, delete those of screens that are no more; 1 if refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--yes", action="store_true", help="I have looked at the new screens")
    options = parser.parse_args(arguments)

    wanted = {
        golden_file(case, screen): screen for case, all_ in cases().items() for screen in all_
    }
    changed = [path for path, screen in wanted.items() if not _is_kept(path, screen.image)]
    stale = sorted(set(FOLDER.rglob("*.png")) - set(wanted))
    texts = {path: golden_text(name) for name, path in GOLDEN_TEXTS.items()}
    differing = [
        path for path, text in texts.items() if not path.exists() or path.read_text("utf-8") != text
    ]
    if not changed and not stale and not differing:
        sys.stdout.write("all golden screens and sheets are up to date\n")
        return 0
    for path in (*changed, *differing, *stale):
        sys.stdout.write(f"{'delete' if path in stale else 'write'} {path}\n")
    if not options.yes:
        folder = _draw_larger(changed, wanted)
        sys.stdout.write(f"look at the new screens in {folder}\n")
        if not _person_agrees():
            sys.stderr.write("nothing written: confirm at a terminal, or use --yes\n")
            return 1
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        wanted[path].image.save(path)
    for path in differing:
        path.write_text(texts[path], "utf-8")
    for path in stale:
        path.unlink()
    return 0


def _is_kept(path: object, image: Image.Image) -> bool:
    try:
        with Image.open(str(path)) as kept:
            return ImageChops.difference(kept.convert("1"), image).getbbox() is None
    except FileNotFoundError:
        return False


def _draw_larger(changed: Iterable[Path], wanted: Mapping[Path, Screen]) -> Path:
    """Draw new pictures larger into a new folder; return it."""
    folder = Path(tempfile.mkdtemp(prefix="screens-"))
    for path in changed:
        image = wanted[path].image
        larger = image.resize((image.width * LARGER, image.height * LARGER))
        larger.save(folder / "-".join(path.relative_to(FOLDER).parts))
    return folder


def _person_agrees() -> bool:
    return sys.stdin.isatty() and input("replace them? [y/N] ").strip().lower() == "y"


if __name__ == "__main__":
    sys.exit(main())
