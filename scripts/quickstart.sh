#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# From a fresh checkout to a table, a guideline report and two maps of this machine, in minutes.
# Run again, it goes on where it was: what is measured stays measured.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
mpi=mpich
out=""

usage() {
  echo "usage: quickstart.sh [--mpi mpich|openmpi] [--out DIR]"
  echo "Writes to DIR (default: quickstart/<mpi> in the repository)."
}

refuse() {
  echo "quickstart.sh: $1; try --help" >&2
  exit 2
}

while (($# > 0)); do
  case "$1" in
    -h | --help)
      usage
      exit
      ;;
    --mpi | --out)
      (($# >= 2)) || refuse "$1 needs a value"
      [[ "$1" == --mpi ]] && mpi="$2" || out="$2"
      shift 2
      ;;
    *) refuse "no option '$1'" ;;
  esac
done
case "$mpi" in
  mpich | openmpi) ;;
  *) refuse "no MPI library '$mpi'; known: mpich openmpi" ;;
esac
out="${out:-$root/quickstart/$mpi}"
[[ ! -e "$out" || -d "$out" ]] || refuse "'$out' is no folder"
mkdir -p "$out" 2> /dev/null || refuse "can't make the folder '$out'"
out="$(cd "$out" && pwd)"
database="$out/results.db"
breakeven="$root/build/release/bin/breakeven"

# 2, 3, 4, then the powers of two and the numbers half-way between them, up to the cores.
numbers_of_processes() {
  local cores numbers=2,3,4 power
  cores="$(nproc)"
  for ((power = 4; power < cores; power *= 2)); do
    if ((power * 3 / 2 <= cores)); then numbers+=",$((power * 3 / 2))"; fi
    if ((power * 2 <= cores)); then numbers+=",$((power * 2))"; fi
  done
  echo "$numbers"
}

build() {
  cd "$root"
  # A tree that is there already may be a developer's: its settings stay as they are.
  if [[ ! -f build/release/CMakeCache.txt ]]; then
    cmake --preset release -DBUILD_TESTING=OFF > /dev/null
  fi
  cmake --build --preset release --target breakeven "breakeven-worker-$mpi"
}

# Failed cases (exit status 1) are recorded with their reasons; the others are worth a table.
sweep() {
  "$breakeven" sweep --machine "$mpi" --db "$database" \
    --collectives allgather,allreduce,bcast,reduce,reduce_scatter_block,scatter \
    --procs "$(numbers_of_processes)" --bytes 8:1M \
    --launches 6 --repetitions 200 --min-repetitions 5 --batch 10 --case-budget-s 0.03 --min-time-s 0.005 ||
    (($? == 1))
}

# A violated guideline (exit status 1) is a finding about the library, not a failure of this script.
check() {
  "$breakeven" check --db "$database" --machine "$mpi" | tee "$out/guidelines.txt" || (($? == 1))
}

plot() { "$breakeven" plot "$1" --db "$database" --machine "$mpi" --out "$out/$1.png"; }

step() {
  echo
  echo "== $1"
  shift
  "$@"
}

step "Packages" "$root/scripts/install_packages.sh" build "$mpi" plots
step "Build" build
step "Sweep with $mpi at $(numbers_of_processes) processes (2 to 4 minutes with 2 cores)" sweep
step "Table" "$breakeven" tune --db "$database" --machine "$mpi" --out "$out"
step "Guidelines" check
step "Map of the fastest algorithms" plot fastest
step "Map of the gain over the library's own collectives" plot ratio

cat << END

Made in $out:
  results.db            every sample, and what it was measured on
  breakeven_table.hpp   which algorithm to take, for C++ programs
  table.txt             the same for people
  guidelines.txt        where a collective is slower than others that could replace it
  fastest.png           who wins where, and the break-even lines
  ratio.png             how much is gained over $mpi's own collectives

Try next:
  $breakeven status --db $database
  $breakeven schedule allreduce/ring --procs 4
  $breakeven sweep --help
END
