# shellcheck shell=bash
# Makes an amd64 root one of arm64. To be sourced after common.sh; programs of arm64 have to run here.
#
# Packages are configured as those of this machine, then replaced by those of arm64: to configure them
# in qemu takes ten times as long. apt is of no use there afterwards.

# become_arm64 ROOT PACKAGE...: with these packages in addition
become_arm64() {
  local to=$1 file link
  shift
  # shellcheck disable=SC2016 # for the shell in the root
  in_root "$to" bash -c '
    set -Eeuo pipefail
    here=/opt/arm64
    mkdir -p "$here/state/lists/partial" "$here/cache/archives/partial"
    touch "$here/status"
    options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$here/state"
      -o "Dir::State::status=$here/status" -o "Dir::Cache=$here/cache"
      -o Dir::Etc::SourceParts=/dev/null)
    apt-get "${options[@]}" update
    # Some tools of this machine do not exist there, and others were made here
    mapfile -t packages < <(comm -12 <(dpkg-query --show --showformat="\${Package}\n" | sort -u) \
      <(apt-cache "${options[@]}" dumpavail | sed -n "s/^Package: //p" | sort -u) |
      grep -vxf <(sed -n "s/^Package: //p" /srv/raspberrypi-os/Packages))
    apt-get "${options[@]}" install --yes --download-only --no-install-recommends \
      "${packages[@]}" "$@" >/dev/null' bash "$@"

  # Packages have the folders that are mounted over
  unmount_inside "$to"
  rm -rf "${to:?}"/usr/lib/x86_64-linux-gnu "${to:?}"/{lib64,usr/lib64}
  for file in "$to"/opt/arm64/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$file" | tar --extract --directory="$to" --keep-directory-symlink
  done
  rm -rf "$to/opt/arm64"
  sed -i 's/^Architecture: amd64$/Architecture: arm64/' "$to/var/lib/dpkg/status"
  printf 'arm64\n' >"$to/var/lib/dpkg/arch"
  for file in "$to"/var/lib/dpkg/info/*:amd64.*; do mv "$file" "${file/:amd64./:arm64.}"; done
  # Libraries among which one is chosen, such as those for linear algebra: as on this machine
  for file in "$to"/var/lib/dpkg/alternatives/*-x86_64-linux-gnu; do
    link=$(sed -n 2p "$file")
    ln -sfn "$(readlink "$to/etc/alternatives/$(basename "$file")" | sed s/x86_64/aarch64/)" \
      "$to/${link/x86_64/aarch64}"
  done
  open_root "$to"
  in_root "$to" ldconfig
}
