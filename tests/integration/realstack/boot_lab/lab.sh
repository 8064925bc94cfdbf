#!/usr/bin/env bash
# Tests stadtblick.service from inside of a booted system; a reboot in the middle is one of them.
# Each line of its output begins with "ok" or "not so"; the last one is "the lab is done".
set -uo pipefail
unit=stadtblick.service
home=/var/lib/stadtblick
once=/var/lib/stadtblick-reboot/done
here=/opt/lab
installer=/home/maker/stadtblick/systemd/installer

report() { # WHAT COMMAND...
  local what=$1
  shift
  if "$@" >/dev/null 2>&1; then
    echo "ok   $what"
  else
    echo "not so: $what"
    systemctl status --no-pager --lines=15 "$unit" | sed 's/^/     | /'
  fi
}

property() { systemctl show --property="$1" --value "$unit"; }
is() { [[ $(property "$1") == "$2" ]]; }

# within SECONDS COMMAND...: waits until it succeeds
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [[ $SECONDS -lt $end ]] || return 1
    sleep 0.1
  done
}

restarted_to_ready() { # RESTARTS-BEFORE
  [[ $(property NRestarts) -gt $1 ]] && is ActiveState active && is SubState running
}

logged() { journalctl --no-pager --output=cat --unit="$unit" | grep -qi "$1"; }
shown() {
  PYTHONPATH=$here /opt/stadtblick/current/bin/python $here/shown.py /run/stadtblick/i2c-log "$@"
}
no_trouble_with() { sleep 5 && ! logged "^$1-"; }

test_readiness() {
  report "it was started by the boot and is ready, without a button" within 60 is ActiveState active
  echo "     status: $(property StatusText)"
  report "it runs as its own user" test "$(stat --format=%U "/proc/$(property MainPID)")" = stadtblick
  report "in the sandbox: the system is read-only to it" \
    grep -q ' / .* ro,' "/proc/$(property MainPID)/mountinfo"
  report "the camera works in it" no_trouble_with camera
  report "the display works in it" no_trouble_with display
  report "and shows something" within 10 shown
  report "its memory is where it belongs" test -e "$home/settings.toml" -o -e "$home/incomplete-boots"
  report "it lives on, as the watchdog wants it" stays_alive
}

stays_alive() {
  local process
  process=$(property MainPID)
  sleep 9 # more than two limits of the watchdog
  is MainPID "$process" && is ActiveState active
}

test_watchdog() {
  local before
  before=$(property NRestarts)
  kill -STOP "$(property MainPID)"
  report "a program that hangs is ended and started anew" within 40 restarted_to_ready "$before"
  report "because of the watchdog" logged "watchdog"
}

# What somebody of the group has stored belongs to them, with the sandbox knowing nobody but its user
test_other_member() {
  systemctl stop "$unit"
  touch $home/history.sqlite
  printf '2\n' >$home/incomplete-boots
  chown maker:stadtblick $home/history.sqlite $home/incomplete-boots
  chmod 664 $home/history.sqlite $home/incomplete-boots
  systemctl start "$unit"
  report "a history that belongs to another member of the group can be written" no_trouble_with history
  systemctl stop "$unit"
  report "and so can other files" test "$(stat --format=%U $home/incomplete-boots)" = stadtblick
  report "the tables were made" test -s $home/history.sqlite
  systemctl start "$unit"
}

# Settings that are used are seen on the display: its brightness
test_safe_mode() {
  systemctl stop "$unit"
  report "after an end in order no start counts as failed" test "$(cat $home/incomplete-boots)" = 0
  printf '[display]\ncontrast = 10\n' >$home/settings.toml
  systemctl start "$unit"
  report "settings are used" within 10 shown contrast 10
  local before failed
  for failed in 1 2 3; do
    before=$(property NRestarts)
    kill -KILL "$(property MainPID)"
    report "killed ($failed) it is started anew" within 40 restarted_to_ready "$before"
  done
  report "after three starts that came to nothing it is in safe mode: without the settings" \
    within 10 shown contrast 207
  report "the settings are still there" grep -q 'contrast = 10' $home/settings.toml
  systemctl reset-failed "$unit"
  systemctl restart "$unit"
  report "after an end in order they are used again" within 10 shown contrast 10
}

# An update whose program can be tried but does not run
test_going_back() {
  local good releases=/opt/stadtblick/releases
  good=$(basename "$(readlink /opt/stadtblick/current)")
  mkdir -p $releases/broken/bin
  printf '#!/bin/sh\nexit 1\n' >$releases/broken/bin/stadtblick
  chmod 755 $releases/broken/bin/stadtblick
  touch $releases/broken/complete
  ln -sfn $releases/broken /opt/stadtblick/current
  # shellcheck disable=SC2016 # for the inner shell
  bash -Eeuo pipefail -c 'start=yes
    for part in report program system service; do . "$1/$part.sh"; done
    changes=1
    start_service "$2"' bash $installer "$good" >/dev/null 2>&1
  report "the installer says that the new program does not start" test $? = 1
  report "and has put the one before in use again" \
    test "$(readlink /opt/stadtblick/current)" = "$releases/$good"
  report "which is ready" is ActiveState active
  report "without a reboot" test ! -e $once
  rm -r $releases/broken
}

# Whatever is wrong: each start fails at once
test_reboot_once() {
  printf '[Service]\nExecStart=\nExecStart=/bin/false\n' >"/etc/systemd/system/$unit.d/zz-broken.conf"
  systemctl daemon-reload
  systemctl reset-failed "$unit"
  touch $here/leave-it-on $here/rebooting
  systemctl restart --no-block "$unit"
}

test_no_second_reboot() {
  report "a program that failed at each start has led to a reboot" test -e $once
  report "after the reboot it is tried again" within 60 is ActiveState failed
  sleep 3
  report "and the machine stays up, so that somebody can log in" \
    test "$(systemctl is-system-running)" != stopping
  rm "/etc/systemd/system/$unit.d/zz-broken.conf"
  systemctl daemon-reload
  systemctl reset-failed "$unit"
  systemctl start "$unit"
  report "mended, it is ready" is ActiveState active
  report "and may reboot again, another time" test ! -e $once
}

# In the sandbox of the service, as its user: the long press on OK. Whoever boots this machine
# sees whether it goes off.
switch_off() {
  touch $here/leave-it-on
  systemd-run --quiet --uid=stadtblick --property=NoNewPrivileges=yes \
    --property=PrivateUsers=yes --property=PrivateNetwork=yes --property=ProtectSystem=strict \
    --property='RestrictAddressFamilies=AF_UNIX AF_NETLINK' \
    systemctl --no-ask-password poweroff
}

if [[ -e $here/rebooting ]]; then
  rm $here/rebooting $here/leave-it-on
  test_no_second_reboot
  echo "the lab is done"
  switch_off
else
  test_readiness
  test_watchdog
  test_other_member
  test_safe_mode
  test_going_back
  test_reboot_once
fi
