"""Collect all texts of the program, put them into the catalogues and compile these.

``python -m tests.update_catalogues`` adds new texts without a translation, takes away those that
the code has no longer, and lists what is still to be translated in ``firmware/locale``. Run it
again when that is done: it compiles what the program reads.
"""

import io
import sys
from collections.abc import Set
from datetime import UTC, datetime

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import write_po

from tests.firmware.catalogues import (
    TRANSLATED,
    Marked,
    catalogue,
    marked_texts,
    po_file,
    translations,
)

_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""A compiled catalogue is the same whenever it is made."""


def main() -> int:
    """Update all catalogues; 1 if something is still to be translated."""
    marked = marked_texts()
    missing = [text for language in TRANSLATED for text in _update(language, marked)]
    return 1 if missing else 0


def _update(language: str, marked: Set[Marked]) -> list[Marked]:
    known = translations(language)
    updated = _with_texts(catalogue(language), {text: known.get(text, ()) for text in marked})
    file = po_file(language)
    header = file.read_text("utf-8").partition("\n\n")[0]
    body = io.BytesIO()
    write_po(body, updated, width=0, omit_header=True)
    text = f"{header}\n\n{body.getvalue().decode('utf-8').strip()}\n"
    file.write_text(text, "utf-8")
    with file.with_suffix(".mo").open("wb") as compiled:
        write_mo(compiled, updated)
    missing = [text for text in marked if not all(known.get(text, ("",)))]
    for _context, one, many in sorted(missing, key=lambda each: each.one):
        plural = "" if many is None else f" and {many!r}"
        sys.stdout.write(f"{file}: translate {one!r}{plural}\n")
    return missing


def _with_texts(old: Catalog, texts: dict[Marked, tuple[str, ...]]) -> Catalog:
    updated = Catalog(locale=old.locale, charset="utf-8")
    updated.mime_headers = old.mime_headers
    updated.creation_date = updated.revision_date = _NO_DATE
    for (context, one, many), text in sorted(texts.items(), key=_order):
        if many is None:
            updated.add(one, text[0] if text else "", context=context)
        else:
            updated.add((one, many), text or ("", ""), context=context)
    return updated


def _order(item: tuple[Marked, tuple[str, ...]]) -> tuple[str, str]:
    """The short texts of the display stand behind all others."""
    return item[0].context or "", item[0].one


if __name__ == "__main__":
    sys.exit(main())
