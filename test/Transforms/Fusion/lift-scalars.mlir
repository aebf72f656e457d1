// RUN: kiln-opt %s --split-input-file --kiln-lift-scalars --kiln-verify-kernels | FileCheck %s

// The scale differs and is an operand of both kernels; the bound is the same and stays.
// CHECK-DAG: graph.weight @scalar : tensor<f32>
// CHECK-DAG: graph.weight @scalar_0 : tensor<f32>
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = graph.get_weight @scalar : tensor<f32>
// CHECK: graph.kernel "pointwise" (%[[X:.*]] = %{{.*}}, %[[S:.*]] = %[[A]]) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[BOUND:.*]] = graph.constant dense<7.000000e+00>
// CHECK-NEXT: %[[P:.*]] = graph.binary mul %[[X]], %[[S]]
// CHECK-NEXT: graph.binary min %[[P]], %[[BOUND]]
// CHECK: %[[B:.*]] = graph.get_weight @scalar_0 : tensor<f32>
// CHECK: graph.kernel "pointwise" (%{{.*}} = %{{.*}}, %{{.*}} = %[[B]])
// CHECK-NEXT: graph.constant dense<7.000000e+00>
// CHECK-NEXT: graph.binary mul
// CHECK-LABEL: func.func @bake
// CHECK: %[[C:.*]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK: graph.set_weight @scalar, %[[C]]
// CHECK: %[[D:.*]] = graph.constant dense<2.500000e-01> : tensor<f32>
// CHECK: graph.set_weight @scalar_0, %[[D]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0.5> : tensor<f32>
    %m = graph.constant dense<7.0> : tensor<f32>
    %1 = graph.binary mul %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = graph.binary min %1, %m : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %2 : tensor<4xf32>
  }
  %3 = graph.kernel "pointwise" (%a = %0) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0.25> : tensor<f32>
    %m = graph.constant dense<7.0> : tensor<f32>
    %1 = graph.binary mul %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = graph.binary min %1, %m : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %2 : tensor<4xf32>
  }
  return %3 : tensor<4xf32>
}

// -----

// Programs share weights: equal numbers are one. Numbers of one row are one operand.
// CHECK-COUNT-2: graph.weight @scalar
// CHECK-NOT: graph.weight
// CHECK-LABEL: func.func @prefill
// CHECK: graph.get_weight @scalar : tensor<f32>
// CHECK: graph.kernel "pointwise" (%[[A:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) : (tensor<4xf32>, tensor<f32>)
// CHECK-NEXT: %[[Q:.*]] = graph.binary div %[[A]], %[[S]]
// CHECK-NEXT: graph.binary mul %{{.*}}, %[[S]]
// CHECK-LABEL: func.func @decode
// CHECK: graph.get_weight @scalar_0 : tensor<f32>
// CHECK: graph.get_weight @scalar : tensor<f32>
func.func @prefill(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0.5> : tensor<f32>
    %t = graph.constant dense<0.5> : tensor<f32>
    %1 = graph.binary div %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = graph.binary mul %1, %t : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
func.func @decode(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0.25> : tensor<f32>
    %t = graph.constant dense<0.25> : tensor<f32>
    %1 = graph.binary div %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = graph.binary mul %1, %t : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %2 : tensor<4xf32>
  }
  %3 = graph.kernel "pointwise" (%a = %0) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0.5> : tensor<f32>
    %t = graph.constant dense<0.5> : tensor<f32>
    %1 = graph.binary div %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = graph.binary mul %1, %t : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %2 : tensor<4xf32>
  }
  return %3 : tensor<4xf32>
}

// -----

// A splat of several elements is read as one of them.
// CHECK: graph.weight @scalar_0 : tensor<f16>
// CHECK: graph.weight @scalar : tensor<f16>
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "pointwise" (%{{.*}} = %{{.*}}, %[[S:.*]] = %{{.*}}) : (tensor<4xf16>, tensor<f16>)
// CHECK-NEXT: %[[V:.*]] = graph.broadcast %[[S]] : (tensor<f16>) -> tensor<4xf16>
// CHECK-NEXT: graph.binary add %{{.*}}, %[[V]]
func.func @main(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf16>) -> tensor<4xf16> {
    %s = graph.constant dense<0.5> : tensor<4xf16>
    %1 = graph.binary add %a, %s : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
    graph.yield %1 : tensor<4xf16>
  }
  %2 = graph.kernel "pointwise" (%a = %0) : (tensor<4xf16>) -> tensor<4xf16> {
    %s = graph.constant dense<0.25> : tensor<4xf16>
    %1 = graph.binary add %a, %s : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
    graph.yield %1 : tensor<4xf16>
  }
  return %2 : tensor<4xf16>
}

