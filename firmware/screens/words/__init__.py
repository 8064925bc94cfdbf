"""Every word of the display, in all its languages side by side: one row a text.

The display has 21 letters a row, so its texts are written for it and not translated word by word;
the catalogues in ``firmware/locale`` have those of the command line. A text is drawn by the view
that needs it; ``tests/firmware/test_screens_fit.py`` measures that each of them is shown whole.
"""

from firmware.screens.words.said import Counted, Said

__all__ = ["Counted", "Said"]
