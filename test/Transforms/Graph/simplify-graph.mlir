// RUN: kiln-opt %s --split-input-file --kiln-simplify-graph | FileCheck %s

// Identities that hold for every float, NaN, infinities and -0.0 included.
// CHECK-LABEL: func.func @neutral(
// CHECK-NEXT: return %arg0
func.func @neutral(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = graph.constant dense<1.0> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %minus = graph.constant dense<-0.0> : tensor<1xf32>
  %0 = graph.binary mul %one, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.binary div %0, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.binary sub %1, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.binary add %minus, %2 : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.binary pow %3, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// -0.0 + 0.0 is 0.0, -0.0 - -0.0 is 0.0, 1 / x is no x, and a product that
// broadcasts changes the shape.
// CHECK-LABEL: func.func @notNeutral(
// CHECK: graph.binary add %arg0
// CHECK: graph.binary sub %arg0
// CHECK: graph.binary div %{{.*}}, %arg0
// CHECK: graph.binary sub %{{.*}}, %arg0
// CHECK: graph.binary mul %arg0
func.func @notNeutral(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1x4xf32>) {
  %one = graph.constant dense<1.0> : tensor<f32>
  %wide = graph.constant dense<1.0> : tensor<1x1xf32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %minus = graph.constant dense<-0.0> : tensor<f32>
  %0 = graph.binary add %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.binary sub %x, %minus : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.binary div %one, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = graph.binary sub %zero, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.binary mul %x, %wide : (tensor<4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1x4xf32>
}

// -----

// Integers have one zero; booleans have neutral elements, too.
// CHECK-LABEL: func.func @integers(
// CHECK-NEXT: return %arg0, %arg1
func.func @integers(%x: tensor<4xi64>, %b: tensor<4xi1>) -> (tensor<4xi64>, tensor<4xi1>) {
  %zero = graph.constant dense<0> : tensor<i64>
  %true = graph.constant dense<true> : tensor<i1>
  %false = graph.constant dense<false> : tensor<i1>
  %0 = graph.binary add %x, %zero : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
  %1 = graph.binary logical_and %b, %true : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
  %2 = graph.binary logical_or %false, %1 : (tensor<i1>, tensor<4xi1>) -> tensor<4xi1>
  return %0, %2 : tensor<4xi64>, tensor<4xi1>
}

// -----

// Widening and back is nothing; narrowing and back is not.
// CHECK-LABEL: func.func @casts(
// CHECK-NEXT: %[[N:.*]] = graph.cast %arg1 : (tensor<4xf32>) -> tensor<4xf16>
// CHECK-NEXT: %[[W:.*]] = graph.cast %[[N]]
// CHECK-NEXT: %[[B:.*]] = graph.cast %arg2 : (tensor<4xi64>) -> tensor<4xi1>
// CHECK-NEXT: %[[I:.*]] = graph.cast %[[B]]
// CHECK-NEXT: return %arg0, %[[W]], %[[I]]
func.func @casts(%x: tensor<4xf16>, %y: tensor<4xf32>, %z: tensor<4xi64>) -> (tensor<4xf16>, tensor<4xf32>, tensor<4xi64>) {
  %0 = graph.cast %x : (tensor<4xf16>) -> tensor<4xf16>
  %1 = graph.cast %0 : (tensor<4xf16>) -> tensor<4xf32>
  %2 = graph.cast %1 : (tensor<4xf32>) -> tensor<4xf16>
  %3 = graph.cast %y : (tensor<4xf32>) -> tensor<4xf16>
  %4 = graph.cast %3 : (tensor<4xf16>) -> tensor<4xf32>
  %5 = graph.cast %z : (tensor<4xi64>) -> tensor<4xi1>
  %6 = graph.cast %5 : (tensor<4xi1>) -> tensor<4xi64>
  return %2, %4, %6 : tensor<4xf16>, tensor<4xf32>, tensor<4xi64>
}

// -----

// CHECK-LABEL: func.func @selects(
// CHECK-NEXT: %[[B:.*]] = graph.broadcast %arg1 : (tensor<1xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[S:.*]] = graph.select %arg2
// CHECK-NEXT: return %arg0, %[[B]], %arg0, %[[S]]
func.func @selects(%x: tensor<4xf32>, %y: tensor<1xf32>, %c: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %true = graph.constant dense<true> : tensor<4xi1>
  %false = graph.constant dense<false> : tensor<i1>
  %0 = graph.select %true, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = graph.select %false, %x, %y : (tensor<i1>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %2 = graph.select %c, %x, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = graph.select %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A broadcast is dropped where the op broadcasts by itself, kept where the shape
// of the result comes from it, and computed after what it feeds.
// CHECK-LABEL: func.func @broadcasts(
// CHECK-NEXT: %[[A:.*]] = graph.binary add %arg0, %arg1
// CHECK-NEXT: %[[B:.*]] = graph.broadcast %arg1
// CHECK-NEXT: %[[M:.*]] = graph.binary mul %[[B]], %arg1
// CHECK-NEXT: %[[C:.*]] = graph.cast %arg1 : (tensor<1x4xf32>) -> tensor<1x4xf16>
// CHECK-NEXT: %[[D:.*]] = graph.broadcast %[[C]]
// CHECK-NEXT: return %[[A]], %[[M]], %[[D]]
func.func @broadcasts(%x: tensor<3x4xf32>, %y: tensor<1x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf16>) {
  %0 = graph.broadcast %y : (tensor<1x4xf32>) -> tensor<3x4xf32>
  %1 = graph.binary add %x, %0 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = graph.broadcast %y : (tensor<1x4xf32>) -> tensor<3x4xf32>
  %3 = graph.binary mul %2, %y : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  %4 = graph.broadcast %y : (tensor<1x4xf32>) -> tensor<3x4xf32>
  %5 = graph.cast %4 : (tensor<3x4xf32>) -> tensor<3x4xf16>
  return %1, %3, %5 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf16>
}

// -----

// Reshape, transpose of dims of size 1, reshape: nothing. Two transposes: one.
// CHECK-LABEL: func.func @views(
// CHECK-NEXT: %[[T:.*]] = graph.transpose %arg1 [2, 0, 1]
// CHECK-NEXT: return %arg0, %[[T]]
func.func @views(%x: tensor<4x8xf32>, %y: tensor<2x3x4xf32>) -> (tensor<4x8xf32>, tensor<4x2x3xf32>) {
  %0 = graph.reshape %x : (tensor<4x8xf32>) -> tensor<4x1x8x1xf32>
  %1 = graph.transpose %0 [0, 2, 3, 1] : (tensor<4x1x8x1xf32>) -> tensor<4x8x1x1xf32>
  %2 = graph.reshape %1 : (tensor<4x8x1x1xf32>) -> tensor<4x8xf32>
  %3 = graph.transpose %y [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %4 = graph.transpose %3 [1, 2, 0] : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  return %2, %4 : tensor<4x8xf32>, tensor<4x2x3xf32>
}

// -----

// A transpose of the last two dims is a flag of the matmul, twice it is none;
// any other stays.
// CHECK-LABEL: func.func @matmuls(
// CHECK-NEXT: graph.matmul %arg0, %arg1 {transpose_b}
// CHECK-NEXT: graph.matmul %arg1, %arg1 {transpose_a}
// CHECK-NEXT: graph.matmul %arg0, %arg2 :
// CHECK-NEXT: %[[T:.*]] = graph.transpose %arg3 [1, 0, 2]
// CHECK-NEXT: graph.matmul %arg0, %[[T]] :
func.func @matmuls(%x: tensor<4x8xf32>, %w: tensor<4x8xf32>, %v: tensor<8x4xf32>, %u: tensor<8x3x4xf32>)
    -> (tensor<4x4xf32>, tensor<8x8xf32>, tensor<4x4xf32>, tensor<3x4x4xf32>) {
  %0 = graph.transpose %w [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = graph.matmul %x, %0 : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %2 = graph.matmul %0, %w : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %3 = graph.transpose %v [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %4 = graph.matmul %x, %3 {transpose_b} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  %5 = graph.transpose %u [1, 0, 2] : (tensor<8x3x4xf32>) -> tensor<3x8x4xf32>
  %6 = graph.matmul %x, %5 : (tensor<4x8xf32>, tensor<3x8x4xf32>) -> tensor<3x4x4xf32>
  return %1, %2, %4, %6 : tensor<4x4xf32>, tensor<8x8xf32>, tensor<4x4xf32>, tensor<3x4x4xf32>
}

// -----

// A slice of one part of a concat reads that part, also at symbolic offsets; a
// slice over two parts stays. A concat of one is its part.
// CHECK-DAG: #[[$PART:.*]] = #graph.shape<[] -> [0, 1]>
// CHECK-LABEL: func.func @concats(
// CHECK: graph.slice %arg1 starts #[[$PART]] {{.*}} -> tensor<2x2xf32>
// CHECK: graph.slice %{{[0-9]+}}
// CHECK: return %{{.*}}, %{{.*}}, %arg0, %arg1
graph.symbol @seq in [1, 8]
func.func @concats(%x: tensor<2x?xf32, #graph.shape<[seq] -> [2, seq]>>, %y: tensor<2x4xf32>)
    -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x?xf32, #graph.shape<[seq] -> [2, seq]>>, tensor<2x4xf32>) {
  %0 = graph.concat %x, %y axis 1 : (tensor<2x?xf32, #graph.shape<[seq] -> [2, seq]>>, tensor<2x4xf32>) -> tensor<2x?xf32, #graph.shape<[seq] -> [2, seq + 4]>>
  %1 = graph.slice %0 starts #graph.shape<[seq] -> [0, seq + 1]> steps [1, 1] : (tensor<2x?xf32, #graph.shape<[seq] -> [2, seq + 4]>>) -> tensor<2x2xf32>
  %2 = graph.slice %0 starts #graph.shape<[seq] -> [0, seq - 1]> steps [1, 1] : (tensor<2x?xf32, #graph.shape<[seq] -> [2, seq + 4]>>) -> tensor<2x2xf32>
  %3 = graph.slice %0 starts #graph.shape<[] -> [0, 0]> steps [1, 1] : (tensor<2x?xf32, #graph.shape<[seq] -> [2, seq + 4]>>) -> tensor<2x?xf32, #graph.shape<[seq] -> [2, seq]>>
  %4 = graph.concat %y axis 1 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1, %2, %3, %4 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x?xf32, #graph.shape<[seq] -> [2, seq]>>, tensor<2x4xf32>
}

// -----

// The first and last of a symbolic dim that has at least two; index 2 might be
// clamped, so it stays a gather.
// CHECK-DAG: #[[$FIRST:.*]] = #graph.shape<[] -> [0, 0]>
// CHECK-DAG: #[[$LAST:.*]] = #graph.shape<[seq] -> [seq - 1, 0]>
// CHECK-LABEL: func.func @gathers(
// CHECK: %[[F:.*]] = graph.slice %arg0 starts #[[$FIRST]]
// CHECK: graph.reshape %[[F]]
// CHECK: graph.slice %arg0 starts #[[$LAST]]
// CHECK-NOT: graph.slice
// CHECK: graph.gather
graph.symbol @seq in [2, 8]
func.func @gathers(%x: tensor<?x4xf32, #graph.shape<[seq] -> [seq, 4]>>) -> (tensor<4xf32>, tensor<1x4xf32>, tensor<4xf32>) {
  %first = graph.constant dense<0> : tensor<i64>
  %last = graph.constant dense<-1> : tensor<1xi64>
  %third = graph.constant dense<2> : tensor<i64>
  %0 = graph.gather %x, %first axis 0 : (tensor<?x4xf32, #graph.shape<[seq] -> [seq, 4]>>, tensor<i64>) -> tensor<4xf32>
  %1 = graph.gather %x, %last axis 0 : (tensor<?x4xf32, #graph.shape<[seq] -> [seq, 4]>>, tensor<1xi64>) -> tensor<1x4xf32>
  %2 = graph.gather %x, %third axis 0 : (tensor<?x4xf32, #graph.shape<[seq] -> [seq, 4]>>, tensor<i64>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<1x4xf32>, tensor<4xf32>
}

// -----

// Weights nobody reads go, the others stay.
// CHECK-NOT: @unused
// CHECK: graph.weight @used
// CHECK-LABEL: func.func @weights(
graph.weight @unused : tensor<2xf32> {file = "w", hash = "0", length = 8 : i64, offset = 0 : i64}
graph.weight @used : tensor<2xf32> {file = "w", hash = "0", length = 8 : i64, offset = 8 : i64}
func.func @weights() -> tensor<2xf32> {
  %0 = graph.get_weight @unused : tensor<2xf32>
  %1 = graph.get_weight @used : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// What has no elements, and sums of no products, are fills; rows that may be none are computed.
// CHECK-LABEL: func.func @empty(
// CHECK-DAG: %[[NONE:.*]] = graph.fill 0.000000e+00 : f32 : tensor<0x8xf32>
// CHECK-DAG: %[[ZEROS:.*]] = graph.fill 0.000000e+00 : f32 : tensor<8x8xf32>
// CHECK: %[[ROWS:.*]] = graph.matmul
// CHECK: return %[[NONE]], %[[ZEROS]], %[[ROWS]]
graph.symbol @rows in [0, 8]
func.func @empty(%a: tensor<0x8xf32>, %b: tensor<8x0xf32>, %w: tensor<8x8xf32>, %x: tensor<?x8xf32, #graph.shape<[rows] -> [rows, 8]>>) -> (tensor<0x8xf32>, tensor<8x8xf32>, tensor<?x8xf32, #graph.shape<[rows] -> [rows, 8]>>) {
  %0 = graph.matmul %a, %w : (tensor<0x8xf32>, tensor<8x8xf32>) -> tensor<0x8xf32>
  %1 = graph.matmul %b, %a : (tensor<8x0xf32>, tensor<0x8xf32>) -> tensor<8x8xf32>
  %2 = graph.matmul %x, %w : (tensor<?x8xf32, #graph.shape<[rows] -> [rows, 8]>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.shape<[rows] -> [rows, 8]>>
  return %0, %1, %2 : tensor<0x8xf32>, tensor<8x8xf32>, tensor<?x8xf32, #graph.shape<[rows] -> [rows, 8]>>
}

// -----

// Batch dims merged for a transpose and split again behind it.
#merged = #graph.shape<[b, k] -> [4 * b, k, 16]>
#transposed = #graph.shape<[b, k] -> [4 * b, 16, k]>
#keys = #graph.shape<[b, k] -> [b, 4, k, 16]>
#columns = #graph.shape<[b, k] -> [b, 4, 16, k]>
graph.symbol @b in [1, 8]
graph.symbol @k in [1, 8]
// CHECK-LABEL: func.func @transposeOfMerged(
// CHECK-NEXT: graph.transpose %arg0 [0, 1, 3, 2] : (tensor<?x4x?x16xf32, #{{.*}}>) -> tensor<?x4x16x?xf32, #{{.*}}>
// CHECK-NEXT: return
func.func @transposeOfMerged(%x: tensor<?x4x?x16xf32, #keys>) -> tensor<?x4x16x?xf32, #columns> {
  %0 = graph.reshape %x : (tensor<?x4x?x16xf32, #keys>) -> tensor<?x?x16xf32, #merged>
  %1 = graph.transpose %0 [0, 2, 1] : (tensor<?x?x16xf32, #merged>) -> tensor<?x16x?xf32, #transposed>
  %2 = graph.reshape %1 : (tensor<?x16x?xf32, #transposed>) -> tensor<?x4x16x?xf32, #columns>
  return %2 : tensor<?x4x16x?xf32, #columns>
}

// -----

// Split into others than were merged; dims that the transpose itself splits.
// CHECK-LABEL: func.func @notTransposeOfMerged(
// CHECK-COUNT-2: graph.reshape
// CHECK: graph.reshape %arg1 : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
// CHECK: graph.transpose
func.func @notTransposeOfMerged(%x: tensor<2x6x8xf32>, %y: tensor<6x4xf32>) -> (tensor<8x3x4xf32>, tensor<4x6xf32>) {
  %0 = graph.reshape %x : (tensor<2x6x8xf32>) -> tensor<12x8xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<12x8xf32>) -> tensor<8x12xf32>
  %2 = graph.reshape %1 : (tensor<8x12xf32>) -> tensor<8x3x4xf32>
  %3 = graph.reshape %y : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  %4 = graph.transpose %3 [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %5 = graph.reshape %4 : (tensor<4x3x2xf32>) -> tensor<4x6xf32>
  return %2, %5 : tensor<8x3x4xf32>, tensor<4x6xf32>
}
