# shellcheck shell=bash
# Shared shell functions of tools/quickstart and tools/test: paths, progress, errors. Sourced, not run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)"
BUILD="$ROOT/build"
LOGS="$BUILD/logs"
VENV="$BUILD/venv"
PYTHON="$VENV/bin/python"
JOBS="${KILN_JOBS:-$(nproc)}" # programs at a time; choose_jobs also limits it by memory
# Memory for one compiler with the largest unity source, or for a linker that runs beside it.
readonly JOB_MEBIBYTES=1500
STARTED=$SECONDS
mkdir -p "$LOGS"

# A leftover of tuning experiments would change results and speed of numpy.
unset OPENBLAS_CORETYPE

PHASES=()
PHASE_STARTS=()

# phase TITLE: starts a phase; the number is the time since the script began.
phase() {
  PHASES+=("$*")
  PHASE_STARTS+=("$SECONDS")
  printf '==> [%4ds] %s\n' $((SECONDS - STARTED)) "$*"
}

# print_phases: prints the seconds of each phase, and the total.
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

# logged NAME COMMAND...: runs a command with its output in build/logs/NAME.log, and prints the
# newest line every ten seconds to show progress; on failure prints the end of the log.
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

# available_mebibytes: free memory, of the machine or of the control group (a container) if that is
# less.
available_mebibytes() {
  local free limit
  free=$(awk '/^MemAvailable/ {print int($2 / 1024)}' /proc/meminfo)
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
  [[ $limit == max ]] || free=$((limit / 1048576 < free ? limit / 1048576 : free))
  echo "$free"
}

# choose_jobs: sets JOBS to the number of programs that run at a time: $KILN_JOBS, or one per CPU,
# but no more than fit into memory.
choose_jobs() {
  local cpus=$JOBS free
  [[ $JOBS =~ ^[1-9][0-9]*$ ]] || fail 2 "KILN_JOBS must be a number from 1 on, found '$JOBS'"
  [[ -z ${KILN_JOBS:-} ]] || return 0
  free=$(available_mebibytes)
  ((free >= JOB_MEBIBYTES)) || note "a build needs $JOB_MEBIBYTES MiB of memory, and $free MiB are available: it may be slow, or be ended by the system"
  ((free >= JOBS * JOB_MEBIBYTES)) && return 0
  JOBS=$((free / JOB_MEBIBYTES > 1 ? free / JOB_MEBIBYTES : 1))
  ((JOBS == cpus)) || note "$free MiB of memory are available and a compiler needs $JOB_MEBIBYTES: $JOBS of $cpus CPUs are used (KILN_JOBS overrules this)"
}

# lock_build: waits until no other script builds in this checkout. The lock ends with the process.
lock_build() {
  exec {BUILD_LOCK}>"$BUILD/lock"
  flock --nonblock "$BUILD_LOCK" && return
  note "another tools/quickstart or tools/test works in this checkout; waiting until it is done"
  flock "$BUILD_LOCK"
}

# stamped FILE KEY: whether the stamp FILE contains exactly KEY, so that a phase can be skipped.
stamped() { [[ -f $1 && $(<"$1") == "$2" ]]; }

# check_sha256 FILE SUM: fails unless the file has the pinned hash.
check_sha256() {
  local found
  found=$(sha256sum "$1" | cut -d ' ' -f 1)
  [[ $found == "$2" ]] || fail 3 "$1 is not the pinned file; expected sha256 $2, found $found; fix: delete it and run again"
}

# pip ARGUMENTS...: pip of the build tree's environment, quiet and non-interactive.
pip() { "$PYTHON" -m pip --disable-pip-version-check --no-input "$@"; }
