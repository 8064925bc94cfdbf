# shellcheck shell=bash
# How the lab in a virtual machine tells what it has seen. To be sourced after header.sh.

report() { # WHAT COMMAND...
  local what=$1
  shift
  if "$@" >/dev/null 2>&1; then echo "ok   $what"; else echo "not so: $what"; fi
}

within() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [[ $SECONDS -lt $end ]] || return 1
    sleep 1
  done
}

log_of() { # UNIT
  journalctl --no-pager --output=cat --boot --unit="$1"
}

no_crash() { # UNIT
  ! log_of "$1" | grep -qE "Traceback|Main process exited"
}

# The table of results has a line for its head
has_scanned() { [[ $(stadtblick history export --csv | wc -l) -gt 1 ]]; }

belongs_to() { # GROUP NODE
  [[ $(stat --format='%G %a' "$2") == "$1 660" ]]
}

# Ends with the machine: OK held asks whether to switch it off, OK pressed says yes
switch_off() {
  echo "the lab is done; OK is held, then pressed"
  press 22 4
  sleep 10
  press 22 0.5
  sleep 120
  echo "not so: OK held, then pressed, switches the machine off"
  systemctl --no-block poweroff
}
