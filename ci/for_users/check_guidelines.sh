#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Measures an MPI library and checks its performance guidelines, for CI.
# usage: check_guidelines.sh MACHINE FOLDER [SWEEP OPTION...]
#   MACHINE  mpich or openmpi
#   FOLDER   gets results.db and the reports; baseline.db and waivers.toml in it are taken into account
# Exit status: 0 nothing new, 1 a guideline is violated or a collective is slower, 2 could not judge.
set -euo pipefail

if (($# < 2)); then
  echo "usage: check_guidelines.sh MACHINE FOLDER [SWEEP OPTION...]" >&2
  exit 2
fi
machine="$1" folder="$2"
shift 2
decide="${DECIDE:-10min}"

mkdir -p "$folder"
database="$folder/results.db"
# 1: cases failed, which are recorded; 4: the budget ended. The measured cases are judged.
breakeven sweep --machine "$machine" --algorithms native,mock_ups,library --db "$database" "$@" ||
  { status=$?; ((status == 1 || status == 4)) || exit 2; }

judged=(--db "$database" --machine "$machine")
[[ -f "$folder/baseline.db" ]] && judged+=(--baseline "$folder/baseline.db")
[[ -f "$folder/waivers.toml" ]] && judged+=(--waivers "$folder/waivers.toml")

status=0
breakeven check "${judged[@]}" --decide "$decide" > "$folder/guidelines.txt" || status=$?
for format in markdown:md json:json junit:xml sarif:sarif openmetrics:prom; do
  breakeven check "${judged[@]}" --format "${format%:*}" > "$folder/guidelines.${format#*:}" || true
done
cat "$folder/guidelines.txt"
((status <= 2)) || status=2
exit "$status"
