"""From a photo to a reading: the stages in the order in which read.py calls them."""
