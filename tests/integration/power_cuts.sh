#!/usr/bin/env bash
# Copies the disk of a virtual machine at moments at which its scanner stores something, and checks
# each copy as the disk after a power cut. Part of .ci/release; see docs/integration.md.
#
#   bash tests/integration/power_cuts.sh ROOT    a Debian root with the program in /opt/venv
set -Eeuo pipefail
exec </dev/null
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/integration/realstack/common.sh
source tests/integration/realstack/common.sh

root=$1
here=tests/integration/power_cuts
photos=6
need_tools linux.uml=user-mode-linux mke2fs=e2fsprogs
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

in_environment() { # COMMAND...
  in_root "$root" PATH=/opt/venv/bin:/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 "$@"
}

section "photos of tables and of the calibration sheet"
mkdir -p "$root/opt/cuts" "$root/data"
cp "$here"/* "$root/opt/cuts/"
copy_checkout_to "$root/opt/checkout"
in_environment stadtblick simulate --out /opt/cuts/photos --condition normal --count $photos --seed 8
in_environment PYTHONPATH=/opt/checkout python /opt/cuts/draw_sheets.py /opt/cuts/sheets

section "a machine whose power is cut"
mkdir -p "$work/disk/home" "$work/copies"
printf 'language = "en"\n' >"$work/disk/home/settings.toml"
truncate --size=128M "$work/disk.img"
mke2fs -q -t ext4 -d "$work/disk" "$work/disk.img"
python3 "$here/cut.py" "$root" "$work/disk.img" "$work/copies"

section "the copies"
for image in "$work"/copies/*.img; do
  # As at the next start: what stands in the journal is done, then nothing may be wrong
  e2fsck -E journal_only -p "$image" >/dev/null || fail "the journal of $image"
  e2fsck -f -n "$image" >"$work/said" 2>&1 || {
    cat "$work/said"
    fail "the file system is damaged"
  }
  mkdir "$work/out"
  debugfs -R "rdump /home $work/out" "$image" 2>"$work/said"
  mv "$work/out/home" "${image%.img}"
  rm -r "$work/out" "$image"
done
cp -r "$work/copies" "$root/opt/cuts/"
in_environment python /opt/cuts/check.py /opt/cuts/copies
