# shellcheck shell=bash
# The scanner's own Wi-Fi, for where there is no other: a profile of NetworkManager that nobody but
# the scanner switches on. To be sourced.

hotspot_profile=/etc/NetworkManager/system-connections/stadtblick.nmconnection
# Name and password, for the display: the profile itself only the superuser may read
hotspot_key=/etc/stadtblick/hotspot

set_up_hotspot() {
  if [[ -e $hotspot_profile && -e $hotspot_key ]]; then
    same "$hotspot_profile"
    return
  fi
  if [[ ! -d ${hotspot_profile%/*} ]]; then
    note "there is no NetworkManager here, so the scanner can have no Wi-Fi of its own"
    return
  fi
  local name password
  name=Stadtblick-$(random_letters 0-9a-f 4)
  # Without letters that look alike on the display
  password=$(random_letters a-km-np-z2-9 10)
  mkdir -p "${hotspot_key%/*}"
  install --mode=640 --group=stadtblick /dev/null "$hotspot_key.stadtblick-new"
  printf '%s\n' "$name" "$password" >"$hotspot_key.stadtblick-new"
  put_in_place "$hotspot_key.stadtblick-new" "$hotspot_key"
  install --mode=600 /dev/null "$hotspot_profile.stadtblick-new"
  cat >"$hotspot_profile.stadtblick-new" <<PROFILE
[connection]
id=stadtblick
type=wifi
autoconnect=false

[wifi]
mode=ap
band=bg
ssid=$name

[wifi-security]
key-mgmt=wpa-psk
proto=rsn
pairwise=ccmp
group=ccmp
psk=$password

[ipv4]
method=shared

[ipv6]
method=disabled
PROFILE
  put_in_place "$hotspot_profile.stadtblick-new" "$hotspot_profile"
  # Where NetworkManager does not run, it loads the profile at the next boot
  nmcli connection load "$hotspot_profile" >>"$log" 2>&1 || true
  did "wrote $hotspot_profile"
}

random_letters() { # WHICH HOW-MANY
  local letters
  letters=$(head --bytes=4096 /dev/urandom | LC_ALL=C tr --delete --complement "$1")
  printf '%s' "${letters:0:$2}"
}

remove_hotspot() {
  ! systemd_runs || nmcli connection down id stadtblick >>"$log" 2>&1 || true
  remove "$hotspot_profile" "${hotspot_key%/*}"
  ! systemd_runs || nmcli connection reload >>"$log" 2>&1 || true
}
