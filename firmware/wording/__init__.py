"""Places, notes and doubts in words."""
