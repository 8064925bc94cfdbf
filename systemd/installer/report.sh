# shellcheck shell=bash
# Output of the installer: steps, changes, notes and errors. To be sourced.

log=${log:-/var/log/stadtblick-install.log}
step="starting"
changes=0

begin() {
  step=$1
  printf '\n%s\n' "$1"
}
did() {
  changes=$((changes + 1))
  printf '  done       %s\n' "$*"
}
same() { printf '  unchanged  %s\n' "$*"; }
note() { printf '  note       %s\n' "$*"; }

# refuse WHAT WHAT-TO-DO: before anything was changed
refuse() {
  printf 'install.sh: %s: %s\n' "$1" "$2" >&2
  exit 2
}

# stop WHAT WHAT-TO-DO: in the middle
stop() {
  printf '\ninstall.sh stopped at "%s": %s: %s\n' "$step" "$1" "$2" >&2
  exit 1
}

# quietly WHAT-TO-DO-IF-IT-FAILS COMMAND...: its output goes to the log
quietly() {
  local remedy=$1 from
  shift
  from=$(stat --format=%s "$log" 2>/dev/null || echo 0)
  printf '+ %s\n' "$*" >>"$log"
  "$@" >>"$log" 2>&1 </dev/null && return
  printf '\nlast lines of %s:\n' "$log" >&2
  tail --bytes="+$((from + 1))" "$log" | tail --lines=12 | sed 's/^/  | /' >&2
  stop "$1 failed" "$remedy"
}
