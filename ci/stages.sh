# SPDX-License-Identifier: BSD-3-Clause
# The stages of ci/test.sh and ci/full.sh, counted. Sourced at the root of the repository.
# shellcheck shell=bash
passed=0
failed=0
failures=()
named=()  # the single tests that failed, were skipped or took longest: printed last
most_again=3  # failed tests of a preset that run a second time: more have one cause

announce() { printf '\n== %s\n' "$*"; }

# stage COMMAND...: one check, judged by its exit status.
stage() {
  local status=0 began=$SECONDS
  announce "$*"
  "$@" || status=$?
  echo "-- $((SECONDS - began)) s: $*"
  if ((status == 0)); then
    passed=$((passed + 1))
    return
  fi
  failed=$((failed + 1))
  failures+=("$*")
  return 1
}

# tests PRESET: a check for each single test. One failure if CTest left no results. Where few fail, they
# run a second time, because a test that measures may fail on a busy machine: those that pass then count
# as passed, and are named as unstable with what they printed first.
tests() {
  local status=0 counts began=$SECONDS results="$PWD/build/$1.tests.xml"
  announce "ctest --preset $1"
  rm -f "$results"
  ctest --preset "$1" --parallel "$(nproc)" --output-junit "$results" || status=$?
  echo "-- $((SECONDS - began)) s: ctest --preset $1"
  counts="$(ci/count_tests.py "$results" 2> "build/$1.tests.names")" || counts="0 1"
  if [[ "$counts" == 0\ * ]]; then
    :  # CTest left no results, or ran no test: there is nothing to run again
  elif [[ "$counts" == *" 0" ]]; then
    if ((status != 0)); then counts="${counts% *} 1"; fi  # CTest may fail without a failed test
  elif ((${counts#* } <= most_again)) && again "$1"; then
    sed -i 's/^failed: /unstable: /' "build/$1.tests.names"
    counts="$((${counts% *} + ${counts#* })) 0"
  fi
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
  if [[ "$counts" != *" 0" ]]; then failures+=("ctest --preset $1"); fi
  mapfile -t -O "${#named[@]}" named < "build/$1.tests.names"
}

# again PRESET: whether the tests that failed all pass now.
again() {
  announce "ctest --preset $1 --rerun-failed"
  ctest --preset "$1" --rerun-failed
}

# conclude: prints the failures and the numbers of stages and single tests; fails if one failed.
conclude() {
  echo
  if ((${#named[@]} > 0)); then printf '%s\n' "${named[@]}"; fi
  if ((${#failures[@]} > 0)); then printf 'failed: %s\n' "${failures[@]}"; fi
  echo "$passed passed, $failed failed, in $((SECONDS / 60)) min $((SECONDS % 60)) s"
  ((failed == 0))
}
