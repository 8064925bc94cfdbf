#!/usr/bin/env bash
# In the virtual machine, as root: sets up the test drivers, drives them with the appliance's
# adapters, then runs the appliance itself. Lines begin with "ok" or "not so"; the last one is
# "the lab is done".
set -uo pipefail
here=/opt/lab
unit=stadtblick.service

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

i2c_bus() {
  local name
  name=$(grep -l "SMBus stub driver" /sys/class/i2c-dev/i2c-*/name | head -n 1)
  name=${name%/name}
  echo "${name##*/i2c-}"
}

# The header of a Raspberry Pi 4: 28 lines on a chip of its name; nobody presses a button
make_header() {
  local bank=/sys/kernel/config/gpio-sim/header/bank0 gpio
  mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
  mkdir -p "$bank"
  echo pinctrl-bcm2711 >"$bank/label"
  echo 28 >"$bank/num_lines"
  echo 1 >"$bank/../live"
  lines=/sys/devices/platform/$(cat "$bank/../dev_name")/$(cat "$bank/chip_name")
  for gpio in 17 27 22; do echo pull-up >"$lines/sim_gpio$gpio/pull"; done
}

belongs_to() { # GROUP NODE
  [[ $(stat --format='%G %a' "$2") == "$1 660" ]]
}

set_up() {
  modprobe -a i2c-dev gpio-simulator vimc
  modprobe i2c-stub chip_addr=0x3c
  make_header
  ln -sf system "/dev/dma_heap/linux,cma"
  mount --bind $here/cpuinfo /proc/cpuinfo
  udevadm settle
  report "udev gives the bus to its group" belongs_to i2c "/dev/i2c-$(i2c_bus)"
  report "udev gives the lines to their group" belongs_to gpio "$(echo /dev/gpiochip*)"
  report "udev gives the camera to its group" belongs_to video "$(echo /dev/media*)"
  report "udev gives the camera's memory to its group" belongs_to video /dev/dma_heap/system
}

drive_devices() {
  chown stadtblick "$lines"/sim_gpio{17,27}/pull
  (cd /tmp && LIBCAMERA_LOG_LEVELS='*:ERROR' setpriv --reuid=stadtblick --regid=stadtblick \
    --init-groups timeout 400 /opt/stadtblick/current/bin/python -u $here/drive_devices.py \
    "$(i2c_bus)" "$lines")
}

press() { # GPIO SECONDS
  echo pull-down >"$lines/sim_gpio$1/pull"
  sleep "$2"
  echo pull-up >"$lines/sim_gpio$1/pull"
}

# The table of results has a line for its head
has_scanned() { [[ $(stadtblick history export --csv | wc -l) -gt 1 ]]; }

no_crash() {
  ! journalctl --no-pager --output=cat --unit="$unit" | grep -qE "Traceback|Main process exited"
}

# The unit as it is installed; its camera shows a table photo of ours
run_appliance() {
  printf '[display]\ni2c_port = %s\n[camera]\nkind = "file"\nsource = "%s/table.jpg"\n' \
    "$(i2c_bus)" $here >/var/lib/stadtblick/settings.toml
  systemctl start "$unit"
  report "the service is ready" systemctl is-active "$unit"
  journalctl --no-pager --output=cat --unit="$unit" | sed 's/^/     | /'
  sleep 5
  press 17 0.5
  report "SCAN is pressed: the table is scanned and the result is stored" within 400 has_scanned
  journalctl --no-pager --output=cat --unit="$unit" | tail -n 40 | sed 's/^/     | /'
  report "and it has not failed" no_crash
  stadtblick history | sed 's/^/     | /'
  echo "the lab is done; whether a long press on OK switches the machine off is seen from outside"
  touch $here/leave-it-on
  press 22 4
}

set_up
drive_devices
run_appliance
