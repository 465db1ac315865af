#!/usr/bin/env bash
# Make the pictures of the README and of doc/, and the table of numbers in doc/cases/README.md, from the
# shipped cases: some minutes. Needs a built release preset.
#
#   tools/make_pictures.sh [FOLDER]    existing results in FOLDER are used, missing ones are added
#
# PERCUSSION_REPORT names another percussion-report.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export OMP_NUM_THREADS=1
readonly program=$PWD/build/release/percussion
readonly reporter=${PERCUSSION_REPORT:-$PWD/build/release/percussion-report}

if (($# > 0)); then
  mkdir -p "$1"
  work=$(cd "$1" && pwd)
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
readonly work

# run FILE.prm GROUP/LABEL [OPTION...]: curves are labelled LABEL. The processor time goes beside the
# results, into GROUP/LABEL.seconds.
run() {
  local TIMEFORMAT=%U
  [[ ! -e $work/$2.seconds ]] || return 0
  mkdir -p "$work/${2%/*}"
  { time "$program" "$1" --output "$work/$2" "${@:3}" >&3 2>&4; } 3>&1 4>&2 2>"$work/seconds"
  mv "$work/seconds" "$work/$2.seconds"
}

# shipped CASE GROUP/LABEL: runs params/CASE.prm, whose numbers go into the tables.
shipped() {
  run "params/$1.prm" "$2"
  touch "$work/$2.shipped"
}

# again GROUP/LABEL OTHER: the results of GROUP/LABEL under another label in the same group.
again() { [[ -e $work/${1%/*}/$2 ]] || cp -r "$work/$1" "$work/${1%/*}/$2"; }

# case_of FOLDER: the name of the case of a run.
case_of() { sed -n 's/.*"case": "\(.*\)".*/\1/p' "$1/summary.json"; }

# report GROUP/LABEL... -- OPTION...: pictures of one run, labelled by its case, or of several in the same
# figures.
report() {
  local folders=() labels=()
  while (($# > 0)) && [[ $1 != -- ]]; do
    folders+=("$work/$1")
    labels+=(--label "${1#*/}")
    shift
  done
  if ((${#folders[@]} == 1)); then
    labels=(--label "$(case_of "${folders[0]}")")
  fi
  rm -rf "$work/pictures"
  "$reporter" "${folders[@]}" "${labels[@]}" --pictures "$work/pictures" --no-animation "${@:2}"
}

# animate GROUP/LABEL NAME FRAMES: the animation of a run into doc/pictures/NAME.gif.
animate() {
  rm -rf "$work/animation"
  "$reporter" "$work/$1" --label "$(case_of "$work/$1")" --pictures "$work/animation" --frames "$3"
  cp "$work/animation/animation.gif" "doc/pictures/$2.gif"
}

# keep PICTURE NAME: into doc/pictures/NAME.png.
keep() { cp "$work/pictures/$1.png" "doc/pictures/$2.png"; }

getting_started() {
  awk '/^```/ { name = ""; if (match($0, /file=[^ ]+/)) name = substr($0, RSTART + 5, RLENGTH - 5); next }
       name != "" { print >(folder "/" name) }' folder="$work" doc/getting_started.md
  run "$work/block.prm" block/block
  run "$work/block.prm" 'block/μ = 0' --set 'Contact/ground/Friction coefficient=0'
  run "$work/block.prm" 'block/μ = 0.8' --set 'Contact/ground/Friction coefficient=0.8'
  [[ -e $work/block/'μ = 0.4' ]] || cp -r "$work/block/block" "$work/block/μ = 0.4"
  report block/block -- --time 0.022 0.1 --field von_mises
  keep energy getting_started_energy
  keep snapshot-0 getting_started_contact
  keep snapshot-1 getting_started_flight
  report block/'μ = 0' block/'μ = 0.4' block/'μ = 0.8' -- --time 0.1
  keep total_energy getting_started_total_energy
}

hello_drop() {
  shipped hello_drop hello/hello_drop
  report hello/hello_drop -- --time 0.26 --field von_mises
  keep snapshot-0 hello_drop
  keep energy hello_drop_energy
}

two_blocks() {
  shipped two_blocks two/two_blocks
  report two/two_blocks -- --time 0.3 --field von_mises
  keep snapshot-0 two_blocks
  keep energy two_blocks_energy
}

taylor_bar() {
  shipped taylor_bar taylor/taylor_bar
  report taylor/taylor_bar -- --together --field von_mises --time 0,0.02,0.04,0.08
  keep snapshot-positions taylor_bar
  report taylor/taylor_bar -- --time 0.08
  keep energy taylor_bar_energy
}

# The sweep of steel_ball.md takes ten minutes.
plastic_impacts() {
  shipped steel_ball plastic/steel_ball
  [[ -e $work/plastic/sweep ]] || build/release/percussion-sweep params/steel_ball.prm --output "$work/plastic/sweep" \
    --vary "Constants/v=geometric(0.001, 2.048, 12)" --plot "e = sum(impact.percussion_y)*v/(2*kinetic[0]) - 1"
  shipped hopkinson_bar plastic/hopkinson_bar
  PYTHONPATH=build/release/python /usr/bin/python3 tools/plot_plastic_impacts.py "$work/plastic/steel_ball" \
    "$work/plastic/sweep" "$work/plastic/hopkinson_bar" doc/pictures
}

seal() {
  shipped seal seal/seal
  report seal/seal -- --together --field von_mises --time 0,0.5,0.8,1
  keep snapshot-positions seal
}

bracket_impact() {
  shipped bracket_impact bracket/bracket_impact
  report bracket/bracket_impact -- --time 0.24 --field von_mises --view=-50,25
  keep snapshot-0 bracket_impact
  report bracket/bracket_impact -- --time 0
  keep probe-tip bracket_impact_tip
  keep energy bracket_impact_energy
}

sliding_block() {
  shipped sliding_block sliding/Frémond
  shipped sliding_block_classical sliding/classical
  report sliding/Frémond -- --warp 100 --time 0.3 --field displacement
  keep snapshot-0 sliding_block
  keep mesh sliding_block_mesh
  keep energy energy
  keep balance balance
  keep statuses sliding_block_statuses
  report sliding/Frémond sliding/classical -- --time 0.3
  keep tangential_work tangential_work
  keep total_energy sliding_block_total_energy
}

bar_and_ball() {
  local body
  for body in bar ball; do
    shipped "${body}_impact" "$body/consistent"
    shipped "${body}_impact_redistributed" "$body/redistributed"
    report "$body/consistent" "$body/redistributed" -- --time 0
    keep forces "${body}_force"
  done
  report bar/consistent -- --time 0
  keep energy bar_energy
  shipped ball_impact_viscous ball/viscous
  report ball/redistributed -- --time 0.0075 --field velocity --warp 1
  keep snapshot-0 ball
  report ball/consistent -- --time 0
  keep energy ball_energy
  report ball/consistent ball/viscous -- --time 0
  keep total_energy ball_viscous_energy
}

rings() {
  shipped ring_impact ring/triangles
  shipped ring_impact_q4 ring/quadrilaterals
  shipped ring_fremond 'ring/Frémond, e = ½'
  report ring/triangles -- --field von_mises --time 0.5 1.14
  keep snapshot-0 ring_impact_early
  keep snapshot-1 ring_impact
  animate ring/triangles ring_impact 20
  keep energy ring_impact_energy
  keep statuses ring_impact_statuses
  report ring/quadrilaterals -- --field von_mises --time 1.14
  keep snapshot-0 ring_impact_q4
  report ring/triangles ring/quadrilaterals 'ring/Frémond, e = ½' -- --time 0
  keep total_energy ring_impact_total_energy

  shipped ring_rebound 'rebound/without friction or viscosity'
  shipped ring_rebound_friction rebound/friction
  shipped ring_rebound_viscous rebound/viscosity
  shipped ring_rebound_friction_viscous 'rebound/friction and viscosity'
  report 'rebound/without friction or viscosity' -- --field von_mises --time 5 10.6
  keep snapshot-0 ring_rebound_flat
  keep snapshot-1 ring_rebound_off
  report 'rebound/without friction or viscosity' rebound/friction rebound/viscosity \
    'rebound/friction and viscosity' -- --time 0
  keep total_energy ring_energy
}

# BBDM24, figures 3 to 6, with the paper's data; the impact alone after a flight of two steps.
ball_of_the_paper() {
  local -r schemes=(pdas-leapfrog signorini-midpoint penalty hauret equivalent-mass adapted-continuity)
  local scheme eta
  shipped ball_flight flight/pdas-leapfrog
  for scheme in "${schemes[@]}"; do
    run params/ball_flight.prm "flight/$scheme" --set "Time/Scheme=$scheme"
    run params/ball_flight.prm "hit/$scheme" --set "Time/Scheme=$scheme" \
      --set 'Mesh/Parameters=layers = 53, gap = 0.02' --set Time/End=0.03 --set 'Output/Number of instants=30'
  done
  report "${schemes[@]/#/flight/}" -- --time 0
  keep total_energy ball_flight_energy
  report "${schemes[@]/#/hit/}" -- --time 0
  keep total_energy ball_flight_impact
  keep forces ball_flight_force
  report hit/pdas-leapfrog -- --time 0 0.007 0.03 --field von_mises --warp 1
  keep snapshot-0 ball_flight_before
  keep snapshot-1 ball_flight_contact
  keep snapshot-2 ball_flight_after
  again flight/pdas-leapfrog 'η = 0'
  for eta in 1e6 5e6 2e7; do
    run params/ball_flight.prm "flight/η = $eta Pa s" --set "Material/Viscosity=$eta"
  done
  report flight/'η = 0' flight/'η = 1e6 Pa s' flight/'η = 5e6 Pa s' flight/'η = 2e7 Pa s' -- --time 0
  keep total_energy ball_flight_viscous_energy
}

# BBDM24, figures 7 to 11, with the paper's data.
ring_of_the_paper() {
  local case=params/ring_self_contact.prm scheme mu eta
  shipped ring_self_contact folded/pdas-leapfrog
  for scheme in adapted-continuity hauret equivalent-mass; do
    run $case "folded/$scheme" --set "Time/Scheme=$scheme"
  done
  run $case 'folded/hauret, nodes' --set Time/Scheme=hauret --set Contact/inside/Discretisation=nodes
  report folded/pdas-leapfrog -- --time 0.5 1.3 4 --field von_mises
  keep snapshot-0 ring_self_contact_early
  keep snapshot-1 ring_self_contact_folded
  keep snapshot-2 ring_self_contact_off
  report folded/pdas-leapfrog folded/adapted-continuity folded/hauret 'folded/hauret, nodes' \
    folded/equivalent-mass -- --time 0
  keep total_energy ring_self_contact_schemes
  again folded/pdas-leapfrog 'η = 0'
  again folded/pdas-leapfrog 'μ = 0'
  again folded/pdas-leapfrog 'μ = 0, η = 0'
  for mu in 0.1 0.2 0.3; do
    run $case "folded/μ = $mu" --set "Constants/friction=$mu"
  done
  for eta in 100 400; do # 1e-4 and 4e-4 MPa s
    run $case "folded/η = $((eta / 100))e-4 MPa s" --set "Material/Viscosity=$eta" \
      --set 'Material/Viscosity law=curnier'
    run $case "folded/μ = 0.1, η = $((eta / 100))e-4 MPa s" --set "Material/Viscosity=$eta" \
      --set 'Material/Viscosity law=curnier' --set Constants/friction=0.1
  done
  report folded/'η = 0' folded/'η = 1e-4 MPa s' folded/'η = 4e-4 MPa s' -- --time 0
  keep total_energy ring_self_contact_viscosity
  report folded/'μ = 0' folded/'μ = 0.1' folded/'μ = 0.2' folded/'μ = 0.3' -- --time 0
  keep total_energy ring_self_contact_friction
  report folded/'μ = 0, η = 0' folded/'μ = 0.1, η = 1e-4 MPa s' folded/'μ = 0.1, η = 4e-4 MPa s' -- --time 0
  keep total_energy ring_self_contact_both
}

# of_each_step CASE: percussions and velocities of the contacts of CASE with both laws.
of_each_step() {
  run "params/$1.prm" "$1-steps/Frémond" --set "Output/Number of instants=2000"
  run "params/$1_classical.prm" "$1-steps/classical" --set "Output/Number of instants=2000"
  report "$1-steps/Frémond" "$1-steps/classical" -- --time 0
  keep contact_velocity "$1_contact_velocity"
  keep percussions "$1_percussions"
}

stents() {
  local mu=(--set 'Contact/wall/Friction coefficient=0') stent=params/stent.prm
  again contact/stent 'μ = 0.2'
  run $stent 'contact/μ = 0' "${mu[@]}"
  run $stent 'contact/μ = 0.4' --set 'Contact/wall/Friction coefficient=0.4'
  report contact/'μ = 0' contact/'μ = 0.2' contact/'μ = 0.4' -- --time 1000
  keep energy_step stent_energy_step_friction
  again contact/'μ = 0' 'η = 1 MPa s'
  run $stent 'contact/η = 0.01 MPa s' "${mu[@]}" --set Material/Viscosity=10
  run $stent 'contact/η = 0.1 MPa s' "${mu[@]}" --set Material/Viscosity=100
  report contact/'η = 0.01 MPa s' contact/'η = 0.1 MPa s' contact/'η = 1 MPa s' -- --time 1000
  keep energy_step stent_energy_step_viscosity
}

stent_in_space() {
  shipped stent_in_space stents/stent_in_space
  report stents/stent_in_space -- --time 165 --field von_mises --view 45,25
  keep snapshot-0 stent_in_space
  keep energy stent_in_space_energy
}

bodies_against_bodies() {
  local case
  for case in two_bars colliding_blocks ring_crush stent hertz cattaneo; do
    shipped "$case" "contact/$case"
  done
  report contact/two_bars -- --time 10 --field von_mises
  keep energy two_bars_energy
  report contact/colliding_blocks -- --time 1.5e-4 --field von_mises
  keep snapshot-0 colliding_blocks
  animate contact/colliding_blocks colliding_blocks 16
  keep energy colliding_blocks_energy
  report contact/colliding_blocks -- --together --field von_mises \
    --time 0,4e-5,8e-5,1.2e-4,1.6e-4,2e-4,2.4e-4,2.8e-4,3.2e-4,3.6e-4
  keep snapshot-positions colliding_blocks_positions
  report contact/ring_crush -- --time 1.35 --field von_mises
  keep snapshot-0 ring_crush
  keep energy ring_crush_energy
  report contact/stent -- --time 1000 --field von_mises
  keep snapshot-0 stent
  keep energy stent_energy
  keep mesh stent_mesh
  stents
  shipped mortar_wall contact/mortar_wall
  PYTHONPATH=build/release/python /usr/bin/python3 tools/plot_mortar_wall.py "$work/contact/mortar_wall" doc/pictures
  PYTHONPATH=build/release/python /usr/bin/python3 tools/plot_closed_forms.py "$work/contact/hertz" "$work/contact/cattaneo" doc/pictures
}

in_space() {
  local case
  for case in box_slide sphere_impact bars_in_space tyre_drop rolling_disc; do
    shipped "$case" "space/$case"
  done
  report space/box_slide -- --time 0.26
  keep snapshot-0 box_slide
  keep footprint box_slide_contacts
  report space/sphere_impact -- --time 0.03 --field velocity --view=-120,12
  keep snapshot-0 sphere_impact
  keep footprint sphere_impact_contacts
  keep forces sphere_impact_force
  report space/bars_in_space -- --time 10 --field von_mises
  keep snapshot-0 bars_in_space
  report space/tyre_drop -- --time 0.0225
  keep snapshot-0 tyre_drop
  animate space/tyre_drop tyre_drop 20
  keep energy tyre_drop_energy
  report space/tyre_drop -- --time 0.0225 --cut 'x<0' --view=60,20
  keep snapshot-0 tyre_drop_cut
  report space/rolling_disc -- --time 0.5 --field velocity
  keep snapshot-0 rolling_disc
  keep energy rolling_disc_energy
}

# The first screen of a page, if there is Chromium.
report_page() {
  local -r page=$work/page
  "$reporter" "$work/space/box_slide" --label box_slide --pictures "$page"
  tests/report/open_page.sh "$page/index.html" --pictures "$page" || return 0
  PYTHONPATH=build/release/python /usr/bin/python3 - "$page/desktop-first.png" doc/pictures/report_page.png <<'END'
import sys
from PIL import Image
from percussion_report.images import VIRIDIS, few_colours

image = Image.open(sys.argv[1]).convert("RGB").resize((1000, 711), Image.Resampling.LANCZOS)
few_colours([image], VIRIDIS)[0].save(sys.argv[2], optimize=True)
END
}

rigid_bodies_in_space() {
  shipped spinning_top space/spinning_top
  report space/spinning_top -- --time 0.2
  keep snapshot-positions spinning_top
  shipped dominoes space/dominoes
  report space/dominoes -- --time 0.5
  keep snapshot-positions dominoes
  animate space/dominoes dominoes 40
  keep energy dominoes_energy
  run params/rock_wall.prm space/rock_wall_begins --set Time/End=0.002
  report space/rock_wall_begins -- --time 0 --view 30,20
  keep snapshot-positions rock_wall
  shipped rock_wall wall/Frémond # ten minutes each
  shipped rock_wall_classical wall/classical
  report wall/Frémond wall/classical -- --time 1.8,2.5 --view 30,20
  keep snapshot-0-positions rock_wall_hit
  keep works rock_wall_works
}

rigid_bodies() {
  shipped pillar pillar/pillar
  report pillar/pillar -- --time 0 1 2 3 4 4.5 5 6 10
  keep snapshot-positions pillar
  animate pillar/pillar pillar 24

  shipped grain_column grains/grain_column
  report grains/grain_column -- --time 0.8
  keep snapshot-positions grain_column
  run params/grain_column.prm grains/smooth --set Constants/mu_r=0
  report grains/smooth -- --time 0.8
  keep snapshot-positions grain_column_smooth

  shipped arch arch/arch
  report arch/arch -- --time 1
  keep snapshot-positions arch
  run params/arch.prm arch/falls --set Constants/thickness=0.1 --set Time/End=1.2
  report arch/falls -- --time 0.36 0.6 0.744 1.2
  keep snapshot-positions arch_falls

  shipped rocking_block rocking/Frémond
  shipped rocking_block_classical rocking/classical
  report rocking/Frémond rocking/classical -- --time 0
  keep total_energy rocking_block_energy
  keep rigid_bodies rocking_block_motion
  keep velocities rocking_block_velocities
  of_each_step rocking_block

  shipped impacting_stick stick/Frémond
  shipped impacting_stick_classical stick/classical
  report stick/Frémond stick/classical -- --time 0
  keep works impacting_stick_works
  keep velocities impacting_stick_velocities
  of_each_step impacting_stick
  report stick/Frémond -- --time 0 0.03 0.06 0.1 0.16 0.2
  keep snapshot-positions impacting_stick

  shipped bouncing_ball bouncing/bouncing_ball
  animate bouncing/bouncing_ball bouncing_ball 24
  report bouncing/bouncing_ball -- --time 0
  keep energy bouncing_ball_energy
  keep rigid_bodies bouncing_ball_motion
}

mkdir -p doc/pictures
getting_started
hello_drop
two_blocks
taylor_bar
plastic_impacts
seal
bracket_impact
stent_in_space
sliding_block
bar_and_ball
rings
ball_of_the_paper
ring_of_the_paper
bodies_against_bodies
rigid_bodies
in_space
rigid_bodies_in_space
report_page
python3 tools/make_case_tables.py "$work" doc/cases
