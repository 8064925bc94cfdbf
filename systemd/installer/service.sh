# shellcheck shell=bash
# Start of the service, and the return to the release before if it does not start. To be sourced.

service=stadtblick.service
mqtt=stadtblick-mqtt.service
ready_limit_s=150

# start_service RELEASE-BEFORE
start_service() {
  if systemctl is-enabled --quiet "$service" 2>/dev/null; then
    same "$service starts at each boot"
  else
    quietly "see the log" systemctl enable "$service"
    did "$service starts at each boot"
  fi
  if [[ $start == no ]] || ! systemd_runs; then return; fi
  if [[ $changes == 0 ]] && systemctl is-active --quiet "$service"; then
    same "$service runs"
    return
  fi
  if becomes_ready; then
    # The MQTT service needs the new program as well, if it is switched on
    systemctl try-restart "$mqtt" >>"$log" 2>&1 || true
    did "$service runs and says that it is ready"
    return
  fi
  journalctl --unit="$service" --lines=12 --no-pager --output=cat >&2 || true
  go_back "$1"
}

# Starts the service again. "systemctl restart" would wait until systemd has given up, which restarts
# the computer.
becomes_ready() {
  local end=$((SECONDS + ready_limit_s)) restarts
  systemctl stop "$service" >>"$log" 2>&1 || true
  systemctl reset-failed "$service" stadtblick-reboot.service >>"$log" 2>&1 || true
  restarts=$(unit_property NRestarts)
  systemctl start --no-block "$service" >>"$log" 2>&1
  while [[ $SECONDS -lt $end && $(unit_property NRestarts) -le $((restarts + 1)) ]]; do
    if [[ $(unit_property ActiveState) == active ]]; then
      sleep 3
      [[ $(unit_property ActiveState) == active ]] && return
    fi
    sleep 0.5
  done
  return 1
}

unit_property() { systemctl show --property="$1" --value "$service"; }

# go_back RELEASE-BEFORE: to the one that worked
go_back() {
  local broken
  broken=$(release_in_use)
  if [[ -z $1 || $1 == "$broken" || ! -e $releases/$1/complete ]]; then
    stop "$service does not start" "see 'journalctl -u stadtblick' and 'sudo stadtblick doctor'"
  fi
  use_release "$1"
  rm -f "$releases/$broken/complete"
  becomes_ready || stop "neither release $broken nor $1 starts" "see 'journalctl -u stadtblick'"
  stop "release $broken does not start, so $1 is in use again" "see 'journalctl -u stadtblick'"
}
