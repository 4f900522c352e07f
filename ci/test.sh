#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The checks that every change must pass: packages, style, build, and the short tests on every MPI library.
# ci/full.sh has the rest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source ci/stages.sh

if stage scripts/install_packages.sh build mpich openmpi smpi slurm plots report test queries lint; then
  stage ci/lint.sh || true
  if stage ci/build.sh release; then tests release; fi
fi
conclude
