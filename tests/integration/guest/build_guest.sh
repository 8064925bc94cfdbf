#!/usr/bin/env bash
# Builds what a virtual machine needs besides the Debian 13 root: a kernel, and the two of its
# drivers for tests that Debian leaves out, gpio-sim and vimc. Prints the path of the layer, which
# is kept for the next time.
set -Eeuo pipefail
# shellcheck source=tests/integration/realstack/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../realstack/common.sh"
exec 3>&1 1>&2 # the path alone goes to standard output

guest=$checkout/tests/integration/guest
base=$("$realstack/build_root.sh")
recipe=$({ basename "$base" && cat "$guest"/{build_guest.sh,build_modules.sh}; } | sha256sum | cut -c1-12)
layer=$cache/guest-$recipe
if [[ -d $layer ]]; then
  printf '%s\n' "$layer" >&3
  exit
fi

work=$cache/guest-$recipe.unfinished
rm -rf "$cache"/guest-*.unfinished
trap 'unmount_all; rm -rf "$work"' EXIT
overlay_root "$base" "$work"
open_root "$work/root"

section "kernel"
in_root "$work/root" apt-get update -qq
in_root "$work/root" apt-get install -qq -y --no-install-recommends \
  linux-image-amd64 linux-headers-amd64 linux-source-6.12 initramfs-tools kmod xz-utils >/dev/null
section "gpio-sim and vimc"
cp "$guest/build_modules.sh" "$work/root/srv/"
in_root "$work/root" bash /srv/build_modules.sh
in_root "$work/root" apt-get clean
rm -rf "$work/root"/usr/src/linux-source-* "$work/root"/opt/modules

unmount_all
mv "$work/upper" "$layer"
printf '%s\n' "$layer" >&3
