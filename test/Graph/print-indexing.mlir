// RUN: kiln-opt %s --kiln-test-print-indexing -o /dev/null | FileCheck %s

// Which elements of its operands every op reads, one case per op. docs/rationale/index-maps.md has the notation.

!rows = tensor<?x8xf32, #graph.shape<[seq] -> [seq, 8]>>
!row = tensor<?x1xf32, #graph.shape<[seq] -> [seq, 1]>>
!ids = tensor<?xi64, #graph.shape<[seq] -> [seq]>>
!heads = tensor<?x12x64xf32, #graph.shape<[seq] -> [seq, 12, 64]>>
!joined = tensor<?x768xf32, #graph.shape<[seq] -> [seq, 768]>>
!both = tensor<?x8xf32, #graph.shape<[past, seq] -> [past + seq, 8]>>
!past = tensor<?x8xf32, #graph.shape<[past] -> [past, 8]>>

// A size of 1 broadcasts against a symbol, and missing dims.
// CHECK-LABEL: @elementwise
func.func @elementwise(%x: !rows, %y: tensor<1x8xf32>, %z: tensor<8xf32>, %c: tensor<8xi1>, %row: !row) {
  // CHECK: graph.unary [%d0, %d1]
  // CHECK-NEXT: operand 0 [%d0, %d1]
  %0 = graph.unary exp %x : (!rows) -> !rows
  // CHECK: graph.binary [%d0, %d1]
  // CHECK-NEXT: operand 0 [%d0, %d1]
  // CHECK-NEXT: operand 1 [0, %d1]
  %1 = graph.binary add %x, %y : (!rows, tensor<1x8xf32>) -> !rows
  // CHECK: graph.compare [%d0, %d1]
  // CHECK-NEXT: operand 0 [%d1]
  // CHECK-NEXT: operand 1 [%d0, 0]
  %2 = graph.compare less %z, %row : (tensor<8xf32>, !row) -> tensor<?x8xi1, #graph.shape<[seq] -> [seq, 8]>>
  // CHECK: graph.select [%d0, %d1]
  // CHECK-NEXT: operand 0 [%d1]
  // CHECK-NEXT: operand 1 [%d1]
  // CHECK-NEXT: operand 2 [%d0, %d1]
  %3 = graph.select %c, %z, %x : (tensor<8xi1>, tensor<8xf32>, !rows) -> !rows
  // CHECK: graph.cast [%d0, %d1]
  // CHECK-NEXT: operand 0 [%d0, %d1]
  %4 = graph.cast %x : (!rows) -> tensor<?x8xi32, #graph.shape<[seq] -> [seq, 8]>>
  return
}

// Heads are joined and divided; dims of 1 come and go; in an empty tensor there is nothing to read.
// CHECK-LABEL: @reshape
func.func @reshape(%x: !heads, %y: !joined, %z: tensor<2x1x3xf32>, %empty: tensor<0x4xf32>) {
  // CHECK: graph.reshape [%d0, %d1] moves
  // CHECK-NEXT: operand 0 [%d0, (%d1 floordiv 64), (%d1 mod 64)]
  %0 = graph.reshape %x : (!heads) -> !joined
  // CHECK: graph.reshape [%d0, %d1, %d2] moves
  // CHECK-NEXT: operand 0 [%d0, 64 * %d1 + %d2]
  %1 = graph.reshape %y : (!joined) -> !heads
  // CHECK: graph.reshape [0, %d1, %d2, 0] moves
  // CHECK-NEXT: operand 0 [%d1, 0, %d2]
  %2 = graph.reshape %z : (tensor<2x1x3xf32>) -> tensor<1x2x3x1xf32>
  // CHECK: graph.reshape [%d0, %d1] moves
  // CHECK-NEXT: operand 0 [((2 * %d0 + %d1) floordiv 3), 0, ((2 * %d0 + %d1) mod 3)]
  %3 = graph.reshape %z : (tensor<2x1x3xf32>) -> tensor<3x2xf32>
  // CHECK: graph.reshape [%d0, %d1] moves
  // CHECK-NEXT: operand 0 [0, %d1]
  %4 = graph.reshape %empty : (tensor<0x4xf32>) -> tensor<2x0xf32>
  return
}

