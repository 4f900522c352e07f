#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Configures and builds everything with its tests, or these targets. Warnings are errors.
# usage: ci/build.sh [PRESET [TARGET...]] (default: release)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset="${1:-release}"
targets=("${@:2}")

cmake --preset "$preset" -D BREAKEVEN_WERROR=ON
cmake --build --preset "$preset" --parallel "$(nproc)" ${targets:+--target "${targets[@]}"}
