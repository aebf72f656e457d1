// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels --kiln-verify-kernels | sed "s/ attributes {nodes = .*} {/ {/" | FileCheck %s
// Which ops share a kernel: elementwise ops, rows and products.
// NOTE: checks by tools/update-lit-checks

// Elementwise ops of one shape are one kernel, whatever their order.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[KERNEL_2]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[NEG:[^ ,:)]+]] = graph.unary neg %[[KERNEL_3]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[EXP]], %[[NEG]] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ADD]], %[[KERNEL_3]] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[MUL]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.unary exp %x0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.unary neg %x1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.binary add %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = graph.binary mul %2, %x1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// -----

// A value that leaves the function and is used ends a kernel.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[KERNEL_2]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2]] = %[[KERNEL]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[EXP]] = graph.unary neg %[[KERNEL_2]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]], %[[KERNEL_3]] : tensor<2x3xf32>, tensor<2x3xf32>
func.func @main(%x0: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = graph.unary exp %x0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.unary neg %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// A value with two users in one kernel is computed once.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[KERNEL_2]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[EXP]], %[[EXP]] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[MUL]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.unary exp %x0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.binary mul %0, %0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// Independent chains are kernels of their own.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4xf32>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<4xf32>) {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[KERNEL_2]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2]] = %[[ARG_2]]) : (tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: %[[EXP]] = graph.unary exp %[[KERNEL_2]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]], %[[KERNEL_3]] : tensor<2x3xf32>, tensor<4xf32>
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<4xf32>) -> (tensor<2x3xf32>, tensor<4xf32>) {
  %0 = graph.unary exp %x0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.unary exp %x1 : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<4xf32>
}

// -----

// What feeds only a softmax is its prologue, what follows in its shape the epilogue.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "row" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[ADD]] axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[SOFTMAX]], %[[KERNEL_2]] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[MUL]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x3xf32>, %x1: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = graph.binary add %x0, %x1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = graph.softmax %0 axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.binary mul %1, %x0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// -----

// A softmax read twice ends its kernel.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "row" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[KERNEL_2]] axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[SOFTMAX]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2]] = %[[KERNEL]], %[[KERNEL_4:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[SOFTMAX]] = graph.binary mul %[[KERNEL_2]], %[[KERNEL_4]] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[SOFTMAX]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_5:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2]] = %[[KERNEL]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[SOFTMAX]] = graph.unary exp %[[KERNEL_2]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[SOFTMAX]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_3]], %[[KERNEL_5]] : tensor<2x3xf32>, tensor<2x3xf32>
func.func @main(%x0: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = graph.softmax %x0 axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.binary mul %0, %x0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.unary exp %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// A reduction changes the shape: what follows in the smaller shape joins, what widens again does not.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "row" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<2x1xf32> {
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[KERNEL_2]] axes [1] {keep_dims} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = graph.unary sqrt %[[SUM]] : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: graph.yield %[[SQRT]] : tensor<2x1xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2]] = %[[ARG]], %[[KERNEL_4:[^ ,:)]+]] = %[[KERNEL]]) : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[SUM]] = graph.binary div %[[KERNEL_2]], %[[KERNEL_4]] : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[SUM]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_3]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.reduce sum %x0 axes [1] {keep_dims} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %1 = graph.unary sqrt %0 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %2 = graph.binary div %x0, %1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// -----

// Two softmaxes are two heroes.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "row" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[KERNEL_2]] axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[SOFTMAX]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "row" (%[[KERNEL_2]] = %[[KERNEL]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[SOFTMAX]] = graph.softmax %[[KERNEL_2]] axis 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[SOFTMAX]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_3]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.softmax %x0 axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.softmax %0 axis 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// A product takes the sum and the activation behind it, not what feeds it.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x3xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]]) : (tensor<2x4xf32>) -> tensor<2x4xf32> {
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[KERNEL_2]] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<2x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_3:[^ ,:)]+]] = graph.kernel "matmul" (%[[KERNEL_2]] = %[[KERNEL]], %[[KERNEL_4:[^ ,:)]+]] = %[[ARG_2]], %[[KERNEL_5:[^ ,:)]+]] = %[[ARG_3]]) : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[EXP]] = graph.matmul %[[KERNEL_2]], %[[KERNEL_4]] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[EXP]], %[[KERNEL_5]] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[ADD]] : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[RELU]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_3]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4x3xf32>, %x2: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = graph.unary exp %x0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = graph.matmul %0, %x1 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %2 = graph.binary add %1, %x2 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %3 = graph.unary relu %2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// -----

// Of two products that are added one takes the sum.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x3xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<4x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "matmul" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_3]]) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[MATMUL]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_4:[^ ,:)]+]] = graph.kernel "matmul" (%[[KERNEL_2]] = %[[ARG]], %[[KERNEL_3]] = %[[ARG_2]], %[[KERNEL_5:[^ ,:)]+]] = %[[KERNEL]]) : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[MATMUL]] = graph.matmul %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MATMUL]], %[[KERNEL_5]] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[ADD]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_4]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4x3xf32>, %x2: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = graph.matmul %x0, %x2 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %2 = graph.binary add %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// -----

// A product before a softmax: the softmax is a kernel of its own.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "matmul" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[MATMUL]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_4:[^ ,:)]+]] = graph.kernel "row" (%[[KERNEL_2]] = %[[KERNEL]]) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[MATMUL]] = graph.softmax %[[KERNEL_2]] axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[MATMUL]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_4]] : tensor<2x3xf32>
func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = graph.softmax %0 axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// An epilogue reads through a transpose into a kernel of its own.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<4x3xf32>
// CHECK-SAME: ) -> tensor<3x2xf32> {
// CHECK-NEXT: %[[KERNEL:[^ ,:)]+]] = graph.kernel "matmul" (%[[KERNEL_2:[^ ,:)]+]] = %[[ARG]], %[[KERNEL_3:[^ ,:)]+]] = %[[ARG_2]]) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[KERNEL_2]], %[[KERNEL_3]] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: graph.yield %[[MATMUL]] : tensor<2x3xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[KERNEL_4:[^ ,:)]+]] = graph.kernel "pointwise" (%[[KERNEL_2]] = %[[KERNEL]]) : (tensor<2x3xf32>) -> tensor<3x2xf32> {
// CHECK-NEXT: %[[MATMUL]] = graph.transpose %[[KERNEL_2]] [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = graph.unary exp %[[MATMUL]] : (tensor<3x2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: graph.yield %[[EXP]] : tensor<3x2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %[[KERNEL_4]] : tensor<3x2xf32>
func.func @main(%x0: tensor<2x4xf32>, %x1: tensor<4x3xf32>) -> tensor<3x2xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = graph.unary exp %1 : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
