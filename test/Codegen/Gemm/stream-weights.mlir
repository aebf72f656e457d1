// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=znver5 | FileCheck %s
// Where a core reads faster so, few rows fetch what they stream ahead, into the first cache alone: f32 weights 4 KiB (in all), codes 6 KiB.

// Four streams: four steps fetch four lines of each, 256 elements behind theirs. Columns that are left are streams of their own.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK: tile.pipeline {{.*}} : !tile.frag<1x16xf32>, !tile.frag<1x16xf32>, !tile.frag<1x16xf32>, !tile.frag<1x16xf32> load {
// CHECK: %[[AHEAD:.*]] = arith.constant 256 : index
// CHECK: arith.addi %{{.*}}, %[[AHEAD]]
// CHECK-COUNT-16: tile.prefetch {{.*}} {locality = 0 : i64}
// CHECK-NOT: tile.prefetch
// CHECK: } compute {
// CHECK: tile.pipeline {{.*}} : !tile.frag<1x16xf32> load {
// CHECK: arith.constant 1024 : index
// CHECK-COUNT-4: tile.prefetch {{.*}} {locality = 0 : i64}
// CHECK-NOT: tile.prefetch
func.func @main(%x: tensor<1x64xf32>, %w: tensor<40x64x16xf32>) -> tensor<1x640xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<1x64xf32>, tensor<40x64x16xf32>) -> tensor<1x640xf32> {
    %1 = graph.unpack %b : (tensor<40x64x16xf32>) -> tensor<64x640xf32>
    %2 = graph.matmul %a, %1 : (tensor<1x64xf32>, tensor<64x640xf32>) -> tensor<1x640xf32>
    graph.yield %2 : tensor<1x640xf32>
  }
  return %0 : tensor<1x640xf32>
}

// -----

// Blocks of rows fetch the next panel, which all of them read, into the second cache.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-NOT: locality = 0
func.func @main(%x: tensor<48x64xf32>, %w: tensor<40x64x16xf32>) -> tensor<48x640xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<48x64xf32>, tensor<40x64x16xf32>) -> tensor<48x640xf32> {
    %1 = graph.unpack %b : (tensor<40x64x16xf32>) -> tensor<64x640xf32>
    %2 = graph.matmul %a, %1 : (tensor<48x64xf32>, tensor<64x640xf32>) -> tensor<48x640xf32>
    graph.yield %2 : tensor<48x640xf32>
  }
  return %0 : tensor<48x640xf32>
}

// -----

// A wide panel of 16-bit weights is fetched as for every CPU; a right operand that is not packed is not.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK: tile.prefetch
// CHECK-NOT: locality = 0
func.func @main(%x: tensor<1x64xbf16>, %w: tensor<1x64x64xbf16>) -> tensor<1x64xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<1x64xbf16>, tensor<1x64x64xbf16>) -> tensor<1x64xf32> {
    %1 = graph.unpack %b : (tensor<1x64x64xbf16>) -> tensor<64x64xbf16>
    %2 = graph.matmul %a, %1 {result_element = f32} : (tensor<1x64xbf16>, tensor<64x64xbf16>) -> tensor<1x64xf32>
    graph.yield %2 : tensor<1x64xf32>
  }
  return %0 : tensor<1x64xf32>
}

// -----

// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-NOT: tile.prefetch
func.func @main(%x: tensor<1x64xf32>, %w: tensor<64x640xf32>) -> tensor<1x640xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<1x64xf32>, tensor<64x640xf32>) -> tensor<1x640xf32> {
    %2 = graph.matmul %a, %b : (tensor<1x64xf32>, tensor<64x640xf32>) -> tensor<1x640xf32>
    graph.yield %2 : tensor<1x640xf32>
  }
  return %0 : tensor<1x640xf32>
}

// -----

