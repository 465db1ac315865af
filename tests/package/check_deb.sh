#!/usr/bin/env bash
# check_deb.sh BUILD_DIR [PICTURES]: installs percussion_*.deb of a build in a bare Debian of this
# machine's release, and an ordinary user there runs the ring and the report on it. The pictures are
# copied to the folder PICTURES if there is one.
#
# Needs root, debootstrap, lintian and the network; PERCUSSION_MIRROR names a mirror other than
# the default of debootstrap. Takes some minutes, and 3 GB in TMPDIR.
set -euo pipefail

fail() {
  echo "check_deb: $*" >&2
  exit 1
}

[[ $# -ge 1 && -f $1/CMakeCache.txt ]] || fail "usage: check_deb.sh BUILD_DIR [PICTURES]"
((EUID == 0)) || fail "only root can make a root to install into"
build=$(cd "$1" && pwd)
root=$(mktemp --directory "${TMPDIR:-/tmp}/percussion-deb.XXXXXX")
chmod 755 "$root" # an ordinary user needs access
readonly build root pictures=${2:-}

# The folder is not removed while the machine's own /proc is mounted in it.
clean_up() {
  if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
  mountpoint -q "$root/proc" || rm -rf --one-file-system "$root" "$root.log"
}
trap clean_up EXIT

inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@"
}

as_user() {
  inside su --login tester --command "$1"
}

# was_found VARIABLE: true if CMake has found this program or folder.
was_found() {
  grep -q "^$1:[A-Z]*=/" "$build/CMakeCache.txt"
}

# The package has the site if and only if MkDocs, its theme and KaTeX were found.
check_pages() {
  local expected=no has=no
  if was_found MKDOCS_PROGRAM && was_found MKDOCS_MATERIAL_DIR && was_found KATEX_DIR; then expected=yes; fi
  if dpkg-deb --contents "$build"/percussion_*.deb |
    grep ' ./usr/share/doc/percussion/html/index\.html$' >/dev/null; then has=yes; fi # -q would end dpkg-deb
  [[ $has == "$expected" ]] || fail "html/index.html in the package: $has; expected: $expected"
  echo "pages of HTML: $has"
}

bare_debian() {
  local release
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  debootstrap --variant=minbase "$release" "$root" ${PERCUSSION_MIRROR:+"$PERCUSSION_MIRROR"} \
    >"$root.log" 2>&1 ||
    { tail "$root.log"; fail "debootstrap has failed"; }
  mount -t proc proc "$root/proc"
  inside useradd --create-home --shell /bin/bash tester
  inside apt-get --quiet=2 update
}

install_package() {
  local before after
  cp "$build"/percussion_*.deb "$root/root/"
  before=$(inside dpkg-query --show | wc -l)
  inside sh -c 'apt-get --quiet --yes --no-install-recommends --simulate install /root/percussion_*.deb' |
    grep -E 'newly installed'
  inside sh -c 'apt-get --quiet --yes -o Dpkg::Use-Pty=0 install /root/percussion_*.deb' \
    >"$root/install.log" 2>&1 || { tail -n 30 "$root/install.log"; fail "it cannot be installed"; }
  grep -E 'newly installed|Need to get|After this' "$root/install.log"
  after=$(inside dpkg-query --show | wc -l)
  echo "packages: $before before, $after after"
}

run_ring() {
  as_user 'percussion --version && percussion /usr/share/percussion/params/ring_impact.prm | tail -n 3'
  as_user 'percussion-report output/ring_impact'
  if [[ -n $pictures ]]; then
    mkdir -p "$pictures"
    cp "$root/home/tester/output/ring_impact/report/"*.* "$pictures"
  fi
}

# The removed package leaves no files.
remove_package() {
  inside apt-get --quiet=2 --yes -o Dpkg::Use-Pty=0 purge percussion >/dev/null
  [[ ! -e $root/usr/share/percussion && ! -e $root/usr/bin/percussion ]] || fail "files are left"
}

compgen -G "$build/percussion_*.deb" >/dev/null || fail "make it: (cd $build && cpack -G DEB)"
check_pages
lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$build"/*.deb
bare_debian
install_package
run_ring
remove_package
echo "check_deb: all is well"
