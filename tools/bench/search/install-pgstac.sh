#!/usr/bin/env bash
# The peer of `npm run bench -- search`, in a folder of its own: install-pgstac.sh <folder>. The newest stac-fastapi.pgstac that pip
# finds for a Python here, with the pgstac that it asks for. Nothing of it is a dependency of the project.
set -euo pipefail
folder=$1

install_into() { # program of Python
  "$1" -c 'import ensurepip, venv' 2>/dev/null || return 1
  rm -rf "$folder"
  "$1" -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check 'stac-fastapi.pgstac' 'pypgstac[psycopg]' \
    'uvicorn[standard]' && "$folder/bin/python" -c 'import stac_fastapi.pgstac.app, pypgstac' 2>/dev/null
}

# Those of pyenv are not in the path by their names.
of_pyenv() { ls -d "$(pyenv root 2>/dev/null)"/versions/3.1[1-9]*/bin/python3 2>/dev/null | sort -Vr || true; }

for python in python3.14 python3.13 python3.12 $(of_pyenv) python3; do
  if install_into "$python"; then exit 0; fi
done
echo 'no Python here takes stac-fastapi.pgstac' >&2
exit 1
