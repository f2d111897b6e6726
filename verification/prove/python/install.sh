#!/usr/bin/env bash
# Installs what `npm run prove -- python` needs in folders of its own: install.sh <folder>. `tools` has the newest versions of what the
# package depends on, with the tools that build and check it; `oldest` the lowest versions that its metadata allows.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. verification/bench/python-environment.sh

tests='pytest==9.2.0 pytest-asyncio==1.5.0'
# shellcheck disable=SC2086
ensure_environment "$folder/tools" httpx2,tqdm,keyring,mypy,hatchling,twine,pytest_asyncio \
  httpx2==2.16.2 tqdm==4.70.1 keyring==25.7.0 mypy==2.4.1 hatchling==1.33.0 twine==7.0.0 $tests
# shellcheck disable=SC2086
ensure_environment "$folder/oldest" httpx2,tqdm,keyring,pytest_asyncio \
  httpx2==2.10.0 tqdm==4.66.0 keyring==25.0.0 $tests
