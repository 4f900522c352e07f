# SPDX-License-Identifier: BSD-3-Clause
# How ci/test.sh and ci/full.sh count: to be sourced at the root of the repository.
# shellcheck shell=bash
passed=0
failed=0
failures=()
named=()  # the single tests that failed, were skipped or took longest: told last

announce() { printf '\n== %s\n' "$*"; }

# stage COMMAND...: one check, of which only the exit status counts.
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

# tests PRESET: a check for each single test. One failure where CTest left no results.
tests() {
  local status=0 counts began=$SECONDS
  announce "ci/ctest.sh $1"
  ci/ctest.sh "$1" || status=$?
  echo "-- $((SECONDS - began)) s: ci/ctest.sh $1"
  counts="$(ci/count_tests.py "build/$1.tests.xml" 2> "build/$1.tests.names")" || counts="0 1"
  # CTest may fail for another reason than a test.
  if ((status != 0)) && [[ "$counts" == *" 0" ]]; then counts="${counts% 0} 1"; fi
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
  if [[ "$counts" != *" 0" ]]; then failures+=("ci/ctest.sh $1"); fi
  mapfile -t -O "${#named[@]}" named < "build/$1.tests.names"
}

# conclude: names what failed, counts the stages and the single tests, and gives the exit status.
conclude() {
  echo
  if ((${#named[@]} > 0)); then printf '%s\n' "${named[@]}"; fi
  if ((${#failures[@]} > 0)); then printf 'failed: %s\n' "${failures[@]}"; fi
  echo "$passed passed, $failed failed, in $((SECONDS / 60)) min $((SECONDS % 60)) s"
  ((failed == 0))
}
