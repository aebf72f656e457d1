// RUN: kiln-opt --kiln-expand-math %s | FileCheck %s

// CHECK-LABEL: func.func @erf
// CHECK-NOT: math.erf
// CHECK: arith.divf %{{.*}} : vector<16xf32>
func.func @erf(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.erf %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// bf16 is computed in f32 and rounded with integers.
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: arith.extf
// CHECK: %[[X:.*]] = arith.bitcast %{{.*}} : bf16 to i16
// CHECK: %[[WIDE:.*]] = arith.extui %[[X]] : i16 to i32
// CHECK: %[[HIGH:.*]] = arith.shli %[[WIDE]], %c16_i32
// CHECK: %[[A:.*]] = arith.bitcast %[[HIGH]] : i32 to f32
// CHECK: %[[B:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.addf %[[A]], %[[B]] : f32
// CHECK: arith.trunci %{{.*}} : i32 to i16
// CHECK-NOT: arith.truncf
func.func @narrow(%x: bf16, %y: bf16) -> bf16 {
  %0 = arith.addf %x, %y : bf16
  return %0 : bf16
}

// Rounded once: an i32 is exact in f64.
// CHECK-LABEL: func.func @from_integer
// CHECK: arith.sitofp %{{.*}} : i32 to f64
// CHECK: arith.trunci %{{.*}} : i32 to i16
func.func @from_integer(%x: i32) -> bf16 {
  %0 = arith.sitofp %x : i32 to bf16
  return %0 : bf16
}

// The long division of doubles is a loop.
// CHECK-LABEL: func.func @remainder
// CHECK-NOT: arith.remf
// CHECK: scf.for {{.*}} -> (vector<8xf64>)
// CHECK: arith.divf
// CHECK: math.fma
// CHECK: math.copysign
func.func @remainder(%x: vector<8xf64>, %y: vector<8xf64>) -> vector<8xf64> {
  %0 = arith.remf %x, %y : vector<8xf64>
  return %0 : vector<8xf64>
}

// What is an instruction stays.
// CHECK-LABEL: func.func @instructions
// CHECK-NEXT: math.sqrt
// CHECK-NEXT: math.floor
// CHECK-NEXT: math.fma
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: return
func.func @instructions(%x: f32) -> f16 {
  %0 = math.sqrt %x : f32
  %1 = math.floor %0 : f32
  %2 = math.fma %1, %0, %x : f32
  %3 = arith.truncf %2 : f32 to f16
  return %3 : f16
}
