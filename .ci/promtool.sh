#!/usr/bin/env bash
# Checks alert rules and metrics with promtool, the tool of Prometheus: .ci/promtool.sh --install | .ci/promtool.sh <URL of a server>
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ "${1:-}" = --install ]; then
  command -v promtool >/dev/null && exit
  apt-get update -qq
  # The package starts a service where systemd runs; only the tool is used.
  DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends prometheus >/dev/null
  exit
fi

promtool check rules docs/operate/alert-rules.yml
(cd docs/operate && promtool test rules alert-rules.test.yml)
node -e "fetch('$1/metrics').then((r) => r.text()).then((t) => process.stdout.write(t))" | promtool check metrics
