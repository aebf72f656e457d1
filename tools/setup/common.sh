# shellcheck shell=bash
# Shared shell functions of tools/quickstart and tools/test: paths, progress, errors. Sourced, not run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)"
BUILD="$ROOT/build"
LOGS="$BUILD/logs"
VENV="$BUILD/venv"
PYTHON="$VENV/bin/python"
JOBS="${KILN_JOBS:-$(nproc)}"
STARTED=$SECONDS
mkdir -p "$LOGS"

# A variable left over from tuning experiments changes what numpy computes and how fast.
unset OPENBLAS_CORETYPE

PHASES=()
PHASE_STARTS=()

# phase TITLE: starts a phase; the number is the time since the script began.
phase() {
  PHASES+=("$*")
  PHASE_STARTS+=("$SECONDS")
  printf '==> [%4ds] %s\n' $((SECONDS - STARTED)) "$*"
}

# print_phases: the seconds of each phase, in their order, and of all.
print_phases() {
  local i ends=("${PHASE_STARTS[@]:1}" "$SECONDS")
  echo "==> Wall time by phase"
  for i in "${!PHASES[@]}"; do
    printf '    %6d s  %s\n' $((ends[i] - PHASE_STARTS[i])) "${PHASES[i]}"
  done
  printf '    %6d s  in all\n' $((SECONDS - STARTED))
}

note() { printf '    %s\n' "$*"; }

# fail EXIT MESSAGE...: exit codes as for kiln: 2 usage, 3 the checkout or a model, 4 this machine.
fail() {
  local code=$1
  shift
  printf 'error: %s\n' "$*" >&2
  exit "$code"
}

# logged NAME COMMAND...: runs a command with its output in build/logs/NAME.log, and shows the newest line
# of it every ten seconds, so that a long phase is seen to move; on failure shows the end of the log.
logged() {
  local name=$1 log="$LOGS/$1.log" begin=$SECONDS shown=$SECONDS pid status=0
  shift
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.2
    if ((SECONDS - shown >= 10)); then
      shown=$SECONDS
      note "$((SECONDS - begin))s  $(tail -n 1 "$log" | tr -d '\r' | cut -c 1-100)"
    fi
  done
  wait "$pid" || status=$?
  if ((status != 0)); then
    tail -n 60 "$log" >&2
    printf 'error: %s failed with exit status %d; the whole log is %s\n' "$name" "$status" "$log" >&2
  fi
  return "$status"
}

# stamped FILE KEY: whether the stamp FILE was written for exactly KEY, so a phase can be skipped.
stamped() { [[ -f $1 && $(<"$1") == "$2" ]]; }

# check_sha256 FILE SUM: fails unless the file is the one that was pinned.
check_sha256() {
  local found
  found=$(sha256sum "$1" | cut -d ' ' -f 1)
  [[ $found == "$2" ]] || fail 3 "$1 is not the pinned file; expected sha256 $2, found $found; fix: delete it and run again"
}

# pip ARGUMENTS...: pip of the build tree's environment, quiet and never asking.
pip() { "$PYTHON" -m pip --disable-pip-version-check --no-input "$@"; }
