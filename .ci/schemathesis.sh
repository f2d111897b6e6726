#!/usr/bin/env bash
# schemathesis, which others wrote, sends generated inputs to every answered operation of a started server and holds its
# answers against the OpenAPI document: .ci/schemathesis.sh DATA_DIR. With --install alone it only fetches the program.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/openapi-clients/environment.sh

install_clients
[ "${1:-}" != --install ] || exit 0

given=$(node tools/launch/run.mjs tools/openapi-clients/seed.ts "$1")
export SWATH_VALUES PYTHONPATH=$PWD/tools/openapi-clients PYTHONDONTWRITEBYTECODE=1 SCHEMATHESIS_HOOKS=schemathesis_hooks
SWATH_VALUES=$(of values)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance

ask() { # inputs of each operation, which operations
  local examples=$1
  shift
  "$environment/bin/schemathesis" run "$(of root)/openapi.json" "$@" --header "Authorization: Bearer $(of token)" \
    --checks $checks,response_schema_conformance --phases fuzzing --mode positive --max-examples "$examples" --seed 15 \
    --generation-with-security-parameters false --generation-database none --suppress-health-check all \
    --workers 2 --no-shrink --continue-on-failure --warnings off
}

# What deletes comes last: the other calls need what exists.
ask 3 --include-by '/x-answered == true' --exclude-by '/x-effect == destructive'
ask 2 --include-by '/x-answered == true' --exclude-by '/x-effect != destructive'

# The token was accepted to the end: answers of 401 would fit any description.
node -e "fetch('$(of root)/v1/op/users.me', { method: 'POST', headers: { authorization: 'Bearer $(of token)' } }).then(
  ({ status }) => process.exit(status === 200 ? 0 : 1))"
