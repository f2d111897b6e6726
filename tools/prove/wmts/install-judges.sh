#!/usr/bin/env bash
# The judges of `npm run prove -- wmts` in a folder of their own: install-judges.sh <folder>. OWSLib, lxml, and MapProxy for the
# schemas of OGC that it tests itself with. Nothing of it is a dependency of the project.
set -euo pipefail
folder=$1
rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check OWSLib lxml
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps MapProxy
