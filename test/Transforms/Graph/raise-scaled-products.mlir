// RUN: kiln-opt %s --split-input-file --kiln-raise-scaled-products --remarks-filter='kiln-raise-scaled-products' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: kiln-opt %s --split-input-file --kiln-raise-scaled-products=expand-halves | FileCheck %s --check-prefix=HOST
// RUN: kiln-opt %s --split-input-file --kiln-raise-scaled-products=precision=int8 | FileCheck %s --check-prefix=ASKED

// Activations in codes by block: the weight's blocks of 64 are cut, its zero points are the default. Nothing is asked for.
// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[X:.*]] = graph.quantize
// CHECK: %[[U:.*]] = graph.reduce sum %{{.*}} axes [2] : (tensor<3x4x32xi32>) -> tensor<3x4xi32>
// CHECK: %[[T:.*]] = graph.transpose %{{.*}} [1, 0, 2] : (tensor<4x1x16xf32>) -> tensor<1x4x16xf32>
// CHECK: graph.scaled_matmul %[[X]] <i8, block 32, scale f32> scales %arg1 totals %[[U]] by %{{.*}} <ui4, block 32, scale f32> scales %[[T]] columns 5 accumulate wide : (tensor<3x128xi8>, tensor<3x4xf32>, tensor<3x4xi32>, tensor<1x16x16x4xui8>, tensor<1x4x16xf32>) -> tensor<3x5xf32>
// CHECK-NOT: graph.matmul
// REMARK: [Passed] raise {{.*}}weight in 4 bits as the model has it, activations in 8 bits as the model says
module {
  graph.weight @w : tensor<5x128xui4> {file = "w", hash = "0", length = 640 : i64, offset = 0 : i64}
  graph.weight @s : tensor<5x2xf32> {file = "w", hash = "0", length = 40 : i64, offset = 640 : i64}
  func.func @main(%x: tensor<3x128xf32>, %t: tensor<3x4xf32>) -> tensor<3x5xf32> {
    %w = graph.get_weight @w : tensor<5x128xui4>
    %s = graph.get_weight @s : tensor<5x2xf32>
    %z = graph.constant dense<8> : tensor<5x2xui4>
    %q = graph.quantize %x, %t {axis = 1, block = 32} : (tensor<3x128xf32>, tensor<3x4xf32>) -> tensor<3x128xi8>
    %a = graph.dequantize %q, %t {axis = 1, block = 32} : (tensor<3x128xi8>, tensor<3x4xf32>) -> tensor<3x128xf32>
    %b = graph.dequantize %w, %s zero_point %z {axis = 1, block = 64} : (tensor<5x128xui4>, tensor<5x2xf32>, tensor<5x2xui4>) -> tensor<5x128xf32>
    %y = graph.matmul %a, %b {transpose_b} : (tensor<3x128xf32>, tensor<5x128xf32>) -> tensor<3x5xf32>
    return %y : tensor<3x5xf32>
  }
}

// -----

// Bytes of one scale and a zero point, by a signed weight of one per column: the sums of its columns take the zero point out.
// CHECK-LABEL: func.func @main
// CHECK: %[[P:.*]] = graph.scaled_matmul %{{.*}} <ui8, {{.*}} columns 16 accumulate wide : (tensor<3x32xi8>, tensor<3x1xf32>, tensor<3x1xi32>, tensor<1x8x16x4xui8>, tensor<1x1x16xf32>) -> tensor<3x16xf32>
// CHECK: %[[S:.*]] = graph.reduce sum %{{.*}} axes [0] : (tensor<32x16xf32>) -> tensor<16xf32>
// CHECK: %[[M:.*]] = graph.binary mul %[[S]], %{{.*}} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
// CHECK: graph.binary sub %[[P]], %[[M]]
module {
  graph.weight @w : tensor<32x16xi8> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
  graph.weight @s : tensor<16xf32> {file = "w", hash = "0", length = 64 : i64, offset = 512 : i64}
  func.func @main(%q: tensor<3x32xui8>, %t: tensor<f32>, %z: tensor<ui8>) -> tensor<3x16xf32> {
    %w = graph.get_weight @w : tensor<32x16xi8>
    %s = graph.get_weight @s : tensor<16xf32>
    %a = graph.dequantize %q, %t zero_point %z : (tensor<3x32xui8>, tensor<f32>, tensor<ui8>) -> tensor<3x32xf32>
    %b = graph.dequantize %w, %s {axis = 1} : (tensor<32x16xi8>, tensor<16xf32>) -> tensor<32x16xf32>
    %y = graph.matmul %a, %b : (tensor<3x32xf32>, tensor<32x16xf32>) -> tensor<3x16xf32>
    return %y : tensor<3x16xf32>
  }
}

