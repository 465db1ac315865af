#!/usr/bin/env bash
# From a bare Debian 12 or 13 to a first result, or to a tested build.
#
#   cmake/quickstart.sh run     install missing packages, build the programs and the Python modules,
#                               run an example, draw its pictures
#   cmake/quickstart.sh test    install missing packages, build everything, run all tests
#
# PERCUSSION_CMAKE_ARGS contains further arguments of CMake, e.g. -DPERCUSSION_WERROR=ON.
set -euo pipefail

readonly program_packages=(
  g++ cmake ninja-build mold
  libdeal.ii-dev libgmsh-dev libmuparser-dev libsuitesparse-dev liblapack-dev libopenblas0-pthread
  mpi-default-dev
  libhdf5-dev libvtk9-dev nlohmann-json3-dev libcli11-dev
  pybind11-dev python3-dev python3-numpy python3-matplotlib python3-pil python3-jinja2
)
readonly test_packages=(
  libfclib-dev libgtest-dev libcgal-dev python3-scipy python3-h5py python3-meshio
  help2man doxygen # manual pages, reference of the API
  dpkg-dev file # Debian packages
  xvfb # pictures by VTK, whose module comes with libvtk9-dev
)

usage() {
  echo "usage: cmake/quickstart.sh run|test"
  echo "  run   install missing packages, build the programs and the Python modules, run an example,"
  echo "        draw its pictures"
  echo "  test  install missing packages, build everything, run all tests"
}

say() {
  echo "quickstart: $*"
}

fail() {
  say "$*" >&2
  exit 1
}

is_installed() {
  local status
  status=$(dpkg-query --show --showformat ' ${db:Status-Status} ' "$1" 2>/dev/null) || return 1
  [[ $status == *" installed "* ]]
}

# Prints the packages that are not installed on one line.
missing_of() {
  local package
  for package in "$@"; do
    is_installed "$package" || echo -n "$package "
  done
}

# install_missing PACKAGE...: installs the packages that are missing.
install_missing() {
  [[ -e /proc/self/exe ]] || fail "/proc is not mounted here: mount -t proc proc /proc"
  { command -v dpkg-query && command -v apt-get; } >/dev/null ||
    fail "this needs Debian or a relative of it (dpkg and apt); elsewhere install by hand: $*"
  local missing as_root=()
  read -ra missing <<<"$(missing_of "$@")"
  ((${#missing[@]} > 0)) || return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "neither root nor sudo is at hand; let an administrator install: ${missing[*]}"
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
    apt-get --quiet --option Dpkg::Use-Pty=0)
  "${as_root[@]}" update
  say "installing ${missing[*]}"
  # apt-get prints the sizes of all packages, and --assume-no ends it there with status 1.
  { "${as_root[@]}" install --assume-no --no-install-recommends "${missing[@]}" || true; } |
    sed -n -E '/^(Need to get|After this operation)/s/^/quickstart: /p'
  "${as_root[@]}" install --yes --no-install-recommends "${missing[@]}"
}

# Prints the number of processors. nproc alone would print the number of threads in OMP_NUM_THREADS.
processors() {
  env -u OMP_NUM_THREADS nproc
}

# Prints the number of parallel compilers: one for each processor, at most one for 2 GB of memory.
build_jobs() {
  local cores room
  cores=$(processors)
  room=$(awk '/^MemAvailable:/ { print int($2 / 2e6) }' /proc/meminfo 2>/dev/null) || room=$cores
  ((room > 0)) || room=1
  echo $((room < cores ? room : cores))
}

# configure ARGUMENT...: configures the build with these arguments of CMake.
configure() {
  local arguments
  read -ra arguments <<<"${PERCUSSION_CMAKE_ARGS:-}"
  cmake --preset release -DCMAKE_UNITY_BUILD=ON "$@" "${arguments[@]}"
}

# build [TARGET...]: builds these targets, or everything.
build() {
  cmake --build --preset release --parallel "$(build_jobs)" ${1:+--target "$@"}
}

run_example() {
  build/release/percussion params/sliding_block.prm
  build/release/percussion-report output/sliding_block --warp 100 --time 0.3
  say "results   $PWD/output/sliding_block"
  say "pictures  $PWD/output/sliding_block/report (open index.html)"
}

# run_tests PRESET CTEST_ARGUMENT...: runs tests; the whole output is in build/PRESET-tests.xml.
run_tests() {
  ctest --preset "$1" --parallel "$(processors)" \
    --output-junit "$PWD/build/$1-tests.xml" \
    --test-output-size-passed 10000000 --test-output-size-failed 10000000 "${@:2}"
}

main() {
  if [[ $# -ne 1 || ! $1 =~ ^(run|test)$ ]]; then
    usage >&2
    exit 2
  fi
  cd "$(dirname "${BASH_SOURCE[0]}")/.."
  local options=()
  case $1 in
    run)
      install_missing "${program_packages[@]}"
      # Tests need further packages. An existing build keeps its tests.
      [[ -e build/release/build.ninja ]] || options=(-DPERCUSSION_TESTS=OFF)
      configure "${options[@]}"
      build programs
      run_example
      ;;
    test)
      install_missing "${program_packages[@]}" "${test_packages[@]}"
      configure -DPERCUSSION_TESTS=ON
      build
      run_tests release
      ;;
  esac
}

# If sourced, this file only defines its functions.
if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  main "$@"
fi
