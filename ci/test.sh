#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Everything that is checked: packages, build, tests with both MPI libraries, style, sanitizers.
# Each stage is a script of its own. The last line counts the stages and the single tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

passed=0
failed=0
failures=()
named=()  # the single tests that failed or were skipped: told last, where a log is looked at

announce() { printf '\n== %s\n' "$*"; }

# stage COMMAND...: one check, of which only the exit status counts.
stage() {
  announce "$*"
  if "$@"; then
    passed=$((passed + 1))
    return
  fi
  failed=$((failed + 1))
  failures+=("$*")
  return 1
}

# tests PRESET: a check for each single test. One failure where CTest left no results.
tests() {
  local status=0 counts
  announce "ci/ctest.sh $1"
  ci/ctest.sh "$1" || status=$?
  counts="$(ci/count_tests.py "build/$1/tests.xml" 2> "build/$1/tests.names")" || counts="0 1"
  # CTest may fail for another reason than a test.
  if ((status != 0)) && [[ "$counts" == *" 0" ]]; then counts="${counts% 0} 1"; fi
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
  if [[ "$counts" != *" 0" ]]; then failures+=("ci/ctest.sh $1"); fi
  mapfile -t -O "${#named[@]}" named < "build/$1/tests.names"
}

# A stage needs those before it in its chain; the chains need nothing of each other.
if stage scripts/install_packages.sh build mpich openmpi smpi slurm plots test lint; then
  stage ci/lint.sh || true
  if stage ci/build.sh release; then
    tests release
    stage ci/headers.sh || true
  fi
  if stage ci/build.sh asan; then tests asan; fi
fi

echo
for name in "${named[@]}"; do echo "$name"; done
for failure in "${failures[@]}"; do echo "failed: $failure"; done
echo "$passed passed, $failed failed"
((failed == 0))
