#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Configures and builds everything with its tests, or these targets.
# usage: ci/build.sh [PRESET [TARGET...]] (default: release)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset="${1:-release}"
targets=("${@:2}")

cmake --preset "$preset"
cmake --build --preset "$preset" --parallel "$(nproc)" ${targets:+--target "${targets[@]}"}
