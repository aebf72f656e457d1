// RUN: rm -rf %t && split-file %s %t
// RUN: kiln-square opt %t/fuse.mlir --kiln-fuse-kernels | FileCheck %t/fuse.mlir
// RUN: kiln-opt %t/fuse.mlir --kiln-fuse-kernels | FileCheck %t/fuse.mlir --check-prefix=WITHOUT
// RUN: kiln-square opt %t/emit.mlir --kiln-choose-configs=targets=x86-64-v3,sm_80 --kiln-emit-kernels=targets=x86-64-v3,sm_80 | FileCheck %t/emit.mlir
// RUN: echo "square-ec88dbbe1cedcb8f x86-64-v3 pointwise lanes = 8, grain = 512, stage = false" > %t/given.txt
// RUN: not kiln-square opt %t/emit.mlir --kiln-choose-configs="targets=x86-64-v3 configs=%t/given.txt" 2>&1 | FileCheck %t/emit.mlir --check-prefix=OTHER

// A family that only tests have, test/lib/Square, is one more row of the table of kernel
// families: fusion forms its kernels, its configs are on them, and its code is emitted.
//--- fuse.mlir
// What is in front of a square and behind it are kernels of their own.
// CHECK: graph.kernel "pointwise"
// CHECK-NEXT: graph.unary exp
// CHECK: graph.kernel "square"
// CHECK-NEXT: graph.binary mul %[[X:.*]], %[[X]]
// CHECK: graph.kernel "pointwise"
// Another product, and squares of integers, are not of the family.
// CHECK: graph.kernel "pointwise"
// CHECK-NOT: graph.kernel "square"

// WITHOUT: graph.kernel "pointwise"
// WITHOUT-NOT: graph.kernel "square"
func.func @main(%x: tensor<8x100xf32>, %y: tensor<8x100xf32>, %i: tensor<7xi32>) -> (tensor<8x100xf32>, tensor<7xi32>) {
  %0 = graph.unary exp %x : (tensor<8x100xf32>) -> tensor<8x100xf32>
  %1 = graph.binary mul %0, %0 : (tensor<8x100xf32>, tensor<8x100xf32>) -> tensor<8x100xf32>
  %2 = graph.binary mul %1, %y : (tensor<8x100xf32>, tensor<8x100xf32>) -> tensor<8x100xf32>
  %3 = graph.binary mul %i, %i : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  return %2, %3 : tensor<8x100xf32>, tensor<7xi32>
}
//--- emit.mlir
// CHECK: graph.kernel "square" {{.*}}tile.configs = {sm_80 = #tile.pointwise_config<lanes = 128, grain = 4096, {{.*}}>, "x86-64-v3" = #tile.pointwise_config<lanes = 8, grain = 4096,
// CHECK: module @"x86-64-v3"
// CHECK: tile.kernel @square_0{{.*}}hero = "square"
// CHECK: scf.for {{.*}} step %c8
// CHECK: arith.mulf %[[V:.*]], %[[V]]
// CHECK: module @sm_80
// CHECK: tile.kernel @square_0{{.*}}hero = "square"{{.*}}threads = 128
// CHECK: scf.for {{.*}} step %c128
// CHECK: tile.team = 32

// A configs file cannot give it what its check refuses.
// OTHER: KILN-E0410: {{.*}}given.txt:1: square-ec88dbbe1cedcb8f on x86-64-v3: this kernel has no config of this family on this target; expected one that kiln explain lists
graph.symbol @n in [1, 600]
func.func @main(%x: tensor<?x100xf32, #graph.shape<[n] -> [n, 100]>>) -> tensor<?x100xf32, #graph.shape<[n] -> [n, 100]>> {
  %0 = graph.kernel "square" (%a = %x) : (tensor<?x100xf32, #graph.shape<[n] -> [n, 100]>>) -> tensor<?x100xf32, #graph.shape<[n] -> [n, 100]>> {
    %1 = graph.binary mul %a, %a : (tensor<?x100xf32, #graph.shape<[n] -> [n, 100]>>, tensor<?x100xf32, #graph.shape<[n] -> [n, 100]>>) -> tensor<?x100xf32, #graph.shape<[n] -> [n, 100]>>
    graph.yield %1 : tensor<?x100xf32, #graph.shape<[n] -> [n, 100]>>
  }
  return %0 : tensor<?x100xf32, #graph.shape<[n] -> [n, 100]>>
}
