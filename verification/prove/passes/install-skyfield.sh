#!/usr/bin/env bash
# Installs skyfield, the independent propagator of `npm run prove -- passes` and `npm run bench -- tasking`, in a separate
# folder: install-skyfield.sh <folder>. It is no dependency of the project.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. verification/bench/python-environment.sh

ensure_environment "$folder" skyfield skyfield==1.55
