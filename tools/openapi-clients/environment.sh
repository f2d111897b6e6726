# Sourced by the scripts that test a running server against its OpenAPI document: one virtual environment for all of them.

. verification/bench/python-environment.sh

schemathesis_version=4.32.5
generator_version=0.29.1
environment=${TMPDIR:-/tmp}/swath-openapi-clients-$schemathesis_version-$generator_version

install_clients() {
  [ ! -x "$environment/bin/openapi-python-client" ] || return 0
  make_environment "$environment" schemathesis,openapi_python_client,httpx \
    "schemathesis==$schemathesis_version" "openapi-python-client==$generator_version" >&2
}

seeded_value() { sed -n "s/^$1=//p" <<<"$seeded"; }
