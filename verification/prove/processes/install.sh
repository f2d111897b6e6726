#!/usr/bin/env bash
# Installs the clients of `npm run prove -- processes` in a separate folder: install.sh <folder>. OWSLib speaks OGC API -
# Processes, rasterio is what the example of an outside worker computes with. They are no dependencies of the project.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. verification/bench/python-environment.sh

ensure_environment "$folder" 'owslib, numpy, rasterio, requests' OWSLib==0.35.0 numpy==2.4.6 rasterio==1.4.4 requests==2.34.2
