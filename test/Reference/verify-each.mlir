// RUN: not kiln-opt %s --kiln-test-verify-each="pipeline=builtin.module(canonicalize,kiln-test-plant-bug,canonicalize)" 2>&1 | FileCheck %s --check-prefix=BUG
// RUN: not kiln-opt %s --kiln-test-verify-each="pipeline=builtin.module(kiln-test-plant-bug{bug=swap-operands})" 2>&1 | FileCheck %s --check-prefix=SWAP
// RUN: kiln-opt %s --kiln-test-verify-each="pipeline=builtin.module(kiln-test-plant-bug{bug=harmless},canonicalize)" | FileCheck %s --check-prefix=FINE

// A pass that changes what the model computes is named, with the output and the
// dims; passes that only rewrite are let through.

// BUG: error: KILN-E0257: pass 'kiln-test-plant-bug': output 'y' changed; expected a relative error of at most 1.0e-09, found max error {{.*}}, first at [{{.*}}]: expected {{.*}}, found {{.*}} with batch = 2; fix: {{.*}}
// BUG-NOT: KILN-E0257
// SWAP: KILN-E0257: pass 'kiln-test-plant-bug': output 'y' changed
// FINE: graph.binary add

!rows = tensor<?x4xf32, #graph.shape<[batch] -> [batch, 4]>>

graph.symbol @batch in [1, 64]
graph.weight @bias : tensor<4xf32> {file = "m.data", offset = 0, length = 16, hash = "b"}

func.func @main(%x: !rows {graph.name = "x"}) -> (!rows {graph.name = "y"}) {
  %b = graph.get_weight @bias : tensor<4xf32>
  %0 = graph.kernel "pointwise" (%a = %x, %c = %b) : (!rows, tensor<4xf32>) -> !rows {
    %1 = graph.binary add %a, %c : (!rows, tensor<4xf32>) -> !rows
    %2 = graph.unary exp %a : (!rows) -> !rows
    %3 = graph.binary sub %1, %2 : (!rows, !rows) -> !rows
    graph.yield %3 : !rows
  }
  return %0 : !rows
}
