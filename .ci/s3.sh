#!/usr/bin/env bash
# A third-party S3 server (moto): .ci/s3.sh prints its URL; .ci/s3.sh stop URL stops it.
set -euo pipefail

version=5.2.5

if [ "${1:-}" = stop ]; then
  pid_file=${TMPDIR:-/tmp}/swath-moto-${2##*:}.pid
  kill "$(cat "$pid_file")"
  rm -f "$pid_file"
  exit 0
fi

home=${TMPDIR:-/tmp}/swath-moto-$version
if [ ! -x "$home/bin/moto_server" ]; then
  if ! python3 -m venv "$home" >/dev/null 2>&1; then
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >&2
    python3 -m venv "$home"
  fi
  "$home/bin/pip" install --quiet --disable-pip-version-check "moto[server]==$version" >&2
fi

port=$(node "$(dirname "$0")/free-port.mjs")
nohup "$home/bin/moto_server" -H 127.0.0.1 -p "$port" >/dev/null 2>&1 &
echo $! >"${TMPDIR:-/tmp}/swath-moto-$port.pid"
for _ in $(seq 60); do
  if node -e "fetch('http://127.0.0.1:$port/moto-api/').then(() => process.exit(0), () => process.exit(1))"; then
    echo "http://127.0.0.1:$port"
    exit 0
  fi
  sleep 0.5
done
echo 'the S3 server did not start' >&2
exit 1
