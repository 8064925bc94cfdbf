#!/usr/bin/env bash
# build_debs.sh FOLDER, in a Debian 13 root: makes an apt repository with the Python packages that
# Raspberry Pi OS offers and Debian does not, from their releases on PyPI.
set -Eeuo pipefail
repository=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds lgpio with the C library inside, where PyPI has no wheel of it
export PYPI=1

# package NAME DEPENDS PYPI-NAME...: one .deb with these distributions and what only they need
package() {
  local name=$1 depends=$2 tree=$work/$1
  shift 2
  mkdir -p "$tree/usr/lib/python3/dist-packages" "$tree/DEBIAN"
  python3 -m pip install --quiet --break-system-packages --no-compile \
    --target "$tree/usr/lib/python3/dist-packages" "$@"
  # Imported by picamera2; Raspberry Pi OS has a package of it
  if [[ $name == python3-picamera2 ]]; then
    cp "$(dirname "$0")/pykms.py" "$tree/usr/lib/python3/dist-packages/"
  fi
  # These come from Debian
  rm -rf "$tree"/usr/lib/python3/dist-packages/{numpy,numpy-*,numpy.libs,PIL,pillow-*,pillow.libs,bin}
  local version
  version=$(python3 - "$tree/usr/lib/python3/dist-packages" "$1" <<'PYTHON'
import importlib.metadata as metadata, sys
print(next(d.version for d in metadata.distributions(path=[sys.argv[1]])
           if d.name.lower() == sys.argv[2].split("=")[0].lower()))
PYTHON
  )
  cat >"$tree/DEBIAN/control" <<CONTROL
Package: $name
Version: $version+pypi
Architecture: $(dpkg --print-architecture)
Maintainer: The Stadtblick maintainers <stadtblick@localhost>
Depends: $depends
Description: $1 from PyPI, for tests
CONTROL
  dpkg-deb --root-owner-group --build "$tree" "$repository" >/dev/null
}

package python3-picamera2 "python3, python3-numpy, python3-pil, python3-libcamera" picamera2
package python3-gpiozero "python3, python3-lgpio" gpiozero
package python3-lgpio "python3" lgpio

cd "$repository"
for deb in *.deb; do
  dpkg-deb --field "$deb"
  printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' \
    "$deb" "$(stat --format=%s "$deb")" "$(sha256sum "$deb" | cut -d' ' -f1)"
done >Packages
echo "deb [trusted=yes] file:$repository ./" >/etc/apt/sources.list.d/raspberrypi.list
apt-get update -qq
