// RUN: kiln-opt %s --split-input-file --kiln-pack-weights=width=4 --remarks-filter-missed='kiln-pack-weights' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: not kiln-opt %s --split-input-file --kiln-pack-weights=width=0 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: KILN-E0001: kiln-pack-weights: width: the option has no such value; expected from 1 to 4096, found 0
// RUN: kiln-opt %s --split-input-file --kiln-pack-weights="width=4 narrow-width=8 narrow-tile=2" | FileCheck %s --check-prefix=NARROW
// RUN: not kiln-opt %s --split-input-file --kiln-pack-weights=narrow-tile=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: KILN-E0001: kiln-pack-weights: narrow-tile: the option has no such value; expected from 0 to 4096, found -1

// CHECK-LABEL: func.func @plain
// CHECK: %[[P:.*]] = graph.pack %[[W:.*]] width 4 : (tensor<8x6xf32>) -> tensor<2x8x4xf32>
// CHECK-NEXT: %[[U:.*]] = graph.unpack %[[P]]
// CHECK-NEXT: graph.matmul %arg0, %[[U]] : (tensor<3x8xf32>, tensor<8x6xf32>)
graph.weight @w : tensor<8x6xf32> {file = "w", hash = "0", length = 192 : i64, offset = 0 : i64}
func.func @plain(%x: tensor<3x8xf32>) -> tensor<3x6xf32> {
  %w = graph.get_weight @w : tensor<8x6xf32>
  %0 = graph.matmul %x, %w : (tensor<3x8xf32>, tensor<8x6xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// A weight stored [N, K] is transposed first, which is baked as well.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[T:.*]] = graph.transpose %{{.*}} [1, 0]
// CHECK-NEXT: %[[P:.*]] = graph.pack %[[T]] width 4
// CHECK-NEXT: %[[U:.*]] = graph.unpack %[[P]]
// CHECK-NEXT: graph.matmul %arg0, %[[U]] : (tensor<3x8xf32>, tensor<8x6xf32>)
graph.weight @w : tensor<6x8xf32> {file = "w", hash = "0", length = 192 : i64, offset = 0 : i64}
func.func @transposed(%x: tensor<3x8xf32>) -> tensor<3x6xf32> {
  %w = graph.get_weight @w : tensor<6x8xf32>
  %0 = graph.matmul %x, %w {transpose_b} : (tensor<3x8xf32>, tensor<6x8xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// Not: two activations.
// CHECK-LABEL: func.func @activations
// CHECK-NOT: graph.pack
// REMARK: the right operand is not known at compile time
func.func @activations(%x: tensor<3x8xf32>, %w: tensor<8x6xf32>) -> tensor<3x6xf32> {
  %0 = graph.matmul %x, %w : (tensor<3x8xf32>, tensor<8x6xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// Not: a batch of matrices, and integers.
// CHECK-LABEL: func.func @others
// CHECK-NOT: graph.pack
// REMARK: the right operand is no matrix
// REMARK: the elements are no floats
graph.weight @w : tensor<2x8x6xf32> {file = "w", hash = "0", length = 384 : i64, offset = 0 : i64}
graph.weight @v : tensor<8x6xi32> {file = "w", hash = "0", length = 192 : i64, offset = 384 : i64}
func.func @others(%x: tensor<3x8xf32>, %y: tensor<3x8xi32>) -> (tensor<2x3x6xf32>, tensor<3x6xi32>) {
  %w = graph.get_weight @w : tensor<2x8x6xf32>
  %0 = graph.matmul %x, %w : (tensor<3x8xf32>, tensor<2x8x6xf32>) -> tensor<2x3x6xf32>
  %v = graph.get_weight @v : tensor<8x6xi32>
  %1 = graph.matmul %y, %v : (tensor<3x8xi32>, tensor<8x6xi32>) -> tensor<3x6xi32>
  return %0, %1 : tensor<2x3x6xf32>, tensor<3x6xi32>
}

// -----

// Not: packed already, or to be evaluated once by the compiler.
// CHECK-LABEL: func.func @packed
// CHECK: graph.unpack
// CHECK-NOT: graph.pack
// REMARK: it is packed already
graph.weight @w : tensor<2x8x4xf32>
graph.weight @v : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @p : tensor<8x8xf32>
func.func @packed(%x: tensor<3x8xf32>) -> tensor<3x6xf32> {
  %w = graph.get_weight @w : tensor<2x8x4xf32>
  %u = graph.unpack %w : (tensor<2x8x4xf32>) -> tensor<8x6xf32>
  %0 = graph.matmul %x, %u : (tensor<3x8xf32>, tensor<8x6xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}
func.func @bake() {
  %v = graph.get_weight @v : tensor<8x8xf32>
  %0 = graph.matmul %v, %v : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  graph.set_weight @p, %0 : tensor<8x8xf32>
  return
}

// -----

// Panels of a weight that is widened hold the 16 bits.
// CHECK-LABEL: func.func @widened
// CHECK: %[[T:.*]] = graph.transpose %{{.*}} [1, 0] : (tensor<6x8xbf16>) -> tensor<8x6xbf16>
// CHECK-NEXT: %[[P:.*]] = graph.pack %[[T]] width 4 : (tensor<8x6xbf16>) -> tensor<2x8x4xbf16>
// CHECK-NEXT: %[[U:.*]] = graph.unpack %[[P]] : (tensor<2x8x4xbf16>) -> tensor<8x6xbf16>
// CHECK-NEXT: %[[F:.*]] = graph.cast %[[U]] : (tensor<8x6xbf16>) -> tensor<8x6xf32>
// CHECK-NEXT: graph.matmul %arg0, %[[F]] : (tensor<3x8xf32>, tensor<8x6xf32>)
graph.weight @w : tensor<6x8xbf16> {file = "w", hash = "0", length = 96 : i64, offset = 0 : i64}
func.func @widened(%x: tensor<3x8xf32>) -> tensor<3x6xf32> {
  %w = graph.get_weight @w : tensor<6x8xbf16>
  %f = graph.cast %w : (tensor<6x8xbf16>) -> tensor<6x8xf32>
  %0 = graph.matmul %x, %f {transpose_b} : (tensor<3x8xf32>, tensor<6x8xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// Not for tensor cores of tf32, which read f32.
// CHECK-LABEL: func.func @tf32
// CHECK: %[[F:.*]] = graph.cast
// CHECK-NEXT: graph.pack %[[F]] width 4 : (tensor<8x6xf32>) -> tensor<2x8x4xf32>
graph.weight @w : tensor<8x6xbf16> {file = "w", hash = "0", length = 96 : i64, offset = 0 : i64}
func.func @tf32(%x: tensor<3x8xf32>) -> tensor<3x6xf32> {
  %w = graph.get_weight @w : tensor<8x6xbf16>
  %f = graph.cast %w : (tensor<8x6xbf16>) -> tensor<8x6xf32>
  %0 = graph.matmul %x, %f {tf32} : (tensor<3x8xf32>, tensor<8x6xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// A table whose rows are gathered is read from the panels that the product reads.
// CHECK-LABEL: func.func @tied
// CHECK: %[[W:.*]] = graph.get_weight @w
// CHECK-NEXT: %[[T:.*]] = graph.transpose %[[W]] [1, 0] : (tensor<6x8xbf16>) -> tensor<8x6xbf16>
// CHECK-NEXT: %[[P:.*]] = graph.pack %[[T]] width 4
// CHECK-NEXT: %[[U:.*]] = graph.unpack %[[P]]
// CHECK-NEXT: %[[R:.*]] = graph.transpose %[[U]] [1, 0] : (tensor<8x6xbf16>) -> tensor<6x8xbf16>
// CHECK-NEXT: graph.gather %[[R]], %arg0 axis 0
// CHECK: graph.cast %[[U]]
// CHECK-NEXT: graph.matmul
graph.weight @w : tensor<6x8xbf16> {file = "w", hash = "0", length = 96 : i64, offset = 0 : i64}
func.func @tied(%i: tensor<3xi64>) -> tensor<3x6xf32> {
  %w = graph.get_weight @w : tensor<6x8xbf16>
  %g = graph.gather %w, %i axis 0 : (tensor<6x8xbf16>, tensor<3xi64>) -> tensor<3x8xbf16>
  %x = graph.cast %g : (tensor<3x8xbf16>) -> tensor<3x8xf32>
  %f = graph.cast %w : (tensor<6x8xbf16>) -> tensor<6x8xf32>
  %0 = graph.matmul %x, %f {transpose_b} : (tensor<3x8xf32>, tensor<6x8xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// Not: columns of the table, and a table that the product reads as it is.
// CHECK-LABEL: func.func @untied
// CHECK: %[[V:.*]] = graph.get_weight @v
// CHECK: %[[W:.*]] = graph.get_weight @w
// CHECK: graph.gather %[[W]], %arg0 axis 1
// CHECK: graph.gather %[[V]], %arg0 axis 0
graph.weight @w : tensor<6x8xf32> {file = "w", hash = "0", length = 192 : i64, offset = 0 : i64}
graph.weight @v : tensor<8x8xf32> {file = "w", hash = "1", length = 256 : i64, offset = 192 : i64}
func.func @untied(%i: tensor<3xi64>, %x: tensor<3x8xf32>) -> (tensor<6x3xf32>, tensor<3x8xf32>, tensor<3x6xf32>, tensor<3x8xf32>) {
  %v = graph.get_weight @v : tensor<8x8xf32>
  %w = graph.get_weight @w : tensor<6x8xf32>
  %0 = graph.gather %w, %i axis 1 : (tensor<6x8xf32>, tensor<3xi64>) -> tensor<6x3xf32>
  %1 = graph.gather %v, %i axis 0 : (tensor<8x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  %2 = graph.matmul %x, %w {transpose_b} : (tensor<3x8xf32>, tensor<6x8xf32>) -> tensor<3x6xf32>
  %3 = graph.matmul %x, %v : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32>
  return %0, %1, %2, %3 : tensor<6x3xf32>, tensor<3x8xf32>, tensor<3x6xf32>, tensor<3x8xf32>
}

// -----

// Weights of 16 bits in wider panels where their columns fill them; not: 12 columns, and f32.
// NARROW-LABEL: func.func @plain
// NARROW: graph.pack {{.*}} width 4
// NARROW-LABEL: func.func @narrow
// NARROW: graph.pack {{.*}} width 8 : (tensor<8x16xbf16>) -> tensor<2x8x8xbf16>
// NARROW: graph.pack {{.*}} width 2 : (tensor<8x12xbf16>) -> tensor<6x8x2xbf16>
graph.weight @w : tensor<8x16xbf16> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @v : tensor<8x12xbf16> {file = "w", hash = "0", length = 192 : i64, offset = 256 : i64}
func.func @narrow(%x: tensor<3x8xbf16>) -> (tensor<3x16xbf16>, tensor<3x12xbf16>) {
  %w = graph.get_weight @w : tensor<8x16xbf16>
  %0 = graph.matmul %x, %w : (tensor<3x8xbf16>, tensor<8x16xbf16>) -> tensor<3x16xbf16>
  %v = graph.get_weight @v : tensor<8x12xbf16>
  %1 = graph.matmul %x, %v : (tensor<3x8xbf16>, tensor<8x12xbf16>) -> tensor<3x12xbf16>
  return %0, %1 : tensor<3x16xbf16>, tensor<3x12xbf16>
}
