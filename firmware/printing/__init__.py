"""Sheets to print: PDF files that are true to scale when printed at 100 %.

Coordinates are millimetres from the top left corner of the page, y down. Drawings are vectors and
the font is embedded, so that a sheet looks the same on every printer.
"""
