#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the tests of a test preset that is built. usage: ci/ctest.sh [PRESET] (default: release)
# Leaves the results in build/PRESET.tests.xml.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset="${1:-release}"
results="$PWD/build/$preset.tests.xml"

rm -f "$results"
ctest --preset "$preset" --parallel "$(nproc)" --output-junit "$results"
