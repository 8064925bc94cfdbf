#!/usr/bin/env bash
# Runs Stadtblick on an emulated aarch64, the architecture of the Raspberry Pi, in a Debian 13 root:
# photos must be read as on this machine, and tests pass. See docs/integration.md.
#
#   bash tests/integration/emulated_aarch64.sh                photos, and the tests of TESTS below
#   bash tests/integration/emulated_aarch64.sh photos         photos alone
#   bash tests/integration/emulated_aarch64.sh tests/vision   tests alone: any arguments of pytest
set -Eeuo pipefail
exec </dev/null
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/integration/realstack/common.sh
source tests/integration/realstack/common.sh
# shellcheck source=tests/integration/aarch64.sh
source tests/integration/aarch64.sh

TESTS=(tests/hardware tests/systemd tests/vision/test_photo.py)
# A table tilted away, one with unsure tiles, one in glare
CONDITIONS=(handheld covered glare)

need_tools debootstrap=debootstrap
locked=no
work=$(mktemp -d)
trap 'clean_up' EXIT
clean_up() {
  unmount_all
  unregister_qemu
  rm -rf --one-file-system "$work"
  # Before that, they are another one's
  if [[ $locked == yes ]]; then rm -rf --one-file-system "$cache"/aarch64-*.unfinished; fi
}

in_arm() { in_root "$work/root" PYTHONDONTWRITEBYTECODE=1 "$@"; }

# A root with Python, and what lgpio is built with; kept for the next time. Its packages are configured
# as those of this machine's architecture, then replaced by those of aarch64: to configure them in
# qemu takes ten times as long
build_root() {
  root=$cache/aarch64-$(declare -f build_root | sha256sum | cut -c1-12)
  [[ ! -d $root ]] || return 0
  section "Debian 13 for aarch64"
  local building=$root.unfinished here there=arm64 file
  local packages=ca-certificates,python3,python3-venv,python3-dev,gcc,libc6-dev,make,swig
  here=$(dpkg --print-architecture)
  rm -rf --one-file-system "$building"
  {
    debootstrap --variant=minbase --include=$packages trixie "$building" "$(mirror)"
    debootstrap --variant=minbase --include=$packages --arch=$there --download-only \
      trixie "$work/packages" "$(mirror)"
  } >"$cache/debootstrap-aarch64.log" || fail "debootstrap: see $cache/debootstrap-aarch64.log"
  if [[ $here != "$there" ]]; then
    rm -rf "$building"/usr/lib/"$(uname -m)"-linux-gnu "${building:?}"/{lib64,usr/lib64}
    for file in "$work"/packages/var/cache/apt/archives/*_"$there".deb; do
      dpkg-deb --fsys-tarfile "$file" |
        tar --extract --directory="$building" --keep-directory-symlink
    done
    sed -i "s/^Architecture: $here\$/Architecture: $there/" "$building/var/lib/dpkg/status"
    printf '%s\n' "$there" >"$building/var/lib/dpkg/arch"
    for file in "$building"/var/lib/dpkg/info/*:"$here".*; do
      mv "$file" "${file/:"$here"./:"$there".}"
    done
    chroot "$building" ldconfig
  fi
  rm -rf "$building/var/cache/apt/archives"/*.deb "$work/packages"
  mv "$building" "$root"
}

# The environment of the tests as a layer above the root; kept until the dependencies change. All of
# them must be wheels: nobody wants to compile on a Raspberry Pi
build_environment() {
  layer=$cache/aarch64-$({ declare -f build_environment && cat pyproject.toml; } | sha256sum | cut -c1-12)
  [[ ! -d $layer ]] || return 0
  section "wheels for aarch64"
  local building=$layer.unfinished
  rm -rf --one-file-system "$building"
  overlay_root "$root" "$building"
  open_root "$building/root"
  copy_checkout_to "$building/root/opt/stadtblick"
  in_root "$building/root" sh -c '
    python3 -m venv --system-site-packages /opt/venv &&
    cd /opt/stadtblick && /opt/venv/bin/pip install --quiet --only-binary=:all: -e ".[test]"'
  # No wheel of lgpio is published for Python 3.13. Raspberry Pi OS has it as a package of the system
  in_root "$building/root" PYPI=1 /opt/venv/bin/pip install --quiet \
    --no-binary=lgpio --no-deps --target /usr/lib/python3/dist-packages "lgpio==0.2.2.0"
  unmount_all
  rm -rf "$building/upper/opt/stadtblick" "$building/upper/root/.cache"
  mv "$building/upper" "$layer"
}

# The bundled photo and simulated ones, each in three cities and more
make_photos() {
  section "photos, and how they are read here"
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet "$checkout"
  "$work/venv/bin/stadtblick" simulate --out "$work/photos" --condition "${CONDITIONS[@]}" --count 3
  cp firmware/data/between-two-cities.jpg "$work/photos/sample.jpg"
  (cd "$work/photos" && "$work/venv/bin/stadtblick" read --jsonl ./*.jpg) >"$work/here.jsonl" ||
    [[ $? == 1 ]] || fail "the photos cannot be read on this machine"
}

compare_photos() {
  section "the same photos on aarch64"
  cp -r "$work/photos" "$work/root/opt/photos"
  # shellcheck disable=SC2016 # for the shell in the root
  in_arm sh -c 'cd /opt/photos && exec /opt/venv/bin/stadtblick read --jsonl ./*.jpg' \
    >"$work/there.jsonl" 2>"$work/said" || [[ $? == 1 ]] || {
    cat "$work/said"
    fail "the photos cannot be read on aarch64"
  }
  [[ ! -s $work/said ]] || {
    cat "$work/said"
    fail "a warning on aarch64, see above"
  }
  python3 tests/integration/compare_readings.py "$work/here.jsonl" "$work/there.jsonl" ||
    fail "photos are read differently on aarch64"
}

mkdir -p "$cache"
# One at a time: roots are shared
exec 9>"$cache/aarch64.lock"
flock 9
locked=yes
register_qemu
build_root
build_environment
overlay_root "$layer:$root" "$work"
open_root "$work/root"
copy_checkout_to "$work/root/opt/stadtblick"
in_arm /opt/venv/bin/python -c '
import platform, cv2, lgpio, numpy
import gpiozero.pins.lgpio
print(platform.machine(), "Python", platform.python_version())
for module in (cv2, numpy, lgpio):
    print(module.__name__, getattr(module, "__version__", ""), module.__file__)
assert lgpio.__file__.startswith("/usr/lib/python3/dist-packages")'

if [[ $# == 0 || $1 == photos ]]; then
  make_photos
  compare_photos
fi
[[ $# -gt 0 ]] || set -- "${TESTS[@]}"
if [[ $1 != photos ]]; then
  section "tests on aarch64: $*"
  in_arm sh -c 'cd /opt/stadtblick && exec /opt/venv/bin/pytest -q "$@"' pytest "$@"
fi
