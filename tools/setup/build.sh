# shellcheck shell=bash
# Configuring and building Kiln itself. Sourced by tools/quickstart and tools/test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# forget_other_build: removes the cache of a build folder that another generator or checkout has
# configured, as CMake cannot configure it again.
forget_other_build() {
  local cache="$BUILD/CMakeCache.txt"
  [[ -f $cache ]] || return 0
  grep -qx "CMAKE_GENERATOR:INTERNAL=Ninja" "$cache" && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$ROOT" "$cache" && return 0
  note "build/ was configured by another generator or for another checkout, and is configured anew"
  rm -rf "$cache" "$BUILD/CMakeFiles"
}

# build_kiln TARGET...: builds these targets, or everything without arguments.
build_kiln() {
  forget_other_build
  logged configure cmake -S "$ROOT" --preset release || fail 3 "Kiln cannot be configured"
  logged build cmake --build "$BUILD" -j "$JOBS" ${1:+--target "$@"} || fail 3 "Kiln cannot be built"
}

# prepare TARGET...: runs all phases up to the build; skips phases that are done.
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
