#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Compiles every header alone: each includes what it uses. Needs the release build's configuration.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake --build --preset release --parallel "$(nproc)" --target all_verify_interface_header_sets
