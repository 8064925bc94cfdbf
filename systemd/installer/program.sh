# shellcheck shell=bash
# The program itself: one folder a release, and a link to the one in use. A release that was not
# finished, or does not start, never gets the link. To be sourced.

releases=/opt/stadtblick/releases
current=/opt/stadtblick/current

# release_name SOURCE: the name of the release, which depends on the sources and Python alone
release_name() {
  local version content
  version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$1/pyproject.toml" | head -n 1)
  content=$(cd "$1" && {
    python3 --version
    find pyproject.toml README.md LICENSE scoring vision hardware firmware -type f \
      ! -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
  } | sha256sum | cut -c1-10)
  printf '%s-%s\n' "$version" "$content"
}

# The name of the release in use; nothing without one
release_in_use() { basename "$(readlink "$current" 2>/dev/null || true)"; }

# build_release SOURCE NAME
build_release() {
  local folder=$releases/$2
  if [[ -e $folder/complete ]]; then
    same "release $2"
    return
  fi
  rm -rf "$folder"
  mkdir -p "$releases"
  quietly "the package python3-venv is needed" python3 -m venv --system-site-packages "$folder"
  local from=()
  # Made by stick.sh
  [[ ! -d $1/wheels ]] || from=(--no-index --find-links "$1/wheels")
  quietly "check the connection to the internet, then run this again" \
    "$folder/bin/pip" install --no-input "${from[@]}" "$1[page,mqtt]"
  quietly "see the log; what was in use before goes on" try_release "$folder"
  # The files first: else a power cut could leave a complete release of empty files
  sync --file-system "$folder"
  touch "$folder/complete"
  did "release $2"
}

# try_release FOLDER: whether its program starts and its libraries fit together
try_release() {
  "$1/bin/stadtblick" --version &&
    "$1/bin/python" -c '
import importlib.util

for library in ("numpy", "cv2", "picamera2", "gpiozero", "lgpio"):
    if library in ("numpy", "cv2") or importlib.util.find_spec(library):
        print(library, __import__(library).__file__)
    else:
        print(library, "is not installed")
'
}

# use_release NAME: in one step, so that there is a program at any moment
use_release() {
  if [[ $(release_in_use) == "$1" ]]; then
    same "$current leads to $1"
    return
  fi
  ln -sfn "$releases/$1" "$current.new"
  mv -T "$current.new" "$current"
  sync --file-system "$releases"
  did "$current leads to $1"
}

# remove_releases_but NAME...: removes all others, failed ones and old ones
remove_releases_but() {
  local folder name keep
  for folder in "$releases"/*; do
    [[ -d $folder ]] || continue
    name=$(basename "$folder")
    for keep in "$@"; do [[ $name != "$keep" ]] || continue 2; done
    rm -rf "$folder"
    did "removed release $name"
  done
}
