#!/usr/bin/env bash
# Builds and runs a virtual machine in which the kernel's test drivers are display bus, buttons and
# camera, and the installed appliance is what it is on a Raspberry Pi. See docs/integration.md.
#
#   bash tests/integration/guest.sh            a PC; a quarter of an hour, and longer the first time
#   bash tests/integration/guest.sh arm64      the architecture of the Raspberry Pi
#   bash tests/integration/guest.sh raspi3b    a Raspberry Pi 3B, as far as qemu plays one
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
kind=${1:-amd64}
photo=normal-00008.jpg
need_tools debootstrap=debootstrap mke2fs=e2fsprogs
case $kind in
  amd64)
    architecture=amd64
    limit_s=${STADTBLICK_GUEST_LIMIT_S:-1200}
    need_tools qemu-system-x86_64=qemu-system-x86
    ;;
  arm64 | raspi3b)
    architecture=arm64
    limit_s=${STADTBLICK_GUEST_LIMIT_S:-5400}
    # shellcheck source=tests/integration/aarch64.sh
    source tests/integration/aarch64.sh
    trap unregister_qemu EXIT
    register_qemu
    emulator=$("$guest/build_emulator.sh")
    ;;
  *) fail "there is no machine $kind" ;;
esac
base=$("$realstack/build_root.sh")
layer=$("$guest/build_guest.sh" "$architecture")
work=$(mktemp -d)
root=$work/root
machine=$work/machine
units=$root/etc/systemd/system
trap 'unmount_all; [[ $architecture == amd64 ]] || unregister_qemu; rm -rf --one-file-system "$work"' EXIT
overlay_root "$layer:$base" "$work"
open_root "$root"

# As on a computer with the internet
install_amd64() {
  prepare_for_installing
  test_installing
}

prepare_lab_amd64() {
  cp "$guest"/{lab.sh,drive_devices.py} "$root$lab/"
  cp "$guest/lab.service" "$units/"
  # The lab starts it when the devices are there
  in_root "$root" systemctl --quiet disable stadtblick.service
  in_root "$root" /opt/stadtblick/current/bin/stadtblick simulate --out "$lab/table" \
    --condition normal --seed 8
  mv "$root$lab/table/$photo" "$root$lab/table.jpg"
}

# From a stick without the internet, as on a card of Raspberry Pi OS with desktop
install_arm64() {
  section "install.sh installs from the stick, without a network"
  mkdir -p "$root/boot/firmware" "$root/mnt/stick"
  printf 'dtparam=audio=on\ncamera_auto_detect=1\n' >"$root/boot/firmware/config.txt"
  copy_checkout_to "$work/checkout"
  bash "$work/checkout/systemd/stick.sh" "$root/mnt/stick" arm64
  # shellcheck disable=SC2016 # for the inner shell
  check "install.sh installs on arm64" unshare --net bash -c \
    'source "$1"; in_root "$2" bash /mnt/stick/stadtblick/systemd/install.sh' bash \
    "$realstack/common.sh" "$root"
  check "its libraries are those of arm64" in_root "$root" /opt/stadtblick/current/bin/python -c '
import platform, cv2, gpiozero, lgpio, numpy, picamera2
assert platform.machine() == "aarch64"'
  rm -r "$root/mnt/stick"
}

# The devices are there when the service starts
prepare_lab_arm64() {
  cp "$guest"/{lab_arm64,devices}.sh "$root$lab/"
  cp "$guest/lab_arm64.service" "$units/lab.service"
  cp "$guest/devices.service" "$units/"
  in_root "$root" systemctl --quiet enable devices.service
  printf 'language = "en"\n[display]\ndim_after_s = 0\n[camera]\nkind = "file"\nsource = "%s/table.jpg"\n' \
    "$lab" >"$root/var/lib/stadtblick/settings.toml"
  in_root "$root" chown stadtblick:stadtblick /var/lib/stadtblick/settings.toml

  section "the picture that has to be on its display"
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet "$work/checkout"
  "$work/venv/bin/stadtblick" simulate --out "$work/table" --condition normal --seed 8
  cp "$work/table/$photo" "$root$lab/table.jpg"
  "$work/venv/bin/python" "$guest/winner_frame.py" "$root$lab/table.jpg" "$root$lab"
}

# The board's own devices; the service would only say that it has no camera
prepare_lab_raspi3b() {
  cp "$guest"/{lab_raspi3b.sh,drive_raspi3b.py} "$root$lab/"
  sed 's/lab\.sh/lab_raspi3b.sh/' "$guest/lab.service" >"$units/lab.service"
  in_root "$root" systemctl --quiet disable stadtblick.service
}

