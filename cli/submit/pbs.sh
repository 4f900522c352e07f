# shellcheck shell=bash disable=SC2034,SC2154
# --- PBS: see qsub(1) ------------------------------------------------------------------------------
# PBS sends no signal before the limit, so the sweep gets a time budget. A job cannot requeue itself
# without an operator's rights, so it submits itself again with the number of the run.
run="${BREAKEVEN_RUN:-0}"
shard="${PBS_ARRAY_INDEX:-${BREAKEVEN_SHARD:-1}}"
resume="qsub -v BREAKEVEN_SHARD=$shard $script"
begin_again() { qsub -v "BREAKEVEN_RUN=$((run + 1)),BREAKEVEN_SHARD=$shard" "$script"; }

