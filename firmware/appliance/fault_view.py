"""Screen of a fault."""

from firmware.appliance.fault import Fault
from firmware.base.errors import translate
from firmware.screens.device_views import FaultView
from firmware.screens.view import Hints


def fault_view(fault: Fault, page: int, hints: Hints, *, retrying: bool = False) -> FaultView:
    """Return the view of a fault.

    Args:
        fault: What went wrong.
        page: Page of the text.
        hints: What the buttons do.
        retrying: Whether the appliance tries again by itself.
    """
    return FaultView(
        code=fault.code, detail=translate(fault.message), retrying=retrying, page=page, hints=hints
    )
