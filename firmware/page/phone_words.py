"""Wordings of the page in place of texts that name a command, which nobody can type on a phone."""

from collections.abc import Mapping
from typing import Final

from firmware.base.language import N_

NO_HEIC: Final = N_(
    "this photo is in the HEIC format, which this scanner cannot read: send it as JPEG "
    "(on an iPhone: Settings, Camera, Formats, Most Compatible; then take it again)"
)
"""Wording for pages, and for programs that send photos of a phone."""

PHONE_WORDINGS: Final[Mapping[str, str]] = {
    # Results
    "found {cities}{more}, {variant} needs {needed}: {advice} stadtblick read PHOTO shows what "
    "was read": N_("found {cities}{more}, {variant} needs {needed}: {advice}"),
    "{given} tiles {face} were read, but the game has {allowed}: correct with --set what is "
    "really something else, such as {places}, stadtblick read PHOTO shows what was read": N_(
        "{given} tiles {face} were read, but the game has {allowed}: correct one that shows "
        "something else, such as {places}"
    ),
    "the cities do not show by the way they face to whom they belong: A and D are taken to be "
    "the first player's, B and C the second's; say it with --owners, like --owners 0,1,1,0": N_(
        "the cities do not show by the way they face to whom they belong: A and D are taken to "
        "be the first player's, B and C the second's; choose on the page of the result"
    ),
    "the photos do not show in which order the cities lie round the table; taken clockwise as "
    "{order}: say it with --order, like --order {order}": N_(
        "the photos do not show in which order the cities lie round the table; taken clockwise "
        "as {order}: put them in order on the page of the result"
    ),
    "city {second} may be city {first}, seen twice: say it with --order, like --order {same}, or "
    "name both: --order {both}": N_(
        "city {second} may be city {first}, seen twice: answer on the page of the result"
    ),
    "the calibration does not fit, the camera was moved or turned: it was not used, calibrate "
    "again with stadtblick calibrate --plane-only": N_(
        "the calibration does not fit, the camera was moved or turned: it was not used, calibrate "
        "the table alone again"
    ),
    "game {seq} is damaged: delete it with stadtblick history delete {seq}": N_(
        "game {seq} is damaged and cannot be shown"
    ),
    "there is no such game: see stadtblick history": N_(
        "there is no such game: look at the past games"
    ),
    "no stored game has a player called {name}: see stadtblick history stats": N_(
        "no stored game has a player called {name}: look at the statistics"
    ),
    "this is a HEIC image, and what reads it is not installed: pip install "
    "'stadtblick[heic]', or save the photo as JPEG": NO_HEIC,
    "no edition of {game} is built in: name one with --edition": N_(
        "the game {game} is not known here: update Stadtblick"
    ),
    # Teaching
    "no picture is named for {names}: list images, or learn them with stadtblick teach": N_(
        "there is no picture of {names}: teach them"
    ),
    "the shop is not the tile at the {corner}: leave out --shop-at": N_(
        "the shop is not the tile at the {corner}: choose another corner"
    ),
    "nothing that the edition knows was found in the photo: teach a new look by its arrangement "
    "or with --groups, single tiles after that": N_(
        "nothing that the edition knows was found in the photo: teach a new look by tiles laid "
        "out or by a finished game"
    ),
    "in an earlier photo these tiles lay on a side or upside down: teach them again, with "
    "--replace": N_(
        "in an earlier photo these tiles lay on a side or upside down: first delete what was "
        "taught before"
    ),
    "there is an edition {name} already: choose another name, add examples with --add or teach it "
    "again with --replace": N_("there is an edition {name} already: choose another name"),
    "no grid of {rows} x {columns} tiles is found by itself: give its corners with --corners": N_(
        "no grid of {rows} x {columns} tiles is found: show all of it, from above, in even light"
    ),
    "the photo does not seem to match the names given, {doubts}: correct these, or learn it all "
    "the same with --sure": N_(
        "the photo does not seem to match the names given, {doubts}: correct these, or lay the "
        "tiles as they should lie"
    ),
    # What the scanner needs
    "no permission for the camera: sudo adduser $USER video, then log in again": N_(
        "no permission for the camera: install the scanner again, as its guide says"
    ),
    "no permission for the display at {place}: sudo usermod -aG i2c,spi,gpio $USER, then log in "
    "again": N_("no permission for the display at {place}: install the scanner again"),
    "no permission for the lines: sudo adduser $USER gpio, then log in again": N_(
        "no permission for the buttons: install the scanner again"
    ),
    "no display answers at {place}: check its wires, and switch the bus on (sudo raspi-config "
    "nonint do_i2c 0, or do_spi 0, then sudo reboot)": N_(
        "no display answers at {place}: check its wires, and switch its bus on at the computer"
    ),
    "the package '{package}' is missing: sudo apt install python3-gpiozero python3-lgpio, or use "
    "--emulate": N_("the package '{package}' is missing: install the scanner again"),
    "the package '{package}' is missing: sudo apt install python3-picamera2, or choose another "
    "kind of camera": N_("the package '{package}' is missing: install the scanner again"),
    "the package '{package}' is missing: sudo apt install python3-{package}": N_(
        "the package '{package}' is missing: install the scanner again"
    ),
    "NetworkManager does not run here: sudo apt install network-manager": N_(
        "NetworkManager does not run here: install it, or join another Wi-Fi"
    ),
    "Wi-Fi is switched off: set its country, sudo raspi-config": N_(
        "Wi-Fi is switched off: set its country at the computer"
    ),
    "the scanner Wi-Fi is not set up: run install.sh once more": N_(
        "the scanner Wi-Fi is not set up: install the scanner again"
    ),
    "report it with what {variable}=1 shows in addition": N_(
        "report it with the file that “Ask for help” makes"
    ),
    "only {free_mb} MB are free: sudo apt clean, or lower photos_max in the settings": N_(
        "only {free_mb} MB are free: keep fewer photos (settings), or delete all (past games)"
    ),
    "There is none yet: see stadtblick calibrate --help.": N_(
        "There is none yet: Setup, “Calibrate the camera”."
    ),
    "there is no calibration yet: make one with stadtblick calibrate": N_(
        "there is no calibration yet: Setup, “Calibrate the camera”"
    ),
    "No edition has been taught: see stadtblick teach --help.": N_(
        "No tiles were taught yet: Setup, “Teach the tiles”."
    ),
    "Use it with --edition {name}.": N_("Choose it in Setup: {name}."),
    "the folder of settings, editions and results is for another user: choose another one with "
    "{variable}, or write sudo before the command": N_(
        "the folder of settings, editions and results is for another user: start the scanner as "
        "that user"
    ),
    "these settings, editions and results are for members of the group {group}: write sudo before "
    "the command, or join the group (sudo adduser {user} {group}) and log in again": N_(
        "these settings, editions and results are for members of the group {group}: start the "
        "scanner as one of them"
    ),
}
"""Wordings by the text of the commands."""
