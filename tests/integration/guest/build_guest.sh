#!/usr/bin/env bash
# Builds what a virtual machine needs besides the Debian 13 root: a kernel, and drivers for tests that
# Debian leaves out. Prints the path of the layer, which is kept for the next time.
#
#   build_guest.sh [amd64|arm64]    arm64 where qemu runs its programs
set -Eeuo pipefail
# shellcheck source=tests/integration/realstack/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../realstack/common.sh"
exec 3>&1 1>&2 # the path alone goes to standard output

guest=$checkout/tests/integration/guest
# shellcheck source=tests/integration/guest/become_arm64.sh
source "$guest/become_arm64.sh"
architecture=${1:-amd64}
kernel=("linux-image-$architecture" "linux-headers-$architecture" linux-source-6.12)
base=$("$realstack/build_root.sh")
recipe=$({
  basename "$base"
  cat "$guest"/build_{guest.sh,modules.sh} "$guest/i2c-oled.c"
  [[ $architecture == amd64 ]] || cat "$guest/become_arm64.sh"
} | sha256sum | cut -c1-12)
layer=$cache/guest-$architecture-$recipe
if [[ -d $layer ]]; then
  printf '%s\n' "$layer" >&3
  exit
fi

work=$layer.unfinished
rm -rf --one-file-system "$cache"/guest-"$architecture"-*.unfinished
trap 'unmount_all; rm -rf --one-file-system "$work"' EXIT
overlay_root "$base" "$work"
root=$work/root
open_root "$root"

in_root "$root" apt-get update -qq
add() { in_root "$root" apt-get install -qq -y --no-install-recommends "$@" >/dev/null; }
if [[ $architecture == amd64 ]]; then
  section "kernel"
  add "${kernel[@]}" initramfs-tools kmod xz-utils
else
  section "packages of $architecture, and kernel"
  # shellcheck disable=SC2016 # for the inner shell
  mapfile -t wanted < <(bash -c '. "$1"; printf "%s\n" "${wanted_packages[@]}"' bash \
    "$checkout/systemd/installer/system.sh")
  # What the installer fetches there; our package of picamera2 brings libraries that Debian has, too
  add -o Dpkg::Options::=--force-overwrite "${wanted[@]}" initramfs-tools kmod xz-utils
  become_arm64 "$root" "${kernel[@]}"
  rm -rf "$root/srv/raspberrypi-os"
  mkdir "$root/srv/raspberrypi-os"
  in_root "$root" DPKG_DEB_COMPRESSOR_TYPE=none bash /srv/build_debs.sh /srv/raspberrypi-os
  for file in "$root"/srv/raspberrypi-os/*.deb; do
    dpkg-deb --fsys-tarfile "$file" | tar --extract --directory="$root" --keep-directory-symlink
  done
fi
section "drivers for tests"
cp "$guest"/{build_modules.sh,i2c-oled.c} "$root/srv/"
in_root "$root" bash /srv/build_modules.sh "$architecture"
if [[ $architecture != amd64 ]]; then
  section "initial memory disk"
  # For a virtual machine, and for the memory card of a Raspberry Pi 3B
  printf '%s\n' ext4 virtio_blk virtio_pci bcm2835 sdhci-iproc mmc_block >>"$root/etc/initramfs-tools/modules"
  sed -i 's/^MODULES=.*/MODULES=list/' "$root/etc/initramfs-tools/initramfs.conf"
  release=$(basename "$root"/boot/vmlinuz-*)
  release=${release#vmlinuz-}
  in_root "$root" mkinitramfs -o "/boot/initrd.img-$release" "$release"
fi
in_root "$root" apt-get clean
rm -rf "$root"/usr/src/linux-source-* "$root"/opt/modules

unmount_all
mv "$work/upper" "$layer"
printf '%s\n' "$layer" >&3
