#!/bin/sh
# Tries what `make deb` and `make dist` have made where there is nothing else. It needs root; for the package also
# debootstrap, and what that downloads.
#
#     Scripts/package-test.sh [SUITE]      bookworm by default
#
# The program of the archive does its work in a directory that has only /proc. The package is installed in a fresh
# system, does its work there, and is removed: nothing may be left. SYSTEM is a directory that debootstrap has filled
# already, and that is copied. What cannot be tried is told.

set -eu

cd "$(dirname "$0")/.."
suite=${1:-bookworm}
version=$(sed -n 's/.*cleaveVersion = "\(.*\)"/\1/p' Sources/Cleave/Version.swift)
archive=.build/cleave-$version-linux-$(uname -m).tar.gz
package=$(ls -t .build/cleave_"$version"-*.deb 2>/dev/null | head -1)
place=$(mktemp -d)
trap 'umount "$place"/*/proc 2>/dev/null || true; rm -rf "$place"' EXIT

fail() {
  echo "package-test: $*" >&2
  exit 1
}

# works ROOT PROGRAM: a merge, a split zip and a check of it. What is written is compared from outside.
works() {
  mkdir -p "$1/tried"
  cp Fixtures/zip-and-split/parts/* "$1/tried/"
  chroot "$1" "$2" merge -q /tried/b.zip.001 &&
    cmp "$1/tried/b.zip" "$whole" &&
    chroot "$1" "$2" split -q --format=zip -b 64K /tried/b.zip /tried/again &&
    chroot "$1" "$2" verify -q /tried/again.z01 &&
    chroot "$1" "$2" merge -q -o - /tried/again.zip | cmp - "$whole" &&
    chroot "$1" "$2" help merge >"$1/tried/help" &&
    grep -q '^Usage: cleave merge ' "$1/tried/help" || fail "$2 does not work in $1"
  rm -r "$1/tried"
}
whole=$PWD/Fixtures/zip-and-split/whole

if [ -f "$archive" ]; then
  mkdir -p "$place/empty/proc"
  tar -xzf "$archive" -C "$place/empty" --strip-components=1
  (cd "$place/empty" && sha256sum --quiet -c SHA256SUMS) || fail "a sum in $archive is wrong"
  mount -t proc proc "$place/empty/proc"
  works "$place/empty" /cleave
  echo "$archive: works in an empty directory"
else
  echo "not tried: $archive is not there; make dist makes it"
fi

if [ -n "$package" ] && command -v lintian >/dev/null; then
  # As root it says on standard error that this is not recommended.
  lintian --fail-on error,warning --pedantic "$package" 2>"$place/log" || fail "lintian finds faults in $package"
  echo "$package: lintian finds nothing but what is overridden"
else
  echo "not tried: lintian, or no package to try it on"
fi

if [ -z "$package" ]; then
  echo "not tried: the package is not there; make deb makes it"
elif [ -z "${SYSTEM:-}" ] && ! command -v debootstrap >/dev/null; then
  echo "not tried: $package needs debootstrap"
else
  system=$place/$suite
  if [ -n "${SYSTEM:-}" ]; then
    cp -a "$SYSTEM" "$system"
  else
    debootstrap --variant=minbase "$suite" "$system" >"$place/log" 2>&1 ||
      fail "debootstrap failed: $(tail -1 "$place/log")"
  fi
  cp "$package" "$system/cleave.deb"
  # What it needs comes first, so that only the package itself is compared.
  needs=$(dpkg-deb -f "$package" Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g')
  chroot "$system" apt-get install -y --no-install-recommends $needs >"$place/log" 2>&1 ||
    fail "apt-get failed: $(tail -1 "$place/log")"
  mount -t proc proc "$system/proc"
  files() { (cd "$system" && find . -path ./proc -prune -o -print | grep -v '^./var/\(lib\|cache\|log\)/' | LC_ALL=C sort); }
  files >"$place/before"
  chroot "$system" dpkg -i /cleave.deb >"$place/log" 2>&1 || fail "dpkg failed: $(tail -1 "$place/log")"
  works "$system" /usr/bin/cleave
  seq 10 | chroot "$system" /usr/lib/cleave/bin/split -l 5 - /tmp/x
  [ "$(cat "$system/tmp/xab")" = "$(seq 6 10)" ] || fail "the link called split does not split"
  rm "$system"/tmp/x*
  chroot "$system" dpkg --purge cleave >"$place/log" 2>&1 || fail "dpkg failed: $(tail -1 "$place/log")"
  files | diff "$place/before" - || fail "purging leaves something"
  echo "$package: works in $suite, and leaves nothing"
fi
