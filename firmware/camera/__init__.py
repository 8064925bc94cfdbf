"""The camera of the settings and where it is aimed."""
