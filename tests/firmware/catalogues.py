"""The texts that the code marks for translation, and the catalogues with their translations."""

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import firmware

FOLDER = Path(firmware.__file__).parent
KEYWORDS = {"_": None, "_n": (1, 2), "N_": None, "NN_": (1, 2)}


def marked_texts() -> set[str | tuple[str, str]]:
    """All texts, those with a plural as pairs; the display has words of its own."""
    found = extract_from_dir(
        str(FOLDER),
        method_map=[("**.py", "python")],
        keywords=KEYWORDS,
        directory_filter=lambda path: Path(path).name not in ("screens", "__pycache__"),
    )
    texts = (tuple(text) if isinstance(text, list) else text for _, _, text, _, _ in found)
    return {text for text in texts if text}


def po_file(language: str) -> Path:
    return FOLDER / "locale" / language / "LC_MESSAGES" / "stadtblick.po"


def catalogue(language: str) -> Catalog:
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language)


def translations(language: str) -> dict[str | tuple[str, str], tuple[str, ...]]:
    """The translation of each text; two for one with a plural."""
    return {
        message.id if isinstance(message.id, str) else tuple(message.id): (
            (message.string,) if isinstance(message.string, str) else tuple(message.string)
        )
        for message in catalogue(language)
        if message.id
    }
