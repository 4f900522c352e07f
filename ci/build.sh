#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Configures and builds everything with its tests. usage: ci/build.sh [PRESET] (default: release)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset="${1:-release}"

cmake --preset "$preset"
cmake --build --preset "$preset" --parallel "$(nproc)"
