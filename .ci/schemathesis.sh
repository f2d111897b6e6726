#!/usr/bin/env bash
# schemathesis (third party) sends generated inputs to every implemented operation of a running server and validates the
# responses against the OpenAPI document: .ci/schemathesis.sh DATA_DIR. With --install alone it only installs the program.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/openapi-clients/environment.sh

install_clients
[ "${1:-}" != --install ] || exit 0

seeded=$(node tools/launch/run.mjs tools/openapi-clients/seed.ts "$1")
export SWATH_VALUES PYTHONPATH=$PWD/tools/openapi-clients PYTHONDONTWRITEBYTECODE=1 SCHEMATHESIS_HOOKS=schemathesis_hooks
SWATH_VALUES=$(seeded_value values)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance

run_checks() { # examples per operation, operation filters
  local examples=$1
  shift
  "$environment/bin/schemathesis" run "$(seeded_value root)/openapi.json" "$@" --header "Authorization: Bearer $(seeded_value token)" \
    --checks $checks,response_schema_conformance --phases fuzzing --mode positive --max-examples "$examples" --seed 15 \
    --generation-with-security-parameters false --generation-database none --suppress-health-check all \
    --workers 2 --no-shrink --continue-on-failure --warnings off
}

# Destructive operations come last: the other calls need the seeded resources.
run_checks 3 --exclude-by '/x-effect == destructive'
run_checks 2 --exclude-by '/x-effect != destructive'

# The token must still be accepted at the end: 401 responses would conform to any schema.
node -e "fetch('$(seeded_value root)/v1/op/users.me', { method: 'POST', headers: { authorization: 'Bearer $(seeded_value token)' } }).then(
  ({ status }) => process.exit(status === 200 ? 0 : 1))"
