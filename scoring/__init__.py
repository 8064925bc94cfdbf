"""The rules: a finished table in, a score sheet out. Standard library only.

Section names in docstrings, such as "Wertung", are those of the German rulebooks.
"""