// -----

// Sums of integers: exact in f32 for K = 1024 with a centred weight.
// CHECK-LABEL: func.func @main
// CHECK: graph.scaled_matmul {{.*}} <ui8, {{.*}} columns 16 accumulate wide : (tensor<3x1024xi8>, tensor<3x32xf32>, tensor<3x32xi32>, tensor<1x256x16x4xui8>, tensor<1x32x16xf32>) -> tensor<3x16xf32>
// CHECK-NOT: graph.matmul
// REMARK: [Passed] raise {{.*}}the same bits as sums of integers
module {
  graph.weight @w : tensor<1024x16xi8> {file = "w", hash = "0", length = 16384 : i64, offset = 0 : i64}
  func.func @main(%q: tensor<3x1024xui8>, %z: tensor<ui8>) -> tensor<3x16xf32> {
    %w = graph.get_weight @w : tensor<1024x16xi8>
    %0 = graph.cast %q : (tensor<3x1024xui8>) -> tensor<3x1024xi32>
    %1 = graph.cast %z : (tensor<ui8>) -> tensor<i32>
    %2 = graph.binary sub %0, %1 : (tensor<3x1024xi32>, tensor<i32>) -> tensor<3x1024xi32>
    %3 = graph.cast %w : (tensor<1024x16xi8>) -> tensor<1024x16xi32>
    %4 = graph.matmul %2, %3 : (tensor<3x1024xi32>, tensor<1024x16xi32>) -> tensor<3x16xi32>
    %5 = graph.cast %4 : (tensor<3x16xi32>) -> tensor<3x16xf32>
    return %5 : tensor<3x16xf32>
  }
}

// -----

// Only what is asked for quantizes activations of f32.
// CHECK-LABEL: func.func @main
// CHECK: graph.matmul
// CHECK-NOT: graph.scaled_matmul
// REMARK: [Missed] raise {{.*}}its weight is expanded when compiling: the model has no activations of 8 bits, which --precision int8 gives it
// ASKED-LABEL: func.func @main
// ASKED-LABEL: func.func @main
// ASKED-LABEL: func.func @main
// ASKED-LABEL: func.func @main
// ASKED: graph.scaled_matmul {{.*}} <ui8, {{.*}} columns 16 accumulate wide : (tensor<3x32xi8>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<1x8x16x4xui8>, tensor<1x2x16xf32>, tensor<1x2x16xui8>) -> tensor<3x16xf32>
module {
  graph.weight @w : tensor<32x16xui8> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
  graph.weight @s : tensor<2x16xf32> {file = "w", hash = "0", length = 128 : i64, offset = 512 : i64}
  func.func @main(%x: tensor<3x32xf32>) -> tensor<3x16xf32> {
    %w = graph.get_weight @w : tensor<32x16xui8>
    %s = graph.get_weight @s : tensor<2x16xf32>
    %b = graph.dequantize %w, %s {axis = 0, block = 16} : (tensor<32x16xui8>, tensor<2x16xf32>) -> tensor<32x16xf32>
    %y = graph.matmul %x, %b : (tensor<3x32xf32>, tensor<32x16xf32>) -> tensor<3x16xf32>
    return %y : tensor<3x16xf32>
  }
}

// -----

