#!/usr/bin/env bash
# In the virtual machine, as root: sets up the test drivers, drives them with the appliance's
# adapters, then runs the appliance itself. Lines begin with "ok" or "not so"; the last one is
# "the lab is done".
set -uo pipefail
here=/opt/lab
unit=stadtblick.service

# shellcheck source=tests/integration/guest/header.sh
source $here/header.sh
# shellcheck source=tests/integration/guest/reporting.sh
source $here/reporting.sh

i2c_bus() {
  local name
  name=$(grep -l "SMBus stub driver" /sys/class/i2c-dev/i2c-*/name | head -n 1)
  name=${name%/name}
  echo "${name##*/i2c-}"
}

set_up() {
  modprobe -a i2c-dev gpio-simulator vimc
  modprobe i2c-stub chip_addr=0x3c
  make_header
  ln -sf system "/dev/dma_heap/linux,cma"
  mount --bind $here/cpuinfo /proc/cpuinfo
  udevadm settle
  report "udev gives the bus to its group" belongs_to i2c "/dev/i2c-$(i2c_bus)"
  report "udev gives the lines to their group" belongs_to gpio "/dev/$(cat "$bank/chip_name")"
  report "udev gives the camera to its group" belongs_to video "$(echo /dev/media*)"
  report "udev gives the camera's memory to its group" belongs_to video /dev/dma_heap/system
}

drive_devices() {
  chown stadtblick "$(lines)"/sim_gpio{17,27}/pull
  (cd /tmp && LIBCAMERA_LOG_LEVELS='*:ERROR' setpriv --reuid=stadtblick --regid=stadtblick \
    --init-groups timeout 400 /opt/stadtblick/current/bin/python -u $here/drive_devices.py \
    "$(i2c_bus)" "$(lines)")
}

# The unit as it is installed; its camera shows a table photo of ours
run_appliance() {
  printf '[display]\ni2c_port = %s\n[camera]\nkind = "file"\nsource = "%s/table.jpg"\n' \
    "$(i2c_bus)" $here >/var/lib/stadtblick/settings.toml
  systemctl start "$unit"
  report "the service is ready" systemctl is-active "$unit"
  log_of "$unit" | sed 's/^/     | /'
  sleep 5
  press 17 0.5
  report "SCAN is pressed: the table is scanned and the result is stored" within 400 has_scanned
  log_of "$unit" | tail -n 40 | sed 's/^/     | /'
  report "and it has not failed" no_crash "$unit"
  stadtblick history | sed 's/^/     | /'
  switch_off
}

set_up
drive_devices
run_appliance
