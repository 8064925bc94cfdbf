"""Short words for problems by the code of the error: what is wrong, and what to do."""

from typing import Final

from firmware.base.language import D_

_MAKE_ROOM: Final = D_("The result cannot be saved: free some space")
_FREE_SPACE: Final = D_("Free some space on the memory card")
_START_ANEW: Final = D_("Switch off and on again")
_CHECK_BUTTONS: Final = D_("Check their wires, then restart")
_PHOTO_AGAIN: Final = D_("Take the photo again: press SCAN")
_SHEET_AGAIN: Final = D_("Sheet flat, light even, whole sheet in the picture")
_MORE_PHOTOS: Final = D_("Start over: other places, other tilts")
_CALIBRATE_ANEW: Final = D_("Calibrate again: see the menu")
_LAY_AGAIN: Final = D_("Lay the nine tiles again as the picture shows")
_OTHER_EDITION: Final = D_("Choose another edition in the menu")

PROBLEM_WORDS: Final = {
    # Camera, buttons, memory card, computer
    "camera-missing": (D_("No camera found"), D_("Check both ends of its cable")),
    "camera-silent": (D_("Camera silent"), D_("Check both ends of its cable")),
    "camera-slow": (D_("Camera too slow"), D_("Set smaller pictures")),
    "camera-stuck": (D_("Camera stuck"), _START_ANEW),
    "camera-broken": (D_("Camera disturbed"), D_("Unplug it and plug it in")),
    "camera-busy": (D_("Camera in use"), D_("Another program has it: end it")),
    "camera-none": (D_("No camera is set"), D_("Correct the settings file")),
    "camera-no-permission": (D_("Camera not allowed"), D_("Run the installer again")),
    "camera-driver-missing": (D_("No camera driver"), D_("Run the installer again")),
    "camera-no-memory": (D_("Camera: no memory"), D_("Set smaller pictures")),
    "camera-picture": (D_("Photo not readable"), D_("Name a JPEG or PNG file")),
    "camera-format": (D_("Unknown camera"), D_("Use another camera")),
    "buttons-broken": (D_("Buttons do not work"), _CHECK_BUTTONS),
    "buttons-not-found": (D_("Buttons not found"), _CHECK_BUTTONS),
    "buttons-no-permission": (D_("Buttons not allowed"), D_("Run the installer again")),
    "buttons-driver-missing": (D_("No button driver"), D_("Run the installer again")),
    "buttons-busy": (D_("Buttons in use"), D_("Another program has them: end it")),
    "not-saved": (D_("Not saved"), _START_ANEW),
    "not-saved-disk-full": (D_("Memory card full"), _MAKE_ROOM),
    "not-saved-read-only": (
        D_("Card is read-only"),
        D_("Restart, or else change the memory card"),
    ),
    "file-not-writable": (D_("Not saved"), _FREE_SPACE),
    "shut-down-failed": (D_("Cannot switch off"), D_("Wait a minute, then pull the plug")),
    "hotspot-no-manager": (D_("No NetworkManager"), D_("Needed for Wi-Fi: install it")),
    "hotspot-not-set-up": (D_("Wi-Fi not set up"), D_("Run the installer again")),
    "hotspot-no-wifi": (D_("No Wi-Fi here"), D_("Plug in a stick for Wi-Fi")),
    "hotspot-wifi-off": (D_("Wi-Fi is off"), D_("Set the Wi-Fi country on the computer")),
    "hotspot-failed": (D_("Wi-Fi not switched"), D_("Try once more")),
    "page-parts-missing": (D_("Page not installed"), D_("Run the installer again")),
    "page-port-taken": (D_("Page cannot start"), D_("Another program is in its way: restart")),
    "out-of-memory": (D_("Out of memory"), _START_ANEW),
    "too-slow": (D_("It takes too long"), D_("Try once more")),
    "internal-error": (D_("Stadtblick failed"), _START_ANEW),
    # The photo, and the table that it shows
    "photo-too-dark": (D_("Too dark"), D_("Switch on a light, then press SCAN")),
    "photo-blurred": (D_("Blurred"), D_("Touch nothing, then press SCAN again")),
    "photo-colourless": (D_("No colours"), D_("Use a colour camera")),
    "no-city": (
        D_("No city found"),
        D_("Lay each city as 4 x 4 tiles, all of them in the picture"),
    ),
    "tiles-differ": (D_("Unknown tiles"), D_("Teach them, or choose their edition in the menu")),
    "no-board": (
        D_("No board found"),
        D_("The whole board into the picture, nothing over its edges"),
    ),
    "no-tiles": (D_("Nothing found"), D_("Right edition? Tiles edge to edge, all in the picture")),
    "no-companies": (D_("No cards found"), D_("Cards on the board? Right edition in the menu?")),
    "city-count": (
        D_("Wrong city count"),
        D_("All cities in the picture? Right players in the menu?"),
    ),
    "too-many-tiles": (
        D_("Too many of a kind"),
        D_("One tile was read wrong: scan again or correct it"),
    ),
    "empty-city": (D_("A city is empty"), _PHOTO_AGAIN),
    "player-count": (D_("Names do not fit"), D_("One name for each player: see the menu")),
    "repeated-name": (D_("Same name twice"), D_("Give other names in the menu")),
    "name-taken": (D_("Name is taken"), D_("Choose another name")),
    "game-not-read": (D_("Game not readable"), D_("Choose another game in the menu")),
    "job-too-slow": (D_("It took too long"), D_("Given up: try once more")),
    # Calibrating and teaching
    "sheet-not-found": (D_("Sheet not found"), _SHEET_AGAIN),
    "sheet-hidden": (D_("Sheet is covered"), _SHEET_AGAIN),
    "calibration-too-few-photos": (D_("Too few photos"), _MORE_PHOTOS),
    "calibration-one-angle": (D_("Photos too alike"), _MORE_PHOTOS),
    "calibration-low-coverage": (
        D_("Sheet too small"),
        D_("Closer, and into each corner of the picture"),
    ),
    "calibration-inexact": (D_("Not exact enough"), _SHEET_AGAIN),
    "calibration-table-unclear": (D_("Last photo unclear"), _SHEET_AGAIN),
    "calibration-sizes-differ": (D_("Photo sizes differ"), _CALIBRATE_ANEW),
    "calibration-other-size": (D_("Other picture size"), _CALIBRATE_ANEW),
    "calibration-missing": (D_("Not calibrated"), _CALIBRATE_ANEW),
    "calibration-damaged": (D_("Calibration damaged"), _CALIBRATE_ANEW),
    "calibration-unreadable": (D_("Calibration damaged"), _CALIBRATE_ANEW),
    "calibration-too-new": (D_("Calibration too new"), _CALIBRATE_ANEW),
    "unknown-edition": (D_("Unknown edition"), _OTHER_EDITION),
    "edition-damaged": (D_("Edition damaged"), D_("Teach it again: see the menu")),
    "edition-file": (D_("Edition damaged"), D_("Teach it again: see the menu")),
    "edition-picture": (D_("Edition damaged"), D_("Teach it again: see the menu")),
    "edition-other-game": (
        D_("Edition does not fit"),
        D_("The edition is of another game: change it in the menu"),
    ),
    "edition-missing": (D_("No edition chosen"), _OTHER_EDITION),
    "edition-name": (D_("Not a good name"), D_("Use letters and digits")),
    "edition-exists": (D_("Name is taken"), D_("Choose another name")),
    "edition-not-writable": (D_("Edition not saved"), _FREE_SPACE),
    "teach-doubtful": (
        D_("It does not fit"),
        D_("Tiles not as they should be: lay them like this"),
    ),
    "teach-groups-board": (D_("Not on a board"), D_("Teach these tiles at the computer")),
    "teach-no-grid": (D_("No tiles found"), _LAY_AGAIN),
    "teach-no-outline": (D_("No city found"), D_("Show whole cities, from above")),
    "teach-incomplete": (
        D_("Fewer than 9 tiles"),
        D_("Push them together, even light, hands away"),
    ),
    "teach-ambiguous": (D_("Too many tiles"), D_("Only the nine tiles in the picture")),
    "teach-wrong-order": (D_("Wrong order"), _LAY_AGAIN),
    "teach-which-way": (D_("Which way is up?"), _LAY_AGAIN),
    "teach-too-many": (D_("Knows enough tiles"), D_("No more photos are needed")),
    "teach-too-small": (D_("Tiles too small"), D_("Bring the camera closer")),
    "teach-overexposed": (D_("Too much light"), D_("Move the lamp aside")),
    "teach-too-dark": (D_("Too dark"), D_("Use more light")),
    "teach-blurred": (D_("Blurred"), D_("Touch nothing while the photo is taken")),
    "teach-alike": (D_("Two tiles alike"), D_("Lay one tile of each kind")),
    "teach-photos-differ": (D_("Photos do not match"), _LAY_AGAIN),
}
"""Title in one row: the problem; then what to do in three rows, two for a problem that
the scanner retries by itself."""

TITLES_BY_FIRST_WORD: Final = {
    "camera": D_("Camera"),
    "photo": D_("Photo"),
    "calibration": D_("Calibration"),
    "sheet": D_("Calibration"),
    "edition": D_("Edition"),
    "teach": D_("Teach tiles"),
    "buttons": D_("Buttons"),
    "history": D_("Past games"),
}
"""Title of a problem without words of its own, by the first word of its code."""
