#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs, uses and removes Breakeven in fresh root file systems of a Debian release, by the packages and
# by `cmake --install`, with each MPI library alone; fails when something does not work or stays behind.
# As root, with mmdebstrap (and lintian, if the packages are to be checked); takes a quarter of an hour.
# usage: packaging/debian/try.sh RELEASE FOLDER (bookworm or trixie; an empty folder, or that of an earlier
#        try, whose build is continued)
set -euo pipefail
source_tree="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
if (($# != 2)); then
  sed -n 's/^# usage: //p' "$0" >&2
  exit 2
fi
release="$1" folder="$(realpath -m "$2")"
mirror="${MIRROR:-http://deb.debian.org/debian}"
prefix="/opt/my breakeven"
mkdir -p "$folder"

# shellcheck disable=SC2016  # the inner shell expands
in_root() { # in_root ROOT COMMAND...: as root, with devices and processes of its own
  unshare --mount --pid --fork bash -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
    mount -t tmpfs tmpfs "$0/dev/shm" && exec chroot "$0" "${@:1}"' "$@"
}

fresh_root() { # fresh_root ROOT: a minimal system
  [[ -e "$folder/fresh.tar" ]] || mmdebstrap --variant=minbase "$release" "$folder/fresh.tar" "$mirror"
  mkdir -p "$1"
  tar -C "$1" -xf "$folder/fresh.tar"
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  in_root "$1" apt-get update -qq
}

get() { # get ROOT PACKAGE...
  in_root "$1" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    "${@:2}" > "$folder/apt.log"
}

files_of() { # what a user or an administrator could find left behind
  find "$1" -xdev -path "$1/var/cache" -prune -o -path "$1/var/log" -prune -o -path "$1/var/lib" -prune -o \
    -path "$1/proc" -prune -o -path "$1/dev" -prune -o -path "$1/tmp/try" -prune -o -print | sort
}

build() {
  local root="$folder/build"
  if [[ ! -d "$root" ]]; then
    fresh_root "$root.new"
    mv "$root.new" "$root"
  fi
  local packages
  packages="$(awk '/^\[/ { on = /build|mpich|openmpi|smpi/; next } on && NF > 2 && $1 != "#" { print $1 }' \
    "$source_tree/scripts/packages.txt")"
  # shellcheck disable=SC2086  # one word each
  get "$root" $packages dpkg-dev file
  mkdir -p "$root/src/breakeven"
  git -C "$source_tree" archive HEAD | tar -C "$root/src/breakeven" -xf -
  in_root "$root" /src/breakeven/packaging/debian/build.sh
  rm -rf "$root/staged"
  in_root "$root" env DESTDIR=/staged cmake --install /src/breakeven/build/debian --strip --prefix "$prefix" > /dev/null
  if command -v lintian > /dev/null; then
    lintian --allow-root --fail-on error,warning "$root"/src/breakeven/build/debian/*.deb
  fi
}

# What a plain user does, in a home folder: use ROOT MPI PROGRAM
use() {
  in_root "$1" useradd --create-home user
  in_root "$1" su - user -c "set -eu
    breakeven() { '$3' \"\$@\"; }
    mkdir /tmp/try && cd /tmp/try
    breakeven machines | grep -q '^$2 .* ready\$'
    breakeven launch --machine $2 --procs 1,4
    breakeven sweep --machine $2 --procs 2 --bytes 8:64K --collectives allreduce --launches 3 --no-doctor \
      --algorithms native,library,ring --case-budget-s 0.02 --db r.db > sweep.txt
    breakeven tune --db r.db --out tables > tune.txt
    breakeven plot fastest --db r.db --out r.svg
    ls tables/modulefiles/breakeven-tables"
  in_root "$1" userdel --remove user 2> /dev/null
}

by_packages() { # by_packages MPI
  local root="$folder/$1" debs="$folder/build/src/breakeven/build/debian"
  rm -rf "$root"
  fresh_root "$root"
  get "$root" python3-matplotlib man-db
  mkdir -p "$root/debs"
  cp "$debs"/*.deb "$root/debs"
  files_of "$root" > "$folder/before"
  local used=(/debs/breakeven_*.deb "/debs/breakeven-$1"_*.deb /debs/libbreakeven-dev_*.deb)
  get "$root" "$(in_root "$root" bash -c "echo ${used[0]}")" "$(in_root "$root" bash -c "echo ${used[1]}")" \
    "$(in_root "$root" bash -c "echo ${used[2]}")"
  in_root "$root" man breakeven-sweep > /dev/null
  use "$root" "$1" /usr/bin/breakeven
  in_root "$root" apt-get purge -qq -y --autoremove 'breakeven*' 'libbreakeven*' > "$folder/apt.log"
  leaves_nothing "$root"
}

by_install() { # by_install MPI
  local root="$folder/$1"
  rm -rf "$root"
  fresh_root "$root"
  local needed
  needed="$(dpkg-deb -f "$folder"/build/src/breakeven/build/debian/breakeven_*.deb Depends | sed 's/([^)]*)//g; s/,/ /g')"
  # shellcheck disable=SC2086
  get "$root" python3-matplotlib $needed "$([[ $1 == mpich ]] && echo mpich || echo openmpi-bin)"
  files_of "$root" > "$folder/before"
  cp -a "$folder/build/staged/opt" "$root/"
  use "$root" "$1" "$prefix/bin/breakeven"
  rm -rf "${root:?}$prefix"
  leaves_nothing "$root"
}

leaves_nothing() {
  rm -rf "$1/tmp/try"
  files_of "$1" > "$folder/after"
  diff "$folder/before" "$folder/after"
}

build
for mpi in mpich openmpi; do
  by_packages "$mpi"
  by_install "$mpi"
  echo "$release, $mpi alone: installed, used and removed by packages and by cmake --install"
done
