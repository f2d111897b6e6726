#!/usr/bin/env bash
# schemathesis (third party) sends generated inputs to every route of a running server and validates the responses against each
# of its OpenAPI documents: .ci/schemathesis.sh DATA_DIR [CALLS [DOCUMENT …]]. With --install alone it only installs the program.
# CALLS is how often a route is called at most, by default a few times. It prints how often each status was answered.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/openapi-clients/environment.sh

install_clients
[ "${1:-}" != --install ] || exit 0

data=$1
calls=${2:-}
shift $(($# < 2 ? $# : 2))
seeded=$(node tools/launch/run.mjs tools/openapi-clients/seed.ts "$data")
documents=${*:-$(seeded_value documents)}
root=$(seeded_value root)
SWATH_VALUES=$(seeded_value values)
SWATH_PATHS=$(seeded_value paths)
SWATH_LOGIN=$(seeded_value login)
export SWATH_VALUES SWATH_PATHS SWATH_LOGIN SWATH_ROOT=$root
export PYTHONPATH=$PWD/tools/openapi-clients PYTHONDONTWRITEBYTECODE=1 SCHEMATHESIS_HOOKS=schemathesis_hooks
repository=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance
# The long form also sends what the document does not allow.
mode=$([ -n "$calls" ] && echo all || echo positive)
failed=''

run_checks() { # document, calls of each route, filters of routes
  local document=$1 examples=$2
  shift 2
  export SWATH_ANSWERS="$folder/${document//\//-}.answers"
  "$environment/bin/schemathesis" run "$root/$document.json" "$@" --checks $checks --phases fuzzing --mode "$mode" \
    --max-examples "$examples" --seed 15 --generation-with-security-parameters false --generation-database none \
    --suppress-health-check all --workers 2 --request-timeout 60 --no-shrink --continue-on-failure --warnings off ||
    failed+=" $document"
}

# The documents of which a route is destructive; ends with an error for one that cannot be read.
list_destructive() {
  node -e "for (const name of process.argv.slice(1)) {
    const answer = await fetch('$root/' + name + '.json')
    if (!answer.ok) throw new Error(name + ': ' + answer.status)
    const routes = Object.values((await answer.json()).paths).flatMap((path) => Object.values(path))
    if (routes.some((route) => route['x-effect'] === 'destructive')) console.log(name)
  }" --input-type=module "$@"
}

# Destructive operations come last: the other calls need the seeded resources.
for document in $documents; do run_checks "$document" "${calls:-3}" --exclude-by '/x-effect == destructive'; done
destructive=$(list_destructive $documents)
for document in $destructive; do run_checks "$document" "${calls:-2}" --exclude-by '/x-effect != destructive'; done

"$environment/bin/python" "$repository/tools/openapi-clients/sum_answers.py" "$folder"/*.answers
[ -z "$failed" ] || { echo "answers outside of:$failed"; exit 1; }

# The person can still sign in and call: 401 responses would conform to any schema.
cd "$repository"
node tools/launch/run.mjs tools/openapi-clients/still-signed-in.ts "$data"
