// RUN: kiln-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(kiln-merge-gates{width=8 narrow-width=16}))' --remarks-filter='kiln-merge-gates' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// SwiGLU: blocks of half a panel of each, the gate in front.
// CHECK-DAG: #[[$FIRST:.*]] = #graph.shape<[] -> [0, 0, 0, 0]>
// CHECK-DAG: #[[$SECOND:.*]] = #graph.shape<[] -> [0, 0, 1, 0]>
// CHECK-LABEL: func.func @swiglu
// CHECK: %[[G:.*]] = graph.reshape %{{.*}} : (tensor<6x8xf32>) -> tensor<6x2x1x4xf32>
// CHECK: %[[U:.*]] = graph.reshape %{{.*}} : (tensor<6x8xf32>) -> tensor<6x2x1x4xf32>
// CHECK: %[[C:.*]] = graph.concat %[[G]], %[[U]] axis 2
// CHECK: %[[W:.*]] = graph.reshape %[[C]] : (tensor<6x2x2x4xf32>) -> tensor<6x16xf32>
// CHECK: %[[M:.*]] = graph.matmul %arg0, %[[W]]
// CHECK: %[[S:.*]] = graph.reshape %[[M]] : (tensor<4x16xf32>) -> tensor<4x2x2x4xf32>
// CHECK: %[[A:.*]] = graph.slice %[[S]] starts #[[$FIRST]]
// CHECK: %[[A1:.*]] = graph.reshape %[[A]] : (tensor<4x2x1x4xf32>) -> tensor<4x8xf32>
// CHECK: %[[B:.*]] = graph.slice %[[S]] starts #[[$SECOND]]
// CHECK: %[[B1:.*]] = graph.reshape %[[B]]
// CHECK: %[[F:.*]] = graph.unary silu %[[A1]]
// CHECK: graph.binary mul %[[F]], %[[B1]]
// REMARK: [Passed] merge
func.func @swiglu(%x: tensor<4x6xf32>) -> tensor<4x8xf32> {
  %w = graph.constant dense<1.0> : tensor<6x8xf32>
  %v = graph.constant dense<2.0> : tensor<6x8xf32>
  %u0 = graph.matmul %x, %v : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %g0 = graph.matmul %x, %w : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %a = graph.unary silu %g0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = graph.binary mul %a, %u0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// GeGLU, the other factor in front.
// CHECK-LABEL: func.func @geglu
// CHECK: graph.matmul %arg0, %{{.*}} : (tensor<2x3x6xf32>, tensor<6x16xf32>)
// CHECK: graph.unary gelu_tanh
// CHECK-NOT: graph.matmul
// CHECK: return
// REMARK: [Passed] merge
func.func @geglu(%x: tensor<2x3x6xf32>) -> tensor<2x3x8xf32> {
  %w = graph.constant dense<1.0> : tensor<6x8xf32>
  %v = graph.constant dense<2.0> : tensor<6x8xf32>
  %u0 = graph.matmul %x, %v : (tensor<2x3x6xf32>, tensor<6x8xf32>) -> tensor<2x3x8xf32>
  %g0 = graph.matmul %x, %w : (tensor<2x3x6xf32>, tensor<6x8xf32>) -> tensor<2x3x8xf32>
  %a = graph.unary gelu_tanh %g0 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %y = graph.binary mul %u0, %a : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// Panels of 16-bit weights are as wide as they say.
// CHECK-LABEL: func.func @narrow
// CHECK: graph.matmul %arg0, %{{.*}} : (tensor<4x6xf16>, tensor<6x32xf16>)
// CHECK: (tensor<4x32xf16>) -> tensor<4x2x2x8xf16>
// REMARK: [Passed] merge
func.func @narrow(%x: tensor<4x6xf16>) -> tensor<4x16xf16> {
  %w = graph.constant dense<1.0> : tensor<6x16xf16>
  %v = graph.constant dense<2.0> : tensor<6x16xf16>
  %u0 = graph.matmul %x, %v : (tensor<4x6xf16>, tensor<6x16xf16>) -> tensor<4x16xf16>
  %g0 = graph.matmul %x, %w : (tensor<4x6xf16>, tensor<6x16xf16>) -> tensor<4x16xf16>
  %a = graph.unary silu %g0 : (tensor<4x16xf16>) -> tensor<4x16xf16>
  %y = graph.binary mul %a, %u0 : (tensor<4x16xf16>, tensor<4x16xf16>) -> tensor<4x16xf16>
  return %y : tensor<4x16xf16>
}

// -----

// Columns that the exporter joined, the gate behind.
// CHECK-DAG: #[[$FRONT:.*]] = #graph.shape<[] -> [0, 0]>
// CHECK-DAG: #[[$BEHIND:.*]] = #graph.shape<[] -> [0, 8]>
// CHECK-LABEL: func.func @joined
// CHECK: graph.slice %{{.*}} starts #[[$BEHIND]]
// CHECK: graph.slice %{{.*}} starts #[[$FRONT]]
// CHECK: graph.concat
// CHECK: graph.matmul %arg0
// CHECK: (tensor<4x16xf32>) -> tensor<4x2x2x4xf32>
// CHECK: graph.unary silu
// REMARK: [Passed] merge
func.func @joined(%x: tensor<4x6xf32>) -> tensor<4x8xf32> {
  %w = graph.constant dense<1.0> : tensor<6x16xf32>
  %m = graph.matmul %x, %w : (tensor<4x6xf32>, tensor<6x16xf32>) -> tensor<4x16xf32>
  %u = graph.slice %m starts #graph.shape<[] -> [0, 0]> steps [1, 1] : (tensor<4x16xf32>) -> tensor<4x8xf32>
  %g = graph.slice %m starts #graph.shape<[] -> [0, 8]> steps [1, 1] : (tensor<4x16xf32>) -> tensor<4x8xf32>
  %a = graph.unary silu %g : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = graph.binary mul %a, %u : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Columns that fill no half of a panel.
// CHECK-LABEL: func.func @odd
// CHECK-NOT: graph.concat
// CHECK: return
// REMARK: [Missed] merge | {{.*}}no multiple of half a panel of packed weights, 4
func.func @odd(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %w = graph.constant dense<1.0> : tensor<6x6xf32>
  %v = graph.constant dense<2.0> : tensor<6x6xf32>
  %u0 = graph.matmul %x, %v : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %g0 = graph.matmul %x, %w : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %a = graph.unary silu %g0 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = graph.binary mul %a, %u0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// Of different operands.
// CHECK-LABEL: func.func @otherOperand
// CHECK-NOT: graph.concat
// CHECK: return
func.func @otherOperand(%x: tensor<4x6xf32>, %z: tensor<4x6xf32>) -> tensor<4x8xf32> {
  %w = graph.constant dense<1.0> : tensor<6x8xf32>
  %v = graph.constant dense<2.0> : tensor<6x8xf32>
  %u0 = graph.matmul %x, %v : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %g0 = graph.matmul %z, %w : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %a = graph.unary silu %g0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = graph.binary mul %a, %u0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// The gate is a result too.
// CHECK-LABEL: func.func @usedTwice
// CHECK-NOT: graph.concat
// CHECK: return
func.func @usedTwice(%x: tensor<4x6xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %w = graph.constant dense<1.0> : tensor<6x8xf32>
  %v = graph.constant dense<2.0> : tensor<6x8xf32>
  %u0 = graph.matmul %x, %v : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %g0 = graph.matmul %x, %w : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %a = graph.unary silu %g0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = graph.binary mul %a, %u0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y, %g0 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Both have a bias, which stays behind the product.
// CHECK-LABEL: func.func @biases
// CHECK: graph.matmul %arg0, %{{.*}} : (tensor<4x6xf32>, tensor<6x16xf32>)
// CHECK-NOT: graph.matmul
// CHECK: %[[G:.*]] = graph.binary add %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8xf32>)
// CHECK: %[[F:.*]] = graph.unary silu %[[G]]
// CHECK: %[[U:.*]] = graph.binary add
// CHECK: graph.binary mul %[[F]], %[[U]]
// REMARK: [Passed] merge
func.func @biases(%x: tensor<4x6xf32>) -> tensor<4x8xf32> {
  %w = graph.constant dense<1.0> : tensor<6x8xf32>
  %v = graph.constant dense<2.0> : tensor<6x8xf32>
  %b = graph.constant dense<3.0> : tensor<8xf32>
  %c = graph.constant dense<4.0> : tensor<8xf32>
  %g0 = graph.matmul %x, %w : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %g1 = graph.binary add %g0, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %a = graph.unary silu %g1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %u0 = graph.matmul %x, %v : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %u1 = graph.binary add %c, %u0 : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = graph.binary mul %a, %u1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// What is added is computed: no bias.
// CHECK-LABEL: func.func @residual
// CHECK-NOT: graph.concat
// CHECK: return
func.func @residual(%x: tensor<4x6xf32>, %r: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = graph.constant dense<1.0> : tensor<6x8xf32>
  %v = graph.constant dense<2.0> : tensor<6x8xf32>
  %g0 = graph.matmul %x, %w : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %g1 = graph.binary add %g0, %r : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %a = graph.unary silu %g1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %u0 = graph.matmul %x, %v : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %y = graph.binary mul %a, %u0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A sum is no gate.
// CHECK-LABEL: func.func @sum
// CHECK-NOT: graph.concat
// CHECK: return
func.func @sum(%x: tensor<4x6xf32>) -> tensor<4x8xf32> {
  %w = graph.constant dense<1.0> : tensor<6x8xf32>
  %v = graph.constant dense<2.0> : tensor<6x8xf32>
  %u0 = graph.matmul %x, %v : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %g0 = graph.matmul %x, %w : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %a = graph.unary silu %g0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = graph.binary add %a, %u0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Weights that are no weights.
// CHECK-LABEL: func.func @computed
// CHECK-NOT: graph.concat
// CHECK: return
func.func @computed(%x: tensor<4x6xf32>, %v: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %w = graph.constant dense<1.0> : tensor<6x8xf32>
  %u0 = graph.matmul %x, %v : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %g0 = graph.matmul %x, %w : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %a = graph.unary silu %g0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = graph.binary mul %a, %u0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Columns that overlap are no halves.
// CHECK-LABEL: func.func @overlap
// CHECK-NOT: graph.concat
// CHECK: graph.matmul %arg0, %{{.*}} : (tensor<4x6xf32>, tensor<6x16xf32>)
// CHECK-NOT: graph.concat
// CHECK: return
func.func @overlap(%x: tensor<4x6xf32>) -> tensor<4x8xf32> {
  %w = graph.constant dense<1.0> : tensor<6x16xf32>
  %m = graph.matmul %x, %w : (tensor<4x6xf32>, tensor<6x16xf32>) -> tensor<4x16xf32>
  %g0 = graph.slice %m starts #graph.shape<[] -> [0, 3]> steps [1, 1] : (tensor<4x16xf32>) -> tensor<4x8xf32>
  %u0 = graph.slice %m starts #graph.shape<[] -> [0, 5]> steps [1, 1] : (tensor<4x16xf32>) -> tensor<4x8xf32>
  %a = graph.unary silu %g0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = graph.binary mul %a, %u0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
