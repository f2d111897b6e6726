#!/usr/bin/env bash
# up42-py (third party, unmodified) lists what is sold, searches, estimates, orders and follows an order at a running server,
# which may send webhooks to a local port: .ci/order-client.sh DATA_DIR PORT. With --install alone it only installs the client. Versions: the newest, and the last of the
# second generation.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. verification/bench/python-environment.sh

client_versions=(4.3.0 2.6.0)

folder_of() { echo "${TMPDIR:-/tmp}/swath-order-client-$1"; }

for version in "${client_versions[@]}"; do
  folder=$(folder_of "$version")
  [ -x "$folder/bin/python" ] || make_environment "$folder" up42 "up42-py==$version" >&2
done
[ "${1:-}" != --install ] || exit 0

for version in "${client_versions[@]}"; do
  PYTHONDONTWRITEBYTECODE=1 UP42_DISABLE_VERSION_CHECK=true "$(folder_of "$version")/bin/python" \
    verification/prove/order-client/place_order.py "$1/first-credentials.json" "$2"
done
