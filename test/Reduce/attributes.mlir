// RUN: kiln-reduce %s --test "kiln-opt" --message "graph.matmul" -o - 2>/dev/null | FileCheck %s
// RUN: kiln-reduce %s --test "kiln-opt" --message "tf32" -o - 2>/dev/null | FileCheck %s --check-prefix=KEPT
// RUN: kiln-reduce %s --test "kiln-opt --mlir-print-debuginfo" --message "/layer.0/MatMul" -o - 2>/dev/null | FileCheck %s --check-prefix=NAMED

// Attributes that an op can be without go, and locations, unless the test looks for them;
// what an op must have stays, as do the names of inputs and outputs.

// CHECK-NOT: other.note
// CHECK-NOT: graph.compile
// CHECK-NOT: tf32
// CHECK-NOT: loc(
// CHECK: func.func @main(%{{.*}}: tensor<1x1xf32> {graph.name = "{{.*}}"}

// KEPT: graph.matmul {{.*}}tf32
// NAMED: loc("/layer.0/MatMul")

module attributes {other.note = "x"} {
  func.func @main(%x: tensor<4x8xf32> {graph.name = "x"}, %w: tensor<8x16xf32> {graph.name = "w"})
      -> (tensor<4x16xf32> {graph.name = "y"}) attributes {other.note = "y"} {
    %0 = graph.matmul %x, %w {tf32, other.note = 1 : i64} : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32> loc("/layer.0/MatMul")
    return %0 : tensor<4x16xf32>
  }
}
