#!/bin/sh
# Starts a temporary PostgreSQL 15 with PostGIS for tests and prints DATABASE_URL (of a superuser) as its only line of output.
# Needs root to install the server, or to run it as another user. Afterwards: .ci/postgres.sh stop <url>, or restart <url>,
# as after a crash. .ci/postgres.sh replica <url> starts a streaming replica of it and prints its URL; it is stopped like another.
set -eu

bin=/usr/lib/postgresql/15/bin
log() { echo "$@" >&2; }

# In memory if 4 GiB are free there: a database is a thousand small files, and tests create hundreds of databases.
base=${TMPDIR:-/tmp}
free_kb=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
[ -w /dev/shm ] && [ "${free_kb:-0}" -gt 4194304 ] && base=/dev/shm
home_of() { [ -d "/dev/shm/swath-postgres-$1" ] && echo "/dev/shm/swath-postgres-$1" || echo "${TMPDIR:-/tmp}/swath-postgres-$1"; }

if [ "${1:-}" = stop ] || [ "${1:-}" = restart ]; then
  port=$(echo "$2" | sed 's|.*:\([0-9]*\)/.*|\1|')
  home=$(home_of "$port")
  [ -f "$home/user" ] || { log "nothing was started on port $port"; exit 1; }
  user=$(cat "$home/user")
  # Immediate: no shutdown checkpoint, as in a crash.
  control="'$bin/pg_ctl' -D '$home/data' -w -l '$home/log' -m immediate $1"
  # Stopping a server that is already dead succeeds, too.
  if [ "$(id -un)" = "$user" ]; then sh -c "$control" >&2 || [ "$1" = stop ]
  else su "$user" -s /bin/sh -c "$control" >&2 || [ "$1" = stop ]; fi
  [ "$1" = restart ] || rm -rf "$home"
  exit 0
fi

if [ "${1:-}" = replica ]; then
  primary=$2
  port=$(node "$(dirname "$0")/free-port.mjs")
  user=$(cat "$(home_of "$(echo "$primary" | sed 's|.*:\([0-9]*\)/.*|\1|')")/user")
  home="$base/swath-postgres-$port"
  mkdir -p "$home"
  echo "$user" > "$home/user"
  [ "$(id -un)" = root ] && chown -R "$user" "$home"
  # --write-recovery-conf makes it a standby that follows the primary.
  start="'$bin/pg_basebackup' -d '$primary' -D '$home/data' --checkpoint=fast --write-recovery-conf &&
    '$bin/pg_ctl' -D '$home/data' -w -l '$home/log' -o '-p $port -k $home -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200' start"
  if [ "$(id -un)" = "$user" ]; then sh -c "$start" >&2; else su "$user" -s /bin/sh -c "$start" >&2; fi
  echo "postgres://postgres@127.0.0.1:$port/postgres"
  exit 0
fi

if [ ! -x "$bin/postgres" ] || [ ! -f /usr/share/postgresql/15/extension/postgis.control ]; then
  log 'installing PostgreSQL 15 and PostGIS'
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql-15 postgresql-15-postgis-3 >&2
fi

user=$(id -un)
[ "$user" = root ] && user=postgres

port=$(node "$(dirname "$0")/free-port.mjs")
home="$base/swath-postgres-$port"
mkdir -p "$home"
echo "$user" > "$home/user"
[ "$(id -un)" = root ] && chown -R "$user" "$home"

run() {
  if [ "$(id -un)" = "$user" ]; then sh -c "$1" >&2; else su "$user" -s /bin/sh -c "$1" >&2; fi
}

run "'$bin/initdb' -D '$home/data' -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-instructions"
run "'$bin/pg_ctl' -D '$home/data' -w -l '$home/log' -o '-p $port -k $home -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200' start"

echo "postgres://postgres@127.0.0.1:$port/postgres"
