#!/usr/bin/env bash
# Installs the public server and models of STAPI for `npm run prove -- stapi` in a separate folder: install.sh <folder>.
# Neither is a dependency of the project.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. verification/bench/python-environment.sh

packages='stapi-fastapi==0.8.0 stapi-pydantic==0.1.0 uvicorn==0.54.0 httpx==0.28.1'
[ "$(cat "$folder/installed" 2>/dev/null)" != "$packages" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder"
read -ra names <<<"$packages"
make_environment "$folder/python" stapi_fastapi,stapi_pydantic,uvicorn,httpx "${names[@]}" >&2
echo "$packages" >"$folder/installed"
