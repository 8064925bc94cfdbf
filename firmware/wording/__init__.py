"""Words for places, notes, winners and problems, and ranges of points as people see them."""
