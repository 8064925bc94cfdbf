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
    systemctl status --no-pager --lines=15 "$unit" stadtblick.socket | sed 's/^/     | /'
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

python=/opt/stadtblick/current/bin/python

# asked AT PATH: the first words of the answer, at a port or at a file; empty: nobody answers
asked() {
  $python - "$@" <<'PYTHON'
import socket, sys
at, path = sys.argv[1:]
family, where = (socket.AF_UNIX, at) if "/" in at else (socket.AF_INET, ("127.0.0.1", int(at)))
with socket.socket(family) as line:
    line.settimeout(5)
    line.connect(where)
    host = "localhost" if "/" in at else f"127.0.0.1:{at}"
    line.sendall(f"GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
    try:
        print(line.recv(12).decode())
    except TimeoutError:
        pass
PYTHON
}
answers() { [[ $(asked "$@") == "HTTP/1.1 200" ]]; }
as() { setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"; }

# Ports that anybody listens at, in hexadecimal
ports() { awk '$4 == "0A" { sub(".*:", "", $2); print $2 }' /proc/net/tcp /proc/net/tcp6 | sort -u; }

# As its service, in its sandbox
in_sandbox() {
  systemd-run --quiet --pipe --wait --uid=stadtblick --property=SupplementaryGroups=stadtblick \
    --property=NoNewPrivileges=yes --property=PrivateUsers=yes --property=PrivateNetwork=yes \
    --property=ProtectSystem=strict --property='RestrictAddressFamilies=AF_UNIX AF_NETLINK' "$@"
}

test_page() {
  local status=/api/v1/status file=$home/programs.socket
  report "while the page is off, nobody answers at its port" test -z "$(asked 8080 / 2>&1)"
  export -f asked answers
  export python
  report "a program of a member of its group is answered at the file" \
    as maker bash -c "answers $file $status"
  report "and nobody else's is" as guest bash -c "asked $file $status |& grep -q PermissionError"
  printf '[page]\non = true\n' >$home/settings.toml
  systemctl restart "$unit"
  report "switched on, the page is answered at the socket that was given" within 20 answers 8080 /
  report "the service has no network for all that" test -z \
    "$(nsenter --net --target "$(property MainPID)" cat /proc/net/tcp | tail -n +2)"
  report "nothing but the page listens" test "$(ports)" = 1F90
  report "little is exposed with it" systemd-analyze security --threshold=10 --no-pager "$unit"
  report "killed, it is there again" killed_and_back
  report "and after each of many restarts" restarted_and_back 8
  rm $home/settings.toml
  systemctl restart "$unit"
  report "switched off, nobody answers" test -z "$(asked 8080 / 2>&1)"
}

killed_and_back() {
  kill -KILL "$(property MainPID)"
  within 30 answers 8080 /
}

restarted_and_back() { # TIMES
  local time
  for ((time = 0; time < $1; time++)); do
    systemctl reset-failed "$unit"
    systemctl restart "$unit"
    within 20 answers 8080 / || return 1
  done
}

test_mqtt() {
  local mqtt=stadtblick-mqtt.service
  systemctl start $mqtt
  report "without a broker in the settings it says so and stays down" within 20 is_down $mqtt
  printf '[mqtt]\nhost = "127.0.0.1"\nuser = "box"\npassword_file = "%s/mqtt-password"\n' $home >$home/settings.toml
  printf 'secret\n' >$home/mqtt-password
  chown stadtblick:stadtblick $home/settings.toml $home/mqtt-password
  chmod 640 $home/mqtt-password
  systemctl start mosquitto
  systemctl restart $mqtt
  report "the scanner tells a broker that it is there, from its sandbox" within 30 told availability online
  report "and what its last result is" within 30 told result players
  systemctl kill --signal=KILL $mqtt
  report "without it the broker says that it has gone" within 10 told availability offline
  systemctl stop $mqtt mosquitto
  rm $home/settings.toml $home/mqtt-password
}

is_down() {
  [[ $(systemctl show --property=ActiveState --value "$1") == failed ]] &&
    journalctl --no-pager --output=cat --unit="$1" | grep -q "no MQTT broker is set"
}
told() { mosquitto_sub -t "stadtblick/+/$1" -C 1 -W 2 | grep -q "$2"; }

test_hotspot() {
  local allowed
  allowed=$(in_sandbox nmcli --terse --fields=PERMISSION,VALUE general permissions)
  report "the scanner may switch its own Wi-Fi" grep -q "network-control:yes" <<<"$allowed"
  report "and share it" grep -q "wifi.share.protected:yes" <<<"$allowed"
  report "it may change no profile" test "$(grep -c "settings.modify.*:yes" <<<"$allowed")" = 0
  report "the profile is one that NetworkManager takes" grep -qx stadtblick < <(nmcli -g NAME connection)
  report "that there is no Wi-Fi here it says in a word" hotspot_says hotspot-no-wifi
  systemctl stop NetworkManager
  report "and so that NetworkManager is missing" hotspot_says hotspot-no-manager
}

hotspot_says() {
  in_sandbox --setenv=PYTHONPATH= $python -c '
from hardware.errors import HotspotError
from hardware.hotspot import ManagedHotspot
try:
    ManagedHotspot().switch_on()
except HotspotError as error:
    print(error.code)' | grep -qx "$1"
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
  test_page
  test_mqtt
  test_hotspot
  test_going_back
  test_reboot_once
fi
