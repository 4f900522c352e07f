# shellcheck shell=bash disable=SC2154
# This part is the same for every batch system. The part above has the job's settings and resumes it.

# --- the sweep, within the time that this run has --------------------------------------------------

# Each shard has its own database.
own="$database"
shard_options=()
if ((shards > 1)); then
  own="$out/shard-$shard-of-$shards.db"
  shard_options=(--shard "$shard/$shards")
  rm -f "$out/shard-$shard-of-$shards.done"
fi

# The batch system signals that time is running out (USR1) or that the job is cancelled (TERM). Either
# is passed on to the sweep, which then stores its finished cases and stops within seconds.
caught=""
sweep_pid=""
# shellcheck disable=SC2317  # the traps call it
pass_on() {
  caught="$1"
  if [[ -n "$sweep_pid" ]]; then kill -USR1 "$sweep_pid" 2> /dev/null; fi
}
trap 'pass_on USR1' USR1
trap 'pass_on TERM' TERM

last=0
left_s=$((limit_s - margin_s - SECONDS))
if ((budget_s > 0)); then
  rest_s=$((budget_s - run * limit_s - SECONDS))
  if ((rest_s < left_s)); then left_s=$rest_s last=1; fi
fi
status=4
if ((left_s > 0)); then
  "$breakeven" sweep "${sweep[@]}" --db "$own" "${shard_options[@]}" --budget "${left_s}s" &
  sweep_pid=$!
  # A signal ends `wait` at once, with the signal's number instead of the sweep's status.
  while true; do
    caught_before="$caught"
    wait "$sweep_pid"
    status=$?
    if [[ "$caught" == "$caught_before" ]]; then break; fi
  done
  # The rest of the budget of all runs may be too short for any measurement.
  if ((status == 2 && last)); then status=4; fi
fi

# --- not finished: resume --------------------------------------------------------------------------

ended=0
if ((status == 4)); then
  if [[ "$caught" == TERM ]]; then
    echo "Stopped from outside. To continue: $resume"
    exit 4
  elif ((budget_s > 0 && budget_s - (run + 1) * limit_s <= 0)); then
    echo "Stopped: the budget of $budget_s s is spent. To continue: $resume"
    ended=4
  elif begin_again; then
    echo "Run $((run + 1)) reached its time limit. The job is queued again to continue."
    exit 0
  else
    echo "The job can't be queued again from here. To continue: $resume"
    exit 4
  fi
elif ((status > 1)); then # bad request or broken: a further run would end the same way
  echo "The sweep ended with status $status."
  exit "$status"
fi
if ((status == 1)); then echo "Some cases failed. For the reasons: $breakeven status --db $own"; fi

# --- finished, or the budget is spent: one database, tables, report --------------------------------

if ((shards > 1)); then
  : > "$out/shard-$shard-of-$shards.done"
  files=()
  for ((i = 1; i <= shards; ++i)); do
    if [[ ! -e "$out/shard-$i-of-$shards.done" ]]; then
      echo "Shard $shard of $shards has ended. The last one to end makes the tables."
      exit "$ended"
    fi
    files+=("$out/shard-$i-of-$shards.db")
  done
  # Only one of several shards that end together.
  if ! mkdir "$out/merging" 2> /dev/null; then exit "$ended"; fi
  trap 'rmdir "$out/merging"' EXIT
  "$breakeven" merge "$database" "${files[@]}" || exit "$((ended ? ended : $?))"
fi
"$breakeven" tune --db "$database" --machine "$machine" --out "$out/tables" > /dev/null || exit "$((ended ? ended : $?))"
"$breakeven" check --db "$database" --machine "$machine" > "$out/report.txt"
case $? in
  0) echo "Tables: $out/tables. The guidelines hold: $out/report.txt" ;;
  1) echo "Tables: $out/tables. Guidelines are violated: $out/report.txt" ;;
  2) echo "Tables: $out/tables. Guidelines could not be tested: $out/report.txt" ;;
  *) exit 3 ;;
esac
exit "$ended"
