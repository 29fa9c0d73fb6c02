#!/bin/sh
# Prints what `swift build` is to tell the linker on Linux, so that every start is short and takes little
# memory. What a system has not is left out.
#
#     Scripts/linking.sh

set -eu

cd "$(dirname "$0")/.."

# Nobody looks a symbol up in the program itself, and those that can be looked up cannot be left out.
echo "-Xlinker --no-export-dynamic"

# The C++ library of the Swift runtime: as a library of its own, it takes longer to load than the rest of
# the start takes. The linker takes it from the first directory that has it.
archive=$(cc -print-file-name=libstdc++.a 2>/dev/null || true)
if [ -f "$archive" ]; then
  mkdir -p .build/linking
  ln -sf "$archive" .build/linking/libstdc++.a
  echo "-Xswiftc -L$PWD/.build/linking"
fi

# What common work calls lies together, where layout.sh can find out what that is: spread over all of the program it
# brings most of that into memory. Before it has found out, there is no order.
if command -v valgrind >/dev/null && command -v strip >/dev/null; then
  mkdir -p .build/linking
  [ -f .build/linking/layout ] || : >.build/linking/layout
  echo "-Xswiftc -Xfrontend -Xswiftc -function-sections"
  echo "-Xlinker --symbol-ordering-file=$PWD/.build/linking/layout -Xlinker --no-warn-symbol-ordering"
fi

# 1 MiB of relocations in 10 KiB. The loader of glibc 2.36 was the first to know them.
version=$(getconf GNU_LIBC_VERSION 2>/dev/null || true)
case $version in
  "glibc "2.3[6-9]* | "glibc "2.[4-9][0-9]* | "glibc "[3-9]*)
    echo "-Xlinker -z -Xlinker pack-relative-relocs"
    ;;
esac
