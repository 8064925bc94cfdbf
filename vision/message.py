"""Message for a person that keeps its template and values, so that it can be translated later."""

from collections.abc import Mapping, Sequence
from typing import Final

Value = int | float | str
"""Value of a placeholder in a message template."""
MAX_NAMED: Final = 6
"""Names that a message lists."""


class Message(str):
    """English message for a person that keeps its template and values for translation.

    Attributes:
        template: English text with the names of ``values`` in braces; key of the translation
            catalogues.
        values: Values of the placeholders; messages among them are translated as well, floats
            have at most six significant digits.
    """

    template: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, **values: Value) -> "Message":
        """Fill in a template; a message without further values is returned as it is."""
        if isinstance(template, Message) and not values:
            return template
        message = super().__new__(cls, _fill_in(template, values))
        message.template = str(template)
        message.values = values
        return message


def list_names(names: Sequence[str], most: int = MAX_NAMED, *, separator: str = ", ") -> str:
    """List the first of some names or places, and the number of further ones, for a message."""
    more = len(names) - most
    shown = separator.join(names[:most])
    return Message("{names} and {n} more", names=shown, n=more) if more > 0 else shown


def _fill_in(template: str, values: Mapping[str, Value]) -> str:
    if not values:
        return template
    texts = {
        name: f"{value:g}" if isinstance(value, float) else value for name, value in values.items()
    }
    return template.format(**texts)