// Steps may be negative; of a tensor without elements the map is as of any other.
// CHECK-LABEL: @movement
func.func @movement(%x: !heads, %row: !row, %rows: !rows, %past: !past, %empty: tensor<0x8xf32>) {
  // CHECK: graph.transpose [%d0, %d1, %d2] moves
  // CHECK-NEXT: operand 0 [%d2, %d0, %d1]
  %0 = graph.transpose %x [1, 2, 0] : (!heads) -> tensor<12x64x?xf32, #graph.shape<[seq] -> [12, 64, seq]>>
  // CHECK: graph.broadcast [%d0, %d1, %d2] moves
  // CHECK-NEXT: operand 0 [%d1, 0]
  %1 = graph.broadcast %row : (!row) -> tensor<2x?x8xf32, #graph.shape<[seq] -> [2, seq, 8]>>
  // CHECK: graph.slice [%d0, %d1] moves
  // CHECK-NEXT: operand 0 [-1 * %d0 + seq - 1, -2 * %d1 + 7]
  %2 = graph.slice %rows starts <[seq] -> [seq - 1, 7]> steps [-1, -2] : (!rows) -> tensor<?x4xf32, #graph.shape<[seq] -> [seq, 4]>>
  // CHECK: graph.concat [%d0, %d1] moves
  // CHECK-NEXT: operand 0 [%d0, %d1] where 0 <= %d0 < past
  // CHECK-NEXT: operand 1 [%d0 - past, %d1] where past <= %d0 < past + seq
  // CHECK-NEXT: operand 2 [%d0 - past - seq, %d1] where past + seq <= %d0 < past + seq
  %3 = graph.concat %past, %rows, %empty axis 0 : (!past, !rows, tensor<0x8xf32>) -> !both
  return
}

// What is read depends on data. An index of a gather is clamped, one of a scatter may be outside.
// CHECK-LABEL: @data
func.func @data(%x: tensor<100x8xf32>, %ids: !ids, %d: tensor<2x5x3xf32>, %i: tensor<2x4x1xi64>, %u: tensor<2x4x3xf32>, %one: tensor<1x8xf32>) {
  // CHECK: graph.gather [%d0, %d1] moves
  // CHECK-NEXT: $v0 = operand 1 [%d0] clamped
  // CHECK-NEXT: operand 1 [%d0] index
  // CHECK-NEXT: operand 0 [$v0, %d1]
  %0 = graph.gather %x, %ids axis 0 : (tensor<100x8xf32>, !ids) -> !rows
  // CHECK: graph.scatter [%d0, %d1, %d2] reduces %r0 < 4 moves
  // CHECK-NEXT: ?v0 = operand 1 [%d0, %r0, 0] wrapped
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2]
  // CHECK-NEXT: operand 1 [%d0, %r0, 0] index
  // CHECK-NEXT: operand 2 [%d0, %r0, %d2] where 0 <= -1 * %d1 + ?v0 < 1
  %1 = graph.scatter %d, %i, %u : (tensor<2x5x3xf32>, tensor<2x4x1xi64>, tensor<2x4x3xf32>) -> tensor<2x5x3xf32>
  // CHECK: graph.scatter [%d0, %d1, %d2] reduces %r0 < 4
  // CHECK-NEXT: ?v0 = operand 1 [%d0, %r0, 0] wrapped
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2]
  // CHECK-NEXT: operand 1 [%d0, %r0, 0] index
  // CHECK-NEXT: operand 2 [%d0, %r0, %d2] where 0 <= -1 * %d1 + ?v0 < 1
  %2 = graph.scatter %d, %i, %u combine sum : (tensor<2x5x3xf32>, tensor<2x4x1xi64>, tensor<2x4x3xf32>) -> tensor<2x5x3xf32>
  // CHECK: graph.gather [%d0, %d1] moves
  // CHECK-NEXT: operand 1 [%d0] index
  // CHECK-NEXT: operand 0 [0, %d1]
  %3 = graph.gather %one, %ids axis 0 : (tensor<1x8xf32>, !ids) -> !rows
  return
}

