# shellcheck shell=bash
# Saying what was checked. To be sourced after common.sh.

passed=0

ok() {
  passed=$((passed + 1))
  printf 'ok   %s\n' "$*"
}

# check WHAT COMMAND...: ends the script, with the command's output, if it fails
check() {
  local what=$1 output
  shift
  if output=$("$@" 2>&1); then
    ok "$what"
  else
    printf '%s\n' "$output" | tail -n 40
    fail "$what"
  fi
}

# check_refused WHAT EXIT-CODE TEXT COMMAND...: it ends with that code and says that
check_refused() {
  local what=$1 expected=$2 text=$3 output code=0
  shift 3
  output=$("$@" 2>&1) || code=$?
  if [[ $code != "$expected" || $output != *"$text"* ]]; then
    printf '%s\n' "$output" | tail -n 40
    fail "$what: exit code $code, expected $expected and '$text'"
  fi
  ok "$what"
}
