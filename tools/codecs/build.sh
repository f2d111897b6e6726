#!/usr/bin/env bash
# Builds `packages/raster/src/formats/codecs/codecs.wasm` from `codecs.c`, libjpeg-turbo and OpenJPEG: build.sh [folder].
# Compiler, C library and sources are those of Debian bookworm (sources with its security patches), unpacked in a folder
# of their own; nothing is installed in the system. DEBIAN_MIRROR is the URL of a mirror, which has security updates beside it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-${TMPDIR:-/tmp}/swath-codecs}
root=$(cd "$here/../.." && pwd)
mirror=${DEBIAN_MIRROR:?is the URL of a Debian mirror}
module=packages/raster/src/formats/codecs/codecs.wasm
compiler_packages='clang-14 libclang-cpp14 libclang-common-14-dev libclang1-14 libllvm14 libz3-4 libedit2 libbsd0 libmd0
  lld-14 wasi-libc libclang-rt-14-dev-wasm32'

mkdir -p "$folder/debs" "$folder/root" "$folder/lists/partial" "$folder/objects"
cd "$folder"
cat >sources.list <<END
deb $mirror bookworm main
deb $mirror-security bookworm-security main
deb-src $mirror bookworm main
deb-src $mirror-security bookworm-security main
END
apt=(-qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::lists=$folder/lists" -o APT::Sandbox::User=root)
if [ ! -d openjpeg2 ]; then
  apt-get "${apt[@]}" update
  # shellcheck disable=SC2086
  (cd debs && apt-get "${apt[@]}" download $compiler_packages)
  for package in debs/*.deb; do dpkg -x "$package" root; done
  apt-get "${apt[@]}" source --download-only libjpeg-turbo=1:2.1.5-2 openjpeg2=2.5.0-2+deb12u3
  mkdir -p libjpeg-turbo openjpeg2.new
  tar xf libjpeg-turbo_2.1.5.orig.tar.gz --strip-components=1 -C libjpeg-turbo
  tar xf openjpeg2_2.5.0.orig.tar.xz --strip-components=1 -C openjpeg2.new
  tar xf openjpeg2_2.5.0-2+deb12u3.debian.tar.xz -C openjpeg2.new
  grep -v '^#' openjpeg2.new/debian/patches/series |
    while read -r patch; do patch -d openjpeg2.new -p1 -s <"openjpeg2.new/debian/patches/$patch"; done
  mv openjpeg2.new openjpeg2
fi

jpeg=libjpeg-turbo
opj=openjpeg2/src/lib/openjp2
cat >"$jpeg/jconfig.h" <<'END'
#define JPEG_LIB_VERSION 62
#define LIBJPEG_TURBO_VERSION 2.1.5
#define LIBJPEG_TURBO_VERSION_NUMBER 2001005
#define D_ARITH_CODING_SUPPORTED 1
#define MEM_SRCDST_SUPPORTED 1
#define BITS_IN_JSAMPLE 8
END
cat >"$jpeg/jconfigint.h" <<'END'
#define BUILD ""
#define INLINE inline __attribute__((always_inline))
#define THREAD_LOCAL
#define PACKAGE_NAME "libjpeg-turbo"
#define VERSION "2.1.5"
#define SIZEOF_SIZE_T 4
#define HAVE_BUILTIN_CTZL
#define FALLTHROUGH __attribute__((fallthrough));
END
sed 's/@COPYRIGHT_YEAR@/2023/' "$jpeg/jversion.h.in" >"$jpeg/jversion.h"
cat >"$opj/opj_config.h" <<'END'
#define OPJ_HAVE_STDINT_H 1
#define OPJ_VERSION_MAJOR 2
#define OPJ_VERSION_MINOR 5
#define OPJ_VERSION_BUILD 0
END
cat >"$opj/opj_config_private.h" <<'END'
#define OPJ_PACKAGE_VERSION "2.5.0"
#define OPJ_HAVE_ALIGNED_ALLOC
#define OPJ_HAVE_INTTYPES_H 1
END

bin=root/usr/lib/llvm-14/bin
export LD_LIBRARY_PATH="$folder/root/usr/lib/llvm-14/lib:$folder/root/usr/lib/x86_64-linux-gnu"
flags=(--target=wasm32-wasi -isystem root/usr/include/wasm32-wasi -O3 -msimd128 -mbulk-memory -DNDEBUG -w
  -D_WASI_EMULATED_PROCESS_CLOCKS -I "$jpeg" -I "$opj")
compile() { "$bin/clang" "${flags[@]}" -c "$1" -o "objects/$(basename "$1" .c).o"; }

rm -f objects/*
for name in jaricom jcomapi jdapimin jdapistd jdarith jdatasrc jdcoefct jdcolor jddctmgr jdhuff jdinput jdmainct jdmarker \
  jdmaster jdmerge jdphuff jdpostct jdsample jerror jidctflt jidctfst jidctint jidctred jmemmgr jmemnobs jquant1 jquant2 \
  jsimd_none jutils; do
  compile "$jpeg/$name.c"
done
for name in bio cio dwt event function_list ht_dec image invert j2k jp2 mct mqc openjpeg opj_clock opj_malloc pi \
  sparse_array t1 t2 tcd tgt thread; do
  compile "$opj/$name.c"
done
compile "$here/codecs.c"
"$bin/wasm-ld" --no-entry -O3 --strip-all --max-memory=1073741824 -z stack-size=1048576 -o "$root/$module" objects/*.o \
  -L root/usr/lib/wasm32-wasi -lc -lwasi-emulated-process-clocks "$(find root -name libclang_rt.builtins-wasm32.a | head -1)"
# A test compares these sums, so that the module cannot differ from what it was built from.
cd "$root"
sha256sum tools/codecs/codecs.c tools/codecs/build.sh "$module" | tee tools/codecs/sums.txt
