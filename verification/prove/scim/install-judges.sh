#!/usr/bin/env bash
# Installs the judges of `npm run prove -- scim` in a separate folder: install-judges.sh <folder>.
# scim2-tester for Python, and oidc-provider for Node. None of them is a dependency of the project.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. verification/bench/python-environment.sh

packages='oidc-provider@9.13.3 scim2-tester==0.5.2 httpx2==2.16.2'
read -r oidc_provider scim2_tester httpx2 <<<"$packages"
[ "$(cat "$folder/installed" 2>/dev/null)" != "$packages" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder"
npm install --prefix "$folder" --no-package-lock --no-audit --no-fund --ignore-scripts --silent "$oidc_provider" >&2
make_environment "$folder/python" scim2_tester,httpx2 "$scim2_tester" "$httpx2" >&2
echo "$packages" >"$folder/installed"
