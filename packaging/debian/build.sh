#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the Debian packages for this Debian release: one for each MPI library whose development package
# is installed.
# usage: packaging/debian/build.sh [FOLDER] (default: build/debian)
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
folder="${1:-$root/build/debian}"

flags="$(dpkg-buildflags --get CPPFLAGS) -O2 -DNDEBUG"
cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_TESTING=OFF \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="$flags" -DCMAKE_UNITY_BUILD=ON \
  -DCMAKE_SHARED_LINKER_FLAGS="$(dpkg-buildflags --get LDFLAGS)" \
  -DCMAKE_MODULE_LINKER_FLAGS="$(dpkg-buildflags --get LDFLAGS)" \
  -DCMAKE_EXE_LINKER_FLAGS="$(dpkg-buildflags --get LDFLAGS)" -DBREAKEVEN_PYTHON=/usr/bin/python3
cmake --build "$folder"
cd "$folder" && cpack
