"""Screens of the display: views, as data, become one-bit pictures of 128 x 64."""
