# shellcheck shell=bash
# A card that was just flashed and that stick.sh has prepared: its first start, without any network.
# To be sourced by .ci/realstack, which sets $base, $work and $root.

card_lab=/opt/card-lab

test_card() {
  section "a fresh card that stick.sh has prepared, started without a network"
  local installed=$root
  mkdir "$work/card"
  overlay_root "$base" "$work/card"
  root=$work/card/root
  open_root "$root"
  flash_card
  check "stick.sh puts all of it onto the card" put_on_card
  prepare_card_lab
  unmount_inside "$root"

  cut_first_start
  local code=0
  boot "$root" 400 >"$work/card.log" 2>&1 || code=$?
  if [[ $code != "$rebooted" ]]; then
    tail -n 20 "$work/card.log" "$root/boot/firmware/stadtblick-install.txt" || true
    fail "the first start does not end with a restart ($code)"
  fi
  ok "the next start installs it after all and restarts"
  boot "$root" 200 >>"$work/card.log" 2>&1 || { tail -n 20 "$work/card.log"; fail "the third start"; }
  cat "$root$card_lab/log" || { tail -n 20 "$work/card.log"; fail "the third start did not come up"; }
  ! grep -q "^not so" "$root$card_lab/log" || fail "see above"
  grep -qx "the lab is done" "$root$card_lab/log" || fail "the lab did not end"
  passed=$((passed + $(grep -c "^ok" "$root$card_lab/log")))
  root=$installed
}

# cloud-init, which has begun to install it, does not do so again
cut_first_start() {
  local started machine
  boot "$root" 400 >"$work/card.log" 2>&1 &
  started=$!
  while kill -0 "$started" 2>/dev/null && ! compgen -G "$root/opt/stadtblick/releases/*/bin/pip" >/dev/null; do
    sleep 0.2
  done
  # The first process of its namespace, below unshare: none of the others outlives it
  machine=$(pgrep --parent "$started" | xargs --no-run-if-empty pgrep --parent) ||
    { tail -n 20 "$work/card.log"; fail "the first start has ended before it could be cut off"; }
  kill -KILL "$machine"
  wait "$started" || true
  check "the power is cut during the first start, and nothing is in use" \
    test ! -e "$root/opt/stadtblick/current"
}

# What Raspberry Pi OS with desktop has, and what Raspberry Pi Imager writes onto its boot partition
flash_card() {
  local wanted boot=$root/boot/firmware
  # shellcheck disable=SC2016 # for the inner shell
  mapfile -t wanted < <(bash -c '. "$1"; printf "%s\n" "${wanted_packages[@]}"' bash \
    "$checkout/systemd/installer/system.sh")
  # Our package of picamera2 brings the libraries from PyPI that the real one has from Debian
  in_root "$root" apt-get install -qq -y --no-install-recommends -o Dpkg::Options::=--force-overwrite \
    cloud-init "${wanted[@]}" >"$work/card.log" 2>&1 || { tail -n 30 "$work/card.log"; fail "apt"; }
  mkdir -p "$boot"
  printf 'dtparam=audio=on\ncamera_auto_detect=1\n' >"$boot/config.txt"
  printf 'console=tty1\n' >"$boot/cmdline.txt"
  printf 'instance-id: card\n' >"$boot/meta-data"
  cat >"$boot/user-data" <<'DATA'
#cloud-config
hostname: stadtblick
users:
  - name: maker
    groups: [users]
    shell: /bin/bash
DATA
  printf 'datasource_list: [NoCloud]\ndatasource: {NoCloud: {seedfrom: "file:///boot/firmware/"}}\n' \
    >"$root/etc/cloud/cloud.cfg.d/99_card.cfg"
}

put_on_card() {
  copy_checkout_to "$root/srv/stadtblick"
  in_root "$root" bash /srv/stadtblick/systemd/stick.sh /boot/firmware \
    "$(dpkg --print-architecture)" || return
  rm -r "$root/srv/stadtblick"
  test -s "$root/boot/firmware/vendor-data"
}

prepare_card_lab() {
  local units=$root/etc/systemd/system
  mkdir -p "$root$card_lab" "$units/stadtblick.service.d" "$units/multi-user.target.wants"
  build_shim "$realstack/fake_display/fake_i2c_bus.c" "$card_lab"
  cp "$realstack/card_lab/lab.sh" "$root$card_lab/"
  cp "$realstack/card_lab/lab.service" "$units/card-lab.service"
  cp "$realstack/card_lab/lab.conf" "$units/stadtblick.service.d/"
  ln -s ../card-lab.service "$units/multi-user.target.wants/card-lab.service"
}
