# shellcheck shell=bash
# all-MiniLM-L6-v2 as ONNX, in build/models/minilm.onnx. Sourced by tools/quickstart and tools/test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

MINILM_MODEL="$BUILD/models/minilm.onnx"

# One model for all runs: rebuilt only if the weights or the builder have changed.
setup_model() {
  local stamp="$MINILM_MODEL.stamp" key
  key="$MINILM_SHA256 $(cat "$ROOT"/models/*.py "$ROOT"/models/bert/*.py | sha256sum)"
  stamped "$stamp" "$key" && [[ -f $MINILM_MODEL ]] && return
  "$PYTHON" "$ROOT/models/build.py" minilm --weights "$MINILM" -o "$MINILM_MODEL"
  echo "$key" >"$stamp"
}
