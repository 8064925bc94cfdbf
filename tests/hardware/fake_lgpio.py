"""The GPIO chips of a computer, as the module ``lgpio`` shows them."""


class LgpioError(Exception):
    """Error that lgpio raises."""


class FakeLgpio:
    """Chips by number, each with the name that the kernel gives it.

    Args:
        labels: Name of each chip.
        refused: Numbers of chips that may not be opened.
    """

    error = LgpioError

    def __init__(self, labels, refused=()):
        self.labels = labels
        self.refused = refused
        self.open_handles = set()

    def gpiochip_open(self, number):
        if number in self.refused:
            raise LgpioError("no permission")
        self.open_handles.add(100 + number)
        return 100 + number

    def gpio_get_chip_info(self, handle):
        return [0, 54, f"gpiochip{handle - 100}", self.labels[handle - 100]]

    def gpiochip_close(self, handle):
        self.open_handles.remove(handle)

    def devices(self, folder):
        """A folder like ``/dev`` with these chips."""
        for number in self.labels:
            (folder / f"gpiochip{number}").touch()
        (folder / "gpiochip-hog").touch()
        return folder
