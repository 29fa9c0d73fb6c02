#!/usr/bin/env bash
# Runs libFuzzer over the zip readers, with the address sanitizer, and ends with 1 if it found
# something. The input that shows it is left in .build/fuzz; it belongs into Tests/Fuzz/corpus, which
# `make test` tries again.
#
#     Scripts/fuzz.sh [SECONDS]

set -euo pipefail

seconds=${1:-600}
cd "$(dirname "$0")/.."

build=.build/fuzz
CLEAVE_FUZZ=1 "${SWIFT:-swift}" build -c release --product cleave-fuzz --scratch-path "$build" \
  --sanitize=address -Xswiftc -sanitize=fuzzer

# What is found on the way is kept beside the corpus, not in it.
mkdir -p "$build/found"
export SWIFT_BACKTRACE=enable=no
"$build/release/cleave-fuzz" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=1024 \
  -print_final_stats=1 -artifact_prefix="$build/" "$build/found" Tests/Fuzz/corpus