// -----

// A shape of one element is kept.
// CHECK: graph.weight @scalar : tensor<1x1xf64>
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "pointwise" ({{.*}}) : (tensor<4xf64>, tensor<1x1xf64>) -> tensor<1x4xf64>
func.func @main(%x: tensor<4xf64>) -> (tensor<1x4xf64>, tensor<1x4xf64>) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf64>) -> tensor<1x4xf64> {
    %s = graph.constant dense<0.5> : tensor<1x1xf64>
    %1 = graph.binary sub %a, %s : (tensor<4xf64>, tensor<1x1xf64>) -> tensor<1x4xf64>
    graph.yield %1 : tensor<1x4xf64>
  }
  %2 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf64>) -> tensor<1x4xf64> {
    %s = graph.constant dense<0.25> : tensor<1x1xf64>
    %1 = graph.binary sub %a, %s : (tensor<4xf64>, tensor<1x1xf64>) -> tensor<1x4xf64>
    graph.yield %1 : tensor<1x4xf64>
  }
  return %0, %2 : tensor<1x4xf64>, tensor<1x4xf64>
}

// -----

// Not: kernels that are equal share code as they are.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.get_weight
// CHECK-NOT: @bake
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0.5> : tensor<f32>
    %1 = graph.binary mul %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %0) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0.5> : tensor<f32>
    %1 = graph.binary mul %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}

// -----

// Not: a kernel that no other is like keeps its number.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.get_weight
// CHECK-NOT: @bake
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0.5> : tensor<f32>
    %1 = graph.binary mul %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %0) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0.25> : tensor<f32>
    %1 = graph.binary add %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}

// -----

// Not: numbers that stand for infinity in masks, and infinity itself.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.get_weight
// CHECK-NOT: @bake
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<-10000.0> : tensor<f32>
    %1 = graph.binary add %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %0) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<-1.0e30> : tensor<f32>
    %1 = graph.binary add %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  %3 = graph.kernel "pointwise" (%a = %2) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0xFF800000> : tensor<f32>
    %1 = graph.binary add %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %3 : tensor<4xf32>
}

// -----

// Not: integers, and floats of 8 bits.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.get_weight
// CHECK-NOT: @bake
func.func @main(%x: tensor<4xi64>, %y: tensor<4xf8E4M3FN>, %z: tensor<4xi1>) -> (tensor<4xi64>, tensor<4xf8E4M3FN>) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xi64>) -> tensor<4xi64> {
    %s = graph.constant dense<3> : tensor<i64>
    %1 = graph.binary mul %a, %s : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
    graph.yield %1 : tensor<4xi64>
  }
  %2 = graph.kernel "pointwise" (%a = %0) : (tensor<4xi64>) -> tensor<4xi64> {
    %s = graph.constant dense<4> : tensor<i64>
    %1 = graph.binary mul %a, %s : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
    graph.yield %1 : tensor<4xi64>
  }
  %3 = graph.kernel "pointwise" (%a = %y, %c = %z) : (tensor<4xf8E4M3FN>, tensor<4xi1>) -> tensor<4xf8E4M3FN> {
    %s = graph.constant dense<1.0> : tensor<4xf8E4M3FN>
    %1 = graph.select %c, %a, %s : (tensor<4xi1>, tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
    graph.yield %1 : tensor<4xf8E4M3FN>
  }
  %4 = graph.kernel "pointwise" (%a = %3, %c = %z) : (tensor<4xf8E4M3FN>, tensor<4xi1>) -> tensor<4xf8E4M3FN> {
    %s = graph.constant dense<2.0> : tensor<4xf8E4M3FN>
    %1 = graph.select %c, %a, %s : (tensor<4xi1>, tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
    graph.yield %1 : tensor<4xf8E4M3FN>
  }
  return %2, %4 : tensor<4xi64>, tensor<4xf8E4M3FN>
}

// -----

// Not: attributes and types are part of what is compared.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.get_weight
// CHECK-NOT: @bake
func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0.5> : tensor<f32>
    %1 = graph.binary mul %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %y) : (tensor<5xf32>) -> tensor<5xf32> {
    %s = graph.constant dense<0.25> : tensor<f32>
    %1 = graph.binary mul %a, %s : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
    graph.yield %1 : tensor<5xf32>
  }
  return %0, %2 : tensor<4xf32>, tensor<5xf32>
}

// -----

// Not: exponents, whose code is shorter where they are known.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.get_weight
// CHECK-NOT: @bake
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<0.5> : tensor<f32>
    %1 = graph.binary pow %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %0) : (tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.constant dense<3.0> : tensor<f32>
    %1 = graph.binary pow %a, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}
