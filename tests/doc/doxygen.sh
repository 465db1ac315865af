#!/usr/bin/env bash
# Checks that the reference of the API can be made without warnings.
#
#     doxygen.sh BUILD/doc
#
# Uses the Doxyfile in BUILD/doc and a separate output folder. Exit status 77, which CTest counts as
# skipped, if Doxygen is not installed.
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
