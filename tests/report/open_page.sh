#!/usr/bin/env bash
# Opens a report's page in headless Chromium without a network: see open_page.py.
#
#   tests/report/open_page.sh PAGE [--pictures FOLDER]
#
# Exit status: 0 no requests and no complaints; 1 at least one; 77 Chromium or Python is missing
# (Debian: apt install chromium python3).
set -euo pipefail

readonly skipped=77
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "open_page: skipped, there is no Chromium (Debian: apt install chromium)"
  exit "$skipped"
}
command -v python3 >/dev/null || {
  echo "open_page: skipped, there is no python3"
  exit "$skipped"
}

# The network is removed if that is permitted; requests of the page are reported in any case.
without_network=()
for attempt in "unshare --net" "unshare --user --map-root-user --net"; do
  read -ra words <<<"$attempt"
  if "${words[@]}" true 2>/dev/null; then
    without_network=("${words[@]}")
    break
  fi
done
((${#without_network[@]} > 0)) || echo "open_page: the network stays, it cannot be taken away here"

exec "${without_network[@]}" python3 "$(dirname "$0")/open_page.py" "$@" --chromium "$chromium"