// CHECK-LABEL: @made
func.func @made(%x: tensor<5x20xf32>) {
  // CHECK: graph.fill [%d0, %d1]
  %0 = graph.fill 1.0 : f32 : tensor<2x3xf32>
  // CHECK: graph.iota [%d0, %d1]
  // CHECK-NEXT: depends on %d1
  %1 = graph.iota axis 1 : tensor<2x3xi64>
  // CHECK: graph.pack [%d0, %d1, %d2]
  // CHECK-NEXT: operand 0 [%d1, 16 * %d0 + %d2] where 0 <= 16 * %d0 + %d2 < 20
  %2 = graph.pack %x width 16 : (tensor<5x20xf32>) -> tensor<2x5x16xf32>
  // CHECK: graph.unpack [%d0, %d1] moves
  // CHECK-NEXT: operand 0 [(%d1 floordiv 16), %d0, (%d1 mod 16)]
  %3 = graph.unpack %2 : (tensor<2x5x16xf32>) -> tensor<5x20xf32>
  return
}

!state = tensor<2x4x32x8xf32>
!new = tensor<2x4x?x8xf32, #graph.shape<[seq] -> [2, 4, seq, 8]>>
// CHECK-LABEL: @kv_write
func.func @kv_write(%s: !state, %n: !new, %starts: tensor<2xi64>, %counts: tensor<2xi64>) {
  // CHECK: graph.kv_write [%d0, %d1, %d2, %d3] reduces %r0 < seq moves
  // CHECK-NEXT: ?v0 = operand 2 [%d0]
  // CHECK-NEXT: ?v1 = operand 3 [%d0]
  // CHECK-NEXT: operand 2 [%d0] index
  // CHECK-NEXT: operand 3 [%d0] index
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2, %d3]
  // CHECK-NEXT: operand 1 [%d0, %d1, %r0, %d3] where 0 <= %r0 < ?v1, 0 <= -1 * %d2 + %r0 + ?v0 < 1
  %0 = graph.kv_write %s, %n starts %starts counts %counts axis 2 : (!state, !new, tensor<2xi64>, tensor<2xi64>) -> !state
  // CHECK: graph.kv_write [%d0, %d1, %d2, %d3] reduces %r0 < seq moves
  // CHECK-NEXT: ?v0 = operand 2 [%d0]
  // CHECK-NEXT: ?v1 = operand 3 [%d0]
  // CHECK-NEXT: operand 2 [%d0] index
  // CHECK-NEXT: operand 3 [%d0] index
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2, %d3]
  // CHECK-NEXT: operand 1 [%d0, %d1, %r0, %d3] where 0 <= %r0 < ?v1, 0 <= 0 < ?v0 + 1, 0 <= -1 * %d2 + ((%r0 + ?v0) mod 32) < 1
  %1 = graph.kv_write %s, %n starts %starts counts %counts axis 2 {ring} : (!state, !new, tensor<2xi64>, tensor<2xi64>) -> !state
  return
}

