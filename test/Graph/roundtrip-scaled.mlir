// RUN: kiln-opt %s | kiln-opt | FileCheck %s

// CHECK-LABEL: func.func @four
// CHECK: graph.scaled_matmul %arg0 <i8, block 32, scale f32> scales %arg1 totals %arg2 by %arg3 <ui4, block 32, scale bf16, zero_point> scales %arg4 zeros %arg5 columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
func.func @four(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>) -> tensor<2x40xf32> {
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// CHECK-LABEL: func.func @eight
// CHECK: graph.scaled_matmul %arg0 <i8, block 32, scale f32> scales %arg1 totals %arg2 by %arg3 <ui8, block 32, scale bf16> scales %arg4 columns 48 accumulate wide : (tensor<3x2x64xi8>, tensor<3x2x2xf32>, tensor<3x2x2xi32>, tensor<3x16x16x4xui8>, tensor<3x2x16xbf16>) -> tensor<3x2x48xf32>
func.func @eight(%x: tensor<3x2x64xi8>, %s: tensor<3x2x2xf32>, %u: tensor<3x2x2xi32>, %w: tensor<3x16x16x4xui8>, %t: tensor<3x2x16xbf16>) -> tensor<3x2x48xf32> {
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui8, block 32, scale bf16> scales %t columns 48 accumulate wide : (tensor<3x2x64xi8>, tensor<3x2x2xf32>, tensor<3x2x2xi32>, tensor<3x16x16x4xui8>, tensor<3x2x16xbf16>) -> tensor<3x2x48xf32>
  return %0 : tensor<3x2x48xf32>
}

// CHECK-LABEL: func.func @e2m1
// CHECK: graph.scaled_matmul %arg0 <i8, block 16, scale f32> scales %arg1 totals %arg2 by %arg3 <f4E2M1FN, block 16, scale f8E4M3FN> scales %arg4 columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x4xf32>, tensor<2x4xi32>, tensor<3x8x16x4xui8>, tensor<3x4x16xf8E4M3FN>) -> tensor<2x40xf32>
func.func @e2m1(%x: tensor<2x64xi8>, %s: tensor<2x4xf32>, %u: tensor<2x4xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x4x16xf8E4M3FN>) -> tensor<2x40xf32> {
  %0 = graph.scaled_matmul %x <i8, block 16, scale f32> scales %s totals %u by %w <f4E2M1FN, block 16, scale f8E4M3FN> scales %t columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x4xf32>, tensor<2x4xi32>, tensor<3x8x16x4xui8>, tensor<3x4x16xf8E4M3FN>) -> tensor<2x40xf32>
  return %0 : tensor<2x40xf32>
}

// CHECK-LABEL: func.func @weight
// CHECK: graph.quantize_weight codes of %arg0 as <ui4, block 32, scale bf16, zero_point> : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
// CHECK: graph.quantize_weight scales of %arg0 factor %arg1 as <ui8, block 32, scale f32, zero_point> {clip} : (tensor<64x40xf32>, tensor<64x64xf32>) -> tensor<3x2x16xf32>
// CHECK: graph.quantize_weight zeros of %arg0 as <ui4, block 8, scale f16, zero_point> : (tensor<64x40xf32>) -> tensor<3x8x16xui8>
func.func @weight(%w: tensor<64x40xf32>, %f: tensor<64x64xf32>) -> (tensor<3x8x16x4xui8>, tensor<3x2x16xf32>, tensor<3x8x16xui8>) {
  %0 = graph.quantize_weight codes of %w as <ui4, block 32, scale bf16, zero_point> : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
  %1 = graph.quantize_weight scales of %w factor %f as <ui8, block 32, scale f32, zero_point> {clip} : (tensor<64x40xf32>, tensor<64x64xf32>) -> tensor<3x2x16xf32>
  %2 = graph.quantize_weight zeros of %w as <ui4, block 8, scale f16, zero_point> : (tensor<64x40xf32>) -> tensor<3x8x16xui8>
  return %0, %1, %2 : tensor<3x8x16x4xui8>, tensor<3x2x16xf32>, tensor<3x8x16xui8>
}

