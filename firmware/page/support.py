"""One file to attach to a question, made on the page."""

from starlette.responses import Response

from firmware.base.language import _
from firmware.page.call import Call
from firmware.page.site import Site
from firmware.report.support_bundle import CONTENTS, bundle


class SupportPage:
    """Says what is in the file, and gives it.

    Args:
        site: the page.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    def show(self, call: Call) -> Response:
        """What is in it."""
        contents = [(name, _(said)) for name, said in CONTENTS.items()]
        return self._site.page(call, "support", contents=contents)

    def file(self, call: Call) -> Response:
        """The file, with the last photo if that was ticked."""
        from firmware.doctor.examine import lines_beside_appliance

        lines = [line for _state, line in lines_beside_appliance()]
        data = bundle(lines, with_photo="photo" in call.form)
        return self._site.file(data, "application/zip", "stadtblick-support.zip")
