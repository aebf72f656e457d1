// RUN: kiln-reduce %s --test "%S/Inputs/crash.sh {}" --crash -o - 2>/dev/null | FileCheck %s --check-prefix=CRASH
// RUN: kiln-reduce %s --test %S/Inputs/hang.sh --hang --timeout 300ms -o - 2>/dev/null | FileCheck %s --check-prefix=HANG
// RUN: kiln-reduce %s --script %S/Inputs/has-two-operands.sh -o - 2>/dev/null | FileCheck %s --check-prefix=SCRIPT
// RUN: kiln-reduce %s --test "kiln-opt --kiln-no-such-option" --message "Unknown command line argument" -o - 2>/dev/null | FileCheck %s --check-prefix=EMPTY
// RUN: kiln-reduce %s --test "kiln-opt --kiln-simplify-graph -o /dev/null --mlir-print-ir-after-all" --message "graph.unary erf" --time-limit 1ms -o - 2>&1 | FileCheck %s --check-prefix=LIMIT

// RUN: rm -rf %t.tmp && mkdir %t.tmp
// RUN: env TMPDIR=%t.tmp kiln-reduce %s --test "kiln-opt --kiln-test-crash" --crash --message "kiln-opt: crashed by SEGV" -o - 2>/dev/null | FileCheck %s --check-prefix=EMPTY
// RUN: env TMPDIR=%t.tmp kiln-reduce %s --test "%kiln_build/bin/kiln-opt --kiln-test-crash=how=fatal-error" --crash -o - 2>/dev/null | FileCheck %s --check-prefix=EMPTY
// RUN: ls %t.tmp | count 0

// A crash, a hang and the status of a script are kept by programs of their own; a text
// that kiln-opt prints by a process of kiln-reduce. Reports of crashes do not stay.

// CRASH-COUNT-2: graph.unary {{tanh|erf}}
// CRASH-NOT: graph.

// HANG: graph.unary erf
// HANG-NOT: graph.

// SCRIPT: graph.binary add %{{.*}}, %{{.*}} :
// SCRIPT-NOT: graph.

// EMPTY: module {
// EMPTY-NEXT: }

// LIMIT: warning: there was no time to try every edit: the result may become smaller (--time-limit)

func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
  %0 = graph.unary exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.unary tanh %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.unary erf %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = graph.binary add %2, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
