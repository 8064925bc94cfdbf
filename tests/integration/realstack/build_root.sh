#!/usr/bin/env bash
# Builds a Debian 13 root that is to Stadtblick what a fresh Raspberry Pi OS is: systemd, Python,
# libcamera, and an apt repository with the packages that Debian lacks and Raspberry Pi OS has.
# Prints its path. A root built before from the same recipe is used again.
set -Eeuo pipefail
# shellcheck source=tests/integration/realstack/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
exec 3>&1 1>&2 # the path alone goes to standard output

need_tools debootstrap=debootstrap
recipe=$(cat "$realstack"/{build_root.sh,build_debs.sh,pykms.py} | sha256sum | cut -c1-12)
root=$cache/trixie-$recipe

packages=(
  # What the image of Raspberry Pi OS Lite has too
  systemd-sysv udev dbus polkitd sudo network-manager python3 python3-venv python3-pip
  # For Home Assistant: a broker, which only the tests start
  mosquitto mosquitto-clients
  # libcamera with its virtual and vimc cameras, as Debian packages it
  libcamera-tools python3-libcamera libcamera-ipa
  # To build the packages that Debian lacks, and the shims of the virtual camera
  gcc python3-dev libcap-dev libc6-dev make swig
)
mkdir -p "$cache"
# One at a time: another one may be building it
exec 9>"$cache/build.lock"
flock 9
if [[ -d $root ]]; then
  printf '%s\n' "$root" >&3
  exit
fi
rm -rf --one-file-system "$cache"/trixie-*.unfinished
unfinished=$root.unfinished
trap 'unmount_all; rm -rf --one-file-system "$unfinished"' EXIT

section "Debian 13 from $(mirror)"
debootstrap --variant=minbase --include=ca-certificates \
  trixie "$unfinished" "$(mirror)" >"$cache/debootstrap.log" || {
  tail -n 20 "$cache/debootstrap.log"
  fail "debootstrap: see above"
}
open_root "$unfinished"
# No service starts while packages are installed
printf '#!/bin/sh\nexit 101\n' >"$unfinished/usr/sbin/policy-rc.d"
chmod 755 "$unfinished/usr/sbin/policy-rc.d"

section "systemd, Python, libcamera"
in_root "$unfinished" apt-get install -qq -y --no-install-recommends "${packages[@]}" >/dev/null
in_root "$unfinished" systemctl --quiet disable mosquitto.service
section "packages of Raspberry Pi OS"
mkdir -p "$unfinished/srv/raspberrypi-os"
cp "$realstack"/{build_debs.sh,pykms.py} "$unfinished/srv/"
in_root "$unfinished" bash /srv/build_debs.sh /srv/raspberrypi-os
in_root "$unfinished" apt-get clean
rm -rf "$unfinished/root/.cache"

unmount_all
mv "$unfinished" "$root"
printf '%s\n' "$root" >&3
