"""Simulated photos: drawn tiles, table tops and what else lies on a table."""