// Codes: few rows multiply one panel at a time, whose blocks of 128 steps are 2 KiB each, and fetch the block behind the next one, with
// its scales and zero points, so that what is under way ends 6 KiB ahead; the last blocks fetch the first of the next panel.
// Those of a task's first panel are fetched in front of all of them.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK: scf.for
// CHECK-COUNT-34: tile.prefetch {{.*}} {locality = 0 : i64}
// CHECK-NOT: tile.prefetch
// CHECK: tile.pipeline {{.*}} : !tile.frag<1x16xf32> load {
// CHECK: arith.constant 2 : index
// CHECK: arith.cmpi sge
// CHECK: arith.select
// CHECK-COUNT-34: tile.prefetch {{.*}} {locality = 0 : i64}
// CHECK-NOT: tile.prefetch
// CHECK: } compute {
// CHECK-NOT: tile.pipeline
func.func @main(%x: tensor<1x256xi8>, %s: tensor<1x2xf32>, %u: tensor<1x2xi32>, %w: tensor<8x64x16x4xui8>, %t: tensor<8x2x16xbf16>, %z: tensor<8x2x16xui8>) -> tensor<1x128xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %sa = %s, %ua = %u, %b = %w, %tb = %t, %zb = %z) : (tensor<1x256xi8>, tensor<1x2xf32>, tensor<1x2xi32>, tensor<8x64x16x4xui8>, tensor<8x2x16xbf16>, tensor<8x2x16xui8>) -> tensor<1x128xf32> {
    %1 = graph.scaled_matmul %a <i8, block 128, scale f32> scales %sa totals %ua by %b <ui8, block 128, scale bf16, zero_point> scales %tb zeros %zb columns 128 accumulate wide : (tensor<1x256xi8>, tensor<1x2xf32>, tensor<1x2xi32>, tensor<8x64x16x4xui8>, tensor<8x2x16xbf16>, tensor<8x2x16xui8>) -> tensor<1x128xf32>
    graph.yield %1 : tensor<1x128xf32>
  }
  return %0 : tensor<1x128xf32>
}

// -----

// Blocks of 32 steps in 4 bits are 256 bytes: the 31st behind is fetched, so that what is under way ends 8 KiB ahead, in all caches. A panel of 8 blocks has all of them fetched in front.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK: %[[BLOCKS:.*]] = arith.constant 8 : index
// CHECK: scf.for {{.*}} to %[[BLOCKS]]
// CHECK-COUNT-6: tile.prefetch {{.*}} {locality = 3 : i64}
// CHECK-NOT: tile.prefetch
// CHECK: tile.pipeline {{.*}} : !tile.frag<3x16xf32> load {
// CHECK: %[[AHEAD:.*]] = arith.constant 31 : index
// CHECK: arith.addi %{{.*}}, %[[AHEAD]]
// CHECK-COUNT-6: tile.prefetch {{.*}} {locality = 3 : i64}
// CHECK-NOT: tile.prefetch
// CHECK: } compute {
func.func @main(%x: tensor<3x256xi8>, %s: tensor<3x8xf32>, %u: tensor<3x8xi32>, %w: tensor<8x32x16x4xui8>, %t: tensor<8x8x16xbf16>, %z: tensor<8x8x16xui8>) -> tensor<3x128xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %sa = %s, %ua = %u, %b = %w, %tb = %t, %zb = %z) : (tensor<3x256xi8>, tensor<3x8xf32>, tensor<3x8xi32>, tensor<8x32x16x4xui8>, tensor<8x8x16xbf16>, tensor<8x8x16xui8>) -> tensor<3x128xf32> {
    %1 = graph.scaled_matmul %a <i8, block 32, scale f32> scales %sa totals %ua by %b <ui4, block 32, scale bf16, zero_point> scales %tb zeros %zb columns 128 accumulate wide : (tensor<3x256xi8>, tensor<3x8xf32>, tensor<3x8xi32>, tensor<8x32x16x4xui8>, tensor<8x8x16xbf16>, tensor<8x8x16xui8>) -> tensor<3x128xf32>
    graph.yield %1 : tensor<3x128xf32>
  }
  return %0 : tensor<3x128xf32>
}

// -----

// More rows read each panel several times: nothing is fetched in front of a task.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-NOT: tile.prefetch
// CHECK: tile.pipeline
func.func @main(%x: tensor<12x256xi8>, %s: tensor<12x8xf32>, %u: tensor<12x8xi32>, %w: tensor<8x32x16x4xui8>, %t: tensor<8x8x16xbf16>, %z: tensor<8x8x16xui8>) -> tensor<12x128xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %sa = %s, %ua = %u, %b = %w, %tb = %t, %zb = %z) : (tensor<12x256xi8>, tensor<12x8xf32>, tensor<12x8xi32>, tensor<8x32x16x4xui8>, tensor<8x8x16xbf16>, tensor<8x8x16xui8>) -> tensor<12x128xf32> {
    %1 = graph.scaled_matmul %a <i8, block 32, scale f32> scales %sa totals %ua by %b <ui4, block 32, scale bf16, zero_point> scales %tb zeros %zb columns 128 accumulate wide : (tensor<12x256xi8>, tensor<12x8xf32>, tensor<12x8xi32>, tensor<8x32x16x4xui8>, tensor<8x8x16xbf16>, tensor<8x8x16xui8>) -> tensor<12x128xf32>
    graph.yield %1 : tensor<12x128xf32>
  }
  return %0 : tensor<12x128xf32>
}
