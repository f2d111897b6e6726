#!/usr/bin/env bash
# Runs stac-api-validator (third party) with all conformance classes against a running server; it must report no errors:
# .ci/stac-validator.sh DATA_DIR. With --install alone it only installs the validator.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. verification/bench/python-environment.sh

version=0.6.8
environment=${TMPDIR:-/tmp}/swath-stac-api-validator-$version
if [ ! -x "$environment/bin/stac-api-validator" ]; then
  make_environment "$environment" stac_api_validator "stac-api-validator==$version" >&2
fi
[ "${1:-}" != --install ] || exit 0

seeded=$(node tools/launch/run.mjs tools/stac-validator/seed.ts "$1")
seeded_value() { sed -n "s/^$1=//p" <<<"$seeded"; }

conformance=''
for class in core collections features item-search filter item-search#sort item-search#fields item-search#query \
  features#sort features#fields features#query transaction; do
  conformance="$conformance --conformance $class"
done

report=$(
  SWATH_SCHEMAS=$PWD/fixtures/schemas PYTHONPATH=tools/stac-validator/offline PYTHONDONTWRITEBYTECODE=1 \
    "$environment/bin/stac-api-validator" --root-url "$(seeded_value root)" --log-level WARN \
    --auth-bearer-token "$(seeded_value token)" --headers "authorization: Bearer $(seeded_value token)" $conformance \
    --collection "$(seeded_value collection)" --transaction-collection "$(seeded_value transaction_collection)" \
    --geometry '{"type":"Polygon","coordinates":[[[20,20],[22,20],[22,22],[20,22],[20,20]]]}' \
    --fields-nested-property properties.eo:cloud_cover --validate-pagination \
    --query-comparison-field eo:cloud_cover --query-eq-value 35 --query-neq-value 35 \
    --query-lt-value 50 --query-lte-value 50 --query-gt-value 20 --query-gte-value 20 \
    --query-substring-field platform --query-starts-with-value sentinel --query-ends-with-value 2a \
    --query-contains-value tinel --query-in-field pass --query-in-values A,D 2>&1
) || true
echo "$report"

node tools/launch/run.mjs tools/stac-validator/judge-report.ts <<<"$report"
