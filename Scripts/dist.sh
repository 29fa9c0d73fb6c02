#!/bin/sh
# Makes .build/cleave-VERSION-SYSTEM-PROCESSOR.tar.gz: a program that needs no library, not even libc, with its
# manual pages and completions.
#
#     Scripts/dist.sh
#
# Two builds of the same sources make the same archive: dates are that of the last commit, or of SOURCE_DATE_EPOCH.
# Swift's runtime wants /proc. zlib computes sums and inflates, of which there is an archive to link; ISA-L has none.
# Nothing can be loaded, and so there are no digests such as SHA-256.

set -eu

cd "$(dirname "$0")/.."

[ "$(uname -s)" = Linux ] || {
  echo "dist.sh: only on Linux can a program be linked without libc" >&2
  exit 69
}

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
version=$(sed -n 's/.*cleaveVersion = "\(.*\)"/\1/p' Sources/Cleave/Version.swift)
name=cleave-$version-linux-$(uname -m)
stage=.build/dist
scratch=.build/static

umask 022
CLEAVE_ISAL=0 "${SWIFT:-swift}" build -c release --product cleave --scratch-path "$scratch" \
  --static-swift-stdlib -Xswiftc -static-executable -Xswiftc -use-ld=lld --disable-local-rpath \
  -Xswiftc -warnings-as-errors -Xcc -DCCRYPTO_NONE -Xcc -DCCURL_NONE -Xlinker --no-export-dynamic

rm -rf "$stage"
mkdir -p "$stage/$name"
install -m 755 "$scratch/release/cleave" "$stage/$name/cleave"
# The build's number is made from paths, too, and the compiler's hashes of modules are others each time; only the
# compiler reads them.
strip --remove-section=.note.gnu.build-id --remove-section=.swift_modhash "$stage/$name/cleave"
Scripts/manual.sh "$stage/$name/cleave" "$stage/$name"
cp LICENSE "$stage/$name/LICENSE"
(cd "$stage/$name" && find . -type f ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort |
  xargs sha256sum >SHA256SUMS)

tar --create --directory "$stage" --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" \
  --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw "$name" | gzip -9n >".build/$name.tar.gz"
echo ".build/$name.tar.gz"
