# shellcheck shell=bash
# The ONNX C++ library, installed into build/onnx. Sourced by tools/quickstart and tools/test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

readonly ONNX_VERSION=1.23.2
readonly ONNX_SHA256=008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8

setup_onnx() {
  local work="$BUILD/onnx-build" stamp="$BUILD/onnx/kiln.stamp"
  local key="$ONNX_SHA256 clang-22 -O0 batches of 10 PIC shared-protobuf"
  if stamped "$stamp" "$key"; then
    note "build/onnx is up to date"
    return
  fi
  note "building ONNX $ONNX_VERSION from its source package against the system's protobuf"
  fetch_onnx "$work"
  logged onnx-configure configure_onnx "$work" || fail 4 "ONNX cannot be configured"
  logged onnx-build "$VENV/bin/cmake" --build "$work/obj" --target install -j "$JOBS" || fail 4 "ONNX cannot be built"
  rm -rf "$work"
  echo "$key" >"$stamp"
}

fetch_onnx() {
  local archive="$BUILD/downloads/onnx-$ONNX_VERSION.tar.gz"
  mkdir -p "$BUILD/downloads"
  # Builds only onnx from source: with ":all:" pip would also build its build tools from source.
  [[ -f $archive ]] || logged onnx-download pip download --no-deps --no-binary onnx --progress-bar off \
    -d "$BUILD/downloads" "onnx==$ONNX_VERSION" || fail 4 "ONNX cannot be downloaded"
  check_sha256 "$archive" "$ONNX_SHA256"
  rm -rf "$1"
  mkdir -p "$1/src"
  tar xzf "$archive" -C "$1/src" --strip-components=1
}

configure_onnx() {
  local launchers=()
  if command -v ccache >/dev/null; then
    # Relative paths make the compiler cache useful to other checkouts.
    export CCACHE_BASEDIR="$ROOT" CCACHE_NOHASHDIR=1
    launchers=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  # Unoptimized: Kiln only parses ONNX text and looks operators up with it. It takes half as long to
  # build, and a compile takes 20 ms longer. ONNX needs a newer CMake than Debian 12 has.
  "$VENV/bin/cmake" -G Ninja -S "$1/src" -B "$1/obj" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O0 -DNDEBUG" \
    -DONNX_USE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=10 \
    -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
    "${launchers[@]}" \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DONNX_BUILD_PYTHON=OFF -DONNX_USE_PROTOBUF_SHARED_LIBS=ON \
    -DPython3_EXECUTABLE="$PYTHON" \
    -DCMAKE_INSTALL_PREFIX="$BUILD/onnx"
}
