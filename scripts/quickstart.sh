#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# From a fresh checkout to a table, a guideline report and two maps of this machine, in minutes.
# A second run resumes the first.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
mpi=mpich
out=""

usage() {
  echo "usage: quickstart.sh [--mpi mpich|openmpi] [--out DIR]"
  echo "Builds Breakeven, measures this machine, and writes tables, a guideline report and maps to DIR"
  echo "(default: quickstart/<mpi> in the repository). A second run resumes the first."
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
log="$out/log.txt"
early=""
breakeven="$root/build/release/bin/breakeven"

# Numbers of processes with a core for each: 2, 3, 4, then the powers of two and the
# numbers half-way between them, up to the number of cores, without hardware threads, of this shell.
numbers_of_processes() {
  local cores numbers=2 number
  cores="$(lscpu --parse=Socket,Core | grep -v "^#" | sort -u | wc -l)"
  if (($(nproc) < cores)); then cores="$(nproc)"; fi
  for ((number = 3; number <= cores; number = number & (number - 1) ? number * 4 / 3 : number * 3 / 2)); do
    numbers+=",$number"
  done
  echo "$numbers"
}

packages() { "$root/scripts/install_packages.sh" build "$mpi" plots report; }

# A build folder that exists may be a developer's: its settings stay. It may be older than the MPI library.
configure() {
  if [[ -f build/release/CMakeCache.txt ]]; then
    cmake build/release
  else
    cmake --preset release -DBUILD_TESTING=OFF
  fi
}

build() {
  cd "$root" && configure &&
    cmake --build --preset release --target breakeven "breakeven-worker-$mpi" "breakeven-$mpi"
}

# Each case gets little time, so that there is time for launches, on which decisions rest. A busy or large
# machine gets as many as the budget allows. A table is made even if cases failed (exit status 1), which are
# recorded with their reasons, or if the budget ended (4).
sweep() {
  "$breakeven" sweep --machine "$mpi" --db "$database" \
    --collectives allgather,allreduce,alltoall,bcast,gather,reduce,reduce_scatter_block,scatter \
    --procs "$(numbers_of_processes)" --bytes 8:1M \
    --least-gain 0.002 --repetitions 100 --min-repetitions 5 --batch 10 \
    --case-budget-s 0.015 --min-time-s 0.002 --budget 60s || {
    local status=$?
    if ((status == 4)); then early="The sweep used up its 60 s; run the same command again to resume it."; fi
    ((status == 1 || status == 4))
  }
}

tables() { "$breakeven" tune --db "$database" --machine "$mpi" --out "$out"; }

# A violated guideline (exit status 1) is a finding about the library, not a failure of this script.
report() {
  "$breakeven" check --db "$database" --machine "$mpi" > "$out/guidelines.txt" || (($? == 1))
}

maps() {
  local map
  "$breakeven" report --db "$database" --machine "$mpi" --out "$out/report.html" || return
  for map in fastest ratio; do
    "$breakeven" plot "$map" --db "$database" --machine "$mpi" --out "$out/$map.png" || return
  done
}

# Shows the seconds of a running step and the last line of its log, until it is ended.
watch_step() {
  local name="$1" begin="$2" width last
  width="$(tput cols 2> /dev/null || echo 80)"
  while sleep 1; do
    last="$(tail -n 1 "$log" | tr -dc '[:print:]')"
    printf '\r\033[K%s' "$(printf '%-28s %4d s  %s' "$name" $((SECONDS - begin)) "$last" |
      cut -c "1-$((width - 1))")"
  done
}

watcher=""
end_watch() {
  if [[ -n "$watcher" ]]; then
    kill "$watcher" 2> /dev/null || true
    wait "$watcher" 2> /dev/null || true
    watcher=""
    printf '\r\033[K'
  fi
}
trap end_watch EXIT

# step NAME COMMAND...: runs a step, with one line on the terminal and its output in the log.
step() {
  local name="$1" begin=$SECONDS status=0 first
  shift
  printf '== %s\n' "$name" >> "$log"
  first="$(wc -l < "$log")"
  # The line must not hide sudo's question for a password.
  if [[ -t 1 && ("$name" != packages || $EUID -eq 0) ]]; then
    watch_step "$name" "$begin" &
    watcher=$!
  fi
  "$@" >> "$log" 2>&1 || status=$?
  end_watch
  printf '%-28s %4d s\n' "$name" $((SECONDS - begin))
  if ((status == 0)); then return; fi
  echo "quickstart.sh: '$name' failed with exit status $status; the end of $log:" >&2
  tail -n "+$((first + 1))" "$log" | tail -n 30 >&2
  exit "$status"
}

: > "$log"
step "packages" packages
step "build" build
step "sweep, p = $(numbers_of_processes)" sweep
step "tables" tables
step "guidelines" report
step "maps" maps
printf '%-28s %4d s\n' "all" "$SECONDS"

cat << END
${early:+
$early
}
Made in $out:
  report.html           all of this on one page, to open in a browser
  fastest.png           what a table chooses at each size and process count
  ratio.png             its speedup over $mpi's own collectives
  breakeven_table.hpp   the table, for C++ programs; table.txt for people
  guidelines.txt        where a collective is slower than others that could replace it
  results.db            every sample, and the machine that it was measured on
  log.txt               output of the steps

Try next:
  $breakeven status --db $database
  $breakeven schedule show allreduce/ring --procs 4
  $breakeven sweep --help
END
