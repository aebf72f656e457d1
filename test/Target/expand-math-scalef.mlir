// RUN: kiln-opt %s --kiln-expand-math=features=avx512f,avx512vl | FileCheck %s
// RUN: kiln-opt %s --kiln-expand-math=features=avx512f | FileCheck %s --check-prefix=NONE
// RUN: kiln-opt %s --kiln-expand-math | FileCheck %s --check-prefix=NONE
// RUN: not kiln-opt %s --kiln-expand-math=features=avx1024 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: KILN-E0001: kiln-expand-math: features: the option has no such value; expected features of hosts, such as avx512bw, found 'avx1024'
// exp ends in vscalefps where registers have it, and in two multiplications elsewhere.
// NONE-NOT: scalef

// CHECK-LABEL: func.func @one_register
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"({{.*}}) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
// CHECK-NEXT: return
func.func @one_register(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func.func @half_a_register
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.256"({{.*}}) : (vector<8xf32>, vector<8xf32>, vector<8xf32>, i8) -> vector<8xf32>
func.func @half_a_register(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.exp %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func.func @two_registers
// CHECK-COUNT-2: scalef.ps.512
func.func @two_registers(%x: vector<32xf32>) -> vector<32xf32> {
  %0 = math.exp %x : vector<32xf32>
  return %0 : vector<32xf32>
}

// Not: scalars, other sizes, among them those whose code would be long, f64.
// CHECK-LABEL: func.func @others
// CHECK-NOT: scalef
// CHECK: return
func.func @others(%x: f32, %y: vector<4xf32>, %z: vector<8xf64>, %w: vector<4294967296xf32>) -> (f32, vector<4xf32>, vector<8xf64>, vector<4294967296xf32>) {
  %0 = math.exp %x : f32
  %1 = math.exp %y : vector<4xf32>
  %2 = math.exp %z : vector<8xf64>
  %3 = math.exp %w : vector<4294967296xf32>
  return %0, %1, %2, %3 : f32, vector<4xf32>, vector<8xf64>, vector<4294967296xf32>
}
