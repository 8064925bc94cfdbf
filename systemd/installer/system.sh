# shellcheck shell=bash
# Parts of the system besides the program: packages, files, user, buses and camera. To be sourced.

# From the folder systemd/ of the sources : to where it is installed
system_files=(
  stadtblick.service:/etc/systemd/system/stadtblick.service
  stadtblick.socket:/etc/systemd/system/stadtblick.socket
  stadtblick-mqtt.service:/etc/systemd/system/stadtblick-mqtt.service
  stadtblick-reboot.service:/etc/systemd/system/stadtblick-reboot.service
  stadtblick.sysusers.conf:/etc/sysusers.d/stadtblick.conf
  stadtblick.tmpfiles.conf:/etc/tmpfiles.d/stadtblick.conf
  stadtblick.journald.conf:/etc/systemd/journald.conf.d/50-stadtblick.conf
  stadtblick.modules.conf:/etc/modules-load.d/stadtblick.conf
  stadtblick.polkit.rules:/etc/polkit-1/rules.d/50-stadtblick.rules
  60-stadtblick.rules:/etc/udev/rules.d/60-stadtblick.rules
)
command=/usr/local/bin/stadtblick

# Raspberry Pi OS Lite has some of these already
wanted_packages=(
  python3-venv python3-pip python3-numpy python3-pil
  python3-libcamera python3-picamera2 python3-gpiozero python3-lgpio python3-spidev
  polkitd i2c-tools
  # numpy multiplies several times quicker with it than with the system's own BLAS
  libopenblas0-pthread
  # Gives addresses to phones in the scanner's own Wi-Fi
  dnsmasq-base
)

systemd_runs() { [[ -d /run/systemd/system ]]; }

package_installed() {
  [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

package_offered() { [[ -n $(apt-cache madison "$1" 2>/dev/null) ]]; }

# After an interruption of dpkg, apt refuses to install anything
finish_packages() {
  local unfinished
  unfinished=$(dpkg --audit && find /var/lib/dpkg/updates -type f)
  [[ -n $unfinished ]] || return 0
  dpkg --configure --pending >>"$log" 2>&1 </dev/null || true
  apt-get check >>"$log" 2>&1 ||
    quietly "check the connection to the internet, then run this again" \
      env DEBIAN_FRONTEND=noninteractive apt-get --fix-broken --yes install
  did "finished packages that an interruption had left half-installed"
}

install_packages() {
  local name missing=() fetch=()
  finish_packages
  for name in "${wanted_packages[@]}"; do
    package_installed "$name" || missing+=("$name")
  done
  if [[ ${#missing[@]} == 0 ]]; then
    same "${#wanted_packages[@]} packages of the system"
    return
  fi
  if [[ -d $source_folder/wheels ]]; then # from a stick: perhaps without the internet
    if ! apt-get -o APT::Update::Error-Mode=any update >>"$log" 2>&1; then
      note "without the internet these packages stay missing, and what needs them will not work: ${missing[*]}"
      return
    fi
  else
    quietly "check the connection to the internet, then run this again" apt-get update
  fi
  for name in "${missing[@]}"; do
    if package_offered "$name"; then
      fetch+=("$name")
    else
      note "this system has no package $name (Raspberry Pi OS has): what needs it will not work"
    fi
  done
  [[ ${#fetch[@]} -gt 0 ]] || return 0
  quietly "check the connection to the internet, then run this again" \
    env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${fetch[@]}"
  did "installed ${fetch[*]}"
}

# install_file FROM TO MODE
install_file() {
  if cmp --silent "$1" "$2"; then
    same "$2"
    return
  fi
  mkdir -p "$(dirname "$2")"
  install --mode="$3" "$1" "$2.stadtblick-new"
  put_in_place "$2.stadtblick-new" "$2"
  did "wrote $2"
}

# install_system_files FOLDER
install_system_files() {
  local pair
  for pair in "${system_files[@]}"; do
    install_file "$1/${pair%%:*}" "${pair#*:}" 644
  done
  if command_is_foreign; then
    note "$command is not from here and stays as it is; use $current/bin/stadtblick"
  else
    install_file "$1/stadtblick-command.sh" "$command" 755
  fi
}

# True if the command of this name belongs to another program
command_is_foreign() {
  [[ -e $command || -L $command ]] && ! grep -qF "$current/bin/stadtblick" "$command"
}

make_user_and_folders() {
  local known=yes
  getent passwd stadtblick >/dev/null || known=no
  quietly "see the log" systemd-sysusers /etc/sysusers.d/stadtblick.conf
  if [[ $known == yes ]]; then same "user stadtblick"; else did "user stadtblick"; fi
  quietly "see the log" systemd-tmpfiles --create /etc/tmpfiles.d/stadtblick.conf
  let_in "$(whose_computer)"
}

# The person who installs it, else the first one that the computer knows; or nothing
whose_computer() {
  printf '%s' "${SUDO_USER:-$(getent passwd 1000 | cut -d: -f1 || true)}"
}

# let_in PERSON: may use the scanner's data and devices without sudo
let_in() {
  local group missing=()
  [[ -n $1 && $1 != root ]] || return 0
  for group in stadtblick gpio i2c spi video; do
    id -nG "$1" | grep -qw "$group" || missing+=("$group")
  done
  if [[ ${#missing[@]} == 0 ]]; then
    same "$1 may use the scanner's data and devices"
    return
  fi
  quietly "see the log" usermod --append --groups "$(IFS=,; echo "${missing[*]}")" "$1"
  did "$1 may use the scanner's data and devices, from the next login on; until then with sudo"
}

# set_firmware CONFIG-TXT SPI
set_firmware() {
  local spi=$2 text=$1.stadtblick-new
  if [[ ! -f $1 ]]; then
    note "there is no $1, so this is no Raspberry Pi: switch on the I2C bus by hand"
    return
  fi
  if wants_spi "$1"; then spi=yes; fi
  if has_setting "$1" 'camera_auto_detect=0'; then
    note "$1 has camera_auto_detect=0: your own settings of the camera stay"
  fi
  config_text "$1" "$spi" >"$text"
  if cmp --silent "$text" "$1"; then
    rm "$text"
    same "$1"
    return
  fi
  [[ -e $1.before-stadtblick ]] || cp --preserve "$1" "$1.before-stadtblick"
  put_in_place "$text" "$1"
  did "wrote $1 (as it was: $1.before-stadtblick)"
  reboot_needed=yes
}

reload_system() {
  if ! systemd_runs; then
    note "systemd does not run here: everything takes effect at the next boot"
    return
  fi
  quietly "see the log" systemctl daemon-reload
  quietly "see the log" systemctl --no-block try-restart systemd-journald.service
  udevadm control --reload >>"$log" 2>&1 || true # where udev does not run, at the next boot
  udevadm trigger --subsystem-match={gpio,i2c-dev,spidev,video4linux,media,dma_heap} \
    >>"$log" 2>&1 || true
  modprobe i2c-dev >>"$log" 2>&1 || true # not there before the reboot that switches the bus on
  did "systemd and udev use the new files"
}
