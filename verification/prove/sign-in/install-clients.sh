#!/usr/bin/env bash
# Installs the OpenID Connect clients of `npm run prove -- sign-in` in a separate folder: install-clients.sh <folder>.
# openid-client and oauth4webapi for Node, and Authlib for Python. None of them is a dependency of the project.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. verification/bench/python-environment.sh

packages='openid-client@6.9.0 oauth4webapi@3.8.8 Authlib==1.9.9 requests==2.34.2'
read -r openid_client oauth4webapi authlib requests <<<"$packages"
[ "$(cat "$folder/installed" 2>/dev/null)" != "$packages" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder"
npm install --prefix "$folder" --no-package-lock --no-audit --no-fund --silent "$openid_client" "$oauth4webapi" >&2
make_environment "$folder/python" authlib,requests "$authlib" "$requests" >&2
echo "$packages" >"$folder/installed"
