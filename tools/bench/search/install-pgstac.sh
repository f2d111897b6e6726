#!/usr/bin/env bash
# The peer of `npm run bench -- search`, in a folder of its own: install-pgstac.sh <folder>. The newest stac-fastapi.pgstac that pip
# finds for a Python here, with the pgstac that it asks for. Nothing of it is a dependency of the project.
set -euo pipefail
. "$(dirname "$0")/../python-environment.sh"

make_environment "$1" 'stac_fastapi.pgstac.app, pypgstac' 'stac-fastapi.pgstac' 'pypgstac[psycopg]' 'uvicorn[standard]'
