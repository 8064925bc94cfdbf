"""Page that makes one file to attach to a question."""

from starlette.responses import Response

from firmware.base.language import _
from firmware.page.context import PageContext
from firmware.page.page_request import PageRequest
from firmware.report.support_bundle import CONTENTS, make_support_bundle


class SupportPage:
    """Page of the support file.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context

    def show(self, request: PageRequest) -> Response:
        """Show what is in the file."""
        contents = [(name, _(text)) for name, text in CONTENTS.items()]
        return self._context.render(request, "support", contents=contents)

    def file(self, request: PageRequest) -> Response:
        """Return the file, with the last photo if that was ticked."""
        from firmware.doctor.run_checks import lines_beside_appliance

        lines = [line for _state, line in lines_beside_appliance()]
        data = make_support_bundle(lines, with_photo="photo" in request.form)
        return self._context.file_response(data, "application/zip", "stadtblick-support.zip")
