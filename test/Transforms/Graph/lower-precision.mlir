// RUN: kiln-opt %s --split-input-file --kiln-lower-precision=precision=bf16 --remarks-filter='kiln-lower-precision' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: kiln-opt %s --split-input-file --kiln-lower-precision=precision=tf32 | FileCheck %s --check-prefix=TF32
// RUN: kiln-opt %s --split-input-file --kiln-lower-precision | FileCheck %s --check-prefix=SAME
// RUN: not kiln-opt %s --split-input-file --kiln-lower-precision=precision=f8 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: no precision has this name; expected f32, tf32, bf16, f16, {{.*}} found f8

// Without a precision nothing changes.
// SAME-NOT: bf16
// SAME-NOT: tf32

// An input and a weight are rounded, the sums stay wide.
// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = graph.cast %arg0 : (tensor<3x8xf32>) -> tensor<3x8xbf16>
// CHECK: %[[W:.*]] = graph.cast %{{.*}} : (tensor<8x6xf32>) -> tensor<8x6xbf16>
// CHECK: graph.matmul %[[X]], %[[W]] {result_element = f32} : (tensor<3x8xbf16>, tensor<8x6xbf16>) -> tensor<3x6xf32>
// REMARK: [Passed] lower {{.*}}operands in bf16, sums in f32
// TF32-LABEL: func.func @main
// TF32: graph.matmul %arg0, %{{.*}} {tf32} : (tensor<3x8xf32>, tensor<8x6xf32>) -> tensor<3x6xf32>
module {
  graph.weight @w : tensor<8x6xf32> {file = "w", hash = "0", length = 192 : i64, offset = 0 : i64}
  func.func @main(%x: tensor<3x8xf32>) -> tensor<3x6xf32> {
    %w = graph.get_weight @w : tensor<8x6xf32>
    %0 = graph.matmul %x, %w : (tensor<3x8xf32>, tensor<8x6xf32>) -> tensor<3x6xf32>
    return %0 : tensor<3x6xf32>
  }
}

// -----

