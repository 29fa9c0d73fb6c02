#!/bin/sh
# Makes a package for Debian and its relatives: .build/cleave_VERSION_ARCHITECTURE.deb
#
#     Scripts/deb.sh
#
# It is made of what `make man` has built. MAINTAINER is who answers for it, "Name <address>"; who
# gives the package to others puts theirs there. Dates are that of the last commit, or of SOURCE_DATE_EPOCH, so that the same program makes the same package.

set -eu

cd "$(dirname "$0")/.."

for tool in dpkg-deb dpkg-shlibdeps readelf strip; do
  command -v $tool >/dev/null || {
    echo "deb.sh: needs $tool: install dpkg-dev and binutils" >&2
    exit 69
  }
done

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
version=$(sed -n 's/.*cleaveVersion = "\(.*\)"/\1/p' Sources/Cleave/Version.swift)-1
architecture=$(dpkg --print-architecture)
maintainer=${MAINTAINER:-The cleave authors <cleave@example.org>}
stage=$PWD/.build/deb
root=$stage/root
documents=$root/usr/share/doc/cleave

umask 022
rm -rf "$stage"
mkdir -p "$documents" "$root/DEBIAN" "$root/usr/share/lintian/overrides" "$stage/debian"
DESTDIR=$root PREFIX=/usr ZSH=share/zsh/vendor-completions LICENSE= Scripts/install.sh install
strip --remove-section=.comment --remove-section=.note "$root/usr/bin/cleave"
gzip -9n "$root"/usr/share/man/man1/*.1

# What the program needs is found out from it; for digests it loads libcrypto, if it is there.
printf 'Source: cleave\nPackage: cleave\nArchitecture: any\n' >"$stage/debian/control"
depends=$(cd "$stage" && dpkg-shlibdeps -O -e"$root/usr/bin/cleave" | sed -n 's/^shlibs:Depends=//p')

# dpkg-shlibdeps looks at symbols, and packed relocations are none: glibc 2.36 was the first to know them.
if readelf -d "$root/usr/bin/cleave" | grep -q '(RELR)'; then
  depends=$(echo "$depends" | sed 's/libc6 (>= [^)]*)/libc6 (>= 2.36)/')
fi

gzip -9nc CHANGELOG.md >"$documents/changelog.gz"
gzip -9nc >"$documents/changelog.Debian.gz" <<END
cleave ($version) unstable; urgency=medium

  * What is new is in changelog.gz.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END

cat >"$documents/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: cleave

Files: *
$(sed -n 's/^Copyright (c) /Copyright: /p' LICENSE)
License: Expat
$(sed -n '/^Permission/,$ { s/^$/./; s/^/ /; p; }' LICENSE)
END

cat >"$root/usr/share/lintian/overrides/cleave" <<END
# The package is not in Debian, and closes no request for it.
cleave: initial-upload-closes-no-bugs
END

installed=$(du -k -s --apparent-size --exclude=DEBIAN "$root" | cut -f1)
cat >"$root/DEBIAN/control" <<END
Package: cleave
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $installed
Depends: $depends
Recommends: libssl3 | libssl3t64 | libssl1.1, libcurl4 | libcurl4t64
Section: utils
Priority: optional
Description: split large files, merge multi-part files, prove the result
 cleave cuts a file into parts with a manifest to check them by, and merges
 parts that it or other programs have made: 7-Zip, HJSplit, GNU split, rclone
 and many others. Split zips become one valid zip.
 .
 Parts are put in order, missing ones are named, and nothing gets the final
 name before it is complete and checked. Interrupted jobs go on where they
 stopped, if they were started so.
END
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"

package=.build/cleave_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >/dev/null
echo "$package"
