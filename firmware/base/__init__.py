"""Errors, language, files and terminal, for all higher layers."""
