# shellcheck shell=bash
# Debian packages. Sourced by tools/quickstart and tools/test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Set to 1 by tools/test.
FOR_TESTS=0

# One line per package: its name, then the reason to install it, which is printed first.
debian_packages() {
  cat <<'LIST'
clang-22 the C++ compiler
lld-22 the linker
libclang-rt-22-dev sanitizer and fuzzer runtimes
clang-format-22 formatting
clang-tidy-22 static checks
llvm-22-dev LLVM's headers and CMake files
llvm-22-tools FileCheck, not, split-file
libmlir-22-dev MLIR's headers and libraries
mlir-22-tools mlir-tblgen
zlib1g-dev reading .npz files; LLVM's CMake files ask for it
libzstd-dev LLVM's CMake files ask for it
cmake configuring
ninja-build building
ccache building again
libprotobuf-dev reading ONNX
protobuf-compiler reading ONNX
libflatbuffers-dev the plan inside a package
flatbuffers-compiler the plan inside a package
libxxhash-dev hashes of the weights in a package
libgtest-dev unit tests
libgmock-dev unit tests
libbenchmark-dev micro-benchmarks
libgloo-dev ranks on several nodes
openmpi-bin tests that start ranks with mpirun
python3 tests, model builders, the Python package
python3-venv the environment in build/venv
python3-dev the Python package's C++ module
LIST
  ((!FOR_TESTS)) || cat <<'LIST'
g++ applications that tests build, and the wheel, with the system's compiler
g++-11 applications that tests build with the C++ library of GCC 11
pkg-config applications that find the runtime by kiln.pc
make applications that tests build
gdb names of kernels in a debugger
linux-perf names of kernels in a profiler
LIST
}

missing_packages() {
  local name reason
  while read -r name reason; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || echo "$name"
  done < <(debian_packages)
}

# print_reasons NAME...: prints a table of these packages.
print_reasons() {
  local name reason
  while read -r name reason; do
    [[ " $* " != *" $name "* ]] || printf '      %-22s %s\n' "$name" "$reason"
  done < <(debian_packages)
}

install_packages() {
  command -v dpkg-query >/dev/null || fail 4 "these scripts install Debian packages, and this system has no dpkg; see CONTRIBUTING.md for what to install by hand"
  local missing
  mapfile -t missing < <(missing_packages)
  if ((${#missing[@]} == 0)); then
    note "all Debian packages are installed"
    return
  fi
  note "to install, with the reason for each:"
  print_reasons "${missing[@]}"
  if (($(id -u) != 0)); then
    echo "    Installing packages needs root. Run this line, then this script again:" >&2
    echo "      sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
    fail 4 "Debian packages are missing and this user may not install them"
  fi
  export DEBIAN_FRONTEND=noninteractive
  logged apt-update apt-get update || fail 4 "apt-get update failed"
  logged apt-install apt-get install -y --no-install-recommends "${missing[@]}" || fail 4 "apt-get install failed"
}
