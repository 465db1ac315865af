#!/usr/bin/env bash
# The reference of the API can be made, without a warning.
#
#     doxygen.sh BUILD/doc
#
# Takes the Doxyfile in there and makes the reference in a folder of its own. Exit status 77, which
# CTest takes for skipped, where Doxygen is not installed.
set -euo pipefail

folder=${1:?usage: doxygen.sh FOLDER_OF_THE_DOXYFILE}
if ! command -v doxygen >/dev/null; then
  echo "skipped: doxygen is not installed"
  exit 77
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
{
  cat "$folder/Doxyfile"
  echo "OUTPUT_DIRECTORY = $out"
} | doxygen -
[[ -s $out/html/index.html ]]
