#!/bin/sh
# stadtblick, as install.sh puts it into /usr/local/bin.
#
# With sudo it works on the scanner's own results, settings and editions, as the scanner's user, so
# that nothing of them ever belongs to somebody else. Without, on those of whoever calls it.
program=/opt/stadtblick/current/bin/stadtblick
if [ "$(id -u)" = 0 ]; then
  home=/var/lib/stadtblick
  exec runuser --user stadtblick -- env "HOME=$home" "STADTBLICK_HOME=$home" "$program" "$@"
fi
exec "$program" "$@"
