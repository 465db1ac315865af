#!/usr/bin/env bash
# Make the pictures of the README from the shipped cases. Needs a built release preset.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=build/release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$programs/percussion" params/sliding_block.prm --output "$work/Fremond"
"$programs/percussion" params/sliding_block_classical.prm --output "$work/classical"
"$programs/percussion-report" "$work/Fremond" --warp 100 --time 0.3
"$programs/percussion-report" "$work/Fremond" "$work/classical" --time 0.3 --pictures "$work/both"
mkdir -p doc/pictures
cp "$work/Fremond/report/snapshot-0.png" doc/pictures/sliding_block.png
cp "$work/both/tangential_work.png" doc/pictures/
cp "$work/Fremond/report/energy.png" "$work/Fremond/report/balance.png" doc/pictures/
