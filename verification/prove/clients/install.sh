#!/usr/bin/env bash
# Installs the clients of `npm run prove -- clients` in folders of their own, whose paths it prints: install.sh <folder> [part of a name].
# The newest up42-py, and the last one of its second generation; the readers of STAC share one folder, as do the clients of OpenID Connect;
# QGIS has a Debian of its own. All unmodified, no dependencies of the project.
set -euo pipefail
folder=$1
only=${2:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../../.."
. verification/bench/python-environment.sh

is_chosen() { [[ $1 == *"$only"* ]]; }

for version in 4.3.0 2.6.0; do
  is_chosen "up42-$version" || continue
  UP42_DISABLE_VERSION_CHECK=true ensure_environment "$folder/up42-$version" up42 "up42-py==$version"
  echo "$folder/up42-$version"
done

if is_chosen stac; then
  # Their own dependencies are pinned where another version changes what they do.
  ensure_environment "$folder/stac" pystac_client,eodag,odc.stac,stackstac,rio_tiler,owslib,jsonschema \
    pystac-client==0.9.1 'pystac[validation]==1.15.2' eodag==4.10.1 odc-stac==0.5.3 stackstac==0.5.1 rio-tiler==9.4.12 \
    OWSLib==0.35.0 rasterio==1.4.4 xarray==2026.9.0 numpy==2.4.6
  echo "$folder/stac"
fi

if is_chosen qgis; then
  "$here/qgis/install.sh" "$folder/qgis"
  echo "$folder/qgis"
fi

if is_chosen sign-in; then
  verification/prove/sign-in/install-clients.sh "$folder/sign-in"
  echo "$folder/sign-in"
fi

# Judges that .ci/ installs in folders of their own.
for judge in stac-api-validator schemathesis; do
  is_chosen "$judge" || continue
  ".ci/${judge/-api/}.sh" --install >&2
  echo "$folder/$judge"
done