// Not: scales per step of K, activations in blocks of 64, a transposed left operand, a K of 40, sums that f32 does not hold, a zero point per row.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.scaled_matmul
// REMARK: [Missed] raise {{.*}}the model has no activations of 8 bits
// REMARK: [Missed] raise {{.*}}the model has no activations of 8 bits
// REMARK: [Missed] raise {{.*}}only products of f32, f16 and bf16 read codes
// REMARK: [Missed] raise {{.*}}its K is no multiple of 16
// REMARK: [Missed] raise {{.*}}sums of its K may not be exact in f32
// ASKED-LABEL: func.func @main
// ASKED-COUNT-1: graph.scaled_matmul
// ASKED-NOT: graph.scaled_matmul
module {
  graph.weight @w : tensor<64x16xi8> {file = "w", hash = "0", length = 1024 : i64, offset = 0 : i64}
  graph.weight @s : tensor<64xf32> {file = "w", hash = "0", length = 256 : i64, offset = 1024 : i64}
  graph.weight @h : tensor<16xf16> {file = "w", hash = "0", length = 32 : i64, offset = 1280 : i64}
  graph.weight @p : tensor<40x16xui8> {file = "w", hash = "0", length = 640 : i64, offset = 1312 : i64}
  graph.weight @l : tensor<528x16xui8> {file = "w", hash = "0", length = 8448 : i64, offset = 1952 : i64}
  func.func @main(%x: tensor<3x64xf32>, %q: tensor<3x64xi8>, %t: tensor<3x1xf32>, %y: tensor<64x3xf16>, %r: tensor<3x40xi8>, %v: tensor<3x528xi8>, %z: tensor<3x1xi8>)
      -> (tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16xf16>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>) {
    %w = graph.get_weight @w : tensor<64x16xi8>
    %s = graph.get_weight @s : tensor<64xf32>
    %h = graph.get_weight @h : tensor<16xf16>
    %p = graph.get_weight @p : tensor<40x16xui8>
    %l = graph.get_weight @l : tensor<528x16xui8>
    %b = graph.dequantize %w, %s {axis = 0} : (tensor<64x16xi8>, tensor<64xf32>) -> tensor<64x16xf32>
    %0 = graph.matmul %x, %b : (tensor<3x64xf32>, tensor<64x16xf32>) -> tensor<3x16xf32>
    %a = graph.dequantize %q, %t {axis = 1, block = 64} : (tensor<3x64xi8>, tensor<3x1xf32>) -> tensor<3x64xf32>
    %one = graph.constant dense<1.0> : tensor<f32>
    %c = graph.dequantize %w, %one : (tensor<64x16xi8>, tensor<f32>) -> tensor<64x16xf32>
    %1 = graph.matmul %a, %c : (tensor<3x64xf32>, tensor<64x16xf32>) -> tensor<3x16xf32>
    %d = graph.dequantize %w, %h {axis = 1} : (tensor<64x16xi8>, tensor<16xf16>) -> tensor<64x16xf16>
    %2 = graph.matmul %y, %d {transpose_a} : (tensor<64x3xf16>, tensor<64x16xf16>) -> tensor<3x16xf16>
    %i0 = graph.cast %r : (tensor<3x40xi8>) -> tensor<3x40xi32>
    %i1 = graph.cast %p : (tensor<40x16xui8>) -> tensor<40x16xi32>
    %i2 = graph.matmul %i0, %i1 : (tensor<3x40xi32>, tensor<40x16xi32>) -> tensor<3x16xi32>
    %3 = graph.cast %i2 : (tensor<3x16xi32>) -> tensor<3x16xf32>
    %j0 = graph.cast %v : (tensor<3x528xi8>) -> tensor<3x528xi32>
    %j1 = graph.cast %l : (tensor<528x16xui8>) -> tensor<528x16xi32>
    %j2 = graph.matmul %j0, %j1 : (tensor<3x528xi32>, tensor<528x16xi32>) -> tensor<3x16xi32>
    %4 = graph.cast %j2 : (tensor<3x16xi32>) -> tensor<3x16xf32>
    %k0 = graph.cast %q : (tensor<3x64xi8>) -> tensor<3x64xi32>
    %k1 = graph.cast %z : (tensor<3x1xi8>) -> tensor<3x1xi32>
    %k2 = graph.binary sub %k0, %k1 : (tensor<3x64xi32>, tensor<3x1xi32>) -> tensor<3x64xi32>
    %k3 = graph.cast %w : (tensor<64x16xi8>) -> tensor<64x16xi32>
    %k4 = graph.matmul %k2, %k3 : (tensor<3x64xi32>, tensor<64x16xi32>) -> tensor<3x16xi32>
    %5 = graph.cast %k4 : (tensor<3x16xi32>) -> tensor<3x16xf32>
    return %0, %1, %2, %3, %4, %5 : tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16xf16>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>
  }
}

