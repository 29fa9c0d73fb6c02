#!/bin/sh
# Makes the pictures in docs/pictures anew: the page of a bench, how it looks, and a map of parts.
#
#     Scripts/captures.sh SWIFT
#
# Needs chromium, under that name or as CHROMIUM. Look at what it made before you commit it.

cd "$(dirname "$0")/.." || exit 1
pictures=docs/pictures

CLEAVE_CAPTURES=1 "${1:-swift}" test --filter 'BenchPageTests|theMapIsAlsoAPicture' || exit

"${CHROMIUM:-chromium}" --headless --no-sandbox --hide-scrollbars --window-size=800,620 \
  --screenshot="$PWD/$pictures/bench.png" "file://$PWD/$pictures/bench.html" || exit
ls -l "$pictures"
