#!/usr/bin/env bash
# In the virtual machine of arm64, as root, before the service starts: a display on I2C bus 1, and the
# header of a Raspberry Pi 4 with its buttons.
set -Eeuo pipefail
# shellcheck source=tests/integration/guest/header.sh
source /opt/lab/header.sh

modprobe -a i2c-dev i2c-oled gpio-simulator
make_header
mount --bind /opt/lab/cpuinfo /proc/cpuinfo
udevadm settle
