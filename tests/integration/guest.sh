#!/usr/bin/env bash
# Builds and runs a virtual machine in which the kernel's test drivers are display bus, buttons and
# camera, and the installed appliance is what it is on a Raspberry Pi. About a quarter of an hour,
# and longer the first time; see docs/integration.md.
set -Eeuo pipefail
exec </dev/null
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/integration/realstack/common.sh
source tests/integration/realstack/common.sh
# shellcheck source=tests/integration/realstack/check.sh
source tests/integration/realstack/check.sh
# shellcheck source=tests/integration/installing.sh
source tests/integration/installing.sh

lab=/opt/lab
guest=$checkout/tests/integration/guest
limit_s=${STADTBLICK_GUEST_LIMIT_S:-1200}
need_tools debootstrap=debootstrap qemu-system-x86_64=qemu-system-x86 mke2fs=e2fsprogs
base=$("$realstack/build_root.sh")
layer=$("$guest/build_guest.sh")
work=$(mktemp -d)
root=$work/root
trap 'unmount_all; rm -rf "$work"' EXIT
overlay_root "$layer:$base" "$work"
open_root "$root"
prepare_for_installing
test_installing

section "a disk for the machine"
units=$root/etc/systemd/system
mkdir -p "$root$lab" "$units/stadtblick.service.d"
cp "$guest"/{lab.sh,cpuinfo,drive_devices.py} "$root$lab/"
cp "$guest/lab.service" "$units/"
cp "$guest/lab.conf" "$units/stadtblick.service.d/"
in_root "$root" systemctl --quiet enable lab.service
# The lab starts it when the devices are there
in_root "$root" systemctl --quiet disable stadtblick.service
# The console is for the lab alone
in_root "$root" systemctl --quiet mask serial-getty@ttyS0.service
in_root "$root" /opt/stadtblick/current/bin/stadtblick simulate --out "$lab/table" \
  --condition normal --seed 8
mv "$root$lab"/table/normal-00008.jpg "$root$lab/table.jpg"
cp "$root"/boot/vmlinuz-* "$work/vmlinuz"
cp "$root"/boot/initrd.img-* "$work/initrd"
unmount_inside "$root"
mke2fs -q -t ext4 -d "$root" "$work/disk.img" 4500M

section "the machine"
# A processor without AVX: numpy's AVX2 code ends in a segmentation fault under qemu 7.2's emulation
code=0
timeout --signal=KILL "$limit_s" qemu-system-x86_64 -M q35 -accel tcg,thread=multi -cpu Nehalem \
  -smp 2 -m 1536 -kernel "$work/vmlinuz" -initrd "$work/initrd" \
  -append "root=/dev/vda rw console=ttyS0 quiet systemd.show_status=0 mitigations=off" \
  -drive "file=$work/disk.img,format=raw,if=virtio,cache=unsafe" \
  -net none -monitor none -display none -serial stdio -no-reboot |
  sed -u 's/\r$//; s/^\[ *[0-9.]*\] //; s/^bash\[[0-9]*\]: //' | tee "$work/console" || code=$?

section "what came of it"
grep -q "^the lab is done" "$work/console" || fail "the lab did not end"
! grep -q "^not so" "$work/console" || fail "see above"
passed=$((passed + $(grep -c "^ok" "$work/console")))
[[ $code == 0 ]] || fail "a long press on OK does not switch the machine off"
ok "a long press on OK switches the machine off"
printf '\nguest: %s passed, 0 failed\n' "$passed"
