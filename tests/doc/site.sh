#!/usr/bin/env bash
# Checks that the documentation site can be built without warnings and has no broken link.
#
#     site.sh REPOSITORY KATEX MATERIAL
#
# KATEX and MATERIAL are the folders of KaTeX and of the theme. Exit status 77, which CTest counts as
# skipped, if one of them or MkDocs is not installed. The reference of the API is not built.
set -euo pipefail

repository=${1:?usage: site.sh REPOSITORY KATEX MATERIAL}
if ! command -v mkdocs >/dev/null || [[ ! -d ${2:-} || ! -d ${3:-} ]]; then
  echo "skipped: mkdocs, mkdocs-material or libjs-katex is not installed"
  exit 77
fi
export PYTHONDONTWRITEBYTECODE=1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$repository/doc/site/collect_pages.py" "$repository" "$out" --katex "$2"
mkdocs build --quiet --config-file "$out/mkdocs.yml"
[[ -s $out/html/search/search_index.json ]]
"$repository/doc/site/check_links.py" "$out/html"
