"""How tables and sheets of City Blocks are written."""

from firmware.games.city_blocks.sheet_json import sheet_json
from firmware.games.city_blocks.sheet_text import print_sheet
from firmware.games.city_blocks.table_json import table_from, table_json
from scoring.games.city_blocks import NAME

__all__ = ["NAME", "print_sheet", "sheet_json", "table_from", "table_json"]
