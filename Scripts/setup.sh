#!/bin/sh
# Installs what building or testing needs and this machine lacks. With everything there, it changes
# nothing and does not touch the network.
#
#     Scripts/setup.sh build      Swift and git must be there; zlib's headers are installed
#     Scripts/setup.sh test       also the tools that tests compare with, on systems with apt-get
#     Scripts/setup.sh model      spin, which checks the model of consuming
#     Scripts/setup.sh portable   ziglang, whose compiler Scripts/portable.sh tries other systems with:
#                                 100 MB to download, 400 MB on the disk
#     Scripts/setup.sh libraries  prints the variables that tell the build which libraries are there

set -eu

SWIFT=${SWIFT:-swift}
# Where mkfs is, also for those who are not root.
PATH=$PATH:/usr/sbin:/sbin

stop() {
  echo "setup: $*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# Runs a command as root, and says so.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    echo "setup: $*"
    "$@"
  elif have sudo; then
    echo "setup: sudo $*"
    sudo "$@"
  else
    stop "please run this as root: $*"
  fi
}

# install_packages NAME...: with the system's package manager, which must be apt-get.
install_packages() {
  # Where the lists are missing or old, as in fresh containers, they come first.
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" || {
    as_root apt-get update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
  }
}

check_swift() {
  have "$SWIFT" || stop "Swift 6.0 or newer is needed: https://www.swift.org/install"
  version=$("$SWIFT" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
  [ "${version%%.*}" -ge 6 ] 2>/dev/null ||
    stop "Swift 6.0 or newer is needed, this is ${version:-unknown}: https://www.swift.org/install"
}

check_git() {
  have git || stop "git is needed: the Swift package manager calls it"
}

# can_link HEADER EXPRESSION LIBRARY: whether a program that uses the library compiles and links.
can_link() {
  compiler=cc
  have cc || compiler=clang
  have "$compiler" || stop "a C compiler is needed, which Swift's installation instructions list"
  directory=$(mktemp -d)
  printf '#include <%s>\nint main(void) { return %s; }\n' "$1" "$2" >"$directory/try.c"
  result=0
  "$compiler" -o "$directory/try" "$directory/try.c" "-l$3" >/dev/null 2>&1 || result=1
  rm -rf "$directory"
  return $result
}

has_zlib() { can_link zlib.h 'zlibVersion() == 0' z; }
has_isal() { can_link isa-l/crc.h 'crc32_gzip_refl(0, 0, 0) != 0' isal; }
# It is loaded when a digest is first asked for; building needs nothing of it.
has_crypto() { ! have ldconfig || ldconfig -p | grep -q 'libcrypto\.so\.\(3\|1\.1\) '; }

# Only speed is lost without it.
install_isal() {
  have apt-get || return 0
  (install_packages libisal-dev) || echo "setup: no ISA-L here; zlib does its work"
}

# Without it there are no digests such as SHA-256.
install_crypto() {
  have apt-get || return 0
  (install_packages openssl) || echo "setup: no libcrypto here; cleave computes no SHA-256"
}

# Only memory is lost without it, and a little of each start.
install_valgrind() {
  have apt-get || return 0
  (install_packages valgrind) || echo "setup: no valgrind here; functions are laid out in no order"
}

install_zlib() {
  if have apt-get; then
    install_packages zlib1g-dev
  elif have brew; then
    echo "setup: brew install zlib"
    brew install zlib
  else
    stop "zlib's headers are needed: the package is called zlib-devel or zlib1g-dev"
  fi
}

# The tests that compare with other tools skip those that are not there.
install_test_tools() {
  have apt-get || return 0
  missing=
  for pair in rhash:rhash cksfv:cksfv 7z:p7zip-full zip:zip unzip:unzip \
    bsdtar:libarchive-tools python3:python3 busybox:busybox mkfs.xfs:xfsprogs mkfs.btrfs:btrfs-progs \
    zsh:zsh fish:fish tmux:tmux mandoc:mandoc rpmspec:rpm ruby:ruby strace:strace; do
    have "${pair%%:*}" || missing="$missing ${pair#*:}"
  done
  # The python3 that is found first need not be the system's, which the package is for.
  python3 -c 'import jsonschema' 2>/dev/null || /usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
    missing="$missing python3-jsonschema"
  # The tests of addresses: a library without a program.
  ls /usr/lib/*/libcurl.so.4 >/dev/null 2>&1 || missing="$missing libcurl4"
  # Unquoted: it is a list of words.
  [ -z "$missing" ] || install_packages $missing
  install_module tree_sitter_powershell tree-sitter tree-sitter-powershell
}

# install_module MODULE PACKAGE...: of Python; pip refuses where the system has the packages itself.
install_module() {
  have python3 || return 0
  python3 -c "import $1" 2>/dev/null && return
  shift
  echo "setup: python3 -m pip install $*"
  python3 -m pip install --quiet "$@" || echo "setup: what wants $* is skipped"
}

if [ "${1:-build}" = libraries ]; then
  ! has_isal || echo CLEAVE_ISAL=1
  exit
fi
if [ "${1:-build}" = model ]; then
  have spin && have gcc || install_packages spin gcc
  exit
fi
if [ "${1:-build}" = portable ]; then
  install_module ziglang ziglang
  exit
fi
check_swift
check_git
has_zlib || install_zlib
has_isal || install_isal
has_crypto || install_crypto
if [ "${1:-build}" = test ]; then install_test_tools; else have valgrind || install_valgrind; fi
