#!/usr/bin/env bash
# Installs skyfield, the independent propagator of `npm run prove -- passes` and `npm run bench -- tasking`, in a separate
# folder: install-skyfield.sh <folder>. It is no dependency of the project.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. verification/bench/python-environment.sh

package='skyfield==1.55'
[ "$(cat "$folder/installed" 2>/dev/null)" != "$package" ] || exit 0
rm -rf "$folder"
make_environment "$folder" skyfield "$package" >&2
echo "$package" >"$folder/installed"
