#!/usr/bin/env bash
# In the virtual machine of arm64, as root: the installed appliance after its first start, and after a
# restart of the machine. Lines begin with "ok" or "not so"; the last one is "the lab is done".
set -uo pipefail
here=/opt/lab
unit=stadtblick.service
display=/sys/kernel/debug/i2c-oled
# shellcheck source=tests/integration/guest/header.sh
source $here/header.sh
# shellcheck source=tests/integration/guest/reporting.sh
source $here/reporting.sh

is_ready() { systemctl is-active "$unit"; }

has_picture() { [[ $(cat $display/on) == 1 ]] && tr -d '\0' <$display/memory | grep -qa .; }

shows_winner() { [[ $(cat $display/on) == 1 ]] && cat $display/memory | cmp --silent - $here/winner.bin; }

# To be looked at outside, if the picture is another one
print_display() { base64 --wrap=0 $display/memory | sed 's/.*/     | display &\n/'; }

first_start() {
  report "udev gives the bus to its group" belongs_to i2c /dev/i2c-1
  report "udev gives the lines to their group" belongs_to gpio "/dev/$(cat "$bank/chip_name")"
  report "the service is ready by itself" within 600 is_ready
  report "the display shows something" within 60 has_picture
  press 17 0.5
  report "SCAN is pressed: the winner is on the display, pixel for pixel" within 900 shows_winner
  print_display
  report "the result is stored" within 120 has_scanned
  report "and nothing has failed" no_crash "$unit"
  stadtblick history | sed 's/^/     | /'
  echo "     | the machine restarts"
  touch $here/was-started
  systemctl --no-block reboot
}

second_start() {
  report "after a restart the service is ready by itself" within 600 is_ready
  report "the display shows something" within 60 has_picture
  report "the game is stored" has_scanned
  report "and nothing has failed" no_crash "$unit"
  log_of "$unit" | tail -n 20 | sed 's/^/     | /'
  switch_off
}

echo "     | $(uname -m), kernel $(uname -r), start after $(cut -d' ' -f1 /proc/uptime) s"
if [[ -e $here/was-started ]]; then second_start; else first_start; fi
