# shellcheck shell=bash
# The Python environment in build/venv. Sourced by tools/quickstart and tools/test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Uses Debian's own interpreter: another python3 in PATH may lack headers or have another version.
readonly SYSTEM_PYTHON=/usr/bin/python3

setup_python() {
  local stamp="$VENV/kiln.stamp" key
  key="$ROOT $("$SYSTEM_PYTHON" -V) $(sha256sum <"$ROOT/tools/requirements.txt")"
  if stamped "$stamp" "$key"; then
    note "build/venv is up to date"
    return
  fi
  note "creating build/venv and installing the pinned packages of tools/requirements.txt"
  logged venv "$SYSTEM_PYTHON" -m venv --clear "$VENV" || fail 4 "python3 -m venv failed"
  logged pip pip install --no-deps --progress-bar off -r "$ROOT/tools/requirements.txt" || fail 4 "pip install failed"
  link_python_package
  echo "$key" >"$stamp"
}

# `import kiln` finds the current module of the build tree, without installing it.
link_python_package() {
  local site
  site=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  echo "$BUILD/python" >"$site/kiln-build-tree.pth"
}
