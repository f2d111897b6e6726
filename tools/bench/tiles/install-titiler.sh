#!/usr/bin/env bash
# The peer of `npm run bench -- tiles`, in a folder of its own: install-titiler.sh <folder>. The newest titiler that pip finds for
# the newest Python here; rasterio's wheel brings its own GDAL. Nothing of it is a dependency of the project.
set -euo pipefail
folder=$1

install_into() { # program of Python
  "$1" -c 'import ensurepip, venv' 2>/dev/null || return 1
  rm -rf "$folder"
  "$1" -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary rasterio,numpy \
    titiler.application 'uvicorn[standard]' && "$folder/bin/python" -c 'import titiler.application.main'
}

# Those of pyenv are not in the path by their names.
of_pyenv() { ls -d "$(pyenv root 2>/dev/null)"/versions/3.1[2-9]*/bin/python3 2>/dev/null | sort -Vr || true; }

for python in python3.14 python3.13 python3.12 $(of_pyenv) python3; do
  if install_into "$python"; then exit 0; fi
done
echo 'no Python here takes titiler' >&2
exit 1
