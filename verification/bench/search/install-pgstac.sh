#!/usr/bin/env bash
# Installs the peer of `npm run bench -- search` in a separate folder: install-pgstac.sh <folder>. The newest
# stac-fastapi.pgstac for an installed Python, with the pgstac that it requires. Neither is a dependency of the project.
set -euo pipefail
. "$(dirname "$0")/../python-environment.sh"

make_environment "$1" 'stac_fastapi.pgstac.app, pypgstac' 'stac-fastapi.pgstac' 'pypgstac[psycopg]' 'uvicorn[standard]'
