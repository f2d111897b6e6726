#!/usr/bin/env bash
# Builds the image of a release with its base images pinned by digest: deploy/build-image.sh TAG
# Resolves the tags of the Dockerfile unless NODE_DIGEST and DEBIAN_DIGEST have the digests (`@sha256:…`) that were reviewed,
# and fails where the registry has others under these tags. Prints the digests, which belong in the notes of the release.
set -euo pipefail
cd "$(dirname "$0")/.."
tag=${1:?the tag of the image, such as swath:1.0.0}

# The image of the first FROM line with this name, without the argument at its end; fails if there is none.
base_image() {
  local word image
  while read -r word image _; do
    if [[ $word == FROM && $image == "$1":* ]]; then echo "${image%%\$*}"; return; fi
  done <Dockerfile
  echo "the Dockerfile has no base image $1" >&2
  return 1
}

# The digest of a tag, as the registry has it now.
resolve_digest() { docker buildx imagetools inspect --format '@{{.Manifest.Digest}}' "$1"; }

# The digest of an image; fails if it is not the expected one, or not a digest.
checked_digest() {
  local image=$1 expected=$2 digest
  digest=$(resolve_digest "$image")
  [[ $digest =~ ^@sha256:[0-9a-f]{64}$ ]] || { echo "the registry has no digest of $image: $digest" >&2; return 1; }
  [ -z "$expected" ] || [ "$digest" = "$expected" ] || { echo "$image is $digest, not $expected" >&2; return 1; }
  echo "$digest"
}

node_image=$(base_image node)
debian_image=$(base_image debian)
node_digest=$(checked_digest "$node_image" "${NODE_DIGEST:-}")
debian_digest=$(checked_digest "$debian_image" "${DEBIAN_DIGEST:-}")
docker build --build-arg "NODE_DIGEST=$node_digest" --build-arg "DEBIAN_DIGEST=$debian_digest" --tag "$tag" .
echo "NODE_DIGEST=$node_digest DEBIAN_DIGEST=$debian_digest"
