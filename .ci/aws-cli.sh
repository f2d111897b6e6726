#!/usr/bin/env bash
# Prints the folder of the command `aws`, the client of S3 that the runbook uses; installs it from PyPI if there is none.
set -euo pipefail

version=1.45.11

if command -v aws >/dev/null; then
  dirname "$(command -v aws)"
  exit 0
fi
home=${TMPDIR:-/tmp}/swath-aws-cli-$version
if [ ! -x "$home/bin/aws" ]; then
  if ! python3 -m venv "$home" >/dev/null 2>&1; then
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >&2
    python3 -m venv "$home"
  fi
  "$home/bin/pip" install --quiet --disable-pip-version-check "awscli==$version" >&2
fi
echo "$home/bin"
