#!/usr/bin/env bash
# Installs what the inputs of `npm run prove -- cases` are made and judged with: install.sh <folder>. No dependencies of the project.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. verification/bench/python-environment.sh

ensure_environment "$folder" 'numpy, pyproj, rasterio, requests, shapefile, tifffile' \
  numpy==2.4.6 pyproj==3.7.2 pyshp==3.1.6 rasterio==1.5.2 requests==2.34.2 tifffile==2026.3.3
