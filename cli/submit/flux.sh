# shellcheck shell=bash disable=SC2034,SC2154
# --- Flux: see flux-batch(1) -----------------------------------------------------------------------
# This script runs in a Flux instance of its own, which the warning before the limit might end; so the
# sweep is told its time. Then the job is submitted anew to the instance that this one came from.
run="${BREAKEVEN_RUN:-0}"
shard="${BREAKEVEN_SHARD:-1}"
resume="flux batch --env=BREAKEVEN_SHARD=$shard $script"
begin_again() {
  flux --parent batch --env="BREAKEVEN_RUN=$((run + 1))" --env="BREAKEVEN_SHARD=$shard" "$script"
}

