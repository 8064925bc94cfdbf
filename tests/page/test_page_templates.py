"""Templates of the page: a name that nothing gives them is empty, but not by mistake."""

import pytest
from jinja2 import Environment, UndefinedError

from firmware.page.context import UndefinedInPage
from hardware.settings import ButtonSettings

TEMPLATES = Environment(autoescape=True, undefined=UndefinedInPage)


def test_name_that_a_page_does_not_have_is_empty():
    text = TEMPLATES.from_string("[{{ title }}{{ menu.entry }}]")
    assert text.render(menu={}) == "[]"


def test_attribute_that_a_value_lacks_is_a_mistake():
    text = TEMPLATES.from_string("{% if buttons.red %}red{% endif %}")
    with pytest.raises(UndefinedError, match="ButtonSettings has no red"):
        text.render(buttons=ButtonSettings())
