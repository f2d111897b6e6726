#!/usr/bin/env bash
# Installs what judges the analytics, in a separate folder: install.sh <folder>. rasterio and numpy read and compute pixels,
# exactextract measures fractions of pixels, spyndex has the public list of spectral indices. They are no dependencies of the
# project.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. verification/bench/python-environment.sh

ensure_environment "$folder" 'numpy, rasterio, exactextract, spyndex' numpy==2.4.6 rasterio==1.4.4 exactextract==0.3.0 spyndex==0.12.0
