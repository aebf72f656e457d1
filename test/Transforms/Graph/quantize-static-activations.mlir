// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=int8 ranges=known=3.5" --remarks-filter='kiln-quantize-products' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=fp8 activations=fp8 ranges=known=3.5" | FileCheck %s --check-prefix=FLOAT8
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=int8 ranges=known=3.5" --kiln-hoist-bake | FileCheck %s --check-prefix=BAKED
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=nvfp4 ranges=known=3.5" --kiln-hoist-bake | FileCheck %s --check-prefix=UNIT
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=fp8 activations=fp8 ranges=known=3.5" --kiln-hoist-bake | FileCheck %s --check-prefix=UNIT
// RUN: not kiln-opt %s --split-input-file --kiln-quantize-products="precision=int8 ranges=known=none" 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: a limit is no number above 0: none

// Codes by one scale, a weight: no row is looked at for its largest magnitude. Two products of one value share them.
// CHECK: graph.weight @[[$SCALE:.*]] : tensor<f32> {file = "<calibration>", hash = "known=3.5"
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.reduce max
// CHECK: %[[S:.*]] = graph.get_weight @[[$SCALE]] : tensor<f32>
// CHECK: %[[I:.*]] = graph.binary div %{{.*}}, %[[S]] : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK: %[[X:.*]] = graph.binary mul %arg0, %[[I]] : (tensor<3x64xf32>, tensor<f32>) -> tensor<3x64xf32>
// CHECK: %[[R:.*]] = graph.unary round %[[X]]
// CHECK: %[[C:.*]] = graph.cast %[[R]] : (tensor<3x64xf32>) -> tensor<3x64xi8>
// CHECK: %[[T:.*]] = graph.reduce sum %{{.*}} axes [2] : (tensor<3x1x64xi32>) -> tensor<3x1xi32>
// CHECK: %[[B:.*]] = graph.broadcast %[[S]] : (tensor<f32>) -> tensor<3x1xf32>
// CHECK: graph.scaled_matmul %[[C]] {{.*}} scales %[[B]] totals %[[T]] {{.*}} <ui8, {{.*}} columns 32
// CHECK: %[[B2:.*]] = graph.broadcast %[[S]] : (tensor<f32>) -> tensor<3x1xf32>
// CHECK: graph.scaled_matmul %[[C]] {{.*}} scales %[[B2]] totals %[[T]] {{.*}} <ui8, {{.*}} columns 5
// REMARK-COUNT-2: [Passed] quantize {{.*}}activations in 8 bits with a static scale up to 3.5
// NaN becomes 0, which kernels that widen bytes do not know.
// FLOAT8-LABEL: func.func @main
// FLOAT8-NOT: graph.reduce max
// FLOAT8: %[[X:.*]] = graph.binary mul %arg0, %{{.*}} : (tensor<3x64xf32>, tensor<f32>)
// FLOAT8: %[[N:.*]] = graph.compare equal %[[X]], %[[X]]
// FLOAT8: %[[Y:.*]] = graph.select %[[N]], %[[X]], %{{.*}}
// FLOAT8: %[[C:.*]] = graph.cast %[[Y]] : (tensor<3x64xf32>) -> tensor<3x64xf8E4M3FN>
// FLOAT8: graph.broadcast %{{.*}} : (tensor<f32>) -> tensor<3x1xf32>
// FLOAT8: graph.scaled_matmul %[[C]] <f8E4M3FN, per_row f32> row_scales %{{.*}} by
// The inverse is computed once, and so is the scale times that of a weight in NVFP4 or FP8.
// BAKED-LABEL: func.func @main
// BAKED-NOT: graph.binary div
// UNIT-LABEL: func.func @main
// UNIT-NOT: graph.binary {{.*}} -> tensor<3x{{[14]}}xf32>
// UNIT: graph.broadcast %{{.*}} : (tensor<f32>) -> tensor<3x{{[14]}}xf32>
// UNIT-NEXT: graph.{{scaled_matmul|get_weight}}
// BAKED: return
module {
  graph.weight @w : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 0 : i64}
  graph.weight @v : tensor<64x5xf32> {file = "w", hash = "0", length = 1280 : i64, offset = 8192 : i64}
  func.func @main(%x: tensor<3x64xf32>) -> (tensor<3x32xf32>, tensor<3x5xf32>) {
    %w = graph.get_weight @w : tensor<64x32xf32>
    %v = graph.get_weight @v : tensor<64x5xf32>
    %0 = graph.matmul %x, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32> loc("node 'known' (MatMul, opset 17)")
    %1 = graph.matmul %x, %v : (tensor<3x64xf32>, tensor<64x5xf32>) -> tensor<3x5xf32> loc("node 'known' (MatMul, opset 17)")
    return %0, %1 : tensor<3x32xf32>, tensor<3x5xf32>
  }
}

