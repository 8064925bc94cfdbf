#!/bin/sh
# stadtblick, as install.sh puts it into /usr/local/bin.
#
# It works on the scanner's own settings, editions and results, which all members of the group
# stadtblick may change. Other files are opened and written with the rights of the caller; with sudo,
# those of the person who typed it, and all groups of the scanner.
program=/opt/stadtblick/current/bin/stadtblick
export STADTBLICK_HOME="${STADTBLICK_HOME:-/var/lib/stadtblick}"
# What one member of the group makes, the others may change
umask 0002
if [ "$(id -u)" = 0 ] && [ -n "${SUDO_USER:-}" ]; then
  home=$(getent passwd "$SUDO_USER" | cut -d: -f6)
  groups=$(id -G "$SUDO_USER" | tr ' ' ,),stadtblick,gpio,i2c,spi,video
  exec env HOME="$home" setpriv --reuid="$SUDO_USER" --regid="$(id -g "$SUDO_USER")" \
    --groups="$groups" "$program" "$@"
fi
exec "$program" "$@"
