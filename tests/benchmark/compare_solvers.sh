#!/usr/bin/env bash
# Compares the cone solvers with each other and with the solvers of Siconos numerics, on the collection of
# contact problems, on stacks in 3D and on assemblies of rigid bodies: same files, same tolerance, one thread.
#
#     tests/benchmark/compare_solvers.sh OUT [TOLERANCE [FOLDER]]
#
# Writes OUT/plane, OUT/stacks and OUT/assemblies with profile.png, profile.csv and results.csv, and OUT/table.md;
# Also writes OUT/others for the files *.hdf5 and *.dat of FOLDER, such as the test data of Siconos numerics.
# Siconos is no dependency: its solvers are omitted if libsiconos-numerics-dev is not installed.
# Existing files OUT/*-siconos.csv are reused.
# Takes about an hour of processor time, nearly all for solvers that do not end.
set -euo pipefail

out=${1:?usage: compare_solvers.sh OUT [TOLERANCE [FOLDER]]}
tolerance=${2:-1e-8}
others=${3:-}
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$repository/build/release
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

make_programs() {
  local siconos=OFF
  [[ -e /usr/include/siconos/numerics/NonSmoothDrivers.h ]] && siconos=ON
  (cd "$repository" && cmake --preset release -DPERCUSSION_SICONOS=$siconos)
  cmake --build "$build" --target percussion-fc stack_problems
  if [[ $siconos == ON ]]; then
    cmake --build "$build" --target siconos_benchmark
  else
    echo "libsiconos-numerics-dev is not installed: comparing our own solvers only"
  fi
}

# compare NAME SECONDS: writes profiles of the problems in OUT/NAME-problems.
compare() {
  local problems=$out/$1-problems time_limit=$2 with=() files
  mapfile -t files < <(find "$problems/" -name '*.hdf5' -o -name '*.dat' | sort)
  if [[ -x $build/siconos_benchmark ]]; then
    [[ -e $out/$1-siconos.csv ]] || "$build/siconos_benchmark" "$tolerance" "$time_limit" "$out/$1-siconos.csv" "${files[@]}"
    with=(--with "$out/$1-siconos.csv")
  fi
  "$build/percussion-fc" "$problems" --solver all \
    --tolerance "$tolerance" --time-limit "$time_limit" --json "$out/$1.json" \
    --compare "$out/$1" "${with[@]}" >"$out/$1.txt"
  "$build/percussion-report" "$out/$1"
}

# Fraction solved and times of each solver, and the cases in which auto is faster, from both tables.
summarise() {
  local tables=("$out/$1/results.csv")
  [[ -e $out/$1-siconos.csv ]] && tables+=("$out/$1-siconos.csv")
  python3 "$repository/tests/benchmark/summarise.py" "$1" "${tables[@]}"
}

mkdir -p "$out"/{plane,stacks,assemblies}-problems
make_programs
tar -xJf "$repository/tests/collection/problems.tar.xz" -C "$out/plane-problems"
"$build/stack_problems" "$out/stacks-problems" >/dev/null
rm -f "$out"/stacks-problems/global-*
"$build/stack_problems" "$out/assemblies-problems" assemblies >/dev/null
[[ -n $others ]] && ln -sfn "$(realpath "$others")" "$out/others-problems"
for name in plane:1 stacks:1 assemblies:2 ${others:+others:2}; do
  compare "${name%:*}" "${name#*:}"
  summarise "${name%:*}"
done | tee "$out/table.md"
