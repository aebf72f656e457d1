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

// CHECK-LABEL: func.func @e2m1
// CHECK: graph.scaled_matmul {{.*}} bits 4 columns 40 {e2m1} :
func.func @e2m1(%x: tensor<2x64xi8>, %s: tensor<2x4xf32>, %u: tensor<2x4xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x4x16xf8E4M3FN>) -> tensor<2x40xf32> {
  %0 = graph.scaled_matmul %x scales %s totals %u by %w scales %t bits 4 columns 40 {e2m1} : (tensor<2x64xi8>, tensor<2x4xf32>, tensor<2x4xi32>, tensor<3x8x16x4xui8>, tensor<3x4x16xf8E4M3FN>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// CHECK-LABEL: func.func @weight
// CHECK: graph.quantize_weight codes of %arg0 bits 4 block 32 as bf16 :
// CHECK: graph.quantize_weight scales of %arg0 factor %arg1 bits 8 block 32 as f32 {clip} :
// CHECK: graph.quantize_weight zeros of %arg0 bits 4 block 8 as f16 :
func.func @weight(%w: tensor<64x40xf32>, %f: tensor<64x64xf32>) -> (tensor<3x8x16x4xui8>, tensor<3x2x16xf32>, tensor<3x8x16xui8>) {
  %0 = graph.quantize_weight codes of %w bits 4 block 32 as bf16 : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
  %1 = graph.quantize_weight scales of %w factor %f bits 8 block 32 as f32 {clip} : (tensor<64x40xf32>, tensor<64x64xf32>) -> tensor<3x2x16xf32>
  %2 = graph.quantize_weight zeros of %w bits 4 block 8 as f16 : (tensor<64x40xf32>) -> tensor<3x8x16xui8>
  return %0, %1, %2 : tensor<3x8x16x4xui8>, tensor<3x2x16xf32>, tensor<3x8x16xui8>
}

// CHECK-LABEL: func.func @multipliers
// CHECK: graph.quantize_weight multipliers of %arg0 factor %arg1 bits 4 block 32 as bf16 : (tensor<64x40xf32>, tensor<64x64xf32>) -> tensor<64xf32>
func.func @multipliers(%w: tensor<64x40xf32>, %h: tensor<64x64xf32>) -> tensor<64xf32> {
  %0 = graph.quantize_weight multipliers of %w factor %h bits 4 block 32 as bf16 : (tensor<64x40xf32>, tensor<64x64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: func.func @units
// CHECK: graph.quantize_weight unit of %arg0 bits 4 block 16 as f8E4M3FN {e2m1} :
// CHECK: graph.quantize_weight codes of %arg0 unit %0 bits 4 block 16 as f8E4M3FN {e2m1} :
func.func @units(%w: tensor<64x40xf32>) -> (tensor<3x8x16x4xui8>, tensor<3x4x16xf8E4M3FN>) {
  %0 = graph.quantize_weight unit of %w bits 4 block 16 as f8E4M3FN {e2m1} : (tensor<64x40xf32>) -> tensor<f32>
  %1 = graph.quantize_weight codes of %w unit %0 bits 4 block 16 as f8E4M3FN {e2m1} : (tensor<64x40xf32>, tensor<f32>) -> tensor<3x8x16x4xui8>
  %2 = graph.quantize_weight scales of %w unit %0 bits 4 block 16 as f8E4M3FN {e2m1} : (tensor<64x40xf32>, tensor<f32>) -> tensor<3x4x16xf8E4M3FN>
  return %1, %2 : tensor<3x8x16x4xui8>, tensor<3x4x16xf8E4M3FN>
}

// CHECK-LABEL: func.func @halves
// CHECK: graph.scaled_matmul %arg0 scales %arg0 totals %arg0 by %arg1 scales %arg2 bits 4 columns 32 : (tensor<3x64xf16>, tensor<3x64xf16>, tensor<3x64xf16>, tensor<2x8x16x4xui8>, tensor<2x2x16xf16>) -> tensor<3x32xf32>
func.func @halves(%x: tensor<3x64xf16>, %w: tensor<2x8x16x4xui8>, %t: tensor<2x2x16xf16>) -> tensor<3x32xf32> {
  %0 = graph.scaled_matmul %x scales %x totals %x by %w scales %t bits 4 columns 32 : (tensor<3x64xf16>, tensor<3x64xf16>, tensor<3x64xf16>, tensor<2x8x16x4xui8>, tensor<2x2x16xf16>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// Both operands of f8E4M3FN: a scale per row; of the weight one per block, or none.
// CHECK-LABEL: func.func @float8
// CHECK: graph.scaled_matmul %arg0 scales %arg1 totals %arg0 by %arg2 scales %arg3 bits 8 columns 32 :
// CHECK: graph.scaled_matmul %arg0 scales %arg1 totals %arg0 by %arg2 scales %arg2 bits 8 columns 20 {fast_accum} :
func.func @float8(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x16x16x4xf8E4M3FN>, %t: tensor<2x2x16xf8E8M0FNU>) -> (tensor<3x32xf32>, tensor<3x20xf32>) {
  %0 = graph.scaled_matmul %x scales %s totals %x by %w scales %t bits 8 columns 32 : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<3x64xf8E4M3FN>, tensor<2x16x16x4xf8E4M3FN>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
  %1 = graph.scaled_matmul %x scales %s totals %x by %w scales %w bits 8 columns 20 {fast_accum} : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<3x64xf8E4M3FN>, tensor<2x16x16x4xf8E4M3FN>, tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x20xf32>
  return %0, %1 : tensor<3x32xf32>, tensor<3x20xf32>
}

// Codes of f4E2M1FN beside activations of f8E4M3FN.
// CHECK-LABEL: func.func @codesByFloat8
// CHECK: graph.scaled_matmul %arg0 scales %arg1 totals %arg0 by %arg2 scales %arg3 bits 4 columns 32 {e2m1} :
func.func @codesByFloat8(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x8x16x4xui8>, %t: tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32> {
  %0 = graph.scaled_matmul %x scales %s totals %x by %w scales %t bits 4 columns 32 {e2m1} : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<3x64xf8E4M3FN>, tensor<2x8x16x4xui8>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// Codes of f4E2M1FN on both sides, whose scales are in bytes, in groups of 64 steps of the weight.
// CHECK-LABEL: func.func @float4
// CHECK: graph.scaled_matmul %{{.*}} scales %{{.*}} totals %{{.*}} by %{{.*}} scales %{{.*}} bits 4 columns 20 {e2m1} : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x8xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x20xf32>
// CHECK: graph.scaled_matmul %{{.*}} {e2m1} : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x4xf8E8M0FNU>, tensor<2x16x16x4xui8>, tensor<2x2x16x2xf8E8M0FNU>) -> tensor<3x32xf32>
func.func @float4(%x: tensor<3x128xui8>, %s: tensor<3x1xf32>, %a: tensor<3x8xf8E4M3FN>, %b: tensor<3x4xf8E8M0FNU>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x2x16x4xf8E4M3FN>, %u: tensor<2x2x16x2xf8E8M0FNU>) -> (tensor<3x20xf32>, tensor<3x32xf32>) {
  %0 = graph.scaled_matmul %x scales %s totals %a by %w scales %t bits 4 columns 20 {e2m1} : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x8xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x20xf32>
  %1 = graph.scaled_matmul %x scales %s totals %b by %w scales %u bits 4 columns 32 {e2m1} : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x4xf8E8M0FNU>, tensor<2x16x16x4xui8>, tensor<2x2x16x2xf8E8M0FNU>) -> tensor<3x32xf32>
  return %0, %1 : tensor<3x20xf32>, tensor<3x32xf32>
}
