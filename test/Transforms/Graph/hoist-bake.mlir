// RUN: kiln-opt %s --split-input-file --kiln-hoist-bake --remarks-filter-missed='kiln-hoist-bake' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// A transposed, packed weight: the whole chain moves, the unpack stays.
// CHECK: graph.weight @w : tensor<6x8xf32> {
// CHECK-NEXT: graph.weight @w_pack : tensor<2x8x4xf32>{{$}}
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[P:.*]] = graph.get_weight @w_pack
// CHECK-NEXT: %[[U:.*]] = graph.unpack %[[P]]
// CHECK-NEXT: graph.matmul %arg0, %[[U]]
// CHECK-LABEL: func.func @bake()
// CHECK-NEXT: %[[W:.*]] = graph.get_weight @w :
// CHECK-NEXT: %[[T:.*]] = graph.transpose %[[W]]
// CHECK-NEXT: %[[Q:.*]] = graph.pack %[[T]]
// CHECK-NEXT: graph.set_weight @w_pack, %[[Q]]
// CHECK-NEXT: return
graph.weight @w : tensor<6x8xf32> {file = "w", hash = "0", length = 192 : i64, offset = 0 : i64}
func.func @main(%x: tensor<3x8xf32>) -> tensor<3x6xf32> {
  %w = graph.get_weight @w : tensor<6x8xf32>
  %t = graph.transpose %w [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %p = graph.pack %t width 4 : (tensor<8x6xf32>) -> tensor<2x8x4xf32>
  %u = graph.unpack %p : (tensor<2x8x4xf32>) -> tensor<8x6xf32>
  %0 = graph.matmul %x, %u : (tensor<3x8xf32>, tensor<8x6xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// A value that @main needs and that another baked value is made of: made once,
// read twice. @bake that exists is continued.
// CHECK-LABEL: func.func @bake()
// CHECK: graph.set_weight @old
// CHECK: %[[W:.*]] = graph.get_weight @w :
// CHECK-NEXT: %[[E:.*]] = graph.unary exp %[[W]]
// CHECK-NEXT: graph.set_weight @w_unary, %[[E]]
// CHECK-NEXT: %[[M:.*]] = graph.binary mul %[[E]], %[[E]]
// CHECK-NEXT: graph.set_weight @w_unary_binary, %[[M]]
// CHECK-LABEL: func.func @main
// CHECK-DAG: graph.get_weight @w_unary :
// CHECK-DAG: graph.get_weight @w_unary_binary :
graph.weight @old : tensor<4xf32>
graph.weight @w : tensor<4xf32> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}
func.func @bake() {
  %0 = graph.constant dense<1.0> : tensor<4xf32>
  graph.set_weight @old, %0 : tensor<4xf32>
  return
}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = graph.get_weight @w : tensor<4xf32>
  %e = graph.unary exp %w : (tensor<4xf32>) -> tensor<4xf32>
  %m = graph.binary mul %e, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = graph.binary add %x, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.binary add %x, %m : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Rows of an embedding at positions known at compile time.
// CHECK-LABEL: func.func @main
// CHECK: graph.get_weight @table_gather : tensor<2x4xf32>
// CHECK-NOT: graph.gather
// CHECK-LABEL: func.func @bake
graph.weight @table : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %t = graph.get_weight @table : tensor<8x4xf32>
  %i = graph.iota axis 0 : tensor<2xi64>
  %g = graph.gather %t, %i axis 0 : (tensor<8x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  %0 = graph.binary add %x, %g : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// Not: kernels read through reshapes and broadcasts.
// CHECK-LABEL: func.func @main
// CHECK: graph.reshape
// CHECK: graph.broadcast
// CHECK-NOT: @bake
graph.weight @w : tensor<4xf32> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}
func.func @main(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %w = graph.get_weight @w : tensor<4xf32>
  %r = graph.reshape %w : (tensor<4xf32>) -> tensor<4x1xf32>
  %0 = graph.binary add %x, %r : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %b = graph.broadcast %w : (tensor<4xf32>) -> tensor<4x4xf32>
  return %0, %b : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Not: a dequantised weight is four times as large as its bytes.
// CHECK-LABEL: func.func @main
// CHECK: graph.cast
// CHECK-NOT: @bake
// REMARK: would make it larger: the value has 64 bytes, the weights that it is made of 16
graph.weight @w : tensor<16xi8> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %w = graph.get_weight @w : tensor<16xi8>
  %c = graph.cast %w : (tensor<16xi8>) -> tensor<16xf32>
  %0 = graph.binary mul %x, %c : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Not: small constants are kiln-fold-constants' business; what depends on a
// request is nobody's.
// CHECK-LABEL: func.func @main
// CHECK: graph.binary add
// CHECK: graph.gather
// CHECK-NOT: @bake
graph.symbol @seq in [1, 8]
graph.weight @table : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
func.func @main() -> (tensor<2xf32>, tensor<?x4xf32, #graph.shape<[seq] -> [seq, 4]>>) {
  %a = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = graph.binary add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %t = graph.get_weight @table : tensor<8x4xf32>
  %i = graph.iota axis 0 : tensor<?xi64, #graph.shape<[seq] -> [seq]>>
  %g = graph.gather %t, %i axis 0 : (tensor<8x4xf32>, tensor<?xi64, #graph.shape<[seq] -> [seq]>>) -> tensor<?x4xf32, #graph.shape<[seq] -> [seq, 4]>>
  return %0, %g : tensor<2xf32>, tensor<?x4xf32, #graph.shape<[seq] -> [seq, 4]>>
}

// -----

// A cast that widens 16 bits stays in a kernel; what is below it moves.
// CHECK: graph.weight @w_transpose : tensor<6x8xbf16>{{$}}
// CHECK-LABEL: func.func @main
// CHECK: %[[W:.*]] = graph.get_weight @w_transpose : tensor<6x8xbf16>
// CHECK-NEXT: %[[F:.*]] = graph.cast %[[W]]
// CHECK-NEXT: graph.binary add %arg0, %[[F]]
graph.weight @w : tensor<8x6xbf16> {file = "w", hash = "0", length = 96 : i64, offset = 0 : i64}
func.func @main(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %w = graph.get_weight @w : tensor<8x6xbf16>
  %t = graph.transpose %w [1, 0] : (tensor<8x6xbf16>) -> tensor<6x8xbf16>
  %f = graph.cast %t : (tensor<6x8xbf16>) -> tensor<6x8xf32>
  %0 = graph.binary add %x, %f : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

// Not: a cast that narrows, and what is computed of a widened weight.
// CHECK-DAG: graph.weight @v_cast : tensor<8xbf16>{{$}}
// CHECK-DAG: graph.weight @w_unary : tensor<8xf32>{{$}}
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.unary
// CHECK-LABEL: func.func @bake
graph.weight @v : tensor<8xf32> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
graph.weight @w : tensor<8xbf16> {file = "w", hash = "1", length = 16 : i64, offset = 32 : i64}
func.func @main(%x: tensor<8xbf16>, %y: tensor<8xf32>) -> (tensor<8xbf16>, tensor<8xf32>) {
  %v = graph.get_weight @v : tensor<8xf32>
  %n = graph.cast %v : (tensor<8xf32>) -> tensor<8xbf16>
  %0 = graph.binary add %x, %n : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  %w = graph.get_weight @w : tensor<8xbf16>
  %f = graph.cast %w : (tensor<8xbf16>) -> tensor<8xf32>
  %e = graph.unary exp %f : (tensor<8xf32>) -> tensor<8xf32>
  %1 = graph.binary mul %y, %e : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xbf16>, tensor<8xf32>
}

// -----

// The rows of a table whose panels a product reads are read from these.
// CHECK: graph.weight @w_pack : tensor<2x8x4xf32>{{$}}
// CHECK-NOT: graph.weight
// CHECK-LABEL: func.func @main
// CHECK: %[[U:.*]] = graph.unpack
// CHECK-NEXT: %[[R:.*]] = graph.transpose %[[U]]
// CHECK-NEXT: graph.gather %[[R]], %arg0
graph.weight @w : tensor<6x8xf32> {file = "w", hash = "0", length = 192 : i64, offset = 0 : i64}
func.func @main(%i: tensor<3xi64>) -> tensor<3x6xf32> {
  %w = graph.get_weight @w : tensor<6x8xf32>
  %t = graph.transpose %w [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %p = graph.pack %t width 4 : (tensor<8x6xf32>) -> tensor<2x8x4xf32>
  %u = graph.unpack %p : (tensor<2x8x4xf32>) -> tensor<8x6xf32>
  %r = graph.transpose %u [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %g = graph.gather %r, %i axis 0 : (tensor<6x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  %0 = graph.matmul %g, %u : (tensor<3x8xf32>, tensor<8x6xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}