# A processor without AVX: numpy's AVX2 code ends in a segmentation fault under qemu 7.2's emulation
run_amd64() {
  timeout --signal=KILL "$limit_s" qemu-system-x86_64 -M q35 -accel tcg,thread=multi -cpu Nehalem \
    -smp 2 -m 1536 -kernel "$machine/vmlinuz" -initrd "$machine/initrd" \
    -append "root=/dev/vda rw console=ttyS0 $kernel_options" \
    -drive "file=$machine/disk.img,format=raw,if=virtio,cache=unsafe" \
    -net none -monitor none -display none -serial stdio -no-reboot
}

# Its clock counts instructions, so that no limit of time is missed on a machine that is busy. Each
# start ends with a restart or with the power off
run_arm64() {
  in_root "$work/emulator/root" timeout --signal=KILL "$limit_s" qemu-system-aarch64 -M virt \
    -cpu cortex-a72 -accel tcg,thread=single -icount shift=0,sleep=off -m 1536 \
    -kernel /srv/vmlinuz -initrd /srv/initrd \
    -append "root=/dev/vda rw console=ttyAMA0 $kernel_options" \
    -drive file=/srv/disk.img,format=raw,if=none,id=disk,cache=unsafe -device virtio-blk-pci,drive=disk \
    -net none -monitor none -display none -serial stdio
}

# The kernel's own description of the board, and what the firmware of a Raspberry Pi adds. Its serial line
# for a console is the second one; the display of qemu does not know all commands of ours
run_raspi3b() {
  in_root "$work/emulator/root" fdtput --auto-path --type x \
    /srv/board.dtb /system linux,revision a02082
  in_root "$work/emulator/root" timeout --signal=KILL "$limit_s" qemu-system-aarch64 -M raspi3b \
    -accel tcg,thread=single -icount shift=0,sleep=off \
    -kernel /srv/vmlinuz -initrd /srv/initrd -dtb /srv/board.dtb \
    -append "root=/dev/mmcblk0 rootwait rw console=ttyS1 $kernel_options" \
    -drive file=/srv/disk.img,format=raw,if=sd -device ssd0303,bus=i2c-bus.1,address=0x3c \
    -net none -monitor none -display none -serial null -serial stdio -no-reboot \
    2> >(grep -v "^ssd0303: error: Unexpected byte" >&2)
}

mkdir -p "$root$lab" "$units/stadtblick.service.d"
"install_$architecture"
"prepare_lab_$kind"
section "a disk for the machine"
cp "$guest"/{cpuinfo,header.sh,reporting.sh} "$root$lab/"
cp "$guest/lab.conf" "$units/stadtblick.service.d/"
in_root "$root" systemctl --quiet enable lab.service
# The console is for the lab alone
in_root "$root" systemctl --quiet mask serial-getty@tty{S0,S1,AMA0}.service
mkdir "$machine"
size=4500M
if [[ $kind == raspi3b ]]; then
  cp "$root"/usr/lib/linux-image-*/broadcom/bcm2837-rpi-3-b.dtb "$machine/board.dtb"
  # A memory card there has a power of two
  size=8G
fi
if [[ $architecture == arm64 ]]; then
  overlay_root "$emulator" "$work/emulator"
  open_root "$work/emulator/root"
  mount_at --bind "$machine" "$work/emulator/root/srv"
fi
cp "$root"/boot/vmlinuz-* "$machine/vmlinuz"
cp "$root"/boot/initrd.img-* "$machine/initrd"
unmount_inside "$root"
mke2fs -q -t ext4 -d "$root" "$machine/disk.img" "$size"

section "the machine"
kernel_options="quiet systemd.show_status=0 mitigations=off"
code=0
"run_$kind" | sed -u 's/\r$//; s/^\x1b.*\x1b\[?7h//; s/^\[ *[0-9.]*\] //; s/^bash\[[0-9]*\]: //' |
  tee "$work/console" || code=$?

section "what came of it"
grep -q "^the lab is done" "$work/console" || fail "the lab did not end"
! grep -q "^not so" "$work/console" || fail "see above"
passed=$((passed + $(grep -c "^ok" "$work/console")))
[[ $code == 0 ]] || fail "the machine was ended after $limit_s s"
[[ $kind == raspi3b ]] || ok "OK held, then pressed, switches the machine off"
printf '\nguest: %s passed, 0 failed\n' "$passed"
