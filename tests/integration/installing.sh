# shellcheck shell=bash
# The installer in a Debian 13 that is like Raspberry Pi OS. To be sourced by .ci/realstack, which
# sets $root.

source_in_root=/home/maker/stadtblick

# As the person who owns the computer does it
# shellcheck disable=SC2120 # called through check_refused, too
installer() { in_root "$root" SUDO_USER=maker "$source_in_root/systemd/install.sh" "$@"; }

# What a Raspberry Pi has besides: the firmware's settings, and the sources in somebody's home
prepare_for_installing() {
  in_root "$root" useradd --create-home --groups users maker
  in_root "$root" useradd --create-home guest
  chmod 711 "$root/home/maker"
  copy_checkout_to "$root$source_in_root"
  mkdir -p "$root/boot/firmware"
  printf '# For more options see\ndtparam=audio=on\ncamera_auto_detect=1\n\n[cm5]\ndtoverlay=dwc2\n' \
    >"$root/boot/firmware/config.txt"
}

# Every file that the installer could touch, with its content
state_of_root() {
  (cd "$root" && find boot etc opt usr/local var/lib/stadtblick* home \
    ! -name '*.pyc' ! -path '*/__pycache__*' -printf '%p %y %m %u %l ' \
    \( -type f -exec sha256sum {} \; -o -printf '\n' \)) | LC_ALL=C sort
}

