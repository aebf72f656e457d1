# shellcheck shell=bash
# Configuring and building Kiln itself. Sourced by tools/quickstart and tools/test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# build_kiln TARGET...: everything without one.
build_kiln() {
  logged configure cmake -S "$ROOT" --preset release || fail 3 "Kiln cannot be configured"
  logged build cmake --build "$BUILD" -j "$JOBS" ${1:+--target "$@"} || fail 3 "Kiln cannot be built"
}

# prepare TARGET...: everything up to and including the build, each phase skipped when it is done already.
prepare() {
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
