# shellcheck shell=bash disable=SC2034,SC2154
# --- PBS: see qsub(1) ------------------------------------------------------------------------------
# PBS gives no word before the limit, so the sweep is told its time; a job can't put itself back into
# the queue without an operator's rights, so it submits itself anew, and says which run that is.
run="${BREAKEVEN_RUN:-0}"
shard="${PBS_ARRAY_INDEX:-${BREAKEVEN_SHARD:-1}}"
resume="qsub -v BREAKEVEN_SHARD=$shard $script"
begin_again() { qsub -v "BREAKEVEN_RUN=$((run + 1)),BREAKEVEN_SHARD=$shard" "$script"; }