test_shell_scripts() {
  section "shell scripts"
  check "shellcheck finds nothing" shellcheck -x -a .ci/{run,release,realstack,opencv5} \
    systemd/{install,stick,stadtblick-command}.sh systemd/first-boot \
    tests/integration/{guest,emulated_aarch64}.sh \
    tests/integration/realstack/build_*.sh tests/integration/realstack/{boot,card}_lab/lab.sh \
    tests/integration/guest/*.sh
}

test_refusals() {
  section "install.sh refuses"
  check_refused "an unknown option" 2 "no option --fast" installer --fast
  check_refused "somebody who is not the superuser" 2 "write sudo" \
    in_root "$root" setpriv --reuid=65534 --clear-groups "$source_in_root/systemd/install.sh"
  local release=$root/etc/os-release
  mv "$release" "$release.trixie"
  printf 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n' >"$release"
  check_refused "Bookworm, with the reason" 2 "numpy" installer
  mv "$release.trixie" "$release"
  mv "$root$source_in_root/vision" "$root$source_in_root/vision-away"
  check_refused "sources that are not complete" 2 "lacks vision" installer
  mv "$root$source_in_root/vision-away" "$root$source_in_root/vision"
  check "nothing was changed by that" test ! -e "$root/opt/stadtblick"
}

test_failure_half_way() {
  section "install.sh fails half-way"
  check_refused "without the package index it stops and says where" 1 'stopped at "Program"' \
    in_root "$root" PIP_INDEX_URL=http://127.0.0.1:9/simple PIP_RETRIES=0 \
    "$source_in_root/systemd/install.sh"
  check "nothing half-done is in use" test ! -e "$root/opt/stadtblick/current"
  check "no service was switched on" test ! -e "$root/etc/systemd/system/stadtblick.service"
  kill_installer_at "*done *wrote*"
  check "killed later, it has nothing in use either" test ! -e "$root/opt/stadtblick/current"
}

# As after a power cut: whatever it has started ends with it
# kill_installer_at PATTERN: at the first line of the installer or its log that matches
kill_installer_at() {
  local said=$work/killed log=$root/var/log/stadtblick-install.log
  local line begun="" lines follower killed code=0
  touch "$log"
  rm -f "$work/lines"
  : >"$said"
  mkfifo "$work/lines"
  exec {lines}<>"$work/lines"
  tail --follow --lines=0 "$log" >"$work/lines" &
  follower=$!
  # shellcheck disable=SC2016 # for the inner shell
  unshare --pid --fork --kill-child bash -c 'source "$1"; in_root "$2" "$3"' bash \
    "$realstack/common.sh" "$root" "$source_in_root/systemd/install.sh" >"$work/lines" 2>&1 &
  killed=$!
  while kill -0 "$killed" 2>/dev/null; do
    # Line by line as they come: the last steps of the installer take a few milliseconds each
    if ! IFS= read -r -t 0.2 -u "$lines" line; then
      begun+=$line
      continue
    fi
    line=$begun$line begun=""
    printf '%s\n' "$line" >>"$said"
    # shellcheck disable=SC2053 # a pattern is meant
    if [[ $line == $1 ]]; then
      kill -KILL "$killed"
      break
    fi
  done
  wait "$killed" || code=$?
  kill "$follower"
  exec {lines}<&-
  [[ $code == 137 ]] || { tail -n 20 "$said"; fail "install.sh never came to '$1'"; }
  ok "install.sh is killed at '$1'"
}

# Later tests install it after all
test_kills() {
  section "install.sh is killed half-way"
  local moment
  for moment in "Unpacking*" "Setting up*" "+ *pip install*" "Installing collected*"; do
    kill_installer_at "$moment"
    check "nothing half-done is in use" test ! -e "$root/opt/stadtblick/current"
  done
}

test_installing() {
  section "install.sh installs"
  # shellcheck disable=SC2119
  installer || fail "install.sh"
  check "the program runs" in_root "$root" stadtblick --version
  check "it runs on picamera2, gpiozero and lgpio of the system" \
    in_root "$root" /opt/stadtblick/current/bin/python -c '
import picamera2, gpiozero, lgpio
for module in (picamera2, gpiozero, lgpio):
    assert module.__file__.startswith("/usr/lib/python3/dist-packages"), module'
  check "in a shell it works on the scanner's settings and editions, which the scanner may change" \
    one_set_of_data as_person maker
  check "so it does with sudo, also before the next login" one_set_of_data with_sudo
  check_refused "who is not in the group is told what to do" 2 "sudo adduser guest stadtblick" \
    as_person guest stadtblick editions
  # shellcheck disable=SC2016 # for the shell in the root
  check "the user is in the groups of the devices" in_root "$root" sh -c \
    'for group in gpio i2c spi video; do id -nG stadtblick | grep -qw $group || exit 1; done'
  # shellcheck disable=SC2016
  check "data belong to the scanner and its group alone" in_root "$root" sh -c \
    '[ "$(stat --format="%U %G %a" /var/lib/stadtblick)" = "stadtblick stadtblick 2770" ]'
  check "the bus of the display is switched on" \
    grep -qx dtparam=i2c_arm=on "$root/boot/firmware/config.txt"
  check "the service starts at each boot" \
    test -L "$root/etc/systemd/system/multi-user.target.wants/stadtblick.service"
  check "the unit files are without a complaint" unit_files_are_clean
  check "little of the system is exposed to the service" in_root "$root" systemd-analyze security \
    --offline=true --threshold=10 --no-pager stadtblick.service
  check "and to that of Home Assistant, which has the network" in_root "$root" systemd-analyze security \
    --offline=true --threshold=15 --no-pager stadtblick-mqtt.service
  in_root "$root" systemd-analyze security --offline=true --no-pager stadtblick.service |
    grep "Overall exposure"
  check "only the superuser may read the profile of its own Wi-Fi" test \
    "$(stat --format='%U %a' "$root/etc/NetworkManager/system-connections/stadtblick.nmconnection")" = "root 600"
  check "the scanner may read name and password" as_person stadtblick test -r /etc/stadtblick/hotspot
  check_refused "others may not" 1 "" as_person guest test -r /etc/stadtblick/hotspot
}

as_person() { # WHO COMMAND...: logged in
  local who=$1
  shift
  in_root "$root" setpriv --reuid="$who" --regid="$who" --init-groups env HOME="/home/$who" "$@"
}

with_sudo() { in_root "$root" SUDO_USER=maker "$@"; }

# one_set_of_data HOW...: runs commands so; they take files of the home and leave files there that
# belong to the person, and the scanner may change all that they stored
one_set_of_data() {
  local home=/home/maker data=/var/lib/stadtblick
  install -m 600 -o "$(in_root "$root" id -u maker)" "$root$source_in_root/firmware/data/between-two-cities.jpg" \
    "$root$home/private.jpg" || return
  "$@" stadtblick scan "$home/private.jpg" --out "$home/result" || [[ $? == 1 ]] || return
  cp -r "$root$source_in_root/vision/editions/built_in/cities" "$root$home/edition.mine" || return
  sed -i '2s/standard/of-test/' "$root$home/edition.mine/edition.toml" || return
  in_root "$root" chown -R maker "$home/edition.mine"
  "$@" stadtblick editions import "$home/edition.mine" || return
  "$@" stadtblick history export --json --out "$home/scans.json" || return
  in_root "$root" test -e "$data/editions/of-test" || return
  in_root "$root" sh -c "[ -z \"\$(find $home/*.* $home/result ! -user maker)\" ]" || return
  in_root "$root" setpriv --reuid=stadtblick --regid=stadtblick --init-groups \
    env STADTBLICK_HOME=$data /opt/stadtblick/current/bin/stadtblick editions remove of-test --yes || return
  rm -r "${root:?}$home"/{private.jpg,result,edition.mine,scans.json}
  find "$root$data" -mindepth 1 -delete
}

# systemd-analyze verify ends with 0 whatever it finds
unit_files_are_clean() {
  local said
  said=$(in_root "$root" systemd-analyze verify --man=no \
    /etc/systemd/system/stadtblick{,-reboot,-mqtt}.service /etc/systemd/system/stadtblick.socket 2>&1)
  printf '%s\n' "$said"
  [[ -z $said ]]
}

# By the commands of docs/install.md, onto a system where its user has another number
test_moving() {
  section "data are backed up and moved"
  local data=$root/var/lib/stadtblick
  printf 'language = "hu"\n' >"$data/settings.toml"
  in_root "$root" chown stadtblick:stadtblick /var/lib/stadtblick/settings.toml
  check "packed" in_root "$root" tar -czf /home/maker/data.tar.gz -C /var/lib stadtblick
  rm -r "$data"
  check "unpacked" in_root "$root" tar -xzf /home/maker/data.tar.gz -C /var/lib
  in_root "$root" chown -R 4711:4711 /var/lib/stadtblick
  check "made the scanner's again" in_root "$root" \
    systemd-tmpfiles --create /etc/tmpfiles.d/stadtblick.conf
  # shellcheck disable=SC2016 # for the shell in the root
  check "all of it" in_root "$root" sh -c '[ -z "$(find /var/lib/stadtblick ! -user stadtblick)" ] &&
    [ "$(stat --format=%a /var/lib/stadtblick)" = 2770 ]'
  check "for members of the group too" as_person maker grep -q hu /var/lib/stadtblick/settings.toml
  rm "$data/settings.toml" "$root/home/maker/data.tar.gz"
}

test_installing_twice() {
  section "install.sh once more"
  local before
  before=$(state_of_root)
  check_refused "it says that there was nothing to do" 0 "Nothing had to be changed" installer
  check "it changed nothing" test "$before" = "$(state_of_root)"
}

release_in_root() { basename "$(readlink "$root/opt/stadtblick/current")"; }

test_updating() {
  section "install.sh updates"
  local first data=$root/var/lib/stadtblick/settings.toml sources=$root$source_in_root
  first=$(release_in_root)
  printf 'language = "hu"\n' >"$data"
  printf 'raise SystemExit("broken")\n' >>"$sources/firmware/__init__.py"
  check_refused "a program that does not start is not put in use" 1 "what was in use before" installer
  check "the one before is in use" test "$(release_in_root)" = "$first"
  check "and runs" in_root "$root" stadtblick --version
  sed -i '$d' "$sources/firmware/__init__.py"
  printf '# newer\n' >>"$sources/firmware/cli.py"
  kill_installer_at "Installing collected*"
  check "after an update that was cut off the one before is in use" \
    test "$(release_in_root)" = "$first"
  check_refused "a newer program is put in use" 0 "Done" installer
  check "by the link" test "$(release_in_root)" != "$first"
  check "the one before is kept" test -e "$root/opt/stadtblick/releases/$first/complete"
  check "and no other" test "$(find "$root/opt/stadtblick/releases" -mindepth 1 -maxdepth 1 | wc -l)" = 2
  check "settings are as they were" grep -qx 'language = "hu"' "$data"
  check_refused "SPI is switched on if asked for" 0 "Done" installer --spi
  check_refused "and stays on" 0 "Nothing had to be changed" installer
  check "in the firmware's settings" grep -qx dtparam=spi=on "$root/boot/firmware/config.txt"
  rm "$data"
}

test_uninstalling() {
  section "install.sh --uninstall"
  printf 'language = "hu"\n' >"$root/var/lib/stadtblick/settings.toml"
  check_refused "it says what it did" 0 "removed /opt/stadtblick" installer --uninstall
  check "data stay" grep -qx 'language = "hu"' "$root/var/lib/stadtblick/settings.toml"
  check "nothing else does" nothing_is_left
  check "the firmware's settings are as they were" test \
    "$(tail -n 2 "$root/boot/firmware/config.txt")" = $'[cm5]\ndtoverlay=dwc2'
  check_refused "twice does no harm" 0 "was not installed" installer --uninstall
  check_refused "--purge removes data and user" 0 "removed the user" installer --uninstall --purge
  check "all of them" test ! -e "$root/var/lib/stadtblick"
}

nothing_is_left() {
  local left
  left=$(find "$root"/{boot,etc,opt,usr/local} -name '*stadtblick*')
  printf '%s\n' "$left"
  [[ -z $left ]]
}
