#!/usr/bin/env bash
# check_install.sh BUILD_DIR: installs a build, moves the installation, and uses it there: the
# programs, a shipped case, the report on it, and the libraries in the example of
# doc/examples/library. All files are in a temporary folder, whose name has a blank.
set -euo pipefail

fail() {
  echo "check_install: $*" >&2
  exit 1
}

[[ $# -eq 1 && -f $1/CMakeCache.txt ]] || fail "usage: check_install.sh BUILD_DIR"
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp --directory "${TMPDIR:-/tmp}/percussion install.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
readonly build source scratch
readonly first="$scratch/first place" prefix="$scratch/moved here"

install_and_move() {
  cmake --install "$build" --prefix "$first" --strip >"$scratch/install.log"
  mv "$first" "$prefix"
}

# No installed file names the source or build folder.
check_paths() {
  local path
  for path in "$build" "$source" "$first"; do
    grep --recursive --files-with-matches --fixed-strings -e "$path" "$prefix" &&
      fail "these files hold the path $path"
  done
  echo "no path of source, build or first place is in what was installed"
}

check_programs() {
  local program
  for program in percussion percussion-report percussion-compare percussion-sweep \
    percussion-converge percussion-certify percussion-fc; do
    "$prefix/bin/$program" --version
    "$prefix/bin/$program" --help >/dev/null
    if command -v help2man >/dev/null; then
      [[ -s $prefix/share/man/man1/$program.1 ]] || fail "there is no $program.1"
    fi
  done
}

check_editors() {
  local file
  for file in percussion/editors/percussion.schema.json percussion/editors/vscode/package.json \
    vim/vimfiles/syntax/percussion.vim vim/vimfiles/ftdetect/percussion.vim; do
    [[ -s $prefix/share/$file ]] || fail "there is no share/$file"
  done
}

# The folder of the cases is read-only; results are written in the working folder.
check_case() {
  local case=hello_drop
  chmod -R a-w "$prefix/share"
  mkdir "$scratch/work"
  (
    cd "$scratch/work"
    "$prefix/bin/percussion" "$prefix/share/percussion/params/$case.prm" | tail -n 1
    [[ $(find . -maxdepth 2 -mindepth 2) == ./output/$case ]] || fail "results are elsewhere"
    "$prefix/bin/percussion-report" "output/$case" | tail -n 1
    [[ -s output/$case/report/index.html ]] || fail "there is no page"
    "$prefix/bin/percussion-sweep" "$prefix/share/percussion/params/$case.prm" --set Time/End=0.01 \
      --vary Time/Step=1e-3,5e-4 | tail -n 1
    [[ -s output/$case-sweep/sweep.csv ]] || fail "there is no table of the sweep"
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$prefix/lib/python3/dist-packages \
      /usr/bin/python3 -c 'import percussion, sys; print(percussion.read(sys.argv[1]))' "output/$case"
  )
  chmod -R u+w "$prefix/share"
}

# configure NAME ARGUMENT...: configures the example in a build folder of this name.
configure() {
  cmake -S "$source/doc/examples/library" -B "$scratch/$1" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$prefix" "${@:2}" >"$scratch/$1.log" 2>&1
}

check_library() {
  configure cone -DWITH_CASES=OFF || fail "$(cat "$scratch/cone.log")"
  ! grep -q '^deal.II_DIR' "$scratch/cone/CMakeCache.txt" || fail "component cone looks for deal.II"
  cmake --build "$scratch/cone" >"$scratch/cone.log" || fail "$(cat "$scratch/cone.log")"
  local program
  for program in contact_problem contact_problem_c; do
    "$scratch/cone/$program"
    ! ldd "$scratch/cone/$program" | grep -iE 'mpi|deal|trilinos|vtk|gmsh' ||
      fail "$program needs more than the solvers"
  done

  # Every named library must exist; doc/install.md builds and runs energy_ledger.
  configure cases || fail "$(cat "$scratch/cases.log")"
}

# The solvers in Python, if the module was built and SciPy is installed.
check_python() {
  local modules=$prefix/lib/python3/dist-packages
  compgen -G "$modules/percussion_cone*.so" >/dev/null || return 0
  /usr/bin/python3 -c 'import numpy, scipy' 2>/dev/null || return 0
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$modules \
    /usr/bin/python3 "$prefix/share/doc/percussion/doc/examples/contact_problem.py"
}

# Unavailable components are refused with a reason.
check_refusals() {
  mkdir "$scratch/wrong"
  refuse 'COMPONENTS bricks' "no component 'bricks'"
  refuse '99.0' 'version: 0'
}

# refuse ARGUMENTS REASON: expects that find_package fails with this reason
refuse() {
  printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(Wrong LANGUAGES C CXX)' \
    "find_package(Percussion $1 REQUIRED)" >"$scratch/wrong/CMakeLists.txt"
  if cmake -S "$scratch/wrong" -B "$scratch/wrong/build" -G Ninja \
    -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/wrong.log" 2>&1; then
    fail "find_package(Percussion $1) is not refused"
  fi
  tr -s ' \n' ' ' <"$scratch/wrong.log" | grep -q -e "$2" || fail "$(cat "$scratch/wrong.log")"
}

install_and_move
check_paths
check_programs
check_editors
check_case
check_library
check_python
check_refusals
echo "check_install: all is well"
