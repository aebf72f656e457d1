// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v4 | FileCheck %s

#x = #graph.shape<[rows] -> [rows, 64]>
#y = #graph.shape<[rows] -> [rows, 48]>

// Three panels of any number of rows: two side by side have code for blocks of 4 to 12 rows, and the one that is left for
// blocks of 4 to 8.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-COUNT-2: tile.mma {{.*}} <4x16xf32>
// CHECK-COUNT-14: tile.mma
// CHECK-COUNT-2: tile.mma {{.*}} <12x16xf32>
// CHECK: scf.index_switch
// CHECK: tile.mma {{.*}} <4x16xf32>
// CHECK: tile.mma {{.*}} <5x16xf32>
// CHECK: tile.mma {{.*}} <6x16xf32>
// CHECK: tile.mma {{.*}} <7x16xf32>
// CHECK: tile.mma {{.*}} <8x16xf32>
// CHECK-NOT: tile.mma
module {
  graph.symbol @rows in [1, 512]
  func.func @main(%x: tensor<?x64xf32, #x>, %w: tensor<3x64x16xf32>) -> tensor<?x48xf32, #y> {
    %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x64xf32, #x>, tensor<3x64x16xf32>) -> tensor<?x48xf32, #y> {
      %1 = graph.unpack %b : (tensor<3x64x16xf32>) -> tensor<64x48xf32>
      %2 = graph.matmul %a, %1 : (tensor<?x64xf32, #x>, tensor<64x48xf32>) -> tensor<?x48xf32, #y>
      graph.yield %2 : tensor<?x48xf32, #y>
    }
    return %0 : tensor<?x48xf32, #y>
  }
}

// -----

// A known number of rows has few heights anyway.
// CHECK-LABEL: tile.kernel @matmul_0
// CHECK-COUNT-2: tile.mma {{.*}} <12x16xf32>
// CHECK: tile.mma {{.*}} <12x16xf32>
// CHECK-NOT: tile.mma
func.func @main(%x: tensor<24x64xf32>, %w: tensor<3x64x16xf32>) -> tensor<24x48xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<24x64xf32>, tensor<3x64x16xf32>) -> tensor<24x48xf32> {
    %1 = graph.unpack %b : (tensor<3x64x16xf32>) -> tensor<64x48xf32>
    %2 = graph.matmul %a, %1 : (tensor<24x64xf32>, tensor<64x48xf32>) -> tensor<24x48xf32>
    graph.yield %2 : tensor<24x48xf32>
  }
  return %0 : tensor<24x48xf32>
}
