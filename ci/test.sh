#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What every change must pass: packages, style, build, the tests that are short, on every MPI
# library. ci/full.sh has the rest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source ci/stages.sh

# A stage needs those before it in its chain; the chains need nothing of each other.
if stage scripts/install_packages.sh build mpich openmpi smpi slurm plots report test lint; then
  stage ci/lint.sh || true
  if stage ci/build.sh release; then tests release; fi
fi
conclude
