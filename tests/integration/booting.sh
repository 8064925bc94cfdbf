# shellcheck shell=bash
# The unit in a system that systemd boots. To be sourced by .ci/realstack, which sets $root.

lab=/opt/lab
rebooted=133 # systemd-nspawn's exit code for a machine that wants to be started anew

# Boots the root; ends when the lab has powered it off, or after a while. All of it is in a namespace of
# processes: systemd-nspawn that is killed leaves its machine running.
boot() { # ROOT SECONDS
  # shellcheck disable=SC2016 # for the inner shell
  unshare --mount --pid --fork --kill-child --mount-proc bash -c '
    mount --make-rprivate /
    umount --recursive /sys/fs/cgroup
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
    timeout --signal=KILL "$2" systemd-nspawn --quiet --register=no --keep-unit \
      --console=pipe --private-network --directory="$1" --boot' bash "$1" "$2" </dev/null
}

prepare_lab() {
  local units=$root/etc/systemd/system
  mkdir -p "$root$lab" "$units/stadtblick.service.d" "$units/multi-user.target.wants"
  build_shim "$realstack/fake_display/fake_i2c_bus.c" "$lab"
  cp "$realstack"/boot_lab/lab.sh "$realstack/fake_display/shown.py" \
    "$checkout/tests/hardware/fake_oled.py" "$root$lab/"
  cp "$realstack/boot_lab/lab.service" "$units/"
  cp "$realstack/boot_lab/lab.conf" "$units/stadtblick.service.d/"
  ln -sf ../lab.service "$units/multi-user.target.wants/lab.service"
  rm -f "$root/var/lib/stadtblick/incomplete-boots"
}

test_booting() {
  section "booted by systemd"
  prepare_virtual_camera
  prepare_lab
  unmount_inside "$root"

  local code=0
  boot "$root" 200 >"$work/boot.log" 2>&1 || code=$?
  if [[ $code == "$rebooted" ]]; then
    code=0
    boot "$root" 200 >>"$work/boot.log" 2>&1 || code=$?
  fi
  local log=$root$lab/log
  [[ -s $log ]] || { tail -n 40 "$work/boot.log"; fail "it did not boot"; }
  cat "$log"
  grep -qx "the lab is done" "$log" || { tail -n 40 "$work/boot.log"; fail "the lab did not end"; }
  ! grep -q "^not so" "$log" || fail "see above"
  [[ $code == 0 ]] || fail "the user of the service cannot switch the computer off ($code)"
  ok "the user of the service can switch the computer off"
  passed=$((passed + $(grep -c "^ok" "$log")))
  remove_lab
  open_root "$root"
}

remove_lab() {
  rm -rf "$root$lab" "$root/etc/systemd/system/stadtblick.service.d" \
    "$root"/etc/systemd/system/{,multi-user.target.wants/}lab.service
}
