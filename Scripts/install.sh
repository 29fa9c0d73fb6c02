#!/bin/sh
# Installs the program with everything that belongs to it, or removes just that.
#
#     Scripts/install.sh install|uninstall
#
# PREFIX (/usr/local) is where it will be used, DESTDIR what is put in front of that for now. BINARY is the
# program, and MADE (.build) has what Scripts/manual.sh has made of it. ZSH is where zsh looks for completions, and
# LICENSE where the license goes, both below PREFIX; if LICENSE is empty, none is installed.

set -eu

action=${1:-}
root=${DESTDIR:-}${PREFIX:-/usr/local}
made=${MADE:-.build}
man=share/man/man1
cd "$(dirname "$0")/.."

# place SOURCE NAME [OPTION...]: one file, whose name is below PREFIX; the last mode counts.
place() {
  source=$1 target=$root/$2
  shift 2
  if [ "$action" = install ]; then
    install -d "$(dirname "$target")"
    install -m 644 "$@" "$source" "$target"
  else
    rm -f "$target"
  fi
}

case $action in
  install) first=$made/man/cleave.1 ;;
  uninstall) first=$root/$man/cleave.1 ;;
  *)
    echo "usage: install.sh install|uninstall" >&2
    exit 64
    ;;
esac

place "${BINARY:-.build/release/cleave}" bin/cleave -s -m 755
# The page of the program names all others; it is removed last.
pages=$(sed -n 's/^\.Xr \(cleave-[a-z]*\) 1.*/\1/p' "$first" 2>/dev/null || true)
for page in $pages cleave; do
  place "$made/man/$page.1" "$man/$page.1"
done
place "$made/completions/cleave.bash" share/bash-completion/completions/cleave
place "$made/completions/_cleave" "${ZSH:-share/zsh/site-functions}/_cleave"
place "$made/completions/cleave.fish" share/fish/vendor_completions.d/cleave.fish
license=${LICENSE-share/doc/cleave/LICENSE}
[ -z "$license" ] || place LICENSE "$license"

# By this name the program is GNU split. It is found only where this directory is put in PATH.
if [ "$action" = install ]; then
  install -d "$root/lib/cleave/bin"
  ln -sf ../../../bin/cleave "$root/lib/cleave/bin/split"
else
  rm -f "$root/lib/cleave/bin/split"
  # Those that are nobody else's, if they are there and empty.
  for directory in lib/cleave/bin lib/cleave share/doc/cleave; do
    rmdir "$root/$directory" 2>/dev/null || true
  done
fi
