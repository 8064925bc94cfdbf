"""Errors, language, files and terminal, for every room above."""
