# shellcheck shell=bash
# Uninstallation. To be sourced.

uninstall_all() {
  begin "Service"
  if systemd_runs; then
    systemctl disable --now "$service" "$mqtt" >>"$log" 2>&1 || true
    systemctl stop stadtblick.socket >>"$log" 2>&1 || true
    systemctl stop stadtblick-reboot.service >>"$log" 2>&1 || true
  else
    systemctl disable "$service" "$mqtt" >>"$log" 2>&1 || true
  fi
  # Left by a card that had not finished installing itself
  systemctl disable stadtblick-first-boot.service >>"$log" 2>&1 || true
  begin "Files"
  command_is_foreign || remove "$command"
  remove /opt/stadtblick
  local pair
  for pair in "${system_files[@]}"; do remove "${pair#*:}"; done
  remove /etc/systemd/system/stadtblick-first-boot.service /var/lib/stadtblick-reboot
  remove_hotspot
  restore_firmware "$config_txt"
  if systemd_runs; then
    quietly "see the log" systemctl daemon-reload
    systemctl reset-failed "$service" stadtblick-reboot.service >>"$log" 2>&1 || true
    systemctl --no-block try-restart systemd-journald.service >>"$log" 2>&1 || true
    udevadm control --reload >>"$log" 2>&1 || true
  fi
  remove_or_keep_data
  printf '\n'
  if [[ $changes == 0 ]]; then printf 'Stadtblick was not installed.\n'; fi
  note "packages of the system stay, other programs may use them: ${wanted_packages[*]}"
  note "the log of installing stays too: $log"
}

# remove PATH...
remove() {
  local path
  for path in "$@"; do
    [[ -e $path || -L $path ]] || continue
    rm -rf "$path"
    did "removed $path"
  done
}

restore_firmware() {
  local text=$1.stadtblick-new
  [[ -f $1 ]] || return 0
  without_block "$1" >"$text"
  if cmp --silent "$text" "$1"; then
    rm "$text"
  else
    put_in_place "$text" "$1"
    did "took our lines out of $1"
  fi
  remove "$1.before-stadtblick"
}

remove_or_keep_data() {
  begin "Data"
  if [[ $purge == yes ]]; then
    remove "$data"
    if getent passwd stadtblick >/dev/null; then
      quietly "see the log" userdel stadtblick
      # The group stays if it has other members
      ! getent group stadtblick >/dev/null || quietly "see the log" groupdel stadtblick
      did "removed the user stadtblick"
    fi
  elif [[ -d $data ]]; then
    same "$data, and the user stadtblick that owns it; --uninstall --purge removes both"
  fi
}
