#!/usr/bin/env bash
# Installs Lighthouse into a folder of its own, whose path is the only argument, unless it is there.
set -euo pipefail
folder=$1
version=13.5.0
[ "$(cat "$folder/installed" 2>/dev/null || true)" = "$version" ] && exit 0
mkdir -p "$folder"
cd "$folder"
echo '{ "private": true }' >package.json
npm install --no-audit --no-fund --loglevel=error --save-exact "lighthouse@$version" >&2
echo "$version" >installed
