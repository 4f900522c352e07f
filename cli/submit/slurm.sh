# shellcheck shell=bash disable=SC2034,SC2154
# --- Slurm: see sbatch(1) --------------------------------------------------------------------------
# SIGUSR1 comes before the time limit; the job then puts itself back into the queue. srun starts the
# MPI jobs unless the sweep's --launcher says otherwise.
run="${SLURM_RESTART_COUNT:-0}" # how often the job was begun before
shard="${SLURM_ARRAY_TASK_ID:-1}"
resume="sbatch $script"
begin_again() { scontrol requeue "$SLURM_JOB_ID"; }

