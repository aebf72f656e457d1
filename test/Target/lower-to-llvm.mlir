// RUN: kiln-opt --kiln-lower-to-llvm %s | FileCheck %s

// CHECK-LABEL: llvm.func @fma
// CHECK-SAME: %[[A:.*]]: vector<16xf32>, %[[N:.*]]: i64
// CHECK: llvm.cond_br
// CHECK: llvm.intr.fma(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
// CHECK-NOT: scf.for
llvm.func @fma(%a: vector<16xf32>, %n: i64) -> vector<16xf32> {
  %end = arith.index_cast %n : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%x = %a) -> vector<16xf32> {
    %0 = math.fma %x, %a, %x : vector<16xf32>
    scf.yield %0 : vector<16xf32>
  }
  llvm.return %r : vector<16xf32>
}

// What is the LLVM dialect already does not change.
// CHECK-LABEL: llvm.func @done
// CHECK-NEXT: %[[S:.*]] = llvm.fadd
// CHECK-NEXT: llvm.return %[[S]]
llvm.func @done(%a: f32) -> f32 {
  %0 = llvm.fadd %a, %a : f32
  llvm.return %0 : f32
}
