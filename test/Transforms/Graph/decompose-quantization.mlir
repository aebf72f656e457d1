// RUN: kiln-opt %s --split-input-file --kiln-decompose-quantization | FileCheck %s

// One scale, whole numbers: halves are rounded before the zero point is added.
// CHECK-LABEL: func.func @single
// CHECK: %[[Q:.*]] = graph.binary div %arg0, %arg1
// CHECK: %[[R:.*]] = graph.unary round %[[Q]]
// CHECK: %[[Z:.*]] = graph.cast %arg2 : (tensor<ui8>) -> tensor<f32>
// CHECK: %[[S:.*]] = graph.binary add %[[R]], %[[Z]]
// CHECK: graph.cast %[[S]] : (tensor<8x16xf32>) -> tensor<8x16xui8>
// CHECK-NOT: graph.quantize
func.func @single(%x: tensor<8x16xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<8x16xui8> {
  %q = graph.quantize %x, %s zero_point %z : (tensor<8x16xf32>, tensor<f32>, tensor<ui8>) -> tensor<8x16xui8>
  return %q : tensor<8x16xui8>
}

// -----

// A constant scale and zero point become constants of the type that is computed in, so that no cast of them is a kernel.
// CHECK-LABEL: func.func @constants
// CHECK: %[[S:.*]] = graph.constant dense<2.500000e-01> : tensor<f32>
// CHECK: graph.binary div %{{.*}}, %[[S]]
// CHECK: %[[Z:.*]] = graph.constant dense<1.220000e+02> : tensor<f32>
// CHECK: graph.binary add %{{.*}}, %[[Z]]
// CHECK-NOT: graph.quantize
func.func @constants(%x: tensor<8x16xf16>) -> tensor<8x16xui8> {
  %s = graph.constant dense<0.25> : tensor<f16>
  %z = graph.constant dense<122> : tensor<ui8>
  %q = graph.quantize %x, %s zero_point %z : (tensor<8x16xf16>, tensor<f16>, tensor<ui8>) -> tensor<8x16xui8>
  return %q : tensor<8x16xui8>
}

// -----

// Along an axis, and a quotient of f16 that is rounded to f16 before it is to f8.
// CHECK-LABEL: func.func @axis
// CHECK: %[[S:.*]] = graph.cast %arg1 : (tensor<8xf16>) -> tensor<8xf32>
// CHECK: %[[C:.*]] = graph.reshape %[[S]] : (tensor<8xf32>) -> tensor<8x1xf32>
// CHECK: %[[X:.*]] = graph.cast %arg0 : (tensor<8x16xf16>) -> tensor<8x16xf32>
// CHECK: %[[Q:.*]] = graph.binary div %[[X]], %[[C]]
// CHECK: %[[H:.*]] = graph.cast %[[Q]] : (tensor<8x16xf32>) -> tensor<8x16xf16>
// CHECK: %[[W:.*]] = graph.cast %[[H]] : (tensor<8x16xf16>) -> tensor<8x16xf32>
// CHECK: graph.cast %[[W]] {overflows} : (tensor<8x16xf32>) -> tensor<8x16xf8E5M2>
// CHECK-NOT: graph.unary round
func.func @axis(%x: tensor<8x16xf16>, %s: tensor<8xf16>) -> tensor<8x16xf8E5M2> {
  %q = graph.quantize %x, %s {axis = 0, overflows} : (tensor<8x16xf16>, tensor<8xf16>) -> tensor<8x16xf8E5M2>
  return %q : tensor<8x16xf8E5M2>
}

// -----

// Blocks whose last one is shorter: each scale four times, and the last two are cut off.
// CHECK-LABEL: func.func @blocks
// CHECK: graph.cast %arg0 : (tensor<?x6xi4, {{.*}}>) -> tensor<?x6xf32
// CHECK: %[[Z:.*]] = graph.cast %arg2 : {{.*}} -> tensor<?x2xf32
// CHECK: graph.reshape %[[Z]] : {{.*}} -> tensor<?x2x1xf32
// CHECK: graph.broadcast {{.*}} -> tensor<?x2x4xf32
// CHECK: graph.reshape {{.*}} -> tensor<?x8xf32
// CHECK: graph.slice {{.*}} -> tensor<?x6xf32
// CHECK: graph.binary sub
// CHECK: %[[Y:.*]] = graph.binary mul
// CHECK: graph.cast %[[Y]] : {{.*}} -> tensor<?x6xf16
graph.symbol @n in [1, 64]
#n2 = #graph.shape<[n] -> [n, 2]>
#n6 = #graph.shape<[n] -> [n, 6]>
func.func @blocks(%x: tensor<?x6xi4, #n6>, %s: tensor<?x2xf32, #n2>, %z: tensor<?x2xi4, #n2>) -> tensor<?x6xf16, #n6> {
  %y = graph.dequantize %x, %s zero_point %z {axis = 1, block = 4} : (tensor<?x6xi4, #n6>, tensor<?x2xf32, #n2>, tensor<?x2xi4, #n2>) -> tensor<?x6xf16, #n6>
  return %y : tensor<?x6xf16, #n6>
}

// -----

// Other ops stay.
// CHECK-LABEL: func.func @others
// CHECK-NEXT: graph.cast
// CHECK-NEXT: graph.binary mul
// CHECK-NEXT: graph.cast
// CHECK-NEXT: return
func.func @others(%x: tensor<4xi8>, %s: tensor<f32>) -> tensor<4xf8E4M3FN> {
  %0 = graph.cast %x : (tensor<4xi8>) -> tensor<4xf32>
  %1 = graph.binary mul %0, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.cast %1 : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  return %2 : tensor<4xf8E4M3FN>
}
