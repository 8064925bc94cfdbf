#!/usr/bin/env bash
# Tests a card after its first start, from inside of it. Each line of its output begins with "ok" or
# "not so"; the last one is "the lab is done".
set -uo pipefail
photo=/boot/firmware/stadtblick/firmware/data/between-two-cities.jpg

report() { # WHAT COMMAND...
  local what=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "ok   $what"
  else
    echo "not so: $what"
    printf '%s\n' "$output" | tail -n 20 | sed 's/^/     | /'
  fi
}

is_ready() {
  local end=$((SECONDS + 60))
  until [[ $(systemctl show --property=ActiveState --value stadtblick.service) == active ]]; do
    [[ $SECONDS -lt $end ]] || return 1
    sleep 0.5
  done
}

as_maker() { runuser --user maker -- env HOME=/home/maker "$@"; }

shows_the_winner() {
  local said
  said=$( (sleep 5 && printf s && sleep 25 && printf q) |
    as_maker stadtblick run --emulate --lang en --camera "$photo")
  printf '%s\n' "$said"
  [[ $said == *Winner* && $said == *59* ]]
}

report "the scanner starts by itself and is ready" is_ready
report "what was done can be read on the card" grep -q "^Done" /boot/firmware/stadtblick-install.txt
report "the first person of the card may use its data" as_maker stadtblick editions
report "a press on SCAN leads to the winner on the emulated display" shows_the_winner
echo "the lab is done"
