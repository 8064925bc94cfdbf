# shellcheck shell=bash
# The settings of the Raspberry Pi's firmware: buses and camera. To be sourced.

config_begin="# stadtblick begin: install.sh writes these lines, and --uninstall removes them"
config_end="# stadtblick end"

# without_block FILE: its text without our lines, and without the empty line before them
without_block() {
  awk -v begin="$config_begin" -v end="$config_end" '
    $0 == begin { inside = 1; held = 0; next }
    inside { if ($0 == end) inside = 0; next }
    held { print ""; held = 0 }
    $0 == "" { held = 1; next }
    { print }
    END { if (held) print "" }' "$1"
}

# has_setting FILE REGEX: whether a line outside of our block, not commented out, matches
has_setting() { without_block "$1" | grep -qE "^[[:space:]]*$2"; }

# wants_spi FILE: whether our block has SPI, from an earlier run
wants_spi() { grep -qxF 'dtparam=spi=on' <(sed -n "/^$config_begin\$/,/^$config_end\$/p" "$1"); }

# config_text FILE SPI: the new text of FILE; SPI is yes or no
config_text() {
  without_block "$1"
  printf '\n%s\n' "$config_begin"
  # For all models, whichever section the file ends with
  printf '[all]\n'
  printf 'dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n'
  [[ $2 == no ]] || printf 'dtparam=spi=on\n'
  # A setting of the owner takes precedence
  has_setting "$1" 'camera_auto_detect=' || printf 'camera_auto_detect=1\n'
  printf '%s\n' "$config_end"
}

# put_in_place NEW FILE: replaces FILE by NEW, safe against a power cut
put_in_place() {
  sync "$1"
  mv "$1" "$2"
  sync "$(dirname "$2")"
}
