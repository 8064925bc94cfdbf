"""What can be wrong with a calibration, or with the photos it is made from."""

from vision.errors import VisionError


class CalibrationError(VisionError, ValueError):
    """No calibration can be made from these photos, or the stored one cannot be used."""
