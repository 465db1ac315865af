#!/usr/bin/env bash
# percussion-report as a user has it: equal bytes from equal input, and what it says to bad input.
#
# Also whether the impulse in energy.csv is the one that a ball at rest must have got.
#
#   tests/report/program.sh PERCUSSION PERCUSSION_REPORT CASE FOLDER
#
# Leaves the run in FOLDER/run and its report in FOLDER/one.
set -euo pipefail
percussion=$1 report=$2 case=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

fail() {
  echo "program.sh: $*" >&2
  exit 1
}

# refused STATUS WORDS ARGUMENT...: the report ends with that status and says these words, in one
# line, without an output of another program's.
refused() {
  local status=0 said
  said=$("$report" "${@:3}" --no-animation --pictures "$folder/none" 2>&1) || status=$?
  [[ $status == "$1" ]] || fail "'${*:3}': status $status instead of $1: $said"
  [[ $said == *"$2"* ]] || fail "'${*:3}': '$2' is not in: $said"
  [[ $said == "percussion-report: "* || $said == *"--help"* ]] || fail "'${*:3}': $said"
}

# damaged NAME FILE: a copy of the run whose FILE is read from the standard input.
damaged() {
  cp -r run "$1"
  cat >"$1/$2"
}

"$percussion" "$case" --output run >/dev/null
for name in one two; do
  "$report" run --frames 4 --pictures "$name" >"$name.txt"
done
diff -r one two || fail "equal input gives different bytes"
for picture in animation.gif energy.png balance.png works.png tangential_work.png contacts.png \
  penetration.png forces.png statuses.png snapshot-0.png index.html; do
  [[ -s one/$picture ]] || fail "there is no $picture"
  grep --quiet --line-regexp "one/$picture" one.txt || fail "$picture is not told of"
done
[[ $(find one/frames -name 'frame-*.png' | wc -l) == 4 ]] || fail "there are not four frames"
"$report" run run --label a --label b --no-animation --time 0 --pictures overlay >/dev/null
[[ -s overlay/total_energy.png && ! -e overlay/animation.gif ]] || fail "no overlay"

# What the ground has given to a ball of 1 kg that has come to rest is its weight times 2 s.
"$percussion" "${case%/*}/bouncing_ball.prm" --output ball >/dev/null
awk -F, '/^step/ { for (i = 1; i <= NF; ++i) if ($i == "percussion_normal") c = i }
  END { exit !(c && ($c - 19.62)^2 < 1e-12) }' ball/energy.csv ||
  fail "the impulse is not that of the weight: $(tail -n 1 ball/energy.csv)"

mkdir empty
refused 2 "absent: no such folder" absent
refused 2 "is a file; give the output folder of a run" "$0"
refused 2 "is empty the output folder of a run?" empty
refused 2 "energy.csv: cannot be read" one
sed 's/^2,[^,]*,[^,]*,/2,0.1,nan,/' run/energy.csv | damaged nan energy.csv
refused 2 "'nan' is not a finite number" nan
head -c 100 run/energy.csv | damaged cut_header energy.csv
refused 2 "energy.csv" cut_header
head -c 300 run/solution.pvd | damaged cut_list solution.pvd
refused 2 "solution.pvd: is not a collection of VTK files" cut_list
head -c 900 run/solution-000000.vtu | damaged cut_mesh solution-000000.vtu
refused 2 "solution-000000.vtu: is not a VTK mesh" cut_mesh
head -c 900 run/contacts-000001.vtu | damaged cut_contacts contacts-000001.vtu
refused 2 "contacts-000001.vtu: is not a VTK mesh" cut_contacts
echo '{"status": ' | damaged bad_summary summary.json
refused 2 "summary.json: this file is damaged" bad_summary
refused 2 "seven" run --frames seven
refused 2 "1 labels for 2 outputs" run run --label a

# A folder cannot be made where a file has its name.
status=0
said=$("$report" run --pictures one/index.html/pictures 2>&1) || status=$?
[[ $status == 1 && $said == *"one/index.html/pictures: this folder cannot be made"* ]] ||
  fail "unwritable folder: status $status: $said"
echo "percussion-report: equal bytes, and every bad input is told"
