// RUN: not kiln-reduce %s --test "kiln-opt" --message "graph.matmul" -o %t 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not kiln-reduce %s --test "kiln-opt" --crash -o %t 2>&1 | FileCheck %s --check-prefix=CRASH
// RUN: not kiln-reduce %s --test "kiln-opt" --crash --message "graph.unary" -o %t 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not kiln-reduce %s --test "kiln-opt" --hang -o %t 2>&1 | FileCheck %s --check-prefix=HANG
// RUN: not kiln-reduce %S/tests.mlir --test %S/Inputs/hang.sh --message x --timeout 300ms -o %t 2>&1 | FileCheck %s --check-prefix=SLOW
// RUN: not kiln-reduce %s --script %S/Inputs/never.sh -o %t 2>&1 | FileCheck %s --check-prefix=SCRIPT
// RUN: sh -c 'kiln-reduce %s --test kiln-opt --crash -o %t; echo exit $?' 2>&1 | FileCheck %s --check-prefix=STATUS
// RUN: sh -c 'kiln-reduce %s --test kiln-opt -o %t; echo exit $?' 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: not test -e %t

// An input in which the test does not find what it is to keep is an error that says what
// was found in place of it, and nothing is written.

// TEXT: error: KILN-E0007: kiln reduce: kiln-opt: the input is not interesting; expected the text 'graph.matmul', found exit status 0 and 'module {'; fix: run the test on the input by hand
// STATUS: error: KILN-E0007
// STATUS-NEXT: exit 3
// USAGE: error: KILN-E0001: kiln reduce: does not say what a test must keep
// USAGE-NEXT: exit 2
// CRASH: expected a crash, found exit status 0
// BOTH: expected a crash and the text 'graph.unary', found exit status 0
// HANG: expected a test that runs longer than 10.0 s, found exit status 0
// SLOW: expected the text 'x', found a test that was still running after 0.3 s (--timeout);
// SCRIPT: never.sh: the input is not interesting; expected exit status 0, found exit status 7

func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
  %0 = graph.unary exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
