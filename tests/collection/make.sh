#!/usr/bin/env bash
# Makes a collection of contact problems from the shipped cases, and packs it beside this script.
#
#   tests/collection/make.sh FOLDER [PROGRAM]
#
# FOLDER, new or empty, gets the files; PROGRAM is percussion (default: build/release/percussion).
set -euo pipefail
export LC_ALL=C OMP_NUM_THREADS=1

if [[ $# -lt 1 || $# -gt 2 ]]; then
  echo "usage: ${BASH_SOURCE[0]} FOLDER [PROGRAM]" >&2
  exit 2
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
percussion=$(realpath "${2:-$root/build/release/percussion}")
mkdir -p "$1"
folder=$(cd "$1" && pwd)
if [[ -n $(ls "$folder") ]]; then
  echo "$folder is not empty" >&2
  exit 2
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
began=$(date +%s)

# written FILE EVERY: prints step, contacts and iterations of the steps with written problems.
written() {
  awk -F, -v every="$2" '
    /^#/ { next }
    !n { for (n = 1; n <= NF; ++n) at[$n] = n; next }
    $at["step"] > 0 && $at["step"] % every == 0 && $at["contacts_active"] > 0 {
      print $at["step"], $at["contacts_active"], $at["solver_iterations"]
    }' "$1"
}

# choose COUNT: selects rows, half of them with the most iterations (for equal numbers with more
# contacts), and half of them evenly spaced in time.
choose() {
  local hard=$((($1 + 1) / 2)) all
  all=$(sort -k3,3nr -k2,2nr -k1,1n)
  awk -v n="$hard" 'NR <= n' <<<"$all"
  awk -v n="$hard" 'NR > n' <<<"$all" | sort -n | awk -v count="$(($1 - hard))" '
    { row[NR] = $0 }
    END {
      if (count > NR) count = NR
      for (i = 0; i < count; ++i) print row[int((i + 0.5) * NR / count) + 1]
    }'
}

# collect COUNT EVERY NAME CASE SETTING...: runs params/CASE.prm with the settings, writes the
# problem of each EVERY-th step, and takes COUNT of them as NAME-step000123.hdf5.
collect() {
  local count=$1 every=$2 name=$3 case=$4 run="$scratch/$3" setting step rows
  local arguments=(--set "Output/Number of instants=0" --set "Output/Contact problems=every $2")
  for setting in "${@:5}"; do
    arguments+=(--set "$setting")
  done
  "$percussion" "$root/params/$case.prm" "${arguments[@]}" --output "$run" >"$scratch/log" ||
    { cat "$scratch/log" >&2; exit 1; }
  rows=$(written "$run/energy.csv" "$every" | choose "$count")
  while read -r step _; do
    cp "$run/problems/step-$(printf %06d "$step").hdf5" \
      "$folder/$name-step$(printf %06d "$step").hdf5"
  done <<<"$rows"
  rm -r "$run"
  awk -v name="$name" '
    NR == 1 { low = $2 }
    { n += 1; sum += $2; if ($2 < low) low = $2; if ($2 > high) high = $2
      if ($3 > iterations) iterations = $3 }
    END { printf "%-28s %4d %6d to %3d %8.1f %10d\n", name, n, low, high, sum / n, iterations }' \
    <<<"$rows"
}

# HDF5 stores the time of creation in each dataset: version 1, then the seconds. Without these
# times, files of the same problems are equal.
remove_stamps() {
  BEGAN=$began perl -0777 -pi -e '
    BEGIN { $from = $ENV{BEGAN}; $to = time }
    s/(?<=\x01\0\0\0)(.{4})(?(?{ my $t = unpack("V", $1); $t < $from || $t > $to })(?!))/\0\0\0\0/gs
  ' "$folder"/*.hdf5
}

pack() {
  (cd "$folder" && printf '%s\n' *.hdf5 | sort) |
    tar -C "$folder" --files-from=- --mtime=@0 --owner=0 --group=0 --numeric-owner \
      --mode=u=rw,go=r --format=ustar -c |
    xz -9e -T1 >"$here/problems.tar.xz"
}

# of_contacts SETTING...: prints the settings for both contacts of the pillar, as lines.
of_contacts() {
  printf 'Contact/ground/%s\n' "$@"
  printf 'Contact/blocks/%s\n' "$@"
}
mapfile -t rough < <(of_contacts "Friction coefficient=0.6")
mapfile -t slippery < <(of_contacts "Friction coefficient=0.1")
mapfile -t classical < <(of_contacts "Impact law=newton-coulomb" "Restitution=0.5")
mapfile -t fremond < <(of_contacts "Impact law=fremond" "Restitution=0.5")
fremond+=("Time/Scheme=moreau-jean-fremond")
tall=("Rigid bodies/left half/Copies=15" "Rigid bodies/right half/Copies=15"
  "Rigid bodies/whole/Copies=15" "Time/Step=2e-3")

printf '%-28s %4s %13s %8s %10s\n' case n contacts mean iterations
collect 18 50 sliding_block sliding_block
collect 18 50 sliding_block_classical sliding_block_classical
collect 14 5 sliding_block_coarse sliding_block_classical Time/Step=1e-3 \
  "Contact/ground/Friction coefficient=0.3"
collect 14 3 ring_impact ring_impact
collect 12 3 ring_fremond ring_fremond
collect 12 5 ring_rebound_friction ring_rebound_friction Time/End=2
collect 6 1 ball_impact ball_impact
collect 4 1 ball_impact_friction ball_impact "Contact/ground/Friction coefficient=0.3" \
  "Initial state/Velocity x=5"
collect 6 1 bar_impact bar_impact
collect 5 1 rocking_block rocking_block
collect 5 1 rocking_block_classical rocking_block_classical
collect 3 1 impacting_stick impacting_stick
collect 3 1 impacting_stick_classical impacting_stick_classical
collect 24 5 pillar pillar Time/End=2.5
collect 18 5 pillar_fine pillar Time/End=0.5 Time/Step=1e-4
collect 18 1 pillar_coarse pillar Time/End=4 Time/Step=4e-3
collect 18 3 pillar_rough pillar "${rough[@]}" Time/End=2 Time/Step=1e-3
collect 12 3 pillar_slippery pillar "${slippery[@]}" Time/End=2 Time/Step=1e-3
collect 18 3 pillar_classical pillar "${classical[@]}" Time/End=2 Time/Step=1e-3
collect 16 3 pillar_fremond pillar "${fremond[@]}" Time/End=2 Time/Step=1e-3
collect 14 1 pillar_tall pillar "${tall[@]}" Time/End=1
collect 10 1 pillar_tall_classical pillar "${tall[@]}" "${classical[@]}" Time/End=0.5
remove_stamps
pack
echo "$(find "$folder" -name '*.hdf5' | wc -l) problems in $folder;" \
  "packed: $(stat -c %s "$here/problems.tar.xz") bytes"
