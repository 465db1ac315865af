#!/usr/bin/env bash
# check_help.sh BUILD_DIR: checks that --help of each program has all sections and describes every
# option, and that the manual pages made from it have no errors.
set -euo pipefail

readonly build=$1
failures=0

complain() {
  echo "check_help: $*" >&2
  failures=$((failures + 1))
}

check_help() {
  local program=$1 text section line
  text=$("$build/$program" --help)
  for section in Usage Arguments Options 'Exit status' Files Examples 'See also'; do
    grep -q "^$section:" <<<"$text" || complain "$program --help has no section '$section'"
  done
  for line in '-h,' --version; do
    grep -q "^  $line" <<<"$text" || complain "$program --help does not tell $line"
  done
  # An option without description ends its line, and the next line is not a description.
  awk '/^  -/ && NF <= 2 { getline next_line; if (substr(next_line, 1, 20) !~ /^ +$/) print }' <<<"$text" |
    while read -r line; do echo "$program --help does not explain $line" >&2; exit 1; done ||
    complain "$program --help is not complete"
  [[ $("$build/$program" -h) == "$text" ]] || complain "$program -h and --help differ"
}

check_page() {
  local page=$build/man/$1.1 warnings
  [[ -e $page ]] || return 0 # made only if help2man is installed
  if command -v man >/dev/null; then
    warnings=$(MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)
    [[ -z $warnings ]] || complain "$page: $warnings"
  fi
  if command -v mandoc >/dev/null; then
    warnings=$(mandoc -T lint -W warning "$page") || complain "$page: $warnings"
  fi
}

for program in percussion percussion-report percussion-compare percussion-sweep percussion-converge \
  percussion-certify percussion-fc; do
  check_help "$program"
  check_page "$program"
done
((failures == 0)) && echo "help and manual pages are complete"
