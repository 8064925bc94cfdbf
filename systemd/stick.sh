#!/usr/bin/env bash
# Puts Stadtblick and all that it needs from the internet onto a stick, or onto the card of a
# Raspberry Pi that was just flashed. See docs/install.md.
set -Eeuo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
source_folder=$(dirname "$here")
# That of Raspberry Pi OS Trixie
python_version=3.13

stop() {
  printf 'stick.sh: %s: %s\n' "$1" "$2" >&2
  exit 2
}

case ${1:---help} in
  -h | --help)
    printf 'Usage: systemd/stick.sh FOLDER [arm64|amd64]

Makes FOLDER/stadtblick, from which install.sh installs and updates without the internet. FOLDER is a
stick, or "bootfs" of a card: then it is installed at the first start of the card.
This computer needs the internet, and Python with pip.\n'
    exit 0
    ;;
esac
to=$1
case ${2:-arm64} in
  arm64) machine=aarch64 ;;
  amd64) machine=x86_64 ;;
  *) stop "there are no wheels for $2" "name arm64, which a Raspberry Pi has, or amd64" ;;
esac
[[ -d $to && -w $to ]] || stop "$to is no folder that can be written" "plug it in, and name its folder"
python3 -m pip --version >/dev/null 2>&1 ||
  stop "Python has no pip here" "sudo apt install python3-pip"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
requirements=$(python3 - "$source_folder/pyproject.toml" <<'PYTHON'
import sys
try:
    import tomllib
except ImportError:  # before Python 3.11
    from pip._vendor import tomli as tomllib
with open(sys.argv[1], "rb") as file:
    project = tomllib.load(file)
needs, extras = project["project"]["dependencies"], project["project"]["optional-dependencies"]
print(*project["build-system"]["requires"], *needs, *extras["page"], *extras["mqtt"], sep="\n")
PYTHON
)
printf 'Fetching packages for Python %s on %s …\n' "$python_version" "$machine"
mapfile -t requirements <<<"$requirements"
python3 -m pip download --quiet --dest "$work/stadtblick/wheels" --only-binary=:all: \
  --implementation cp --python-version "$python_version" \
  --platform "manylinux_2_28_$machine" --platform "manylinux_2_17_$machine" \
  --platform "manylinux2014_$machine" "${requirements[@]}" ||
  stop "the packages cannot be fetched" "check the connection to the internet, then run this again"
tar --create --directory="$source_folder" --exclude=__pycache__ \
  pyproject.toml README.md LICENSE scoring vision hardware firmware systemd |
  tar --extract --directory="$work/stadtblick"
# A stick with FAT keeps neither owners nor permissions
rm -rf "$to/stadtblick"
cp -r "$work/stadtblick" "$to/"
if [[ -e $to/cmdline.txt && -e $to/config.txt ]]; then
  cp "$here/first-boot" "$to/vendor-data"
  printf 'The card installs Stadtblick at its first start.\n'
else
  printf 'On the Raspberry Pi: sudo bash FOLDER-OF-THE-STICK/stadtblick/systemd/install.sh\n'
fi
sync
