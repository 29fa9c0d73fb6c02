#!/usr/bin/env bash
# Makes the documentation of the library in .build/docs; every warning is an error.
#
# usage: docs.sh SWIFT

set -euo pipefail

swift=$1
symbols=$PWD/.build/symbols
rm -rf "$symbols"
mkdir -p "$symbols"
"$swift" package dump-symbol-graph --minimum-access-level public --skip-synthesized-members >/dev/null
find .build -path "$symbols" -prune -o -name 'Cleave.symbols.json' -print0 | xargs -0 -I{} cp {} "$symbols"
docc=$(dirname "$(readlink -f "$(command -v "$swift")")")/docc
"$docc" convert Sources/Cleave/Cleave.docc --additional-symbol-graph-dir "$symbols" \
  --fallback-display-name Cleave --fallback-bundle-identifier io.cleave.Cleave \
  --output-path .build/docs --warnings-as-errors
echo "docs: .build/docs"
