#!/usr/bin/env bash
# Prepares a release: compares its version and date in all files, builds, runs the tests, makes the
# Debian packages, the wheels and the site, and prints the commands that tag and publish it.
#
#   tools/release.sh            everything; nothing is tagged, pushed or uploaded
#   tools/release.sh --check    only compare versions and dates
#
# PERCUSSION_CMAKE_ARGS contains further arguments of CMake, such as -DPERCUSSION_MAINTAINER=...
set -euo pipefail

usage() {
  echo "usage: tools/release.sh [--check]" >&2
  exit 2
}

fail() {
  echo "release: $*" >&2
  exit 1
}

# Prints the version in the top CMakeLists.txt.
version_of_project() {
  sed -n 's/^project(Percussion VERSION \([^ )]*\).*/\1/p' CMakeLists.txt
}

# Checks that the first section of CHANGELOG.md has the version, and a date that is not in the future.
check_changelog() {
  local heading date
  heading=$(grep -m 1 '^## ' CHANGELOG.md) || fail "CHANGELOG.md: has no section"
  [[ $heading == "## $version ("*")" ]] ||
    fail "CHANGELOG.md: the first section is '$heading'; expected '## $version (YYYY-MM-DD)'"
  date=${heading#"## $version ("}
  date=${date%)}
  [[ $date =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] && date --date "$date" >/dev/null 2>&1 ||
    fail "CHANGELOG.md: '$date' is no date; expected YYYY-MM-DD"
  [[ ! $date > $(date --utc +%F) ]] || fail "CHANGELOG.md: the date $date is in the future"
}

# Checks that the clone is the commit that will be tagged.
check_clone() {
  [[ -z $(git status --porcelain) ]] || fail "there are changes without a commit: git status"
  ! git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null ||
    fail "there is a tag v$version already"
}

make_everything() {
  local arguments
  read -ra arguments <<<"${PERCUSSION_CMAKE_ARGS:-}"
  configure -DPERCUSSION_TESTS=ON "${arguments[@]}"
  build
  run_tests release
  build site
  cpack --config build/release/CPackConfig.cmake
  python3 -B tools/make_wheels.py build/release
}

print_next_commands() {
  echo
  sha256sum build/release/*_"$version"_*.deb build/release/wheels/*.whl
  echo "site      $PWD/build/release/doc/site/html"
  echo "tag       git tag --annotate v$version --message \"Percussion $version\" $(git rev-parse HEAD)"
  echo "publish   git push origin v$version"
}

[[ $# -eq 0 || ($# -eq 1 && $1 == --check) ]] || usage
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(version_of_project)
[[ -n $version ]] || fail "CMakeLists.txt: has no project(Percussion VERSION ...)"
python3 -B tests/package/check_metadata.py . || fail "the files above have other entries"
check_changelog
check_clone
echo "release: version $version, $(grep -m 1 '^## ' CHANGELOG.md | sed 's/.*(\(.*\))/\1/')"
[[ ${1:-} != --check ]] || exit 0
# shellcheck source=../cmake/quickstart.sh
source cmake/quickstart.sh
make_everything
print_next_commands
