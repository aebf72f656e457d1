# shellcheck shell=bash
# Running the tiers of tests (cmake/TestTiers.cmake). Sourced by tools/test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

TESTS_PASSED=0
TESTS_FAILED=0
TESTS_SKIPPED=0
TESTS_STATUS=0

# run_ctest TITLE ARGUMENTS...: runs ctest as a phase. Not through a pipe, which would lose its exit
# status; the first status that is not 0 becomes that of the script.
run_ctest() {
  local results="$LOGS/tests.xml" status=0
  phase "$1"
  rm -f "$results"
  (cd "$BUILD" && exec ctest --output-on-failure -j "$JOBS" --output-junit "$results" "${@:2}") || status=$?
  ((TESTS_STATUS)) || TESTS_STATUS=$status
  [[ ! -f $results ]] || count_tests "$results"
}

# count_tests FILE: adds up the results that a run of ctest wrote. Tests that did not run were
# skipped at their own request, or have no program, in which case ctest counts them as failed.
count_tests() {
  local run failed absent skipped
  run=$(grep -c '<testcase .* status="run"' "$1" || true)
  failed=$(grep -c '<testcase .* status="fail"' "$1" || true)
  absent=$(grep -c '<testcase .* status="notrun"' "$1" || true)
  skipped=$(grep -A 1 '<testcase .* status="notrun"' "$1" | grep -c '<skipped message="SKIP_' || true)
  TESTS_PASSED=$((TESTS_PASSED + run))
  TESTS_FAILED=$((TESTS_FAILED + failed + absent - skipped))
  TESTS_SKIPPED=$((TESTS_SKIPPED + skipped))
}

# finish_tests: prints the wall time of each phase, and in the last line how many tests of ctest
# passed.
finish_tests() {
  print_phases
  ((TESTS_SKIPPED == 0)) || note "$TESTS_SKIPPED tests were skipped; ctest says above which"
  echo "$TESTS_PASSED passed, $TESTS_FAILED failed"
  exit "$TESTS_STATUS"
}
