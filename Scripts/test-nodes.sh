#!/bin/bash
# Divides jobs among four runs under GNU parallel and as an array of Slurm, kills some, and compares what they make.
#
#     Scripts/test-nodes.sh PROGRAM [ROUNDS]    ROUNDS (10) with kills; prints its seed, SEED=N is the same again
#
# Slurm runs here as three processes of this script's own, of which the system sees nothing. As root it installs what is
# missing.

set -euo pipefail

program=$(realpath "$1")
rounds=${2:-10}
RANDOM=${SEED:=$RANDOM}
echo "test-nodes: seed $SEED"

if ! command -v parallel slurmctld slurmd munged sbatch >/dev/null; then
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q parallel slurm-wlm munge >/dev/null
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/cleave-nodes.XXXXXX")
started=()
trap 'kill ${started[@]+"${started[@]}"} 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT

stop() {
  echo "test-nodes: $*" >&2
  exit 1
}

# Slurm, with one node of four processors.
mkdir "$work/state" "$work/spool" "$work/files"
head -c 1024 /dev/urandom >"$work/key" && chmod 400 "$work/key"
munged --force --foreground --key-file="$work/key" --socket="$work/munge" --pid-file="$work/munge.pid" \
  --log-file="$work/munge.log" --seed-file="$work/munge.seed" 2>"$work/munge.out" &
started+=($!)
host=$(hostname -s)
read -r first second < <(python3 - <<'END'
import socket

held = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*[each.getsockname()[1] for each in held])
END
)
cat >"$work/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$first
SlurmdPort=$second
AuthType=auth/munge
AuthInfo=socket=$work/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=4
PartitionName=all Nodes=$host Default=YES State=UP
END
export SLURM_CONF=$work/slurm.conf
slurmctld -D -f "$SLURM_CONF" >"$work/slurmctld.log" 2>&1 &
started+=($!)
slurmd -D -N "$host" -f "$SLURM_CONF" >"$work/slurmd.log" 2>&1 &
started+=($!)
for attempt in $(seq 60); do
  [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && break
  [ "$attempt" -lt 60 ] || stop "Slurm does not start: $(tail -n 3 "$work/slurmctld.log" "$work/slurmd.log")"
  sleep 0.5
done

cd "$work/files"
head -c 300000001 /dev/urandom >film
"$program" split -q -b 17M film
mkdir all
ln film.* all/

# whole NAME FILE: it is as it was, with nothing beside it
whole() {
  cmp -s film "$2" || stop "$1: the bytes differ"
  [ -z "$(find . -name '.*.cleave-*')" ] || stop "$1: leaves $(find . -name '.*.cleave-*')"
  rm "$2"
}

# parts NAME: those of out are as they were
parts() {
  cmp -s film <(cat out.0*) || stop "$1: the bytes differ"
  "$program" verify -q out.sfv || stop "$1: the manifest is wrong"
  [ -z "$(find . -name '.*.cleave-*')" ] || stop "$1: leaves $(find . -name '.*.cleave-*')"
  rm out.*
}

merge=("$program" merge -q -o whole film.001)
split=("$program" split -q -b 17M film out)
# Some die; those are run again. A share of a job that is complete already has nothing to do.
killed() { { timeout -s KILL "$@" || true; } >/dev/null 2>&1; }

parallel -j 4 "${merge[@]}" --share={}/4 ::: 1 2 3 4
whole "parallel, merge" whole
parallel -j 4 "${split[@]}" --share={}/4 ::: 1 2 3 4
parts "parallel, split"
parallel -j 4 "$program" verify -q --share={}/4 film.sfv ::: 1 2 3 4
for round in $(seq "$rounds"); do
  for job in merge split; do
    declare -n line=$job
    others=()
    for share in $(shuf -i 1-4 --random-source=<(yes "$RANDOM")) $((RANDOM % 4 + 1)); do
      killed "$(printf 0.%03d $((RANDOM % 400 + 1)))" "${line[@]}" --share="$share/4" 2>/dev/null &
      others+=($!)
    done
    wait "${others[@]}" || true
    # Also twice at once. 73: complete already, and the name is taken.
    for share in 1 2 3 4 $((RANDOM % 4 + 1)); do
      [ -e whole ] || [ -e out.sfv ] || "${line[@]}" --share="$share/4" 2>>"$work/errors" &
      others+=($!)
    done
    wait "${others[@]}" || true
    [ -e whole ] || [ -e out.sfv ] || for share in 1 2 3 4; do
      [ -e whole ] || [ -e out.sfv ] || "${line[@]}" --share="$share/4" || stop "round $round, $job: share $share: $?"
    done
    "$program" clean -f . >/dev/null
    if [ $job = merge ]; then whole "round $round, merge" whole; else parts "round $round, split"; fi
  done
done

array() { sbatch -W -o "$work/slurm-%a.out" --array=1-4 --wrap "$*" >/dev/null; }
array "${merge[@]}" --share=auto || stop "Slurm, merge: $(cat "$work"/slurm-*.out)"
whole "Slurm, merge" whole
array "${split[@]}" --share=auto || stop "Slurm, split: $(cat "$work"/slurm-*.out)"
parts "Slurm, split"
array "$program" verify --share=auto film.sfv || stop "Slurm, verify: $(cat "$work"/slurm-*.out)"
[ "$(cat "$work"/slurm-*.out | grep -c OK)" -eq 17 ] || stop "Slurm, verify: $(cat "$work"/slurm-*.out)"
# Two tasks are killed, and the array is given again.
array 'case $SLURM_ARRAY_TASK_ID in 2|3) exec timeout -s KILL 0.05' "${merge[@]}" "--share=auto;; esac;" \
  "${merge[@]}" --share=auto || true
array "${merge[@]}" --share=auto || stop "Slurm, merge again: $(cat "$work"/slurm-*.out)"
whole "Slurm, killed tasks" whole

# Time, of the median of five.
python3 - "$program" <<'END'
import os, statistics, subprocess, sys, time

program = sys.argv[1]


def took(*words):
    start = time.monotonic()
    subprocess.run(words, check=True)
    took = time.monotonic() - start
    os.unlink("whole")
    return took


line = [program, "merge", "-q", "-o", "whole", "film.001"]
ratios = []
for _ in range(5):
    one = took(*line)
    ratios.append(took("parallel", "-j", "4", *line, "--share={}/4", ":::", "1", "2", "3", "4") / one)
print(f"test-nodes: four shares under parallel took {statistics.median(ratios):.2f} of one run's time on this machine")
END
echo "test-nodes: all right"
