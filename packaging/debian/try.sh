#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs, uses and removes Breakeven in fresh root file systems of a Debian release, by the packages and
# by `cmake --install`, with each MPI library alone. Fails if a command fails or a file is left behind.
# As root, with mmdebstrap and lintian; takes 40 minutes on 2 cores.
# usage: packaging/debian/try.sh RELEASE FOLDER
#   RELEASE: bookworm, trixie or sid
#   FOLDER: for the build and the root file systems; packages of an earlier try there are used again
set -euo pipefail
source_tree="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
if (($# != 2)); then
  sed -n 's/^# usage: //p' "$0" >&2
  exit 2
fi
release="$1" folder="$(realpath -m "$2")"
prefix="/opt/my breakeven"
packages="$folder/packages" staged="$folder/staged"
mkdir -p "$folder"

# shellcheck disable=SC2016  # the inner shell expands
in_root() { # in_root ROOT COMMAND...: as root there, with devices, processes and an environment of its own
  unshare --mount --pid --fork bash -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
    mount --rbind /sys "$0/sys" &&
    exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$0" "$@"' "$@"
}

fresh_root() { # fresh_root ROOT: a minimal system
  [[ -e "$folder/fresh.tar" ]] || mmdebstrap --variant=minbase "$release" "$folder/fresh.tar"
  mkdir -p "$1"
  tar -C "$1" -xf "$folder/fresh.tar"
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  in_root "$1" apt-get update -qq
}

get() { # get ROOT PACKAGE...
  in_root "$1" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    -o Dpkg::Options::=--force-unsafe-io \
    "${@:2}" > "$folder/apt.log" 2>&1
}

build() {
  local root="$folder/build" needed
  fresh_root "$root"
  mapfile -t needed < <(awk '/^\[/ { on = /build|mpich|openmpi|smpi|report/; next }
    on && NF > 2 && $1 != "#" { print $1 }' "$source_tree/scripts/packages.txt")
  get "$root" "${needed[@]}" dpkg-dev file
  mkdir -p "$root/src"
  git -C "$source_tree" archive HEAD | tar -C "$root/src" -xf -
  in_root "$root" /src/packaging/debian/build.sh
  in_root "$root" env DESTDIR=/staged cmake --install /src/build/debian --strip --prefix "$prefix"
  mkdir -p "$packages"
  cp "$root"/src/build/debian/*.deb "$packages"
  mv "$root/staged" "$staged"
}

# use ROOT MPI PROGRAM: the commands of a plain user in a home folder
use() {
  in_root "$1" useradd --create-home user
  in_root "$1" su - user -c "set -eu
    breakeven() { '$3' \"\$@\"; }
    breakeven selftest > selftest.txt
    grep '^$2: passed' selftest.txt
    breakeven launch --machine $2 --procs 1,4
    breakeven sweep --machine $2 --procs 2 --bytes 8:64K --collectives allreduce --launches 3 --no-doctor \
      --algorithms native,library,ring --case-budget-s 0.02 --db r.db > sweep.txt
    breakeven tune --db r.db --out tables > tune.txt
    breakeven plot fastest --db r.db --out r.svg
    breakeven report --db r.db --out r.html
    ls tables/modulefiles/breakeven-tables"
  in_root "$1" userdel user
  rm -r "$1/home/user"
}

# first_hour ROOT MPI PROGRAM: the tutorial, whose program needs a compiler
first_hour() {
  get "$1" gcc libc6-dev "lib$2-dev"
  in_root "$1" useradd --create-home user
  tar -C "$source_tree" -c tests/{support,guides_test}.py docs/{files.md,guides} | tar -C "$1/home/user" -x
  in_root "$1" su - user -c \
    "BREAKEVEN='$3' BREAKEVEN_MACHINE=$2 python3 tests/guides_test.py Guides.test_first_hour"
}

files_of() { # all files, without those that apt, dpkg, ldconfig and locks keep
  (cd "$1" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./var/cache -o -path ./var/log \
    -o -path ./var/lib -o -path ./run -o -name '*.pyc' -o -name __pycache__ -o -path ./etc/ld.so.cache \
    -o -path './etc/*-' \) -prune -o -print | LC_ALL=C sort)
}

# No file is new that belongs to no package: apt may keep packages that others recommend.
leaves_nothing() {
  files_of "$1" > "$folder/after"
  cat "$1"/var/lib/dpkg/info/*.list | sed -E 's#^/(s?bin|lib[^/]*)/#/usr/\1/#; s#^#.#' > "$folder/owned"
  if comm -13 "$folder/before" "$folder/after" | grep -vxFf "$folder/owned"; then
    echo "the above is left behind in $1" >&2
    return 1
  fi
}

depends_of() { # depends_of DEB...: packages other than ours
  local deb
  for deb in "$@"; do dpkg-deb --field "$deb" Depends | tr ',' '\n'; done |
    awk '$1 !~ /breakeven/ { print $1 }' | sort -u
}

by_packages() { # by_packages MPI
  local root="$folder/$1" debs needed shell
  rm -rf "$root"
  fresh_root "$root"
  mkdir "$root/debs"
  cp "$packages"/{breakeven,"breakeven-$1",libbreakeven-dev}_*.deb "$root/debs"
  debs=("$root"/debs/*)
  # The dependencies first: their leftovers are not ours.
  mapfile -t needed < <(depends_of "${debs[@]}")
  get "$root" python3-matplotlib man-db bash-completion zsh fish "${needed[@]}"
  files_of "$root" > "$folder/before"
  get "$root" "${debs[@]#"$root"}"
  in_root "$root" man breakeven-sweep > /dev/null
  for shell in bash zsh fish; do
    in_root "$root" python3 - "$shell" < "$source_tree/packaging/debian/complete.py"
  done
  use "$root" "$1" /usr/bin/breakeven
  in_root "$root" apt-get purge -qq -y 'breakeven*' 'libbreakeven*' > "$folder/apt.log" 2>&1
  leaves_nothing "$root"
  get "$root" "${debs[@]#"$root"}"
  first_hour "$root" "$1" /usr/bin/breakeven
}

by_install() { # by_install MPI
  local root="$folder/$1" launcher=mpich needed
  if [[ "$1" == openmpi ]]; then launcher=openmpi-bin; fi
  rm -rf "$root"
  fresh_root "$root"
  # The libraries that the programs link; a user who builds them has these.
  mapfile -t needed < <(depends_of "$packages"/breakeven_*.deb)
  get "$root" python3-matplotlib "${needed[@]}" "$launcher"
  files_of "$root" > "$folder/before"
  cp -a "$staged/opt/." "$root/opt"
  use "$root" "$1" "$prefix/bin/breakeven"
  rm -r "${root:?}$prefix"
  leaves_nothing "$root"
}

[[ -d "$staged" ]] || build
lintian --allow-root --fail-on error,warning "$packages"/*.deb
for mpi in mpich openmpi; do
  by_packages "$mpi"
  echo "$release, $mpi alone: installed, used and removed by packages"
  by_install "$mpi"
  echo "$release, $mpi alone: installed, used and removed by cmake --install"
done
