#!/bin/sh
# stadtblick, as install.sh puts it into /usr/local/bin.
#
# It works on the scanner's own settings, editions and results, which all members of the group
# stadtblick may change, and opens and writes files as whoever calls it. With sudo that is still the
# person who wrote sudo, for this once with all groups of the scanner.
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
