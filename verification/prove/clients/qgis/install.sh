#!/usr/bin/env bash
# Installs QGIS with its Python in a Debian 13 of its own: install.sh <folder>. Needs root and debootstrap; takes some minutes and 2 GB.
set -euo pipefail
folder=$1
[ -e "$folder/installed" ] && exit 0
command -v debootstrap >/dev/null || {
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap >&2
}
rm -rf "$folder"
mkdir -p "$folder"
log=$folder.log
trap 'tail -n 5 "$log" >&2' ERR
"$(command -v debootstrap || echo /usr/sbin/debootstrap)" --variant=minbase trixie "$folder" >"$log" 2>&1
cp /etc/resolv.conf "$folder/etc/resolv.conf"
chroot "$folder" sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-qgis' >>"$log" 2>&1
chroot "$folder" apt-get clean
touch "$folder/installed"
