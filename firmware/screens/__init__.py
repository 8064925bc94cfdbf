"""Screens of the display: views with finished words become one-bit pictures of 128 x 64."""
