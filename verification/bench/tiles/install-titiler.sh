#!/usr/bin/env bash
# Installs the peer of `npm run bench -- tiles` in a separate folder: install-titiler.sh <folder>. The newest titiler for the
# newest installed Python; rasterio's wheel bundles GDAL. None of it is a dependency of the project.
set -euo pipefail
. "$(dirname "$0")/../python-environment.sh"

make_environment "$1" titiler.application.main --only-binary rasterio,numpy titiler.application 'uvicorn[standard]'