// CHECK-LABEL: func.func @multipliers
// CHECK: graph.quantize_weight multipliers of %arg0 factor %arg1 as <ui4, block 32, scale bf16, zero_point> : (tensor<64x40xf32>, tensor<64x64xf32>) -> tensor<64xf32>
func.func @multipliers(%w: tensor<64x40xf32>, %h: tensor<64x64xf32>) -> tensor<64xf32> {
  %0 = graph.quantize_weight multipliers of %w factor %h as <ui4, block 32, scale bf16, zero_point> : (tensor<64x40xf32>, tensor<64x64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: func.func @units
// CHECK: graph.quantize_weight unit of %arg0 as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32> : (tensor<64x40xf32>) -> tensor<f32>
// CHECK: graph.quantize_weight codes of %arg0 unit %0 as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32> : (tensor<64x40xf32>, tensor<f32>) -> tensor<3x8x16x4xui8>
// CHECK: graph.quantize_weight scales of %arg0 unit %0 as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32> : (tensor<64x40xf32>, tensor<f32>) -> tensor<3x4x16xf8E4M3FN>
func.func @units(%w: tensor<64x40xf32>) -> (tensor<3x8x16x4xui8>, tensor<3x4x16xf8E4M3FN>) {
  %0 = graph.quantize_weight unit of %w as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32> : (tensor<64x40xf32>) -> tensor<f32>
  %1 = graph.quantize_weight codes of %w unit %0 as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32> : (tensor<64x40xf32>, tensor<f32>) -> tensor<3x8x16x4xui8>
  %2 = graph.quantize_weight scales of %w unit %0 as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32> : (tensor<64x40xf32>, tensor<f32>) -> tensor<3x4x16xf8E4M3FN>
  return %1, %2 : tensor<3x8x16x4xui8>, tensor<3x4x16xf8E4M3FN>
}

// CHECK-LABEL: func.func @halves
// CHECK: graph.scaled_matmul %arg0 <f16> by %arg1 <ui4, block 32, scale f16> scales %arg2 columns 32 accumulate wide : (tensor<3x64xf16>, tensor<2x8x16x4xui8>, tensor<2x2x16xf16>) -> tensor<3x32xf32>
func.func @halves(%x: tensor<3x64xf16>, %w: tensor<2x8x16x4xui8>, %t: tensor<2x2x16xf16>) -> tensor<3x32xf32> {
  %0 = graph.scaled_matmul %x <f16> by %w <ui4, block 32, scale f16> scales %t columns 32 accumulate wide : (tensor<3x64xf16>, tensor<2x8x16x4xui8>, tensor<2x2x16xf16>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// Both operands of f8E4M3FN: a scale per row; of the weight one per block, or none.
// CHECK-LABEL: func.func @float8
// CHECK: graph.scaled_matmul %arg0 <f8E4M3FN, per_row f32> row_scales %arg1 by %arg2 <f8E4M3FN, block 32, scale f8E8M0FNU> scales %arg3 columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x16x16x4xf8E4M3FN>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
// CHECK: graph.scaled_matmul %arg0 <f8E4M3FN, per_row f32> row_scales %arg1 by %arg2 <f8E4M3FN> columns 20 accumulate fast : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x20xf32>
func.func @float8(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x16x16x4xf8E4M3FN>, %t: tensor<2x2x16xf8E8M0FNU>) -> (tensor<3x32xf32>, tensor<3x20xf32>) {
  %0 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN, block 32, scale f8E8M0FNU> scales %t columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x16x16x4xf8E4M3FN>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
  %1 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f8E4M3FN> columns 20 accumulate fast : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x16x16x4xf8E4M3FN>) -> tensor<3x20xf32>
  return %0, %1 : tensor<3x32xf32>, tensor<3x20xf32>
}

// Codes of f4E2M1FN beside activations of f8E4M3FN.
// CHECK-LABEL: func.func @codesByFloat8
// CHECK: graph.scaled_matmul %arg0 <f8E4M3FN, per_row f32> row_scales %arg1 by %arg2 <f4E2M1FN, block 32, scale f8E8M0FNU> scales %arg3 columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x8x16x4xui8>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
func.func @codesByFloat8(%x: tensor<3x64xf8E4M3FN>, %s: tensor<3x1xf32>, %w: tensor<2x8x16x4xui8>, %t: tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32> {
  %0 = graph.scaled_matmul %x <f8E4M3FN, per_row f32> row_scales %s by %w <f4E2M1FN, block 32, scale f8E8M0FNU> scales %t columns 32 accumulate two_level : (tensor<3x64xf8E4M3FN>, tensor<3x1xf32>, tensor<2x8x16x4xui8>, tensor<2x2x16xf8E8M0FNU>) -> tensor<3x32xf32>
  return %0 : tensor<3x32xf32>
}

// Codes of f4E2M1FN on both sides, whose scales are in bytes, in groups of 64 steps of the weight.
// CHECK-LABEL: func.func @float4
// CHECK: graph.scaled_matmul %arg0 <f4E2M1FN, block 16, scale f8E4M3FN, per_row f32> row_scales %arg1 scales %arg2 by %arg4 <f4E2M1FN, block 16, scale f8E4M3FN> scales %arg5 columns 20 accumulate wide : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x8xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x20xf32>
// CHECK: graph.scaled_matmul %arg0 <f4E2M1FN, block 32, scale f8E8M0FNU, per_row f32> row_scales %arg1 scales %arg3 by %arg4 <f4E2M1FN, block 32, scale f8E8M0FNU> scales %arg6 columns 32 accumulate wide : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x4xf8E8M0FNU>, tensor<2x16x16x4xui8>, tensor<2x2x16x2xf8E8M0FNU>) -> tensor<3x32xf32>
func.func @float4(%x: tensor<3x128xui8>, %s: tensor<3x1xf32>, %a: tensor<3x8xf8E4M3FN>, %b: tensor<3x4xf8E8M0FNU>, %w: tensor<2x16x16x4xui8>, %t: tensor<2x2x16x4xf8E4M3FN>, %u: tensor<2x2x16x2xf8E8M0FNU>) -> (tensor<3x20xf32>, tensor<3x32xf32>) {
  %0 = graph.scaled_matmul %x <f4E2M1FN, block 16, scale f8E4M3FN, per_row f32> row_scales %s scales %a by %w <f4E2M1FN, block 16, scale f8E4M3FN> scales %t columns 20 accumulate wide : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x8xf8E4M3FN>, tensor<2x16x16x4xui8>, tensor<2x2x16x4xf8E4M3FN>) -> tensor<3x20xf32>
  %1 = graph.scaled_matmul %x <f4E2M1FN, block 32, scale f8E8M0FNU, per_row f32> row_scales %s scales %b by %w <f4E2M1FN, block 32, scale f8E8M0FNU> scales %u columns 32 accumulate wide : (tensor<3x128xui8>, tensor<3x1xf32>, tensor<3x4xf8E8M0FNU>, tensor<2x16x16x4xui8>, tensor<2x2x16x2xf8E8M0FNU>) -> tensor<3x32xf32>
  return %0, %1 : tensor<3x20xf32>, tensor<3x32xf32>
}
