#!/usr/bin/env bash
# The peers of `npm run bench -- raster`, in a folder of their own: install-peers.sh [folder]. The newest rio-tiler and rasterio
# that pip finds for the newest Python here (newer ones carry a newer GDAL), and GDAL's own tools from Debian. Nothing of it is
# a dependency of the project.
set -euo pipefail
folder=${1:-${TMPDIR:-/tmp}/swath-raster-bench/peers}

has_debian() {
  command -v gdalwarp >/dev/null && /usr/bin/python3 -c 'import osgeo.gdal, numpy, ensurepip, venv' 2>/dev/null
}

# Rasterio has wheels for a new Python a while after it comes out: each is tried until one works.
install_into() { # program of Python
  "$1" -c 'import ensurepip, venv' 2>/dev/null || return 1
  rm -rf "$folder"
  "$1" -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --upgrade --disable-pip-version-check --only-binary rasterio,numpy \
    rio-tiler rasterio && "$folder/bin/python" -c 'import rasterio, rio_tiler'
}

if ! has_debian; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    gdal-bin python3-gdal python3-numpy python3-venv >/dev/null
fi

# Those of pyenv are not in the path by their names.
of_pyenv() { ls -d "$(pyenv root 2>/dev/null)"/versions/3.1[2-9]*/bin/python3 2>/dev/null | sort -Vr || true; }

for python in python3.14 python3.13 python3.12 $(of_pyenv) /usr/bin/python3; do
  if install_into "$python"; then break; fi
done

"$folder/bin/python" - <<'END'
import platform
from importlib.metadata import version
import rasterio
names = ("rio-tiler", "rasterio", "numpy", "morecantile")
print("Python", platform.python_version(), *(f"· {name} {version(name)}" for name in names), "· its GDAL", rasterio.__gdal_version__)
END
gdalinfo --version
