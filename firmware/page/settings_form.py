"""Form for the settings that do not belong to a game, made of their rules."""

from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from starlette.responses import Response

from firmware.appliance.menu import menu_word
from firmware.appliance.stored_settings import ChangeSettings
from firmware.base.language import N_, _
from firmware.page.context import PageContext
from firmware.page.page_request import PageRequest, with_changes_of_others
from firmware.screens.words import MenuWord
from firmware.settings.defaults import MAX_NAME_LETTERS, values_by_key
from firmware.settings.rules import SYSTEM_LANGUAGE, find_rule
from firmware.wording.problem_text import translate

LABELS: Final[Mapping[str, str]] = {
    "language": N_("Language of the display"),
    "display.upside_down": N_("The display hangs upside down"),
    "display.contrast": N_("Brightness of the display, 0 to 255"),
    "display.dim_after_s": N_("Seconds without use until the display dims; 0: never"),
    "camera.upside_down": N_("The camera hangs upside down"),
    "storage.photos_max": N_("Keep at most this many photos (0 = none)"),
    "storage.photos_max_mb": N_("Keep at most this many megabytes of photos"),
    "storage.photos_max_days": N_("Keep photos for this many days (0 = however old)"),
}
"""Labels of the settings in the form. The others concern wiring, or have a page of their own."""
_MAX_NUMBER_CHARS: Final = 20
"""Longest number in a field; Python refuses to parse one of very many digits."""
AT_START: Final = ("camera.", "storage.")
"""Prefixes of settings that take effect when the scanner starts."""


def names_refusal() -> str:
    """Return the sentence on names that are not allowed."""
    text = _(
        "Names are at most {n} letters long, all are different, and none is invisible or of dots "
        "alone."
    )
    return text.format(n=MAX_NAME_LETTERS)


def parse_players(form: Mapping[str, str], seats: int) -> tuple[str, ...] | None:
    """Return the names in a form, ``name0`` and so on; None if they are not allowed.

    Args:
        form: Form with a name for each seat.
        seats: Number of seats.
    """
    names = [" ".join(form.get(f"name{n}", "").split()) for n in range(seats)]
    while names and not names[-1]:
        names.pop()
    players = find_rule("players").convert(names)
    return players if isinstance(players, tuple) else None


class SettingsForm:
    """Page of the settings.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context

    def show(self, request: PageRequest, message: str = "") -> Response:
        """Show the form; after an error with the values that were typed."""
        present, form = self._present_texts(), self._form(request)
        status = HTTPStatus.BAD_REQUEST if message else HTTPStatus.OK
        fields = [_field(key, form.get(key, present[key]), present[key]) for key in LABELS]
        return self._context.render(request, "settings", status, fields=fields, message=message)

    def change(self, request: PageRequest) -> Response:
        """Use and store the typed values, all or none."""
        settings, form = self._context.channel.state.settings, self._form(request)
        present, changes = values_by_key(settings), dict[str, Any]()
        for key in LABELS.keys() & form.keys():
            value = find_rule(key).convert(_parse_like(form[key], present[key]))
            if value is None or value == SYSTEM_LANGUAGE:
                message = f"{_(LABELS[key])}: {translate(find_rule(key).allowed)}"
                return self.show(request, message)
            table, _dot, name = key.rpartition(".")
            if table:
                before = changes.get(table, getattr(settings, table))
                changes[table] = replace(before, **{name: value})
            else:
                changes[name] = value
        self._context.submit(ChangeSettings(tuple(changes.items())))
        return self._context.redirect("/settings")

    def _present_texts(self) -> dict[str, str]:
        present = values_by_key(self._context.channel.state.settings)
        return {key: _as_text(present[key]) for key in LABELS}

    def _form(self, request: PageRequest) -> dict[str, str]:
        return with_changes_of_others(request.form, self._present_texts())


def _parse_like(text: str, present: object) -> object:
    """Parse the text of a field as the type of its present value; None if it cannot be parsed."""
    if isinstance(present, bool):
        return {"true": True, "false": False}.get(text)
    if isinstance(present, int | float):
        try:
            return type(present)(text) if len(text) <= _MAX_NUMBER_CHARS else None
        except ValueError:
            return None
    return text


def _as_text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).lower()


def _field(key: str, value: str, present: str) -> dict[str, Any]:
    rule = find_rule(key)
    choices = [(_as_text(each), each) for each in rule.choices if each != SYSTEM_LANGUAGE]
    yes_no = {True: MenuWord.YES, False: MenuWord.NO}
    return {
        "key": key,
        "label": _(LABELS[key]),
        "value": value,
        "present": present,
        "choices": [
            (text, str(yes_no[each] if isinstance(each, bool) else menu_word(str(each))))
            for text, each in choices
        ],
        "limits": rule.limits,
        "at_start": key.startswith(AT_START),
    }
