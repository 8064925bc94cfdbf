"""Pages of the setup (game, players and edition), of aiming the camera, and of the checks."""

from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from firmware.appliance.features.aiming import AimingMode, StartAiming, StopAiming
from firmware.appliance.features.game_choice import ChooseGame
from firmware.appliance.features.players import SetNamesForNextGame
from firmware.appliance.result import Result
from firmware.appliance.stored_settings import ChangeSettings
from firmware.base.language import _
from firmware.page import pictures
from firmware.page.context import PageContext
from firmware.page.page_request import PageRequest, RequestRefused, with_changes_of_others
from firmware.page.settings_form import names_refusal, parse_players
from firmware.report.points_table import headline


class SetupPages:
    """Pages of the setup, of aiming the camera, and of the checks.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context

    def show(self, request: PageRequest, message: str = "") -> Response:
        """Show game, players and edition.

        Args:
            request: Request.
            message: Sentence on names that were refused; empty if none were.
        """
        state = self._context.channel.state
        settings, choices = state.settings, state.choices
        game = choices.game(settings.game) or choices.games[0]
        status = HTTPStatus.BAD_REQUEST if message else HTTPStatus.OK
        return self._context.render(
            request,
            "setup",
            status,
            settings=settings,
            game=game,
            games=choices.games,
            names=choices.names,
            result=state.result,
            headline=_headline(state.result),
            message=message,
            version_of_program=state.version,
            calibrated=state.calibrated,
        )

    def doctor(self, request: PageRequest) -> Response:
        """Show the results of the checks of this computer."""
        from firmware.doctor.run_checks import lines_beside_appliance

        return self._context.render(request, "doctor", lines=lines_beside_appliance())

    def camera(self, request: PageRequest) -> Response:
        """Show the page to aim the camera with, and its measurements while it is being aimed."""
        mode = self._context.channel.state.mode
        seen = mode.aim_view if isinstance(mode, AimingMode) else None
        return self._context.render(request, "camera", seen=seen)

    def camera_picture(self, _request: PageRequest) -> Response:
        """Send the latest picture of the camera that is being aimed."""
        mode = self._context.channel.state.mode
        picture = mode.photo if isinstance(mode, AimingMode) else None
        if picture is None:
            raise RequestRefused(HTTPStatus.NOT_FOUND, _("There is no picture."))
        return self._context.file_response(
            pictures.encode_jpeg(pictures.shrink(picture.image_bgr, pictures.AIM_PX))
        )

    def change(self, request: PageRequest) -> Response:
        """Take over the game, the players or the choices of the game from the form."""
        state, form = self._context.channel.state, request.form
        if "game" in form:
            self._context.submit(ChooseGame(form["game"]))
            return self._context.redirect("/setup")
        game = state.choices.game(state.settings.game)
        changes: dict[str, Any] = {}
        if "players" in form:
            seats = 0 if game is None else game.named_seats
            known = {f"name{n}": name for n, name in enumerate(state.settings.players)}
            blank = {f"name{n}": "" for n in range(seats)}
            players = parse_players(with_changes_of_others(form, blank | known), seats)
            if players is None:
                return self.show(request, names_refusal())
            changes["players"] = players
        allowed = (
            {}
            if game is None
            else {
                "variant": game.variants,
                "level": tuple(map(str, game.levels)),
                "edition": game.editions,
            }
        )
        for name, values in allowed.items():
            if name in form:
                if form[name] not in values:
                    raise RequestRefused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
                changes[name] = int(form[name]) if name == "level" else form[name]
        if form.get("for") == "next" and "players" in changes:
            self._context.submit(SetNamesForNextGame(changes["players"]))
            return self._context.redirect("/setup")
        # The form names the result to score again, if any
        result_id = state.result.result_id if state.result is not None else None
        is_rescored = form.get("follows") == str(result_id)
        self._context.submit(
            ChangeSettings(tuple(changes.items()), result_id if is_rescored else None)
        )
        return self._context.redirect("/" if is_rescored else "/setup")

    def switch_aiming(self, request: PageRequest) -> Response:
        """Start or stop aiming the camera."""
        stop = request.form.get("do") == "stop"
        self._context.submit(StopAiming() if stop else StartAiming())
        return self._context.redirect("/camera")


def _headline(result: Result | None) -> str:
    """Return the sentence that names the winner; empty without one."""
    scan = None if result is None else result.scan
    return "" if scan is None or scan.game is None or scan.sheet is None else headline(scan)