// An activation is rounded where it is made, and its other reader reads what is
// stored; the norm itself stays.
// CHECK-LABEL: func.func @main
// CHECK: %[[N:.*]] = graph.layer_norm
// CHECK-NEXT: %[[S:.*]] = graph.cast %[[N]] : (tensor<3x8xf32>) -> tensor<3x8xbf16>
// CHECK-NEXT: %[[L:.*]] = graph.cast %[[S]] : (tensor<3x8xbf16>) -> tensor<3x8xf32>
// CHECK: %[[M:.*]] = graph.matmul %[[S]], %{{.*}} {result_element = f32}
// CHECK: graph.binary add %[[M]], %[[L]]
// REMARK: [Missed] lower {{.*}}norms, softmax and reductions are computed in f32
module {
  func.func @main(%x: tensor<3x8xf32>, %s: tensor<8xf32>, %w: tensor<8x8xf32>) -> tensor<3x8xf32> {
    %n = graph.layer_norm %x scale %s axis 1 {epsilon = 1.0e-5 : f64} : (tensor<3x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
    %0 = graph.matmul %n, %w : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32>
    %1 = graph.binary add %0, %n : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
    return %1 : tensor<3x8xf32>
  }
}

// -----

// Not: an output keeps what it is, although a product reads it rounded.
// CHECK-LABEL: func.func @main
// CHECK: %[[T:.*]] = graph.unary tanh %arg0
// CHECK-NEXT: %[[S:.*]] = graph.cast %[[T]] : (tensor<3x3xf32>) -> tensor<3x3xbf16>
// CHECK-NOT: (tensor<3x3xbf16>) -> tensor<3x3xf32>
// CHECK: return %[[T]]
module {
  func.func @main(%x: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>) {
    %t = graph.unary tanh %x : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %0 = graph.matmul %t, %t : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    return %t, %0 : tensor<3x3xf32>, tensor<3x3xf32>
  }
}

// -----

// Attention: views of one product are views of its rounded value; the mask stays.
// CHECK-LABEL: func.func @main
// CHECK: %[[S:.*]] = graph.cast %arg0 : (tensor<1x3x8xf32>) -> tensor<1x3x8xbf16>
// CHECK: %[[R:.*]] = graph.reshape %[[S]] : (tensor<1x3x8xbf16>) -> tensor<1x3x2x4xbf16>
// CHECK: %[[Q:.*]] = graph.transpose %[[R]] [0, 2, 1, 3] : (tensor<1x3x2x4xbf16>) -> tensor<1x2x3x4xbf16>
// CHECK: %[[A:.*]] = graph.attention %[[Q]], %[[Q]], %[[Q]] mask %arg1 {scale = 5.000000e-01 : f64} : ({{.*}}, tensor<1x1x1x3xf32>) -> tensor<1x2x3x4xbf16>
// CHECK-NEXT: graph.cast %[[A]] : (tensor<1x2x3x4xbf16>) -> tensor<1x2x3x4xf32>
// TF32: graph.attention {{.*}} -> tensor<1x2x3x4xf32>
module {
  func.func @main(%x: tensor<1x3x8xf32>, %m: tensor<1x1x1x3xf32>) -> tensor<1x2x3x4xf32> {
    %r = graph.reshape %x : (tensor<1x3x8xf32>) -> tensor<1x3x2x4xf32>
    %q = graph.transpose %r [0, 2, 1, 3] : (tensor<1x3x2x4xf32>) -> tensor<1x2x3x4xf32>
    %0 = graph.attention %q, %q, %q mask %m {scale = 0.5 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x1x1x3xf32>) -> tensor<1x2x3x4xf32>
    return %0 : tensor<1x2x3x4xf32>
  }
}

// -----

// Not: what the model gives in another type, and what is no number of f32.
// CHECK-LABEL: func.func @main
// CHECK: graph.matmul %arg0, %arg0 : (tensor<3x3xf64>
// CHECK: graph.matmul %arg1, %arg1 : (tensor<3x3xf16>, tensor<3x3xf16>) -> tensor<3x3xf16>
// CHECK: graph.matmul %arg2, %arg2 : (tensor<3x3xi32>
// CHECK-NOT: graph.cast
// REMARK: [Missed] lower {{.*}}the model has it in another type than f32, which stays
module {
  func.func @main(%d: tensor<3x3xf64>, %h: tensor<3x3xf16>, %i: tensor<3x3xi32>) -> (tensor<3x3xf64>, tensor<3x3xf16>, tensor<3x3xi32>) {
    %0 = graph.matmul %d, %d : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
    %1 = graph.matmul %h, %h : (tensor<3x3xf16>, tensor<3x3xf16>) -> tensor<3x3xf16>
    %2 = graph.matmul %i, %i : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi32>
    return %0, %1, %2 : tensor<3x3xf64>, tensor<3x3xf16>, tensor<3x3xi32>
  }
}

// -----

// Not: a product of weights, which the compiler computes once.
// CHECK-LABEL: func.func @main
// CHECK: graph.matmul %[[W:.*]], %[[W]] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// REMARK: [Missed] lower {{.*}}it is computed once, by the compiler
module {
  graph.weight @w : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
  func.func @main() -> tensor<8x8xf32> {
    %w = graph.get_weight @w : tensor<8x8xf32>
    %0 = graph.matmul %w, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

// Sinks of attention stay as they are.
// CHECK-LABEL: func.func @main
// CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} sinks %arg1 {scale = 2.500000e-01 : f64} : (tensor<1x4x8x16xbf16>, tensor<1x4x8x16xbf16>, tensor<1x4x8x16xbf16>, tensor<4xf32>) -> tensor<1x4x8x16xbf16>
// REMARK: [Passed] lower {{.*}}operands in bf16, softmax and sums in f32
module {
  func.func @main(%x: tensor<1x4x8x16xf32>, %s: tensor<4xf32>) -> tensor<1x4x8x16xf32> {
    %0 = graph.attention %x, %x, %x sinks %s {scale = 0.25 : f64} : (tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<4xf32>) -> tensor<1x4x8x16xf32>
    return %0 : tensor<1x4x8x16xf32>
  }
}
