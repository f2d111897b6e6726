#!/usr/bin/env bash
# openapi-python-client (third party) generates a client from the OpenAPI document that a running server sends; any warning
# fails. The client then calls the server: .ci/openapi-client.sh DATA_DIR. With --install alone it only installs the program.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/openapi-clients/environment.sh

install_clients
[ "${1:-}" != --install ] || exit 0

credentials=$1/first-credentials.json
address=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).address' "$credentials")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$environment/bin/openapi-python-client" generate --url "$address/openapi.json" --meta none --fail-on-warning \
  --config tools/openapi-clients/generator.yml --output-path "$folder/swath_client"
PYTHONPATH=$folder PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" tools/openapi-clients/call_generated.py "$credentials"
