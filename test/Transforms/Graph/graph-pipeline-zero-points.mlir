// Zero points through every graph pass: of a constant one, nothing but the number in the type that kernels compute in is left. An
// argument is cast where it is used.
// RUN: kiln-opt %s --split-input-file --pass-pipeline='builtin.module(kiln-graph-pipeline{targets=x86-64-v3})' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor<ui8>
// CHECK: %[[Z:.*]] = graph.constant dense<1.220000e+02> : tensor<f32>
// CHECK: graph.binary add %{{.*}}, %[[Z]]
func.func @main(%x: tensor<8x16xf32> {graph.name = "x"}) -> (tensor<8x16xui8> {graph.name = "y"}) {
  %s = graph.constant dense<0.1> : tensor<f32>
  %z = graph.constant dense<122> : tensor<ui8>
  %q = graph.quantize %x, %s zero_point %z : (tensor<8x16xf32>, tensor<f32>, tensor<ui8>) -> tensor<8x16xui8>
  return %q : tensor<8x16xui8>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: %[[Z:.*]] = graph.cast %arg1 : (tensor<ui8>) -> tensor<f32>
// CHECK: graph.binary add %{{.*}}, %[[Z]]
func.func @main(%x: tensor<8x16xf32> {graph.name = "x"}, %z: tensor<ui8> {graph.name = "z"}) -> (tensor<8x16xui8> {graph.name = "y"}) {
  %s = graph.constant dense<0.1> : tensor<f32>
  %q = graph.quantize %x, %s zero_point %z : (tensor<8x16xf32>, tensor<f32>, tensor<ui8>) -> tensor<8x16xui8>
  return %q : tensor<8x16xui8>
}