// CHECK-LABEL: @rows
func.func @rows(%x: !heads, %s: tensor<64xf32>) {
  // CHECK: graph.softmax [%d0, %d1, %d2] reduces %r0 < 12
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2]
  // CHECK-NEXT: operand 0 [%d0, %r0, %d2]
  %0 = graph.softmax %x axis 1 : (!heads) -> !heads
  // CHECK: graph.layer_norm [%d0, %d1, %d2] reduces %r0 < 12, %r1 < 64
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2]
  // CHECK-NEXT: operand 0 [%d0, %r0, %r1]
  // CHECK-NEXT: operand 1 [%d2]
  // CHECK-NEXT: operand 2 [%d2]
  %1 = graph.layer_norm %x scale %s bias %s axis 1 {epsilon = 1.0 : f64} : (!heads, tensor<64xf32>, tensor<64xf32>) -> !heads
  // CHECK: graph.rms_norm [%d0, %d1, %d2] reduces %r0 < 64
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2]
  // CHECK-NEXT: operand 0 [%d0, %d1, %r0]
  // CHECK-NEXT: operand 1 [%d2]
  %2 = graph.rms_norm %x scale %s axis 2 {epsilon = 1.0 : f64} : (!heads, tensor<64xf32>) -> !heads
  // CHECK: graph.reduce [%d0] reduces %r0 < seq, %r1 < 64
  // CHECK-NEXT: operand 0 [%r0, %d0, %r1]
  %3 = graph.reduce sum %x axes [0, 2] : (!heads) -> tensor<12xf32>
  // CHECK: graph.reduce [%d0, %d1, %d2] reduces %r0 < 12
  // CHECK-NEXT: operand 0 [%d0, %r0, %d2]
  %4 = graph.reduce max %x axes [1] {keep_dims} : (!heads) -> tensor<?x1x64xf32, #graph.shape<[seq] -> [seq, 1, 64]>>
  return
}

// CHECK-LABEL: @matmul
func.func @matmul(%a: tensor<5x2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<1x3x2xf32>, %d: tensor<4x3xf32>) {
  // CHECK: graph.matmul [%d0, %d1, %d2] reduces %r0 < 3
  // CHECK-NEXT: operand 0 [%d0, %d1, %r0]
  // CHECK-NEXT: operand 1 [%r0, %d2]
  %0 = graph.matmul %a, %b : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<5x2x4xf32>
  // CHECK: graph.matmul [%d0, %d1, %d2] reduces %r0 < 3
  // CHECK-NEXT: operand 0 [0, %r0, %d1]
  // CHECK-NEXT: operand 1 [%d2, %r0]
  %1 = graph.matmul %c, %d {transpose_a, transpose_b} : (tensor<1x3x2xf32>, tensor<4x3xf32>) -> tensor<1x2x4xf32>
  return
}

