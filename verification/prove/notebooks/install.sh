#!/usr/bin/env bash
# Installs what `npm run prove -- notebooks` needs, in folders of its own: install.sh <folder>. `tools` has what the extras of the package
# name, and what runs notebooks and tests; `up42` has up42-py, which swath.up42 is compared with. The package comes from its wheel.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. verification/bench/python-environment.sh

UP42_DISABLE_VERSION_CHECK=true ensure_environment "$folder/up42" up42 up42-py==4.3.0

ensure_environment "$folder/tools" httpx2,geopandas,odc.stac,rioxarray,folium,prov,nbclient,pytest \
  httpx2==2.16.2 tqdm==4.70.1 fsspec==2026.9.0 pystac-client==0.9.1 pystac==1.15.2 geopandas==1.2.0 pandas==3.1.1 \
  numpy==2.4.6 pyproj==3.7.2 shapely==2.2.0 dask==2026.8.0 odc-stac==0.5.3 odc-loader==0.6.5 odc-geo==0.5.3 \
  rasterio==1.4.4 rioxarray==0.19.0 xarray==2026.9.0 folium==0.20.0 cryptography==50.0.2 prov==3.2.3 matplotlib==3.11.2 \
  ipykernel==7.4.0 nbclient==0.11.0 nbformat==5.11.1 pytest==9.2.0 mypy==2.4.1 affine==3.0.1 hatchling==1.33.0 \
  geojson==3.1.0 requests==2.34.2
