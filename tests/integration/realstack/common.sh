# shellcheck shell=bash
# shellcheck disable=SC2034 # used where it is sourced
# What the scripts of the real stack have in common. To be sourced.

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
realstack=$checkout/tests/integration/realstack
# Outside of the checkout: a root is 2 GB, and of use to the next checkout too
cache=${STADTBLICK_REALSTACK_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/stadtblick/realstack}

certificates=/etc/ssl/certs/ca-certificates.crt

section() { printf '\n=== %s\n' "$*"; }
say() { printf '%s\n' "$*"; }

fail() {
  printf 'failed: %s\n' "$*" >&2
  exit 1
}

# skip WHY: ends the script well, but so that nobody takes it for a pass
skip() {
  local line='!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!'
  printf '\n%s\n!! SKIPPED, NOTHING WAS TESTED: %s\n!! %s\n%s\n' "$line" "${0##*/}" "$*" "$line"
  exit 0
}

# need_tools COMMAND=PACKAGE...: installs what is missing if apt can, skips the script if not
need_tools() {
  local pair missing=()
  [[ $(id -u) == 0 ]] || skip "a Debian root can be built by the superuser only: run it with sudo"
  for pair in "$@"; do
    command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  section "installing ${missing[*]}"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null; } ||
    skip "missing, and apt cannot install it: ${missing[*]}"
}

# The Debian mirror that this machine is set up with
mirror() {
  local uri
  # shellcheck disable=SC2016 # apt replaces it
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
    2>/dev/null | grep -v security | head -n 1) || true
  [[ -n $uri ]] || skip "apt on this machine knows no Debian mirror to take packages from"
  printf '%s\n' "$uri"
}

# The mounts of a root, innermost last; cleared when the script ends
mounts=()

mount_at() { # ARGUMENTS OF mount... TARGET
  mount "$@"
  mounts+=("${*: -1}")
}

unmount_all() {
  local at
  for ((at = ${#mounts[@]} - 1; at >= 0; at--)); do
    umount "${mounts[at]}" 2>/dev/null || umount --lazy "${mounts[at]}" || true
  done
  mounts=()
}

# unmount_inside ROOT: what open_root mounted there
unmount_inside() {
  local at kept=()
  for ((at = ${#mounts[@]} - 1; at >= 0; at--)); do
    if [[ ${mounts[at]} == "$1"/* ]]; then umount "${mounts[at]}"; else kept=("${mounts[at]}" "${kept[@]}"); fi
  done
  mounts=("${kept[@]}")
}

# open_root ROOT: mounts what programs in ROOT want, and lets them resolve names
open_root() {
  mount_at -t proc proc "$1/proc"
  mount_at -t sysfs -o ro sysfs "$1/sys"
  mount_at -t tmpfs -o mode=755 tmpfs "$1/dev"
  local node
  for node in null zero full random urandom tty; do
    touch "$1/dev/$node"
    mount_at --bind "/dev/$node" "$1/dev/$node"
  done
  mkdir "$1/dev/pts" "$1/dev/shm"
  mount_at -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$1/dev/pts"
  ln -s pts/ptmx "$1/dev/ptmx"
  ln -s /proc/self/fd "$1/dev/fd"
  mount_at -t tmpfs tmpfs "$1/dev/shm"
  # A link, as systemd leaves it, would lead to a file of the host
  rm -f "$1/etc/resolv.conf"
  cp -L /etc/resolv.conf "$1/etc/resolv.conf"
  # Mirrors are trusted there as they are here
  if [[ -s $certificates && -d $1/etc/ssl/certs ]]; then
    mount_at --bind -o ro "$certificates" "$1/etc/ssl/certs/ca-certificates.crt"
  fi
}

# in_root ROOT COMMAND...: runs it there with a plain environment; programs of aarch64 on the CPU that
# QEMU_CPU names
in_root() {
  local root=$1
  shift
  chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive PIP_ROOT_USER_ACTION=ignore \
    ${QEMU_CPU:+"QEMU_CPU=$QEMU_CPU"} PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_DEFAULT_TIMEOUT=180 \
    PIP_CERT="$certificates" "$@"
}

# build_shim SOURCE.c FOLDER: a library to be preloaded, FOLDER/SOURCE.so in $root
build_shim() {
  local name
  name=$(basename "$1" .c)
  cp "$1" "$root$2"
  in_root "$root" gcc -Wall -Wextra -Werror -O2 -shared -fPIC -o "$2/$name.so" "$2/$name.c"
}

# overlay_root BASE WORK: a root at WORK/root that begins as BASE; what is written goes to WORK
overlay_root() {
  mkdir -p "$2/upper" "$2/work" "$2/root"
  mount_at -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
}

# All that git would put into a commit of everything: no leftovers, no ignored files
copy_checkout_to() {
  mkdir -p "$1"
  (cd "$checkout" && git ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' path; do
      if [[ -e $path || -L $path ]]; then printf '%s\0' "$path"; fi
    done | tar --create --null --files-from=-) | tar --extract --directory="$1"
}
