#!/usr/bin/env bash
# Installs the clients of `npm run prove -- processes` in a separate folder: install.sh <folder>. OWSLib speaks OGC API -
# Processes, rasterio is what the example of an outside worker computes with; it has a GDAL that reads Zarr 3, which zarr and
# xarray read, too. They are no dependencies of the project.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. verification/bench/python-environment.sh

ensure_environment "$folder" 'owslib, numpy, rasterio, requests, xarray, zarr' \
  OWSLib==0.35.0 numpy==2.4.6 rasterio==1.5.2 requests==2.34.2 xarray==2026.9.0 zarr==3.1.6
