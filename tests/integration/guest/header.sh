# shellcheck shell=bash
# The header of a Raspberry Pi 4, by gpio-sim, and the buttons on it. To be sourced.

bank=/sys/kernel/config/gpio-sim/header/bank0

# 28 lines on a chip of its name; nobody presses a button
make_header() {
  local gpio
  mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
  mkdir -p "$bank"
  echo pinctrl-bcm2711 >"$bank/label"
  echo 28 >"$bank/num_lines"
  echo 1 >"$bank/../live"
  for gpio in 17 27 22; do pull "$gpio" up; done
}

# The folder of the lines
lines() { echo "/sys/devices/platform/$(cat "$bank/../dev_name")/$(cat "$bank/chip_name")"; }

pull() { # GPIO up|down
  echo "pull-$2" >"$(lines)/sim_gpio$1/pull"
}

press() { # GPIO SECONDS
  pull "$1" down
  sleep "$2"
  pull "$1" up
}
