#!/usr/bin/env bash
# Installs the newest Python that Debian has, in a Debian of its own: install-debian.sh <folder>. Needs root and debootstrap; takes some
# minutes and 400 MB. The packages are those of `tools` (install.sh), all of Python alone.
set -euo pipefail
folder=$1
version=3.15
suite=forky
[ "$(cat "$folder/installed" 2>/dev/null)" != "$suite $version" ] || exit 0
command -v debootstrap >/dev/null || {
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap >&2
}
rm -rf "$folder"
mkdir -p "$folder"
log=$folder.log
trap 'tail -n 5 "$log" >&2' ERR
# The script of sid serves suites that an older debootstrap does not know.
"$(command -v debootstrap || echo /usr/sbin/debootstrap)" --variant=minbase "--include=python$version,ca-certificates" "$suite" "$folder" \
  http://deb.debian.org/debian /usr/share/debootstrap/scripts/sid >"$log" 2>&1
chroot "$folder" apt-get clean
ln -sf "python$version" "$folder/usr/bin/python-newest"
echo "$suite $version" >"$folder/installed"
