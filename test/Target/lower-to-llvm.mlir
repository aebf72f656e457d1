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

// bf16 is moved as its bits; LLVM never sees the type.
// CHECK-LABEL: llvm.func @narrow
// CHECK-NOT: bf16
// CHECK: llvm.mlir.constant(dense<16320> : vector<8xi16>) : vector<8xi16>
// CHECK: llvm.select %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xi16>
// CHECK: llvm.return
llvm.func @narrow(%x: vector<8xi16>, %c: vector<8xi1>) -> vector<8xi16> {
  %0 = arith.bitcast %x : vector<8xi16> to vector<8xbf16>
  %k = arith.constant dense<1.5> : vector<8xbf16>
  %1 = arith.select %c, %0, %k : vector<8xi1>, vector<8xbf16>
  %2 = arith.bitcast %1 : vector<8xbf16> to vector<8xi16>
  llvm.return %2 : vector<8xi16>
}