// -----

// Activations of f16 are multiplied as they are, without being asked: blocks are the weight's 64 steps, not 32. Those that
// were codes before they became f16 stay codes. A K of 72 has no block.
// Where no target is a GPU, only the activations that were codes are multiplied by codes.
// HOST: tensor<3x72xf16>
// HOST: graph.matmul {{.*}} : (tensor<3x128xf16>
// HOST: graph.scaled_matmul {{.*}} (tensor<3x128xi8>
// HOST-NOT: graph.scaled_matmul
// CHECK-LABEL: func.func @main
// ASKED-LABEL: func.func @main
// CHECK: %[[P:.*]] = graph.scaled_matmul %arg0 <f16> by %{{.*}} <ui4, block 64, scale f16> scales %{{.*}} columns 5 accumulate wide : (tensor<3x128xf16>, tensor<1x16x16x4xui8>, tensor<1x2x16xf16>) -> tensor<3x5xf32>
// CHECK: graph.cast %[[P]] : (tensor<3x5xf32>) -> tensor<3x5xf16>
// CHECK: graph.scaled_matmul {{.*}} <ui4, {{.*}} columns 5 accumulate wide : (tensor<3x128xi8>, tensor<3x4xf32>, tensor<3x4xi32>, tensor<1x16x16x4xui8>, tensor<1x4x16xf16>) -> tensor<3x5xf32>
// CHECK: graph.matmul
// REMARK: [Passed] raise {{.*}}weight in 4 bits as the model has it, activations in f16
// REMARK: [Passed] raise {{.*}}activations in 8 bits as the model says
// REMARK: [Missed] raise {{.*}}it has no scale per 16 or 32 steps of K
module {
  graph.weight @w : tensor<5x128xui4> {file = "w", hash = "0", length = 640 : i64, offset = 0 : i64}
  graph.weight @s : tensor<5x2xf16> {file = "w", hash = "0", length = 20 : i64, offset = 640 : i64}
  graph.weight @v : tensor<5x72xui4> {file = "w", hash = "0", length = 360 : i64, offset = 704 : i64}
  func.func @main(%x: tensor<3x128xf16>, %q: tensor<3x128xi8>, %t: tensor<3x4xf32>, %y: tensor<3x72xf16>) -> (tensor<3x5xf16>, tensor<3x5xf16>, tensor<3x5xf16>) {
    %w = graph.get_weight @w : tensor<5x128xui4>
    %s = graph.get_weight @s : tensor<5x2xf16>
    %v = graph.get_weight @v : tensor<5x72xui4>
    %z = graph.constant dense<8> : tensor<5x2xui4>
    %b = graph.dequantize %w, %s zero_point %z {axis = 1, block = 64} : (tensor<5x128xui4>, tensor<5x2xf16>, tensor<5x2xui4>) -> tensor<5x128xf16>
    %0 = graph.matmul %x, %b {transpose_b} : (tensor<3x128xf16>, tensor<5x128xf16>) -> tensor<3x5xf16>
    %a = graph.dequantize %q, %t {axis = 1, block = 32} : (tensor<3x128xi8>, tensor<3x4xf32>) -> tensor<3x128xf32>
    %n = graph.cast %a : (tensor<3x128xf32>) -> tensor<3x128xf16>
    %1 = graph.matmul %n, %b {transpose_b} : (tensor<3x128xf16>, tensor<5x128xf16>) -> tensor<3x5xf16>
    %d = graph.dequantize %v, %s zero_point %z {axis = 1, block = 64} : (tensor<5x72xui4>, tensor<5x2xf16>, tensor<5x2xui4>) -> tensor<5x72xf16>
    %2 = graph.matmul %y, %d {transpose_b} : (tensor<3x72xf16>, tensor<5x72xf16>) -> tensor<3x5xf16>
    return %0, %1, %2 : tensor<3x5xf16>, tensor<3x5xf16>, tensor<3x5xf16>
  }
}
