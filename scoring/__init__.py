"""The rules: a finished table in, a score sheet out. Standard library only."""
