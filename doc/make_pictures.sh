#!/usr/bin/env bash
# Make the pictures of the README and of doc/validation.md from the shipped cases: some minutes.
# Needs a built release preset.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=build/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run CASE NAME: runs params/CASE.prm; curves are labelled by NAME.
run() { "$programs/percussion" "params/$1.prm" --output "$work/$2"; }
# report NAME... -- OPTION...: pictures of one run or of several in the same figures.
report() {
  local folders=()
  for (( ; $# > 0; )); do
    [[ $1 == -- ]] && shift && break
    folders+=("$work/$1")
    shift
  done
  "$programs/percussion-report" "${folders[@]}" --pictures "$work/pictures" "$@"
}
# keep PICTURE NAME: into doc/pictures/NAME.png.
keep() { cp "$work/pictures/$1.png" "doc/pictures/$2.png"; }
mkdir -p doc/pictures

run sliding_block Fremond
run sliding_block_classical classical
report Fremond -- --warp 100 --time 0.3
keep snapshot-0 sliding_block
keep energy energy
keep balance balance
report Fremond classical -- --time 0.3
keep tangential_work tangential_work

run ring_impact ring_impact
report ring_impact -- --field von_mises --time 1.14
keep snapshot-0 ring_impact

run ring_rebound 'without friction or viscosity'
run ring_rebound_friction friction
run ring_rebound_viscous viscosity
run ring_rebound_friction_viscous 'friction and viscosity'
report 'without friction or viscosity' friction viscosity 'friction and viscosity' -- --time 0
keep total_energy ring_energy

run pillar pillar
report pillar -- --time 0 1 2 3 4 4.5 5 6 10
keep snapshot-positions pillar

run rocking_block rocking/Frémond
run rocking_block_classical rocking/classical
report rocking/Frémond rocking/classical -- --time 0
keep total_energy rocking_block_energy

for body in bar ball; do
  run "${body}_impact" "$body/consistent"
  run "${body}_impact_redistributed" "$body/redistributed"
  report "$body/consistent" "$body/redistributed" -- --time 0
  keep forces "${body}_force"
done
