#!/usr/bin/env bash
# Runs libFuzzer over what reads names, manifests, options and zips, with the address sanitizer, and
# ends with 1 if it found something. The input that shows it is left in .build/fuzz; it belongs into
# the trial's folder of Tests/Fuzz/corpus, which `make test` tries again.
#
#     Scripts/fuzz.sh [SECONDS [TRIAL]...]
#
# Every trial gets SECONDS; without a TRIAL, all are run.

set -euo pipefail

seconds=${1:-600}
trials=("${@:2}")
cd "$(dirname "$0")/.."
if [ "${#trials[@]}" = 0 ]; then trials=($(ls Tests/Fuzz/corpus)); fi

build=.build/fuzz
CLEAVE_FUZZ=1 "${SWIFT:-swift}" build -c release --product cleave-fuzz --scratch-path "$build" \
  --sanitize=address -Xswiftc -sanitize=fuzzer

export SWIFT_BACKTRACE=enable=no
# Some trials make files.
if [ -d /dev/shm ]; then export TMPDIR=/dev/shm; fi

for trial in "${trials[@]}"; do
  # What is found on the way is kept beside the corpus, not in it.
  mkdir -p "$build/found/$trial"
  CLEAVE_TRIAL=$trial "$build/release/cleave-fuzz" -max_total_time="$seconds" -max_len=8192 \
    -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 -artifact_prefix="$build/$trial-" \
    "$build/found/$trial" "Tests/Fuzz/corpus/$trial"
done
