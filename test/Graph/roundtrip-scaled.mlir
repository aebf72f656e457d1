// RUN: kiln-opt %s | kiln-opt | FileCheck %s

// CHECK-LABEL: func.func @four
// CHECK: graph.scaled_matmul %arg0 scales %arg1 totals %arg2 by %arg3 scales %arg4 zeros %arg5 bits 4 columns 40 :
func.func @four(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 40 : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// CHECK-LABEL: func.func @eight
// CHECK: graph.scaled_matmul %arg0 scales %arg1 totals %arg2 by %arg3 scales %arg4 bits 8 columns 48 :
func.func @eight(%x: tensor<3x2x64xi8>, %s: tensor<3x2x2xf32>, %u: tensor<3x2x2xi32>, %w: tensor<3x16x16x4xui8>, %t: tensor<3x2x16xbf16>) -> tensor<3x2x48xf32> {
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t bits 8 columns 48 : (tensor<3x2x64xi8>, tensor<3x2x2xf32>, tensor<3x2x2xi32>, tensor<3x16x16x4xui8>, tensor<3x2x16xbf16>) -> tensor<3x2x48xf32>
  return %0 : tensor<3x2x48xf32>
}
