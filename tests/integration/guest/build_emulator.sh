#!/usr/bin/env bash
# Builds a Debian 13 root with qemu 10, which emulates aarch64 machines and the I2C controller of a
# Raspberry Pi 3B; older ones lack that. Prints its path; kept for the next time.
set -Eeuo pipefail
# shellcheck source=tests/integration/realstack/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../realstack/common.sh"
exec 3>&1 1>&2 # the path alone goes to standard output

need_tools debootstrap=debootstrap
packages=ca-certificates,qemu-system-arm,ipxe-qemu,device-tree-compiler
emulator=$cache/emulator-$(sha256sum <"${BASH_SOURCE[0]}" | cut -c1-12)
if [[ -d $emulator ]]; then
  printf '%s\n' "$emulator" >&3
  exit
fi

mkdir -p "$cache"
rm -rf --one-file-system "$cache"/emulator-*.unfinished
section "qemu of Debian 13"
debootstrap --variant=minbase --include=$packages trixie "$emulator.unfinished" "$(mirror)" \
  >"$cache/debootstrap-emulator.log" || fail "debootstrap: see $cache/debootstrap-emulator.log"
rm -rf "$emulator.unfinished/var/cache/apt/archives"/*.deb
mv "$emulator.unfinished" "$emulator"
printf '%s\n' "$emulator" >&3
