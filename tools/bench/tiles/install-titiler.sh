#!/usr/bin/env bash
# The peer of `npm run bench -- tiles`, in a folder of its own: install-titiler.sh <folder>. The newest titiler that pip finds for
# the newest Python here; rasterio's wheel brings its own GDAL. Nothing of it is a dependency of the project.
set -euo pipefail
. "$(dirname "$0")/../python-environment.sh"

make_environment "$1" titiler.application.main --only-binary rasterio,numpy titiler.application 'uvicorn[standard]'
