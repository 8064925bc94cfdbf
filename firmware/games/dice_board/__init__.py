"""How tables and sheets of the dice board are written."""

from firmware.games.dice_board.sheet_json import sheet_json
from firmware.games.dice_board.sheet_text import print_sheet
from firmware.games.dice_board.table_json import table_from, table_json
from scoring.games.dice_board import NAME

__all__ = ["NAME", "print_sheet", "sheet_json", "table_from", "table_json"]
