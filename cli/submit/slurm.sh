# shellcheck shell=bash disable=SC2034,SC2154
# --- Slurm: see sbatch(1) --------------------------------------------------------------------------
# SIGUSR1 comes before the time limit; the job then requeues itself. srun starts the MPI jobs unless the
# sweep has another --launcher.
run="${SLURM_RESTART_COUNT:-0}" # number of earlier runs
shard="${SLURM_ARRAY_TASK_ID:-1}"
resume="sbatch $script"
begin_again() { scontrol requeue "$SLURM_JOB_ID"; }