// Query heads share key heads; a query sees the last 3 keys in front of it, of as many as the sequence has.
// CHECK-LABEL: @attention
func.func @attention(%q: tensor<2x6x4x8xf32>, %k: tensor<2x3x9x8xf32>, %m: tensor<1x4x9xf32>, %l: tensor<2xi64>, %s: tensor<6xf32>, %codes: tensor<2x3x9x8xi8>, %scales: tensor<2x3x9xf32>) {
  // CHECK: graph.attention [%d0, %d1, %d2, %d3] reduces %r0 < 9, %r1 < 8
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2, %r1]
  // CHECK-NEXT: operand 1 [%d0, (%d1 floordiv 2), %r0, %r1]
  // CHECK-NEXT: operand 3 [0, %d2, %r0]
  // CHECK-NEXT: operand 4 [%d1]
  // CHECK-NEXT: operand 2 [%d0, (%d1 floordiv 2), %r0, %d3]
  %0 = graph.attention %q, %k, %k mask %m sinks %s {scale = 1.0 : f64} : (tensor<2x6x4x8xf32>, tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>, tensor<1x4x9xf32>, tensor<6xf32>) -> tensor<2x6x4x8xf32>
  // CHECK: graph.attention [%d0, %d1, %d2, %d3] reduces %r0 < 9, %r1 < 8
  // CHECK-NEXT: ?v0 = operand 3 [%d0]
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2, %r1]
  // CHECK-NEXT: operand 3 [%d0] index
  // CHECK-NEXT: operand 1 [%d0, (%d1 floordiv 2), %r0, %r1] where 0 <= %r0 < ?v0, %d2 + ?v0 - 6 <= %r0 < %d2 + ?v0 - 3
  // CHECK-NEXT: operand 4 [%d0, (%d1 floordiv 2), %r0]
  // CHECK-NEXT: operand 5 [%d0, (%d1 floordiv 2), %r0]
  // CHECK-NEXT: operand 2 [%d0, (%d1 floordiv 2), %r0, %d3] where 0 <= %r0 < ?v0, %d2 + ?v0 - 6 <= %r0 < %d2 + ?v0 - 3
  %1 = graph.attention %q, %codes, %codes lengths %l scales %scales, %scales {scale = 1.0 : f64, causal, from_length, window = 3 : i64} : (tensor<2x6x4x8xf32>, tensor<2x3x9x8xi8>, tensor<2x3x9x8xi8>, tensor<2xi64>, tensor<2x3x9xf32>, tensor<2x3x9xf32>) -> tensor<2x6x4x8xf32>
  // CHECK: graph.attention_lse [%d0, %d1, %d2] reduces %r0 < 9, %r1 < 8
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2, %r1]
  // CHECK-NEXT: operand 1 [%d0, (%d1 floordiv 2), %r0, %r1] where 0 <= %r0 < %d2 + 6
  %2 = graph.attention_lse %q, %k {scale = 1.0 : f64, causal} : (tensor<2x6x4x8xf32>, tensor<2x3x9x8xf32>) -> tensor<2x6x4xf32>
  return
}

// CHECK-LABEL: @rope
func.func @rope(%x: tensor<2x5x10xf32>, %c: tensor<5x4xf32>) {
  // CHECK: graph.rope [%d0, %d1, %d2]
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2]
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2 + 4] where 0 <= %d2 < 4
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2 - 4] where 4 <= %d2 < 8
  // CHECK-NEXT: operand 1 [%d1, %d2] where 0 <= %d2 < 4
  // CHECK-NEXT: operand 2 [%d1, %d2] where 0 <= %d2 < 4
  // CHECK-NEXT: operand 1 [%d1, %d2 - 4] where 4 <= %d2 < 8
  // CHECK-NEXT: operand 2 [%d1, %d2 - 4] where 4 <= %d2 < 8
  %0 = graph.rope %x, %c, %c : (tensor<2x5x10xf32>, tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<2x5x10xf32>
  // CHECK: graph.rope [%d0, %d1, %d2]
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2]
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2 + 1] where 0 <= %d2 < 8, 0 <= (%d2 mod 2) < 1
  // CHECK-NEXT: operand 0 [%d0, %d1, %d2 - 1] where 0 <= %d2 < 8, 1 <= (%d2 mod 2) < 2
  // CHECK-NEXT: operand 1 [%d1, (%d2 floordiv 2)] where 0 <= %d2 < 8
  // CHECK-NEXT: operand 2 [%d1, (%d2 floordiv 2)] where 0 <= %d2 < 8
  %1 = graph.rope %x, %c, %c {interleaved} : (tensor<2x5x10xf32>, tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<2x5x10xf32>
  return
}

