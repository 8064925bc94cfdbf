"""Stadtblick's own drawn editions of the games that are known by pictures."""
