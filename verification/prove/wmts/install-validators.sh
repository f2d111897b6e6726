#!/usr/bin/env bash
# Installs the validators of `npm run prove -- wmts` in a separate folder: install-validators.sh <folder>. OWSLib, lxml, and
# MapProxy, whose tests contain the OGC schemas. None of them is a dependency of the project.
set -euo pipefail
folder=$1
rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check OWSLib lxml
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps MapProxy
