#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs clang-tidy-19 with the checks of .clang-tidy over every source; slow, so not in ci/test.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/install_packages.sh build mpich openmpi smpi tidy
cmake --preset tidy
cmake --build --preset tidy --parallel "$(nproc)"
