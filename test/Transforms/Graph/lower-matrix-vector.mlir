// RUN: kiln-opt %s --split-input-file --kiln-lower-matrix-vector | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-lower-matrix-vector --remarks-filter-missed='kiln-.*' 2>&1 | FileCheck %s --check-prefix=WHY

// CHECK-LABEL: func.func @batched(
// CHECK: %[[ROW:.*]] = graph.reshape %arg1 : (tensor<4x64x1xf32>) -> tensor<4x1x64xf32>
// CHECK: %[[TERMS:.*]] = graph.binary mul %arg0, %[[ROW]] : (tensor<4x256x64xf32>, tensor<4x1x64xf32>) -> tensor<4x256x64xf32>
// CHECK: %[[SUM:.*]] = graph.reduce sum %[[TERMS]] axes [2] {keep_dims} : (tensor<4x256x64xf32>) -> tensor<4x256x1xf32>
// CHECK: return %[[SUM]]
func.func @batched(%a: tensor<4x256x64xf32>, %x: tensor<4x64x1xf32>) -> tensor<4x256x1xf32> {
  %0 = graph.matmul %a, %x : (tensor<4x256x64xf32>, tensor<4x64x1xf32>) -> tensor<4x256x1xf32>
  return %0 : tensor<4x256x1xf32>
}

// -----

// A transposed vector is a row as it stands; a vector may be broadcast.
// CHECK-LABEL: func.func @transposed(
// CHECK-NEXT: %[[TERMS:.*]] = graph.binary mul %arg0, %arg1 : (tensor<4x256x64xf64>, tensor<1x64xf64>) -> tensor<4x256x64xf64>
// CHECK-NEXT: graph.reduce sum %[[TERMS]] axes [2] {keep_dims}
func.func @transposed(%a: tensor<4x256x64xf64>, %x: tensor<1x64xf64>) -> tensor<4x256x1xf64> {
  %0 = graph.matmul %a, %x {transpose_b} : (tensor<4x256x64xf64>, tensor<1x64xf64>) -> tensor<4x256x1xf64>
  return %0 : tensor<4x256x1xf64>
}

// -----

// CHECK-LABEL: func.func @stay(
// CHECK-COUNT-4: graph.matmul
// WHY: its result may have more than one column
// WHY: the rows of the left operand are not contiguous
// WHY: the left operand is broadcast
// WHY: the elements are neither f32 nor f64
func.func @stay(%a: tensor<8x64xf32>, %b: tensor<64x2xf32>, %c: tensor<64x8xf32>, %x: tensor<64x1xf32>,
                %many: tensor<3x64x1xf32>, %half: tensor<8x64xf16>, %h: tensor<64x1xf16>)
    -> (tensor<8x2xf32>, tensor<8x1xf32>, tensor<3x8x1xf32>, tensor<8x1xf16>) {
  %0 = graph.matmul %a, %b : (tensor<8x64xf32>, tensor<64x2xf32>) -> tensor<8x2xf32>
  %1 = graph.matmul %c, %x {transpose_a} : (tensor<64x8xf32>, tensor<64x1xf32>) -> tensor<8x1xf32>
  %2 = graph.matmul %a, %many : (tensor<8x64xf32>, tensor<3x64x1xf32>) -> tensor<3x8x1xf32>
  %3 = graph.matmul %half, %h : (tensor<8x64xf16>, tensor<64x1xf16>) -> tensor<8x1xf16>
  return %0, %1, %2, %3 : tensor<8x2xf32>, tensor<8x1xf32>, tensor<3x8x1xf32>, tensor<8x1xf16>
}
