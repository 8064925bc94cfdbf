#!/usr/bin/env bash
# Installs Stadtblick on Raspberry Pi OS Trixie, updates it, or removes it. See docs/install.md.
set -Eeuo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
source_folder=$(dirname "$here")
config_txt=/boot/firmware/config.txt
data=/var/lib/stadtblick
reboot_needed=no

# shellcheck source=systemd/installer/report.sh
source "$here/installer/report.sh"
# shellcheck source=systemd/installer/checks.sh
source "$here/installer/checks.sh"
# shellcheck source=systemd/installer/config_txt.sh
source "$here/installer/config_txt.sh"
# shellcheck source=systemd/installer/program.sh
source "$here/installer/program.sh"
# shellcheck source=systemd/installer/system.sh
source "$here/installer/system.sh"
# shellcheck source=systemd/installer/hotspot.sh
source "$here/installer/hotspot.sh"
# shellcheck source=systemd/installer/service.sh
source "$here/installer/service.sh"
# shellcheck source=systemd/installer/removal.sh
source "$here/installer/removal.sh"

usage() {
  cat <<'USAGE'
Usage: sudo systemd/install.sh [OPTION...]

Installs Stadtblick from this folder, or updates it. Results, settings and what was taught stay.
It can be run as often as you like; what is in order already is left alone.

  --spi        also switch on the SPI bus, for a display that is wired to it
  --no-start   install, but do not start it; it starts at the next boot
  --uninstall  remove Stadtblick; results, settings and what was taught stay
  --purge      with --uninstall: remove these too
  --help       show this
USAGE
}

read_options() {
  action=install spi=no start=yes purge=no
  local option
  for option in "$@"; do
    case $option in
      --spi) spi=yes ;;
      --no-start) start=no ;;
      --uninstall) action=uninstall ;;
      --purge) purge=yes ;;
      -h | --help)
        usage
        exit 0
        ;;
      *) refuse "there is no option $option" "see install.sh --help" ;;
    esac
  done
  [[ $purge == no || $action == uninstall ]] ||
    refuse "--purge removes your data and is only for uninstalling" "add --uninstall"
  [[ $action == install || $spi$start == noyes ]] ||
    refuse "--spi and --no-start are for installing" "leave them out with --uninstall"
}

one_at_a_time() {
  exec 9>/run/stadtblick-install.lock
  flock --nonblock 9 || refuse "another installation is running" "wait until it has ended"
}

install_all() {
  check_system /etc/os-release "$(dpkg --print-architecture)"
  check_source "$source_folder"
  check_room "$releases"

  begin "Packages of the system"
  install_packages
  begin "Program"
  local name before
  name=$(release_name "$source_folder")
  before=$(release_in_use || true)
  build_release "$source_folder" "$name"
  begin "User, devices, service"
  install_system_files "$here"
  make_user_and_folders
  set_up_hotspot
  begin "Buses and camera"
  set_firmware "$config_txt" "$spi"
  begin "Start"
  use_release "$name"
  reload_system
  start_service "$before"
  # The one before stays, to go back to
  [[ $before == "$name" ]] || remove_releases_but "$name" "$before"
}

say_end() {
  printf '\n'
  if [[ $changes == 0 ]]; then
    printf 'Nothing had to be changed.\n'
  else
    printf 'Done: %s changes. Details are in %s.\n' "$changes" "$log"
  fi
  printf 'Data are kept in %s.\n' "$data"
  if [[ $reboot_needed == yes ]]; then
    printf 'Restart the computer for the buses and the camera: sudo reboot\n'
  fi
}

main() {
  read_options "$@"
  check_superuser
  one_at_a_time
  trap 'stop "it was interrupted" "run it again, it goes on where it was"' INT TERM HUP
  trap 'stop "a command failed (line $LINENO of ${BASH_SOURCE[0]##*/})" "see $log, then run it again"' ERR
  if [[ $action == uninstall ]]; then
    uninstall_all
  else
    install_all
    say_end
  fi
}

main "$@"
