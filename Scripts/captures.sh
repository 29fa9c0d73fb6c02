#!/bin/sh
# Makes the pictures in docs/pictures anew: the page of a bench, how it looks, a map of parts, and the progress line
# in windows of four widths.
#
#     Scripts/captures.sh SWIFT
#
# Needs tmux, and chromium under that name or as CHROMIUM. Look at what it made before you commit it.

cd "$(dirname "$0")/.." || exit 1
pictures=docs/pictures

CLEAVE_CAPTURES=1 "${1:-swift}" test --filter 'BenchPageTests|theMapIsAlsoAPicture' || exit

"${CHROMIUM:-chromium}" --headless --no-sandbox --hide-scrollbars --window-size=800,620 \
  --screenshot="$PWD/$pictures/bench.png" "file://$PWD/$pictures/bench.html" || exit

# A merge into a pipe that nobody reads on stands still.
cleave=$PWD/.build/debug/cleave
work=$(mktemp -d)
trap 'tmux -L captures kill-server 2>/dev/null; kill "$reader" 2>/dev/null; rm -rf "$work"' EXIT
for number in 1 2 3 4; do truncate -s 500M "$work/film.mkv.00$number"; done
mkfifo "$work/out"
sh -c 'head -c 1200000000 >/dev/null; exec sleep 1000' <>"$work/out" &
reader=$!
show() { tmux -L captures capture-pane -p | grep ' %, ' | tail -n 1; }
for columns in 30 40 80 200; do
  tmux -L captures resize-window -x "$columns" -y 12 2>/dev/null ||
    tmux -L captures -f /dev/null new-session -d -x "$columns" -y 12 -c "$work" \
      "'$cleave' merge --verify=none -o out film.mkv.001"
  sleep 2
  printf '%s columns: %s\n' "$columns" "$(show)"
done >"$pictures/progress.txt"
tmux -L captures send-keys p && sleep 1
printf 'after p:     %s\n' "$(show)" >>"$pictures/progress.txt"
cat "$pictures/progress.txt"
ls -l "$pictures"
