"""Functions that correct, check and score a reading; the class ``Scan`` is in ``games.scan``."""
