#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The checks that take long, with the packages that ci/test.sh installs: the long tests, also in a browser,
# the C++ library's headers alone, the site of documents with a report of the quick start, functions that no
# program reaches, and the sanitizers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source ci/stages.sh

if stage ci/build.sh release; then
  stage scripts/install_packages.sh browser || true
  tests long
  stage ci/build.sh release breakeven_api_mpich_verify_interface_header_sets || true  # headers alone
  stage scripts/install_packages.sh site || true
  if stage scripts/quickstart.sh --out build/quickstart; then
    stage ci/build_site.py build/quickstart/report.html || true
  fi
fi
if stage ci/build.sh asan; then
  stage ci/check_reachable.py build/asan || true
  tests asan
fi
conclude
