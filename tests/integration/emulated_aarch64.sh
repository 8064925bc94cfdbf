#!/usr/bin/env bash
# Runs tests on an emulated aarch64, the architecture of the Raspberry Pi, in a Debian 13 root. Code
# of OpenCV is some forty times slower there: see docs/integration.md for what to expect.
#
#   bash tests/integration/emulated_aarch64.sh                     the tests of TESTS below
#   bash tests/integration/emulated_aarch64.sh tests/vision -k eye   any arguments of pytest
set -Eeuo pipefail
exec </dev/null
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/integration/realstack/common.sh
source tests/integration/realstack/common.sh

# What could differ: devices, decoding, and a photo from end to end
TESTS=(
  tests/hardware
  tests/systemd
  tests/vision/test_photo.py
  tests/vision/test_eye.py::test_the_sample_photo_is_read_completely
)
what=("$@")
[[ $# -gt 0 ]] || what=("${TESTS[@]}")

need_tools debootstrap=debootstrap qemu-aarch64-static=qemu-user-static
binfmt=/proc/sys/fs/binfmt_misc
registered=no
work=$(mktemp -d)
trap 'clean_up' EXIT
clean_up() {
  unmount_all
  if [[ $registered == yes ]]; then echo -1 >"$binfmt/qemu-aarch64-stadtblick"; fi
  rm -rf "$work" "$cache"/aarch64-*.unfinished
}

# Has the kernel start aarch64 programs with qemu, in every root; undone at the end
register_qemu() {
  [[ -e $binfmt/register ]] || mount -t binfmt_misc binfmt_misc "$binfmt"
  if compgen -G "$binfmt/qemu-aarch64*" >/dev/null; then return; fi
  local magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
  local mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  printf '%s\n' ":qemu-aarch64-stadtblick:M::$magic:$mask:$(command -v qemu-aarch64-static):F" \
    >"$binfmt/register"
  registered=yes
}

# A root with Python; kept for the next time
build_root() {
  root=$cache/aarch64-trixie
  [[ ! -d $root ]] || return 0
  section "Debian 13 for aarch64"
  debootstrap --arch=arm64 --variant=minbase --include=ca-certificates,python3,python3-venv \
    trixie "$root.unfinished" "$(mirror)" >"$cache/debootstrap-aarch64.log" ||
    fail "debootstrap: see $cache/debootstrap-aarch64.log"
  rm -rf "$root.unfinished/var/cache/apt/archives"/*.deb
  mv "$root.unfinished" "$root"
}

# The environment of the tests as a layer above the root; kept until the dependencies change
build_environment() {
  layer=$cache/aarch64-$(sha256sum pyproject.toml | cut -c1-12)
  [[ ! -d $layer ]] || return 0
  section "wheels for aarch64"
  local building=$layer.unfinished
  overlay_root "$root" "$building"
  open_root "$building/root"
  copy_checkout_to "$building/root/opt/stadtblick"
  in_root "$building/root" sh -c 'python3 -m venv /opt/venv &&
    cd /opt/stadtblick && /opt/venv/bin/pip install --quiet -e ".[test]"'
  unmount_all
  rm -rf "$building/upper/opt/stadtblick" "$building/upper/root/.cache"
  mv "$building/upper" "$layer"
}

mkdir -p "$cache"
register_qemu
build_root
build_environment
overlay_root "$layer:$root" "$work"
open_root "$work/root"
copy_checkout_to "$work/root/opt/stadtblick"

section "tests: ${what[*]}"
# Under qemu, BLAS leaves flags of exceptions behind that its results do not show
spurious=()
for flag in "divide by zero" overflow "invalid value"; do
  spurious+=(-W "ignore:$flag encountered in matmul:RuntimeWarning")
done
in_root "$work/root" /opt/venv/bin/python -c '
import platform, cv2, numpy
print(platform.machine(), platform.python_version(), "OpenCV", cv2.__version__, "numpy", numpy.__version__)'
in_root "$work/root" PYTHONDONTWRITEBYTECODE=1 sh -c \
  'cd /opt/stadtblick && exec /opt/venv/bin/pytest -q "$@"' pytest "${spurious[@]}" "${what[@]}"
