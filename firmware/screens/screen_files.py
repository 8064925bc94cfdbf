"""Saving of screens as picture files."""

from collections.abc import Iterable
from pathlib import Path

from PIL import Image

from firmware.screens.canvas import Screen

ENLARGEMENT = 8
FRAME_PX = 48
"""Width of the dark frame round an enlarged screen."""

GLASS_RGB, LIT_RGB, FRAME_RGB = (6, 8, 12), (214, 236, 255), (38, 40, 44)
_GLASS, _LIT, _FRAME = range(3)
"""Their places in the palette."""


def save_screens(screens: Iterable[Screen], folder: Path) -> tuple[Path, ...]:
    """Write each screen as ``NAME.png``, 128x64 and one bit, and enlarged as ``NAME@8x.png``.

    Args:
        screens: Screens, whose names become file names; files of the same name are replaced.
        folder: Folder, made if it is missing.

    Returns:
        The files written.

    Raises:
        OSError: The folder or a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for screen in screens:
        plain = folder / f"{screen.name}.png"
        large = folder / f"{screen.name}@{ENLARGEMENT}x.png"
        screen.image.save(plain)
        enlarged(screen.image).save(large)
        written += [plain, large]
    return tuple(written)


def result_files(folder: Path) -> list[Path]:
    """Return the files in a folder that ``save_screens`` wrote: screens in both sizes."""
    large = folder.glob(f"?*@{ENLARGEMENT}x.png")
    pairs = ((folder / path.name.replace(f"@{ENLARGEMENT}x", ""), path) for path in large)
    return sorted(path for pair in pairs if pair[0].is_file() for path in pair)


def enlarged(image: Image.Image) -> Image.Image:
    """Return a screen eight times as large, in the colours of an OLED, in a dark frame."""
    width, height = image.width * ENLARGEMENT, image.height * ENLARGEMENT
    picture = Image.new("P", (width + 2 * FRAME_PX, height + 2 * FRAME_PX), _FRAME)
    picture.putpalette([*GLASS_RGB, *LIT_RGB, *FRAME_RGB])
    dots = image.convert("L").point(lambda grey: _LIT if grey else _GLASS)
    picture.paste(dots.resize((width, height), Image.Resampling.NEAREST), (FRAME_PX, FRAME_PX))
    return picture
