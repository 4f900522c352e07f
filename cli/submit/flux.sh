# shellcheck shell=bash disable=SC2034,SC2154
# --- Flux: see flux-batch(1) -----------------------------------------------------------------------
# This script runs in its own Flux instance, which the warning before the limit might end, so the sweep
# gets a time budget. Then the job is submitted again to the parent instance.
run="${BREAKEVEN_RUN:-0}"
shard="${BREAKEVEN_SHARD:-1}"
resume="flux batch --env=BREAKEVEN_SHARD=$shard $script"
begin_again() {
  flux --parent batch --env="BREAKEVEN_RUN=$((run + 1))" --env="BREAKEVEN_SHARD=$shard" "$script"
}

