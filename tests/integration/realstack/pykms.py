"""Stands in for the bindings to the kernel's graphics, so that picamera2 can be imported."""


class _AnyName(type):
    def __getattr__(cls, name: str) -> str:
        return name


class PixelFormat(metaclass=_AnyName):
    """Pixel formats by name; drawing on a screen is not meant to work."""
