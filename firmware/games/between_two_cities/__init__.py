"""How tables and sheets of Between Two Cities are written."""

from firmware.games.between_two_cities.sheet_json import sheet_json
from firmware.games.between_two_cities.sheet_text import print_sheet
from firmware.games.between_two_cities.table_json import table_from, table_json
from scoring.games.between_two_cities import NAME

__all__ = ["NAME", "print_sheet", "sheet_json", "table_from", "table_json"]