// -----

// Not: a product whose range is not known finds scales in every run; activations of 16 bits have none.
// CHECK-LABEL: func.func @main
// CHECK: graph.reduce max
// CHECK: graph.scaled_matmul %{{.*}} : (tensor<3x64xi8>
// CHECK: graph.scaled_matmul %{{.*}} : (tensor<3x64xf16>
// FLOAT8-LABEL: func.func @main
// FLOAT8: graph.reduce max
// FLOAT8-NOT: tensor<3x64xf16>, tensor<3x64xf8E4M3FN>
// BAKED-LABEL: func.func @main
// BAKED: graph.binary div
module {
  graph.weight @w : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 0 : i64}
  graph.weight @h : tensor<64x32xf16> {file = "w", hash = "0", length = 4096 : i64, offset = 8192 : i64}
  func.func @main(%x: tensor<3x64xf32>, %q: tensor<3x64xf16>) -> (tensor<3x32xf32>, tensor<3x32xf16>) {
    %w = graph.get_weight @w : tensor<64x32xf32>
    %h = graph.get_weight @h : tensor<64x32xf16>
    %0 = graph.matmul %x, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32> loc("node 'unknown' (MatMul, opset 17)")
    %1 = graph.matmul %q, %h : (tensor<3x64xf16>, tensor<64x32xf16>) -> tensor<3x32xf16> loc("node 'known' (MatMul, opset 17)")
    return %0, %1 : tensor<3x32xf32>, tensor<3x32xf16>
  }
}

// -----

// Of two products of one value one has a range: they do not share codes.
// CHECK-LABEL: func.func @main
// CHECK: graph.reduce max
// CHECK: graph.scaled_matmul %[[ROWS:.*]] <
// CHECK: graph.broadcast %{{.*}} : (tensor<f32>) -> tensor<3x1xf32>
// CHECK-NOT: graph.scaled_matmul %[[ROWS]] <
// CHECK: graph.scaled_matmul
// FLOAT8-LABEL: func.func @main
// FLOAT8: graph.scaled_matmul
// FLOAT8: graph.broadcast %{{.*}} : (tensor<f32>) -> tensor<3x1xf32>
// FLOAT8: graph.scaled_matmul
module {
  graph.weight @w : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 0 : i64}
  graph.weight @v : tensor<64x5xf32> {file = "w", hash = "0", length = 1280 : i64, offset = 8192 : i64}
  func.func @main(%x: tensor<3x64xf32>) -> (tensor<3x32xf32>, tensor<3x5xf32>) {
    %w = graph.get_weight @w : tensor<64x32xf32>
    %v = graph.get_weight @v : tensor<64x5xf32>
    %0 = graph.matmul %x, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32> loc("node 'new' (MatMul, opset 17)")
    %1 = graph.matmul %x, %v : (tensor<3x64xf32>, tensor<64x5xf32>) -> tensor<3x5xf32> loc("node 'known' (MatMul, opset 17)")
    return %0, %1 : tensor<3x32xf32>, tensor<3x5xf32>
  }
}
