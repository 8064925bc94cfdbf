"""A scan as text, JSON, pictures and files."""
