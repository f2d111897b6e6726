#!/bin/sh
# PgBouncer with deploy/postgres/pgbouncer.ini before a PostgreSQL of .ci/postgres.sh: .ci/pgbouncer.sh <url of a database>
# prints the URL of the same database behind it; .ci/pgbouncer.sh stop <url> stops it; .ci/pgbouncer.sh --install only installs.
set -eu

log() { echo "$@" >&2; }
folder_of() { echo "${TMPDIR:-/tmp}/swath-pgbouncer-$1"; }
port_of() { echo "$1" | sed 's|.*:\([0-9]*\)/.*|\1|'; }

if [ "${1:-}" = stop ]; then
  home=$(folder_of "$(port_of "$2")")
  kill "$(cat "$home/pid")"
  rm -rf "$home"
  exit 0
fi

PATH=$PATH:/usr/sbin
if ! command -v pgbouncer >/dev/null; then
  log 'installing PgBouncer'
  apt-get update -qq >&2
  # The package starts a service where systemd runs; only the program is used.
  DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends pgbouncer >&2
fi
[ "${1:-}" = --install ] && exit 0

here=$(dirname "$0")
port=$(node "$here/free-port.mjs")
home=$(folder_of "$port")
mkdir -p "$home"
database=${1##*/}
sed -e "s|^swath = .*|$database = host=127.0.0.1 port=$(port_of "$1") dbname=$database|" \
  -e '/^swath_replica/d' -e "s|^listen_addr.*|listen_addr = 127.0.0.1|" -e "s|^listen_port.*|listen_port = $port|" \
  -e 's|^auth_type.*|auth_type = trust|' -e "s|^auth_file.*|auth_file = $home/users|" \
  "$here/../deploy/postgres/pgbouncer.ini" > "$home/pgbouncer.ini"
echo "unix_socket_dir = $home" >> "$home/pgbouncer.ini"
for role in postgres swath_owner swath_service; do echo "\"$role\" \"\""; done > "$home/users"
user=$(id -un)
# It refuses to run as root.
[ "$user" = root ] && user=postgres && chown -R "$user" "$home"
if [ "$(id -un)" = "$user" ]; then
  nohup pgbouncer "$home/pgbouncer.ini" >"$home/log" 2>&1 &
else
  nohup setpriv --reuid "$user" --regid "$user" --clear-groups pgbouncer "$home/pgbouncer.ini" >"$home/log" 2>&1 &
fi
echo $! > "$home/pid"
for _ in $(seq 50); do
  grep -q 'process up' "$home/log" && { echo "$1" | sed "s|127.0.0.1:[0-9]*|127.0.0.1:$port|"; exit 0; }
  sleep 0.1
done
log 'PgBouncer did not start'
exit 1
