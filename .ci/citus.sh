#!/bin/sh
# Starts a temporary cluster of Citus, a coordinator and two workers, from an extension that is installed for PostgreSQL 15,
# and prints SWATH_TEST_CITUS as its only line of output: the URLs of a superuser, the coordinator first. Afterwards:
#   .ci/citus.sh stop <urls>      restart <url>, as after a crash      kill <url>, without an end
#   .ci/citus.sh worker           starts one more server and prints its URL
#   .ci/citus.sh plain            starts a PostgreSQL without the extension and prints its URL; extend <url> restarts it as a node
#   .ci/citus.sh replica <url>    starts a synchronous replica of a server and prints its URL; promote <url> makes it a primary
# CITUS_FOLDER is where they have their files, else memory if there is enough. Needs root, or the user postgres. The extension
# is in no registry that CI reaches, so no step of .ci/run calls this.
set -eu

bin=/usr/lib/postgresql/15/bin
log() { echo "$@" >&2; }
user=$(id -un)
[ "$user" = root ] && user=postgres
run() { if [ "$(id -un)" = "$user" ]; then sh -c "$1" >&2; else su "$user" -s /bin/sh -c "$1" >&2; fi; }

base=${TMPDIR:-/tmp}
free_kb=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
[ -w /dev/shm ] && [ "${free_kb:-0}" -gt 4194304 ] && base=/dev/shm
base=${CITUS_FOLDER:-$base}

home_of() {
  port=$(echo "$1" | sed 's|.*:\([0-9]*\)/.*|\1|')
  for parent in "$base" /dev/shm "${TMPDIR:-/tmp}"; do
    [ ! -d "$parent/swath-citus-$port" ] || { echo "$parent/swath-citus-$port"; return; }
  done
  log "nothing was started at $1"
  exit 1
}

new_home() { # sets port and home
  port=$(node "$(dirname "$0")/free-port.mjs")
  home="$base/swath-citus-$port"
  mkdir -p "$home"
  [ "$(id -un)" != root ] || chown -R "$user" "$home"
}

# The address of this server, which a replica has of its own.
write_address() {
  cat >"$home/address" <<EOF
port = $port
unix_socket_directories = '$home'
listen_addresses = '127.0.0.1'
fsync = ${CITUS_FSYNC:-off}
EOF
  run "cat '$home/address' >> '$home/data/postgresql.conf'"
}

# Settings of a node. Tests make many databases: locks, connections and workers of all.
write_node_settings() {
  cat >"$home/settings" <<EOF
shared_preload_libraries = 'citus'
wal_level = logical
timezone = 'UTC'
jit = off
datestyle = 'ISO'
max_connections = 400
max_prepared_transactions = 400
max_worker_processes = 100
max_wal_senders = 40
max_replication_slots = 40
max_logical_replication_workers = 40
max_locks_per_transaction = 1024
citus.node_conninfo = 'sslmode=disable'
EOF
  run "cat '$home/settings' >> '$home/data/postgresql.conf'"
}

start() {
  run "'$bin/pg_ctl' -D '$home/data' -w -l '$home/log' start"
  echo "postgres://postgres@127.0.0.1:$port/postgres"
}

create_server() {
  new_home
  run "'$bin/initdb' -D '$home/data' -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-instructions"
  write_address
}

start_server() {
  create_server
  write_node_settings
  start
}

control() { # what, url
  run "'$bin/pg_ctl' -D '$(home_of "$2")/data' -w -l '$(home_of "$2")/log' -m immediate $1"
}

case ${1:-} in
stop)
  for url in $(echo "$2" | tr ',' ' '); do
    control stop "$url" || true
    rm -rf "$(home_of "$url")"
  done
  ;;
restart) control restart "$2" ;;
kill) control stop "$2" ;;
promote) run "'$bin/pg_ctl' -D '$(home_of "$2")/data' -w promote" ;;
replica)
  primary=$(home_of "$2")
  new_home
  run "'$bin/pg_basebackup' -d '$2' -D '$home/data' --checkpoint=fast --write-recovery-conf"
  write_address
  start
  # From here on the primary acknowledges nothing that the replica does not have.
  run "echo \"synchronous_standby_names = '*'\" >> '$primary/data/postgresql.conf' && '$bin/pg_ctl' -D '$primary/data' reload"
  ;;
worker) start_server ;;
plain)
  create_server
  start
  ;;
extend)
  home=$(home_of "$2")
  write_node_settings
  run "'$bin/pg_ctl' -D '$home/data' -w -l '$home/log' -m fast restart"
  ;;
'')
  [ -f /usr/share/postgresql/15/extension/citus.control ] || { log 'the extension citus is not installed for PostgreSQL 15'; exit 1; }
  started=''
  trap '[ -z "$started" ] || "$0" stop "$started"' EXIT
  for node in coordinator first second; do
    url=$(start_server)
    started="$started${started:+,}$url"
  done
  trap - EXIT
  echo "$started"
  ;;
*)
  log "unknown: $1"
  exit 2
  ;;
esac
