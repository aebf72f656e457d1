// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v4 | FileCheck %s
// One query and codes: keys are transposed as codes, 16 keys at a time, and values are read where they lie. The products widen
// both in registers.

// CHECK-LABEL: tile.kernel @attention_0
// CHECK: %[[KEYS:.*]] = tile.scratch {{.*}} : <i8>
// CHECK: %[[PANEL:.*]] = tile.view %[[KEYS]] {{.*}} -> <64x32xi8, [32, 1]>
// CHECK-COUNT-16: tile.prefetch
// CHECK-NOT: tile.prefetch
// CHECK: %[[ROWS:.*]] = tile.load {{.*}} -> !tile.frag<16x64xi8>
// CHECK-NEXT: %[[CODES:.*]] = tile.transpose %[[ROWS]] : <16x64xi8> -> <64x16xi8>
// CHECK-NEXT: tile.store %[[CODES]], %[[PANEL]]
// CHECK: tile.mma {{.*}} : !tile.staged<1x?xf32>, !tile.staged<?x32xi8>, <1x32xf32>
// CHECK: tile.view {{.*}} : <i8> -> <75x64xi8, [64, 1]>
// CHECK: tile.mma {{.*}} : !tile.staged<1x?xf32>, !tile.staged<?x64xi8>, <1x64xf32>
func.func @main(%a0: tensor<1x4x1x64xf32>, %b0: tensor<1x4x75x64xi8>, %c0: tensor<1x4x75x64xi8>, %s0: tensor<1x4x75xf32>, %t0: tensor<1x4x75xf32>) -> tensor<1x4x1x64xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x4x1x64xf32>, tensor<1x4x75x64xi8>, tensor<1x4x75x64xi8>, tensor<1x4x75xf32>, tensor<1x4x75xf32>) -> tensor<1x4x1x64xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {scale = 0.25 : f64} : (tensor<1x4x1x64xf32>, tensor<1x4x75x64xi8>, tensor<1x4x75x64xi8>, tensor<1x4x75xf32>, tensor<1x4x75xf32>) -> tensor<1x4x1x64xf32>
    graph.yield %1 : tensor<1x4x1x64xf32>
  }
  return %k : tensor<1x4x1x64xf32>
}

// -----

// Heads of 48 numbers are three blocks of 16. f8E4M3FN is stored as bytes.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK: tile.scratch {{.*}} : <i8>
// CHECK-NOT: tile.prefetch
// CHECK: tile.transpose {{.*}} : <16x16xi8> -> <16x16xi8>
// CHECK: tile.mma {{.*}} : !tile.staged<1x?xf32>, !tile.staged<?x32xf8E4M3FN>, <1x32xf32>
// CHECK: tile.mma {{.*}} : !tile.staged<1x?xf32>, !tile.staged<?x32xf8E4M3FN>, <1x32xf32>
func.func @main(%a0: tensor<1x4x1x48xf32>, %b0: tensor<1x4x75x48xf8E4M3FN>, %c0: tensor<1x4x75x32xf8E4M3FN>, %s0: tensor<1x4x75xf32>, %t0: tensor<1x4x75xf32>) -> tensor<1x4x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x4x1x48xf32>, tensor<1x4x75x48xf8E4M3FN>, tensor<1x4x75x32xf8E4M3FN>, tensor<1x4x75xf32>, tensor<1x4x75xf32>) -> tensor<1x4x1x32xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {scale = 0.25 : f64} : (tensor<1x4x1x48xf32>, tensor<1x4x75x48xf8E4M3FN>, tensor<1x4x75x32xf8E4M3FN>, tensor<1x4x75xf32>, tensor<1x4x75xf32>) -> tensor<1x4x1x32xf32>
    graph.yield %1 : tensor<1x4x1x32xf32>
  }
  return %k : tensor<1x4x1x32xf32>
}

// -----

// Heads of 24 numbers are no whole blocks, and 40 columns no whole panels: both become numbers in scratch.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK-NOT: tile.scratch {{.*}} : <i8>
// CHECK: tile.transpose {{.*}} : <8x8xf32> -> <8x8xf32>
// CHECK-NOT: tile.staged<{{.*}}xi8>
func.func @main(%a0: tensor<1x4x1x24xf32>, %b0: tensor<1x4x75x24xi8>, %c0: tensor<1x4x75x40xi8>, %s0: tensor<1x4x75xf32>, %t0: tensor<1x4x75xf32>) -> tensor<1x4x1x40xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x4x1x24xf32>, tensor<1x4x75x24xi8>, tensor<1x4x75x40xi8>, tensor<1x4x75xf32>, tensor<1x4x75xf32>) -> tensor<1x4x1x40xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {scale = 0.25 : f64} : (tensor<1x4x1x24xf32>, tensor<1x4x75x24xi8>, tensor<1x4x75x40xi8>, tensor<1x4x75xf32>, tensor<1x4x75xf32>) -> tensor<1x4x1x40xf32>
    graph.yield %1 : tensor<1x4x1x40xf32>
  }
  return %k : tensor<1x4x1x40xf32>
}

// -----

// Blocks of queries read panels again and again: they are of numbers.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK-NOT: tile.scratch {{.*}} : <i8>
// CHECK: tile.transpose {{.*}} : <8x8xf32> -> <8x8xf32>
// CHECK-NOT: tile.staged<{{.*}}xi8>
func.func @main(%a0: tensor<1x4x32x64xf32>, %b0: tensor<1x4x75x64xi8>, %c0: tensor<1x4x75x64xi8>, %s0: tensor<1x4x75xf32>, %t0: tensor<1x4x75xf32>) -> tensor<1x4x32x64xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x4x32x64xf32>, tensor<1x4x75x64xi8>, tensor<1x4x75x64xi8>, tensor<1x4x75xf32>, tensor<1x4x75xf32>) -> tensor<1x4x32x64xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {scale = 0.25 : f64} : (tensor<1x4x32x64xf32>, tensor<1x4x75x64xi8>, tensor<1x4x75x64xi8>, tensor<1x4x75xf32>, tensor<1x4x75xf32>) -> tensor<1x4x32x64xf32>
    graph.yield %1 : tensor<1x4x32x64xf32>
  }
  return %k : tensor<1x4x32x64xf32>
}

// -----

// Queries of one block read them once, too.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK: tile.scratch {{.*}} : <i8>
// CHECK: tile.transpose {{.*}} : <16x64xi8> -> <64x16xi8>
// CHECK: tile.mma {{.*}} !tile.staged<?x{{[0-9]+}}xi8>
// CHECK: tile.mma {{.*}} !tile.staged<?x{{[0-9]+}}xi8>
func.func @main(%a0: tensor<1x4x8x64xf32>, %b0: tensor<1x4x75x64xi8>, %c0: tensor<1x4x75x64xi8>, %s0: tensor<1x4x75xf32>, %t0: tensor<1x4x75xf32>) -> tensor<1x4x8x64xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0, %t = %t0) : (tensor<1x4x8x64xf32>, tensor<1x4x75x64xi8>, tensor<1x4x75x64xi8>, tensor<1x4x75xf32>, tensor<1x4x75xf32>) -> tensor<1x4x8x64xf32> {
    %1 = graph.attention %a, %b, %c scales %s, %t {scale = 0.25 : f64} : (tensor<1x4x8x64xf32>, tensor<1x4x75x64xi8>, tensor<1x4x75x64xi8>, tensor<1x4x75xf32>, tensor<1x4x75xf32>) -> tensor<1x4x8x64xf32>
    graph.yield %1 : tensor<1x4x8x64xf32>
  }
  return %k : tensor<1x4x8x64xf32>
}
