// RUN: kiln-opt %s --kiln-test-print-indexing -o /dev/null | FileCheck %s

// Maps where sizes are 0 or 1, steps are negative, and indices are data, in combinations that print-indexing.mlir does not have.

!rows = tensor<?x8xf32, #graph.shape<[seq] -> [seq, 8]>>
!batches = tensor<?x?x8xf32, #graph.shape<[batch, seq] -> [batch, seq, 8]>>

// A size of 1 broadcasts against a symbol: in a broadcast, of the batches of a matmul, of a mask and of a norm's scale.
// CHECK-LABEL: @one_against_symbol
func.func @one_against_symbol(%x: tensor<1x8xf32>, %a: !batches, %b: tensor<1x8x8xf32>, %q: tensor<?x2x4x8xf32, #graph.shape<[batch] -> [batch, 2, 4, 8]>>, %m: tensor<1x1x4x1xf32>, %rows: tensor<8x?xf32, #graph.shape<[seq] -> [8, seq]>>, %s: tensor<1xf32>) {
  // CHECK: graph.broadcast [%d0, %d1] moves
  // CHECK-NEXT: operand 0 [0, %d1]
  %0 = graph.broadcast %x : (tensor<1x8xf32>) -> !rows
  // CHECK: graph.matmul [%d0, %d1, %d2] reduces %r0 < 8
  // CHECK-NEXT: operand 0 [%d0, %d1, %r0]
  // CHECK-NEXT: operand 1 [0, %r0, %d2]
  %1 = graph.matmul %a, %b : (!batches, tensor<1x8x8xf32>) -> !batches
  // CHECK: graph.attention [%d0, %d1, %d2, %d3] reduces %r0 < 4, %r1 < 8
  // CHECK: operand 3 [0, 0, %d2, 0]
  %2 = graph.attention %q, %q, %q mask %m {scale = 1.0 : f64} : (tensor<?x2x4x8xf32, #graph.shape<[batch] -> [batch, 2, 4, 8]>>, tensor<?x2x4x8xf32, #graph.shape<[batch] -> [batch, 2, 4, 8]>>, tensor<?x2x4x8xf32, #graph.shape<[batch] -> [batch, 2, 4, 8]>>, tensor<1x1x4x1xf32>) -> tensor<?x2x4x8xf32, #graph.shape<[batch] -> [batch, 2, 4, 8]>>
  // CHECK: graph.rms_norm [%d0, %d1] reduces %r0 < seq
  // CHECK-NEXT: operand 0 [%d0, %d1]
  // CHECK-NEXT: operand 0 [%d0, %r0]
  // CHECK-NEXT: operand 1 [0]
  %3 = graph.rms_norm %rows scale %s axis 1 {epsilon = 1.0 : f64} : (tensor<8x?xf32, #graph.shape<[seq] -> [8, seq]>>, tensor<1xf32>) -> tensor<8x?xf32, #graph.shape<[seq] -> [8, seq]>>
  return
}

// Of dims of size 0 the maps are as of any others: a reduction has no values, a concat's part no places.
// CHECK-LABEL: @empty
func.func @empty(%x: tensor<4x0xf32>, %y: tensor<0x3xf32>, %z: tensor<4x3xf32>, %none: tensor<0xi64>) {
  // CHECK: graph.reduce [%d0] reduces %r0 < 0
  // CHECK-NEXT: operand 0 [%d0, %r0]
  %0 = graph.reduce sum %x axes [1] : (tensor<4x0xf32>) -> tensor<4xf32>
  // CHECK: graph.matmul [%d0, %d1] reduces %r0 < 0
  // CHECK-NEXT: operand 0 [%d0, %r0]
  // CHECK-NEXT: operand 1 [%r0, %d1]
  %1 = graph.matmul %x, %y : (tensor<4x0xf32>, tensor<0x3xf32>) -> tensor<4x3xf32>
  // CHECK: graph.concat [%d0, %d1] moves
  // CHECK-NEXT: operand 0 [%d0, %d1] where 0 <= %d1 < 0
  // CHECK-NEXT: operand 1 [%d0, %d1] where 0 <= %d1 < 3
  %2 = graph.concat %x, %z axis 1 : (tensor<4x0xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  // CHECK: graph.gather [%d0, %d1] moves
  // CHECK: operand 0 [$v0, %d1]
  %3 = graph.gather %z, %none axis 0 : (tensor<4x3xf32>, tensor<0xi64>) -> tensor<0x3xf32>
  // CHECK: graph.slice [%d0, %d1] moves
  // CHECK-NEXT: operand 0 [-1 * %d0 + 3, %d1]
  %4 = graph.slice %z starts <[] -> [3, 0]> steps [-1, 1] : (tensor<4x3xf32>) -> tensor<0x3xf32>
  return
}

// Back to front, of as many rows as a symbol says; and rows that data says, of what is back to front.
// CHECK-LABEL: @backwards
func.func @backwards(%x: !rows, %ids: tensor<?xi64, #graph.shape<[seq] -> [seq]>>) {
  // CHECK: graph.slice [%d0, %d1] moves
  // CHECK-NEXT: operand 0 [-1 * %d0 + seq - 1, -3 * %d1 + 7]
  %0 = graph.slice %x starts <[seq] -> [seq - 1, 7]> steps [-1, -3] : (!rows) -> tensor<?x3xf32, #graph.shape<[seq] -> [seq, 3]>>
  // CHECK: graph.gather [%d0, %d1] moves
  // CHECK-NEXT: $v0 = operand 1 [%d1] clamped
  // CHECK-NEXT: operand 1 [%d1] index
  // CHECK-NEXT: operand 0 [%d0, $v0]
  %1 = graph.gather %0, %ids axis 1 : (tensor<?x3xf32, #graph.shape<[seq] -> [seq, 3]>>, tensor<?xi64, #graph.shape<[seq] -> [seq]>>) -> tensor<?x?xf32, #graph.shape<[seq] -> [seq, seq]>>
  return
}
