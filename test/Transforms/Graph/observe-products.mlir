// RUN: kiln-opt %s --split-input-file --kiln-observe-products | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-observe-products=elements=5119 | FileCheck %s --check-prefix=FIRST
// RUN: kiln-opt %s --split-input-file --kiln-observe-products=elements=5120 | FileCheck %s
// RUN: kiln-opt %s --split-input-file '--kiln-observe-products=first=1 elements=1' | FileCheck %s --check-prefix=SECOND
// RUN: kiln-opt %s --split-input-file --kiln-observe-products=first=2 | FileCheck %s --check-prefix=NONE
// RUN: kiln-opt %s --split-input-file '--kiln-observe-products=what=maxima elements=96' | FileCheck %s --check-prefix=MAXIMA

// RUN: kiln-opt %s --split-input-file '--kiln-observe-products=what=values' | FileCheck %s --check-prefix=VALUES
// RUN: kiln-opt %s --split-input-file '--kiln-observe-products=what=values first=1 elements=1' | FileCheck %s --check-prefix=SECOND-VALUE

// Values as they are; `elements` counts them.
// VALUES-LABEL: func.func @main
// VALUES-SAME: -> (tensor<2x3x64xf32> {graph.name = "observed.0"}, tensor<2x3x32xf32> {graph.name = "observed.1"})
// VALUES: %[[Y:.*]] = graph.matmul %arg0, %{{.*}} :
// VALUES: return %arg0, %[[Y]] :
// VALUES-LABEL: func.func @main
// VALUES-NOT: observed
// SECOND-VALUE-LABEL: func.func @main
// SECOND-VALUE-SAME: -> (tensor<2x3x32xf32> {graph.name = "observed.0"})

// The largest magnitudes of columns: K numbers of each value.
// MAXIMA-LABEL: func.func @main
// MAXIMA-SAME: -> (tensor<64xf32> {graph.name = "observed.0"}, tensor<32xf32> {graph.name = "observed.1"})
// MAXIMA: %[[A:.*]] = graph.unary abs %arg0 : (tensor<2x3x64xf32>)
// MAXIMA: %[[M:.*]] = graph.reduce max %[[A]] axes [0, 1] : (tensor<2x3x64xf32>) -> tensor<64xf32>
// MAXIMA: %[[B:.*]] = graph.unary abs
// MAXIMA: %[[N:.*]] = graph.reduce max %[[B]] axes [0, 1]
// MAXIMA: return %[[M]], %[[N]] :

// What does not fit is left, but for the first one.
// FIRST-LABEL: func.func @main
// FIRST-SAME: -> (tensor<64x64xf32> {graph.name = "observed.0"})
// SECOND-LABEL: func.func @main
// SECOND-SAME: -> (tensor<32x32xf32> {graph.name = "observed.0"})
// NONE-LABEL: func.func @main
// NONE-SAME: -> (tensor<2x3x32xf32> {graph.name = "y"}, tensor<2x3x5xf32> {graph.name = "z"}) {

// Two products of one value observe it once; rows of all sequences count. The model's own results go.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<64x64xf32> {graph.name = "observed.0"}, tensor<32x32xf32> {graph.name = "observed.1"})
// CHECK: %[[Y:.*]] = graph.matmul %arg0, %{{.*}} :
// CHECK: %[[X:.*]] = graph.reshape %arg0 : (tensor<2x3x64xf32>) -> tensor<6x64xf32>
// CHECK: %[[H:.*]] = graph.matmul %[[X]], %[[X]] {transpose_a} : (tensor<6x64xf32>, tensor<6x64xf32>) -> tensor<64x64xf32>
// CHECK: %[[R:.*]] = graph.reshape %[[Y]]
// CHECK: %[[G:.*]] = graph.matmul %[[R]], %[[R]] {transpose_a}
// CHECK: return %[[H]], %[[G]] :
module {
  graph.weight @w : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 0 : i64}
  graph.weight @v : tensor<64x5xf32> {file = "w", hash = "0", length = 1280 : i64, offset = 8192 : i64}
  graph.weight @u : tensor<32x32xf32> {file = "w", hash = "0", length = 4096 : i64, offset = 9472 : i64}
  func.func @main(%x: tensor<2x3x64xf32> {graph.name = "x"}) -> (tensor<2x3x32xf32> {graph.name = "y"}, tensor<2x3x5xf32> {graph.name = "z"}) {
    %w = graph.get_weight @w : tensor<64x32xf32>
    %v = graph.get_weight @v : tensor<64x5xf32>
    %u = graph.get_weight @u : tensor<32x32xf32>
    %0 = graph.matmul %x, %w : (tensor<2x3x64xf32>, tensor<64x32xf32>) -> tensor<2x3x32xf32>
    %1 = graph.matmul %x, %v : (tensor<2x3x64xf32>, tensor<64x5xf32>) -> tensor<2x3x5xf32>
    %2 = graph.matmul %0, %u : (tensor<2x3x32xf32>, tensor<32x32xf32>) -> tensor<2x3x32xf32>
    return %2, %1 : tensor<2x3x32xf32>, tensor<2x3x5xf32>
  }
}

// -----

// Not: two activations, 16 bits, a weight on the left.
// CHECK-LABEL: func.func @main
// CHECK-NOT: observed
module {
  graph.weight @w : tensor<40x64xf32> {file = "w", hash = "0", length = 10240 : i64, offset = 0 : i64}
  graph.weight @h : tensor<64x32xf16> {file = "w", hash = "0", length = 4096 : i64, offset = 16384 : i64}
  func.func @main(%x: tensor<3x64xf32>, %y: tensor<64x32xf32>, %q: tensor<3x64xf16>) -> (tensor<3x32xf32>, tensor<3x32xf16>, tensor<40x32xf32>) {
    %w = graph.get_weight @w : tensor<40x64xf32>
    %h = graph.get_weight @h : tensor<64x32xf16>
    %0 = graph.matmul %x, %y : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
    %1 = graph.matmul %q, %h : (tensor<3x64xf16>, tensor<64x32xf16>) -> tensor<3x32xf16>
    %2 = graph.matmul %w, %y : (tensor<40x64xf32>, tensor<64x32xf32>) -> tensor<40x32xf32>
    return %0, %1, %2 : tensor<3x32xf32>, tensor<3x32xf16>, tensor<40x32xf32>
  }
}
