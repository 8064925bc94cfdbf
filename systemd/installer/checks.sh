# shellcheck shell=bash
# Checks of the computer and the sources before anything is changed. To be sourced.

needed_mb=900

# check_system OS-RELEASE-FILE ARCHITECTURE
check_system() {
  local name codename
  # shellcheck disable=SC1090,SC2153
  name=$(. "$1" && printf '%s' "${PRETTY_NAME:-an unknown system}")
  # shellcheck disable=SC1090
  codename=$(. "$1" && printf '%s' "${VERSION_CODENAME:-}")
  case $codename in
    trixie) ;;
    bookworm)
      refuse "this is $name, and its camera software cannot be used together with OpenCV" \
        "its picamera2 and simplejpeg are built for numpy 1, OpenCV 4.14 needs numpy 2, and the
  import of one of them fails. Flash Raspberry Pi OS Trixie (64-bit), then run this again.
  Copy /var/lib/stadtblick to the new card first if Stadtblick was used here before"
      ;;
    *)
      refuse "this is $name; Stadtblick is made for Raspberry Pi OS Trixie (Debian 13)" \
        "flash Raspberry Pi OS Trixie (64-bit), then run this again"
      ;;
  esac
  case $2 in
    arm64 | amd64) ;;
    *)
      refuse "this is the 32-bit system ($2), for which OpenCV 4.14 is not published" \
        "flash the 64-bit Raspberry Pi OS Trixie, then run this again"
      ;;
  esac
}

check_superuser() {
  [[ $(id -u) == 0 ]] || refuse "only the superuser can install" "write sudo before the command"
}

# check_room FOLDER
check_room() {
  local at=$1 free_mb
  while [[ ! -d $at ]]; do at=$(dirname "$at"); done
  free_mb=$(($(stat --file-system --format='%a * %S / 1048576' "$at")))
  [[ $free_mb -ge $needed_mb ]] ||
    refuse "$at has $free_mb MB of free space, an installation needs $needed_mb MB" \
      "make room, for example with 'sudo apt-get clean'"
}

# check_source FOLDER
check_source() {
  local need
  for need in pyproject.toml firmware vision scoring hardware systemd/stadtblick.service; do
    [[ -e $1/$need ]] || refuse "$1 lacks $need" "run install.sh from a complete copy of Stadtblick"
  done
}
