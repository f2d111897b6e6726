#!/usr/bin/env bash
# Installs the peers of `npm run bench -- raster` in a separate folder: install-peers.sh [folder]. The newest rio-tiler and
# rasterio for the newest installed Python (newer wheels bundle a newer GDAL), and GDAL's own tools from Debian. None of them
# is a dependency of the project.
set -euo pipefail
folder=${1:-${TMPDIR:-/tmp}/swath-raster-bench/peers}
. "$(dirname "$0")/../python-environment.sh"

has_debian() {
  command -v gdalwarp >/dev/null && /usr/bin/python3 -c 'import osgeo.gdal, numpy, ensurepip, venv' 2>/dev/null
}

if ! has_debian; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    gdal-bin python3-gdal python3-numpy python3-venv >/dev/null
fi

make_environment "$folder" 'rasterio, rio_tiler' --only-binary rasterio,numpy rio-tiler rasterio

"$folder/bin/python" - <<'END'
import platform
from importlib.metadata import version
import rasterio
names = ("rio-tiler", "rasterio", "numpy", "morecantile")
print("Python", platform.python_version(), *(f"· {name} {version(name)}" for name in names), "· its GDAL", rasterio.__gdal_version__)
END
gdalinfo --version
