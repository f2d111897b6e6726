#!/usr/bin/env bash
# Builds limit.c with the libraries of Debian, unpacked in a folder of their own: build-limit.sh [folder]. The program is
# <folder>/limit. Nothing is installed in the system; the compiler is gcc.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-${TMPDIR:-/tmp}/swath-raster-bench/limit}
mkdir -p "$folder"
cd "$folder"
apt-get update -qq
apt-get download -qq -o APT::Sandbox::User=root libdeflate-dev libdeflate0 libspng-dev libspng0 zlib1g zlib1g-dev
for package in ./*.deb; do dpkg -x "$package" root; done
libraries="$folder/root/usr/lib/$(gcc -print-multiarch)"
gcc -O3 -march=native -I root/usr/include "$here/limit.c" -o limit -L "$libraries" -ldeflate -lspng -Wl,-rpath,"$libraries"
