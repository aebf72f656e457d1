# shellcheck shell=bash
# Configuring and building Kiln itself. Sourced by tools/quickstart and tools/test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# forget_other_build: a build folder that another generator or checkout has configured cannot be configured again.
forget_other_build() {
  local cache="$BUILD/CMakeCache.txt"
  [[ -f $cache ]] || return 0
  grep -qx "CMAKE_GENERATOR:INTERNAL=Ninja" "$cache" && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$ROOT" "$cache" && return 0
  note "build/ was configured by another generator or for another checkout, and is configured anew"
  rm -rf "$cache" "$BUILD/CMakeFiles"
}

# build_kiln TARGET...: everything without one.
build_kiln() {
  forget_other_build
  logged configure cmake -S "$ROOT" --preset release || fail 3 "Kiln cannot be configured"
  logged build cmake --build "$BUILD" -j "$JOBS" ${1:+--target "$@"} || fail 3 "Kiln cannot be built"
}

# prepare TARGET...: everything up to and including the build, each phase skipped when it is done already.
prepare() {
  choose_jobs
  lock_build
  phase "Debian packages"
  install_packages
  phase "Python environment"
  setup_python
  phase "ONNX library"
  setup_onnx
  phase "Model weights"
  setup_weights
  phase "Kiln"
  build_kiln "$@"
}
