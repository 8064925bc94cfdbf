"""How tables and sheets of Cities are written."""

from firmware.games.cities.sheet_json import sheet_json
from firmware.games.cities.sheet_text import print_sheet
from firmware.games.cities.table_json import table_from, table_json
from scoring.games.cities import NAME

__all__ = ["NAME", "print_sheet", "sheet_json", "table_from", "table_json"]