// CHECK-LABEL: @quantize
func.func @quantize(%x: tensor<8x64xf32>, %s: tensor<f32>, %a: tensor<8xf32>, %b: tensor<8x2xf32>, %z: tensor<8x2xui4>) {
  // CHECK: graph.quantize [%d0, %d1]
  // CHECK-NEXT: operand 0 [%d0, %d1]
  // CHECK-NEXT: operand 1 []
  %0 = graph.quantize %x, %s : (tensor<8x64xf32>, tensor<f32>) -> tensor<8x64xi8>
  // CHECK: graph.dequantize [%d0, %d1]
  // CHECK-NEXT: operand 0 [%d0, %d1]
  // CHECK-NEXT: operand 1 [%d0]
  %1 = graph.dequantize %0, %a {axis = 0} : (tensor<8x64xi8>, tensor<8xf32>) -> tensor<8x64xf32>
  // CHECK: graph.quantize [%d0, %d1]
  // CHECK-NEXT: operand 0 [%d0, %d1]
  // CHECK-NEXT: operand 1 [%d0, (%d1 floordiv 32)]
  // CHECK-NEXT: operand 2 [%d0, (%d1 floordiv 32)]
  %2 = graph.quantize %x, %b zero_point %z {axis = 1, block = 32} : (tensor<8x64xf32>, tensor<8x2xf32>, tensor<8x2xui4>) -> tensor<8x64xui4>
  return
}

// CHECK-LABEL: @scaled
func.func @scaled(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<3x8x16x4xui8>, %t: tensor<3x2x16xbf16>, %z: tensor<3x2x16xui8>, %weight: tensor<64x40xf32>) {
  // CHECK: graph.scaled_matmul [%d0, %d1] reduces %r0 < 64
  // CHECK-NEXT: operand 0 [%d0, %r0]
  // CHECK-NEXT: operand 1 [%d0, (%r0 floordiv 32)]
  // CHECK-NEXT: operand 2 [%d0, (%r0 floordiv 32)]
  // CHECK-NEXT: operand 3 [(%d1 floordiv 16), (%r0 floordiv 8), (%d1 mod 16), (((%r0 mod 8)) mod 4)]
  // CHECK-NEXT: operand 4 [(%d1 floordiv 16), (%r0 floordiv 32), (%d1 mod 16)]
  // CHECK-NEXT: operand 5 [(%d1 floordiv 16), (%r0 floordiv 32), (%d1 mod 16)]
  %0 = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 40 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<2x40xf32>
  // CHECK: graph.quantize_weight [%d0, %d1, %d2, %d3] reduces %r0 < 64
  // CHECK-NEXT: operand 0 [%r0, 16 * %d0 + %d2] where 0 <= 16 * %d0 + %d2 < 40
  %1 = graph.quantize_weight codes of %weight as <ui4, block 32, scale bf16, zero_point> : (tensor<64x40xf32>) -> tensor<3x8x16x4xui8>
  // CHECK: graph.quantize_weight [] reduces %r0 < 64, %r1 < 40
  // CHECK-NEXT: operand 0 [%r0, %r1] where 0 <= %r1 < 40
  %2 = graph.quantize_weight unit of %weight as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32> : (tensor<64x40xf32>) -> tensor<f32>
  return
}

// Of the tensors of all ranks; a variable is the number of a rank.
// CHECK-LABEL: @collectives
func.func @collectives(%x: tensor<4x6xf32>) {
  // CHECK: graph.all_reduce [%d0, %d1]
  // CHECK-NEXT: operand 0 [%d0, %d1]
  %0 = graph.all_reduce sum %x ranks 2 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: graph.all_gather [%d0, %d1]
  // CHECK-NEXT: operand 0 [%d0, (%d1 mod 6)]
  %1 = graph.all_gather %x axis 1 ranks 2 : (tensor<4x6xf32>) -> tensor<4x12xf32>
  // CHECK: graph.reduce_scatter [%d0, %d1] reduces %r0 < 2
  // CHECK-NEXT: operand 0 [%d0 + 2 * %r0, %d1]
  %2 = graph.reduce_scatter sum %x axis 0 ranks 2 : (tensor<4x6xf32>) -> tensor<2x6xf32>
  // CHECK: graph.all_to_all [%d0, %d1] reduces %r0 < 2
  // CHECK-NEXT: operand 0 [2 * %r0 + (%d0 mod 2), %d1]
  %3 = graph.all_to_all %x axis 0 ranks 2 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
